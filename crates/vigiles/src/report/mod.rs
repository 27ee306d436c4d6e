//! Results in the forms that people and other programs read.
//!
//! | form | function |
//! |---|---|
//! | what happened in a run, as text for a terminal | [`summarize`] |
//! | results of tests and checks, as JUnit XML for a CI | [`junit`] |

mod junit;
mod summary;
mod text;

pub use junit::{Case, Outcome, ReportError, Suite, junit};
pub use summary::summarize;
