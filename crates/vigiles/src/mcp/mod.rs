//! A scripted MCP server: tools that answer what a script says, and a record of what was asked.
//!
//! ```no_run
//! use vigiles::mcp::{McpScript, McpServer, Reply, Tool};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let script = McpScript::new([Tool::new("echo", Reply::text("hello"))]);
//! let server = McpServer::start(script, "/tmp")?;
//! // ... give server.config("vigiles-hook") to a CLI as one of its `mcpServers`, and run it ...
//! assert_eq!(server.calls()[0].tool, "echo");
//! # Ok(()) }
//! ```
//!
//! It speaks JSON-RPC 2.0, one message a line, on a unix socket. A CLI starts its servers itself and talks to them over
//! stdio: `vigiles-hook mcp SOCKET` connects the two. So the server lives in the process of the test, where its answers
//! can be functions and its record can be read.

mod connection;
mod desk;
mod error;
mod message;
mod protocol;
mod record;
mod reply;
mod script;
mod server;
#[cfg(test)]
mod tests;

pub use error::McpError;
pub use record::{McpCall, McpRequest};
pub use reply::Reply;
pub use script::{McpScript, Replied, Replies, ReplyFn, ReplyStep, Tool};
pub use server::McpServer;
