//! The OpenAI Responses API, as far as Codex uses it.

mod classify;
mod flatten;
mod names;
mod write;

pub(crate) use classify::{classify, spawns};
pub(crate) use flatten::flatten;
pub(crate) use write::{error, reply};
