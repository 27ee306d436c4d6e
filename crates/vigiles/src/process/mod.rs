//! Runs one command with an input on its stdin, and reports all that can be seen of it.
//!
//! ```
//! use std::time::Duration;
//! use vigiles::process::Command;
//!
//! let output = Command::shell("cat; echo careful >&2; exit 2")
//!     .env("PATH", "/usr/bin:/bin")
//!     .stdin("an event")
//!     .timeout(Duration::from_secs(10))
//!     .run()?;
//! assert_eq!(output.exit_code, Some(2));
//! assert_eq!(output.stdout.text_lossy(), "an event");
//! assert_eq!(output.stderr.text_lossy(), "careful\n");
//! # Ok::<(), vigiles::process::ProcessError>(())
//! ```
//!
//! # What the child gets
//! - Its own process group, so that a timeout ends the whole tree and not only the shell at its top.
//! - Exactly the environment in [`Command::env`]: nothing of the caller's reaches it.
//! - Pipes on stdin, stdout and stderr, and the default reaction to `SIGPIPE` even where the host process ignores it
//!   (Node and Python do). Its signal mask is that of the calling thread.
//!
//! # When a run ends
//! A run ends when the command has exited and both streams are at their end. Two cases would otherwise never end:
//! - **The timeout passes** ([`DEFAULT_TIMEOUT`] unless the command has another, or none). The group gets `SIGKILL`, and streams that are still open are read for [`KILL_GRACE`] more.
//! - **The command exits, and something it started still holds a stream** (`server &`). The streams are read for
//!   [`EXIT_GRACE`] more.
//!
//! In both, [`Output::streams_left_open`] tells of it. Every run ends with `SIGKILL` to what is left of the group, also
//! after a normal exit: a test must leave nothing behind. Only a process that left the group (`setsid`, a shell with job
//! control) is out of reach.
//!
//! # What is an error
//! A run that could not be tried is a [`ProcessError`]. A program that is missing or may not be executed is an outcome, the
//! one a shell reports: exit code 127 or 126, the reason on stderr, and [`Output::launched`] false.

mod batch;
mod capture;
mod changes;
mod command;
pub mod confine;
mod egress;
mod error;
#[cfg(target_os = "linux")]
pub(crate) mod files;
mod launch;
mod observe;
mod output;
#[cfg(target_os = "linux")]
mod readable;
mod script;
mod signal;

pub use batch::run_many;
pub use capture::Captured;
pub use changes::FileChanges;
pub use command::{Command, DEFAULT_MAX_OUTPUT_BYTES, DEFAULT_TIMEOUT, Program};
pub use egress::{EgressAttempt, EgressDropped, EgressMode};
pub use error::ProcessError;
pub use observe::{EXIT_GRACE, KILL_GRACE};
pub use output::Output;
pub use script::ScriptRun;
pub use signal::signal_name;
