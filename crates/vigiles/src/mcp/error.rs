use std::path::PathBuf;

use thiserror::Error;

/// Why a scripted MCP server did not start.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum McpError {
    /// A script that is none.
    #[error("the script of the MCP server cannot be used: {problem}")]
    Script {
        /// What is wrong with it.
        problem: String,
    },
    /// A tool that cannot be offered, or a reply of one that cannot be given.
    #[error("the tool {tool:?} of the MCP server cannot be used: {problem}")]
    Tool {
        /// The tool's name.
        tool: String,
        /// What is wrong with it.
        problem: String,
    },
    /// No socket to listen on.
    #[error("the MCP server could not listen on {}: {source}", place.display())]
    Listen {
        /// The socket, or the directory for it.
        place: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A path that a unix socket cannot have.
    #[error(
        "the path of the unix socket {} has {len} bytes, and the system allows 107. Use a shorter directory for \
         temporary files (TMPDIR)",
        path.display()
    )]
    SocketPath {
        /// The path.
        path: PathBuf,
        /// Its length.
        len: usize,
    },
}

impl McpError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Script { .. } => "VIGILES_MCP_SCRIPT",
            Self::Tool { .. } => "VIGILES_MCP_TOOL",
            Self::Listen { .. } | Self::SocketPath { .. } => "VIGILES_MCP_LISTEN",
        }
    }
}
