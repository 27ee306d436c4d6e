//! The Anthropic Messages API, as far as Claude Code and the SDKs use it.

mod classify;
mod flatten;
mod outline;
mod question;
mod spawn;
mod write;

pub(crate) use classify::classify;
pub(crate) use flatten::flatten;
pub(crate) use outline::outline;
pub(crate) use question::question;
pub(crate) use spawn::spawns;
pub(crate) use write::{error, reply};
