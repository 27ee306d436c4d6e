//! The OpenAI Responses API, as far as Codex uses it.

use serde_json::Value;

use crate::trace::ModelRequest;

use super::api::Spawn;
use super::http::{Head, Reply};
use super::messages;
use super::received::Kind;
use super::turn::{ApiError, Turn};

pub(crate) fn classify(_head: &Head, _body: &Value) -> Kind {
    Kind::Main
}

pub(crate) fn flatten(body: &Value) -> ModelRequest {
    messages::flatten(body)
}

pub(crate) fn reply(turn: &Turn, request: &Value, answer: &str) -> Reply {
    messages::reply(turn, request, answer)
}

pub(crate) fn error(error: &ApiError) -> Reply {
    messages::error(error)
}

pub(crate) fn spawns(_turn: &Turn) -> Vec<Spawn> {
    Vec::new()
}
