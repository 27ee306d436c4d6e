//! Programs that stand in for real ones: `gh`, `kubectl`, `curl`.
//!
//! A stub answers calls by rules, in the order they stand in, and keeps every call. A call that no rule answers gets nothing
//! invented: it fails, and so does the run that made it.
//!
//! [`install`] writes a directory of small programs that go before others in `PATH`. Each starts `vigiles-hook stub`, which is
//! [`answer`]; afterwards [`Stubs::calls`] tells what was called.

mod answer;
mod calls;
mod error;
mod install;
mod json;
mod rule;

pub use answer::{Answered, answer};
pub use calls::{StubCall, StubOutcome, unanswered};
pub use error::StubError;
pub use install::{Stubs, install};
pub use rule::{Stub, StubAnswer, StubReply, StubRule, Token};
