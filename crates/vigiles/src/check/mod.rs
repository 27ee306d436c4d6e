//! Checks: claims about a run, as data.
//!
//! A [`Check`] is judged against a trace, one of its subagents, or the run of a single hook, and says whether it
//! holds, does not, or cannot be judged. Its message says what was expected and what was seen.
//!
//! ```
//! use vigiles::check::{Check, EcmaPatterns, Target};
//! use vigiles::trace::Trace;
//!
//! let trace = Trace::from_json(r#"{"toolCalls": [{"name": "Read"}, {"name": "Edit"}]}"#)?;
//! let check = Check::from_json(r#"{"kind": "tool", "name": "Bash"}"#)?;
//! let result = check.eval(&Target::from(&trace), &EcmaPatterns::new());
//! assert_eq!(result.message, r#"expected the agent to use tool "Bash", but it used [Read, Edit]"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod eval;
mod json;
mod matcher;
mod observed;
mod pattern;
pub mod predicate;
mod result;
mod seen;
mod target;
mod vocabulary;

pub use error::{CheckError, EvalError};
pub use eval::eval_all;
pub use matcher::{ArgMatcher, ArgValue, Bounds, NameMatcher, TextMatcher};
pub use pattern::{EcmaPatterns, Pattern, PatternError, PatternTester};
pub use result::{CheckResult, Verdict, format_failures};
pub use target::{RunFacts, Target};
pub use vocabulary::Check;
