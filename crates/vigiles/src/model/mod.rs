//! Scripted models: servers on loopback that speak a model API and say what a script tells them to.
//!
//! ```no_run
//! use vigiles::model::{Api, ModelServer, Script, Turn};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let script = Script::new([
//!     Turn::tool("Bash", serde_json::json!({ "command": "ls" })),
//!     Turn::text("Two files."),
//! ]);
//! let server = ModelServer::on_loopback(Api::Messages, script).await?;
//! // ... point a client at server.url() ...
//! assert_eq!(server.report().turns, 2);
//! # Ok(()) }
//! ```
//!
//! A script that is used up is an error: no turn is repeated or invented. Everything that was asked is kept.

mod api;
mod body;
mod compute;
mod desk;
mod error;
mod http;
mod messages;
mod queue;
mod received;
mod report;
mod responses;
mod script;
mod server;
mod turn;

pub use api::Api;
pub use error::ModelError;
pub use received::Received;
pub use report::{Overrun, Report, Unused};
pub use script::{Compute, Computed, Script, Step};
pub use server::{Doorway, ModelServer};
pub use turn::{ApiError, TokenUse, ToolUse, Turn};
