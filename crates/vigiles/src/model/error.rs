use std::path::PathBuf;

use thiserror::Error;

/// Why a model server did not start, or cannot go on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// A script that is none.
    #[error("the model script cannot be read: {problem}")]
    Script {
        /// What is wrong with it.
        problem: String,
    },
    /// A scripted turn that has no clear meaning.
    #[error("{place} of the model script cannot be served: {problem}")]
    Turn {
        /// Which turn.
        place: String,
        /// What is wrong with it.
        problem: String,
    },
    /// No address or socket to listen on.
    #[error("the model server could not listen on {place}: {source}")]
    Listen {
        /// The address or path.
        place: String,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A path that a unix socket cannot have.
    #[error(
        "the path of the unix socket {} has {len} bytes, and the system allows 107. Use a shorter directory",
        path.display()
    )]
    SocketPath {
        /// The path.
        path: PathBuf,
        /// Its length.
        len: usize,
    },
}

impl ModelError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Script { .. } => "VIGILES_MODEL_SCRIPT",
            Self::Turn { .. } => "VIGILES_MODEL_TURN",
            Self::Listen { .. } | Self::SocketPath { .. } => "VIGILES_MODEL_LISTEN",
        }
    }
}
