use std::io;
use std::path::PathBuf;

/// Why a command was not confined, and therefore not run; or why its changes could not be brought back.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfineError {
    /// This machine cannot confine.
    #[error(
        "expected to run the command confined, but this machine cannot: {reason}. Nothing was run: make that work \
         (Debian, Ubuntu: `apt install bubblewrap`), or, if you trust the command, run it unconfined with `sandbox: false`"
    )]
    Unavailable {
        /// What is missing or failed.
        reason: String,
    },

    /// This machine can confine, but has not what an allow-list or a recording of connections needs.
    #[error("expected to {wanted}, but this machine cannot: {reason}. Nothing was run: {advice}")]
    EgressUnavailable {
        /// What was asked for.
        wanted: &'static str,
        /// What is missing or failed.
        reason: String,
        /// What to do.
        advice: &'static str,
    },

    /// An entry of the allow-list is no host, or its address is not known.
    #[error("expected hosts to allow as \"name\" or \"name:port\", but got {entry:?}: {reason}. Nothing was run")]
    EgressHost {
        /// The entry.
        entry: String,
        /// What is wrong with it.
        reason: String,
    },

    /// A path that was to be shown or hidden.
    #[error("cannot {doing} {} for a confined command: {reason}. Nothing was run", path.display())]
    Path {
        /// What was to be done with it, such as `hide`.
        doing: &'static str,
        /// The path as given.
        path: PathBuf,
        /// What is wrong with it, and what to do.
        reason: String,
    },

    /// The command's directory has more than the limit.
    #[error(
        "expected {} to have at most {limit} {unit}, but it has more ({seen} when counting stopped): a confined command gets a \
         copy of it. Give a smaller directory, or raise the limit `{option}`",
        path.display()
    )]
    Size {
        /// The directory.
        path: PathBuf,
        /// `bytes` or `entries`.
        unit: &'static str,
        /// What was counted.
        seen: u64,
        /// The limit.
        limit: u64,
        /// The limit's name, as in the JSON form of [`ConfineLimits`](super::ConfineLimits).
        option: &'static str,
    },

    /// A file could not be copied into the work directory, or back from it.
    #[error("cannot {doing} {}: {source}. {advice}", path.display())]
    Copy {
        /// What was tried, such as `read`.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
        /// What to do, and what the caller can rely on.
        advice: &'static str,
    },

    /// Bubblewrap started and gave up.
    #[error("expected bubblewrap to start the command, but it ended first: {said}. Nothing was run")]
    Start {
        /// What it said on standard error.
        said: String,
    },

    /// A step of the setting up failed.
    #[error("cannot {doing} for a confined command: {source}. Nothing was run")]
    Setup {
        /// The step.
        doing: &'static str,
        /// What the operating system said.
        source: io::Error,
    },
}

impl ConfineError {
    /// The stable name of this kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unavailable { .. } => "VIGILES_CONFINE_UNAVAILABLE",
            Self::EgressUnavailable { .. } => "VIGILES_CONFINE_EGRESS_UNAVAILABLE",
            Self::EgressHost { .. } => "VIGILES_CONFINE_EGRESS_HOST",
            Self::Path { .. } => "VIGILES_CONFINE_PATH",
            Self::Size { .. } => "VIGILES_CONFINE_SIZE",
            Self::Copy { .. } => "VIGILES_CONFINE_COPY",
            Self::Start { .. } => "VIGILES_CONFINE_START",
            Self::Setup { .. } => "VIGILES_CONFINE_SETUP",
        }
    }
}
