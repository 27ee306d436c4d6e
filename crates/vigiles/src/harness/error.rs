use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use thiserror::Error;

use crate::model::{ModelError, Overrun, Unused};
use crate::process::ProcessError;
use crate::trace::TraceError;

use super::surfaces::SurfaceError;

/// Why a run of a harness gave no trace that can be judged.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HarnessError {
    /// A field of the spec that cannot be used.
    #[error("`{field}` of the harness spec cannot be used: {problem}")]
    Spec {
        /// The field.
        field: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A spec asks a CLI for something that it has not got.
    #[error("{cli} has no `{field}`: {reason}")]
    Unsupported {
        /// The CLI.
        cli: Cow<'static, str>,
        /// The field of the spec.
        field: Cow<'static, str>,
        /// Why.
        reason: Cow<'static, str>,
    },
    /// The CLI is not on this machine.
    #[error("{cli} was not found: {looked}. {hint}")]
    CliMissing {
        /// The CLI.
        cli: Cow<'static, str>,
        /// Where it was looked for.
        looked: String,
        /// How to get it.
        hint: Cow<'static, str>,
    },
    /// A file of the run that could not be made or read.
    #[error("could not {action} {}: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A settings file, plugin or skill that the CLI would pass over without a word.
    #[error(transparent)]
    Surface(#[from] SurfaceError),
    /// The model server.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The CLI's process.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// The CLI's stream.
    #[error("the stream of {cli} could not be read: {source}{context}")]
    Stream {
        /// The CLI.
        cli: Cow<'static, str>,
        /// Why not.
        source: TraceError,
        /// More about the run.
        context: Box<Context>,
    },
    /// The CLI did not start, or ended before it asked the model.
    #[error("{cli} ended before any model turn, with {exit}{context}")]
    NotStarted {
        /// The CLI.
        cli: Cow<'static, str>,
        /// How it ended.
        exit: String,
        /// More about the run.
        context: Box<Context>,
    },
    /// The CLI did not come to an end in time.
    #[error("{cli} was ended after {} ms without a result. Is a hook or tool waiting for something?{context}", after.as_millis())]
    TimedOut {
        /// The CLI.
        cli: Cow<'static, str>,
        /// The time limit.
        after: Duration,
        /// More about the run.
        context: Box<Context>,
    },
    /// The CLI ended without saying how the run went.
    #[error("{cli} ended with {exit} and without a result, so the run was cut{context}")]
    NoResult {
        /// The CLI.
        cli: Cow<'static, str>,
        /// How it ended.
        exit: String,
        /// More about the run.
        context: Box<Context>,
    },
    /// The CLI asked for a login.
    #[error("{cli} asked for a login instead of using the model server: {said}{context}")]
    Unauthenticated {
        /// The CLI.
        cli: Cow<'static, str>,
        /// Its words.
        said: String,
        /// More about the run.
        context: Box<Context>,
    },
    /// The CLI does not know an option or value that the run needs.
    #[error("{cli} refused `{what}`: {said}{context}")]
    Refused {
        /// The CLI.
        cli: Cow<'static, str>,
        /// What it refused.
        what: String,
        /// Its words.
        said: String,
        /// More about the run.
        context: Box<Context>,
    },
    /// A request that the script has no turn for.
    #[error("{overrun}{context}")]
    ScriptOverrun {
        /// The request.
        overrun: Box<Overrun>,
        /// More about the run.
        context: Box<Context>,
    },
    /// A function of the script failed.
    #[error("{problem}{context}")]
    ScriptFailed {
        /// Which, and why.
        problem: String,
        /// More about the run.
        context: Box<Context>,
    },
    /// Turns of a strict script that nobody asked for.
    #[error("{}. Remove them, or leave out `strictScript`{context}", unused.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    ScriptUnused {
        /// The turns.
        unused: Vec<Unused>,
        /// More about the run.
        context: Box<Context>,
    },
    /// A scripted call of a tool that the run does not have.
    #[error("{place} of the script calls the tool {tool:?}, which {problem}{context}")]
    ToolMissing {
        /// The turn.
        place: String,
        /// The tool.
        tool: String,
        /// Why it cannot be called.
        problem: String,
        /// More about the run.
        context: Box<Context>,
    },
    /// An adapter that was written elsewhere failed.
    #[error("the adapter of {cli} failed in `{member}`: {problem}{context}")]
    Adapter {
        /// The CLI.
        cli: Cow<'static, str>,
        /// What was asked of the adapter.
        member: &'static str,
        /// Its words.
        problem: String,
        /// More about the run.
        context: Box<Context>,
    },
    /// The CLI ended in a way that its adapter takes for a failure.
    #[error("{cli} ended without a result that can be judged: {problem}{context}")]
    CliFailed {
        /// The CLI.
        cli: Cow<'static, str>,
        /// The adapter's words.
        problem: String,
        /// More about the run.
        context: Box<Context>,
    },
    /// A field needs the program `vigiles-hook`.
    #[error(
        "`{field}` needs the program vigiles-hook, and it is not there. It comes with the native package: install with optional \
         dependencies. In a checkout of vigiles run `npm run build:native`. The variable VIGILES_HOOK_PROGRAM names another one"
    )]
    HelperMissing {
        /// The field of the spec.
        field: &'static str,
    },
    /// A call of a stub that no rule answers.
    #[error("{problem}{context}")]
    StubUnanswered {
        /// Which calls, and what to add.
        problem: String,
        /// More about the run.
        context: Box<Context>,
    },
    /// Something of the harness that should have reached the model and did not.
    #[error("{what} never reached the model{context}")]
    NeverReached {
        /// What.
        what: String,
        /// More about the run.
        context: Box<Context>,
    },
}

