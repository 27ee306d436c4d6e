//! What differs between the model APIs.

use serde_json::Value;

use crate::trace::ModelRequest;
use crate::trace::json::{Node, decode};

use super::body::RequestBody;
use super::http::{Head, Reply};
use super::received::Kind;
use super::turn::{ApiError, Turn};
use super::{messages, responses};

/// Which API a model server speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Api {
    /// Anthropic Messages: `POST /v1/messages`, as Claude Code uses it.
    Messages,
    /// OpenAI Responses: `POST /v1/responses`, as Codex uses it.
    Responses,
}

/// An agent that a turn starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spawn {
    /// Its type.
    pub(crate) name: String,
    /// What it is told.
    pub(crate) prompt: String,
}

impl Api {
    /// Whether a path is that of a model request.
    pub(crate) fn asks_model(self, path: &str) -> bool {
        match self {
            Self::Messages => path.contains("/messages") && !self.counts_tokens(path),
            Self::Responses => path.ends_with("/responses"),
        }
    }

    /// Whether a path asks for a count of tokens.
    pub(crate) fn counts_tokens(self, path: &str) -> bool {
        self == Self::Messages && path.contains("count_tokens")
    }

    /// What [`classify`](Self::classify) and [`reply`](Self::reply) need of a body.
    pub(crate) fn outline(self, body: Node<'_>) -> Value {
        match self {
            Self::Messages => messages::outline(body),
            Self::Responses => decode::value_of(body.raw()),
        }
    }

    pub(crate) fn classify(self, head: &Head, body: &RequestBody) -> Kind {
        match self {
            Self::Messages => messages::classify(head, body),
            Self::Responses => responses::classify(head, body.outline()),
        }
    }

    pub(crate) fn flatten(self, body: &Value) -> ModelRequest {
        match self {
            Self::Messages => messages::flatten(body),
            Self::Responses => responses::flatten(body),
        }
    }

    pub(crate) fn reply(self, turn: &Turn, request: &RequestBody, answer: &str) -> Reply {
        match self {
            Self::Messages => messages::reply(turn, request.outline(), answer),
            Self::Responses => responses::reply(turn, request.outline(), answer),
        }
    }

    pub(crate) fn error(self, error: &ApiError) -> Reply {
        match self {
            Self::Messages => messages::error(error),
            Self::Responses => responses::error(error),
        }
    }

    /// The agents that a turn starts.
    pub(crate) fn spawns(self, turn: &Turn) -> Vec<Spawn> {
        match self {
            Self::Messages => messages::spawns(turn),
            Self::Responses => responses::spawns(turn),
        }
    }

    /// What makes two requests the same question: an error that the CLI asks again about is one turn.
    pub(crate) fn question(self, body: &Value) -> String {
        match self {
            Self::Messages => messages::question(body),
            Self::Responses => body["input"].to_string(),
        }
    }
}
