//! The server: a socket that clients connect to.

use std::fmt;
use std::fs::Permissions;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::UnixListener;
use tokio::task::JoinSet;

use super::connection;
use super::desk::Desk;
use super::{McpCall, McpError, McpRequest, McpScript};

/// What a unix socket's path may have on Linux, without its closing NUL.
const MAX_SOCKET_PATH: usize = 107;

/// A scripted MCP server.
///
/// It lives in the tokio runtime it was started in, which needs its drivers for I/O and time, and ends when it is
/// dropped. Any number of clients may connect; they share one record and the replies that are given in order.
///
/// Every request is kept until then, up to 512 MiB of them: what was asked is what tests look at.
pub struct McpServer {
    desk: Arc<Desk>,
    /// Holds the socket, for its owner alone.
    dir: TempDir,
    socket: PathBuf,
    /// Accepts connections. Ending its task ends every connection.
    listeners: JoinSet<()>,
}

impl fmt::Debug for McpServer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("McpServer").field("socket", &self.socket).finish_non_exhaustive()
    }
}

impl McpServer {
    /// Starts a server on a socket in a new directory below `temp_dir`, which only its owner may enter.
    pub fn start(script: McpScript, temp_dir: impl AsRef<Path>) -> Result<Self, McpError> {
        script.validate()?;
        let temp_dir = temp_dir.as_ref();
        let listen = |place: &Path, source| McpError::Listen { place: place.to_owned(), source };
        let dir = tempfile::Builder::new()
            .prefix("vigiles-mcp-")
            .permissions(Permissions::from_mode(0o700))
            .tempdir_in(temp_dir)
            .map_err(|source| listen(temp_dir, source))?;
        let socket = dir.path().join("mcp.sock");
        let len = socket.as_os_str().as_bytes().len();
        if len > MAX_SOCKET_PATH {
            return Err(McpError::SocketPath { path: socket, len });
        }
        let mut listeners = JoinSet::new();
        let fail_to_start = script.fail_to_start;
        let desk = Arc::new(Desk::new(script));
        if !fail_to_start {
            let listener = UnixListener::bind(&socket).map_err(|source| listen(&socket, source))?;
            // A confined CLI may run as another user; nobody else comes through the directory.
            std::fs::set_permissions(&socket, Permissions::from_mode(0o666))
                .map_err(|source| listen(&socket, source))?;
            listeners.spawn(accept(listener, Arc::clone(&desk)));
        }
        Ok(Self { desk, dir, socket, listeners })
    }

    /// The unix socket.
    pub fn socket(&self) -> &Path {
        &self.socket
    }

    /// The directory of the socket, and of nothing else: what a confined CLI has to be shown.
    pub fn socket_dir(&self) -> &Path {
        self.dir.path()
    }

    /// The server's entry in `mcpServers` of a CLI. `hook_program` is the program `vigiles-hook`.
    pub fn config(&self, hook_program: impl AsRef<Path>) -> Value {
        json!({ "command": hook_program.as_ref(), "args": ["mcp", self.socket] })
    }

    /// Every call of a tool so far, in the order they arrived.
    pub fn calls(&self) -> Vec<Arc<McpCall>> {
        self.desk.calls()
    }

    /// Every request and notification so far, in the order they arrived.
    pub fn requests(&self) -> Vec<Arc<McpRequest>> {
        self.desk.requests()
    }

    /// What went wrong so far, in words: a call for which a list has no reply, a function that failed, a call of a tool
    /// that the server does not have, a message that is none.
    pub fn problems(&self) -> Vec<String> {
        self.desk.problems()
    }

    /// Ends the server and every connection, and removes its directory. What it was asked stays readable.
    pub fn close(&mut self) {
        self.listeners.abort_all();
        // Somebody may have cleaned up before, or put a file beside the socket; that one goes with the server itself.
        let _ = std::fs::remove_file(&self.socket);
        let _ = std::fs::remove_dir(self.dir.path());
    }
}

/// Serves every client that comes, until the task is dropped.
async fn accept(listener: UnixListener, desk: Arc<Desk>) {
    let mut connections = JoinSet::new();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                let (read, write) = stream.into_split();
                connections.spawn(connection::serve(read, write, Arc::clone(&desk)));
                while connections.try_join_next().is_some() {}
            }
            // Out of file descriptors is no end: a connection that closes makes room.
            Err(_) => tokio::time::sleep(Duration::from_millis(5)).await,
        }
    }
}
