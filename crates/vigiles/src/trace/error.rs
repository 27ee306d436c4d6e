//! What can go wrong when a trace is read.

use std::io;
use std::path::PathBuf;

/// A trace could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TraceError {
    /// The file is not there.
    #[error("expected a trace at {}, but there is no such file. Check the path; relative paths start at the working directory of the caller", path.display())]
    NotFound {
        /// The path asked for.
        path: PathBuf,
    },
    /// A directory, FIFO, socket or device.
    #[error("expected a regular file at {}, but it is a {what}. {hint}", path.display())]
    NotAFile {
        /// The path asked for.
        path: PathBuf,
        /// What it is.
        what: &'static str,
        /// What to do instead.
        hint: &'static str,
    },
    /// The operating system refused to open or read the file.
    #[error("could not read the trace at {}: {source}", path.display())]
    Io {
        /// The path asked for.
        path: PathBuf,
        /// The refusal.
        source: io::Error,
    },
    /// The operating system refused to open or read a file of the work dir.
    #[error("could not read the file {} of the run: {source}", path.display())]
    FileUnreadable {
        /// The file, with its work dir.
        path: PathBuf,
        /// The refusal.
        source: io::Error,
    },
    /// The stream given to `from_reader` failed.
    #[error("could not read the trace from its stream: {0}")]
    Stream(#[source] io::Error),
    /// Nothing in it.
    #[error(
        "expected a trace in {}, but it is empty: the command that wrote it printed nothing on stdout. Its stderr and exit code say why",
        from
    )]
    Empty {
        /// The path, or "the buffer".
        from: String,
    },
    /// Not one of the known formats.
    #[error(
        "expected Claude Code stream-json, json or session lines, or Codex `exec --json` lines in {from}, but {seen}. \
         Record with `claude -p --output-format stream-json --verbose --include-hook-events` or `codex exec --json`"
    )]
    UnknownKind {
        /// The path, or "the buffer".
        from: String,
        /// What was there.
        seen: String,
    },
    /// Two sources were given that do not belong together.
    #[error("expected the session file of the same run ({expected}), but {} is of session {seen}", path.display())]
    SessionMismatch {
        /// The session file.
        path: PathBuf,
        /// The stream's session id.
        expected: String,
        /// The session file's own id.
        seen: String,
    },
    /// A session file was given beside something that it cannot add to.
    #[error(
        "expected a Claude Code stream for the session file {} to be merged with, but the trace is of kind {kind}. \
         Leave the session out", path.display()
    )]
    NoSession {
        /// The session file.
        path: PathBuf,
        /// The kind of the trace.
        kind: &'static str,
    },
    /// What was given as the session file of a stream is something else.
    #[error(
        "expected the session file of the run at {}, but it is of kind {seen}. \
         Session files are at projects/<cwd>/<session id>.jsonl in the CLI's configuration directory", path.display()
    )]
    NotASession {
        /// The file.
        path: PathBuf,
        /// The kind it was detected as.
        seen: &'static str,
    },
    /// The file became shorter or was rewritten after it was read the first time.
    #[error("the trace at {} changed while it was in use ({what}). Read it again when its writer has finished", path.display())]
    Changed {
        /// The path.
        path: PathBuf,
        /// What was noticed.
        what: String,
    },
    /// A plain object that has not the shape of a trace.
    #[error("expected an object with the fields of a trace, but {0}")]
    NotATrace(String),
    /// Something was asked that this trace did not record.
    #[error("{what} was not recorded in this trace. {hint}")]
    NotObserved {
        /// The field or call.
        what: &'static str,
        /// Which option records it.
        hint: &'static str,
    },
}

impl TraceError {
    /// The stable code of this kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotFound { .. } => "VIGILES_TRACE_NOT_FOUND",
            Self::NotAFile { .. } => "VIGILES_TRACE_NOT_A_FILE",
            Self::Io { .. } | Self::FileUnreadable { .. } | Self::Stream(_) => "VIGILES_TRACE_UNREADABLE",
            Self::Empty { .. } => "VIGILES_TRACE_EMPTY",
            Self::UnknownKind { .. } => "VIGILES_TRACE_UNKNOWN_KIND",
            Self::SessionMismatch { .. } | Self::NoSession { .. } => "VIGILES_TRACE_SESSION_MISMATCH",
            Self::NotASession { .. } => "VIGILES_TRACE_NOT_A_SESSION",
            Self::Changed { .. } => "VIGILES_TRACE_CHANGED",
            Self::NotATrace(_) => "VIGILES_TRACE_INVALID",
            Self::NotObserved { .. } => "VIGILES_NOT_OBSERVED",
        }
    }
}
