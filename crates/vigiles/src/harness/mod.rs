//! Runs of a harness in the real CLI, against a scripted model.
//!
//! ```no_run
//! use std::sync::Arc;
//! use vigiles::harness::{ClaudeCode, Spec, Surroundings, run};
//! use vigiles::model::{Script, Turn};
//!
//! # async fn example() -> Result<(), vigiles::harness::HarnessError> {
//! let spec = Spec { prompt: Some("List the files.".into()), ..Spec::default() };
//! let script = Script::new([Turn::tool("Bash", serde_json::json!({ "command": "ls" })), Turn::text("None.")]);
//! let surroundings = Surroundings { temp_dir: "/tmp".into(), path: "/usr/local/bin:/usr/bin:/bin".into(), ..Surroundings::default() };
//! let run = run(Arc::new(ClaudeCode), "/opt/claude".into(), spec, script, &surroundings).await?;
//! let trace = run.trace.as_ref();
//! assert_eq!(trace.and_then(|trace| trace.output()), Some("None."));
//! # Ok(()) }
//! ```
//!
//! A run has directories of its own, a clean environment and a key that opens nothing. It ends in a trace, or in an error
//! that says why there is none.

mod claude;
pub mod codex;
mod confined;
mod driver;
mod error;
mod explain;
mod find;
mod intercept;
mod leftovers;
mod place;
mod run;
pub mod settings;
mod spec;
mod stubs;
mod surfaces;
mod sweep;
mod variables;
mod written;

pub use claude::ClaudeCode;
pub use codex::Codex;
pub use driver::{Driver, Ended, Endpoint, Launch, Refusal, Setup, UserTurn};
pub use error::{Context, HarnessError};
pub use explain::{Asked, Explained, Layer, Sources, Trust, WouldRun, explain_hooks};
pub use find::find_program;
pub use place::Place;
pub use run::{HarnessRun, Surroundings, run};
pub use spec::{DEFAULT_ALLOWED_TOOLS, DEFAULT_TIMEOUT, Effort, OneOrMany, Spec};
pub use surfaces::{Document, Plugin, Skill, SurfaceError, Surfaces, load_plugin, resolve_harness};
pub use sweep::{GuardSweep, Sweep, SweptHook, SweptOutcome, Unmeasurable, sweep_guards};
