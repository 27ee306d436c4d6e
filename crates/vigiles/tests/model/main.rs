//! The scripted model servers of `vigiles::model`, asked over real connections.
//!
//! Time limits in here only tell "at once" from "never": they hold on a loaded machine too.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod answers;
mod classify;
mod client;
mod compute;
mod connections;
mod flatten;
mod limits;
mod overrun;
mod properties;
mod retries;
mod sockets;
mod subagents;