impl HarnessError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Spec { .. } => "VIGILES_HARNESS_SPEC",
            Self::Unsupported { .. } => "VIGILES_HARNESS_UNSUPPORTED",
            Self::CliMissing { .. } => "VIGILES_CLI_MISSING",
            Self::Io { .. } => "VIGILES_HARNESS_IO",
            Self::Surface(error) => error.code(),
            Self::Model(error) => error.code(),
            Self::Process(error) => error.code(),
            Self::Stream { source, .. } => source.code(),
            Self::NotStarted { .. } => "VIGILES_CLI_NOT_STARTED",
            Self::TimedOut { .. } => "VIGILES_CLI_TIMED_OUT",
            Self::NoResult { .. } => "VIGILES_CLI_NO_RESULT",
            Self::Unauthenticated { .. } => "VIGILES_CLI_UNAUTHENTICATED",
            Self::Refused { .. } => "VIGILES_CLI_REFUSED",
            Self::ScriptOverrun { .. } => "VIGILES_SCRIPT_OVERRUN",
            Self::ScriptFailed { .. } => "VIGILES_SCRIPT_FAILED",
            Self::ScriptUnused { .. } => "VIGILES_SCRIPT_UNUSED",
            Self::ToolMissing { .. } => "VIGILES_TOOL_MISSING",
            Self::HelperMissing { .. } => "VIGILES_HOOK_PROGRAM_MISSING",
            Self::StubUnanswered { .. } => "VIGILES_STUB_UNANSWERED",
            Self::Adapter { .. } => "VIGILES_ADAPTER_FAILED",
            Self::CliFailed { .. } => "VIGILES_CLI_FAILED",
            Self::NeverReached { .. } => "VIGILES_NEVER_REACHED",
        }
    }

    /// Whether the directories of the run tell more.
    pub(super) fn keeps_place(&self) -> bool {
        !matches!(
            self,
            Self::Spec { .. }
                | Self::Unsupported { .. }
                | Self::CliMissing { .. }
                | Self::HelperMissing { .. }
                | Self::Io { .. }
                | Self::Model(_)
                | Self::Surface(_)
        )
    }

    pub(super) fn io(action: &'static str, path: &Path, source: std::io::Error) -> Self {
        Self::Io { action, path: path.to_owned(), source }
    }
}

/// What helps to find out why a run failed: the end of the CLI's stderr, the command, the directories.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// The end of the CLI's stderr.
    pub stderr: String,
    /// The command; empty where there was none.
    pub argv: Vec<OsString>,
    /// The directories of the run, which were kept.
    pub dir: PathBuf,
}

/// How much of stderr an error shows, in characters.
const TAIL: usize = 1500;

impl fmt::Display for Context {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stderr = self.stderr.trim_end();
        if !stderr.is_empty() {
            let skipped = stderr.chars().count().saturating_sub(TAIL);
            let tail: String = stderr.chars().skip(skipped).collect();
            let cut = if skipped > 0 { "..." } else { "" };
            write!(out, "\n  stderr: {cut}{}", tail.replace('\n', "\n          "))?;
        }
        if !self.argv.is_empty() {
            let argv: Vec<String> = self.argv.iter().map(|argument| quoted(&argument.to_string_lossy())).collect();
            write!(out, "\n  command: {}", argv.join(" "))?;
        }
        write!(out, "\n  kept: {}", self.dir.display())
    }
}

/// An argument as a shell would take it.
fn quoted(argument: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:,@%+".contains(c);
    if !argument.is_empty() && argument.chars().all(plain) {
        argument.to_owned()
    } else {
        format!("'{}'", argument.replace('\'', r"'\''"))
    }
}
