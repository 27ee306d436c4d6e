//! Requests as they arrived.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use serde_json::Value;

use crate::trace::json::decode;
use crate::trace::{ModelRequest, RequestKind};

use super::{Api, Turn};

/// Who asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The main agent.
    Main,
    /// A subagent, by the id that the CLI gave it.
    Subagent { id: String },
    /// The CLI itself, for this purpose.
    Side(RequestKind),
}

/// One request of the model API, as it arrived.
#[derive(Debug)]
pub struct Received {
    pub(crate) api: Api,
    pub(crate) kind: Kind,
    pub(crate) agent: Option<Arc<str>>,
    pub(crate) raw: Bytes,
    pub(crate) flat: OnceLock<Arc<ModelRequest>>,
    /// The name that ids of the answer are made of, and the turn.
    pub(crate) answer: OnceLock<(String, Turn)>,
}

impl Received {
    /// The body as it was sent.
    pub fn raw(&self) -> &[u8] {
        &self.raw
    }

    /// Who asked.
    pub fn kind(&self) -> RequestKind {
        match &self.kind {
            Kind::Main => RequestKind::Main,
            Kind::Subagent { .. } => RequestKind::Subagent,
            Kind::Side(purpose) => *purpose,
        }
    }

    /// The turn that it was answered with, and the name that the ids of the answer are made of. `None` before the answer,
    /// and where there was no turn.
    pub fn answer(&self) -> Option<(&str, &Turn)> {
        self.answer.get().map(|(name, turn)| (name.as_str(), turn))
    }

    /// The request as text, made when it is first asked for.
    pub fn flat(&self) -> Arc<ModelRequest> {
        Arc::clone(self.flat.get_or_init(|| Arc::new(self.flatten(&decode::value_of(&self.raw)))))
    }

    pub(crate) fn flatten(&self, body: &Value) -> ModelRequest {
        let kind = self.kind();
        let agent_id = match &self.kind {
            Kind::Subagent { id } => Some(id.clone()),
            _ => None,
        };
        ModelRequest {
            side_channel: kind.is_side_channel(),
            kind: Some(kind),
            agent_id,
            agent: self.agent.as_deref().map(str::to_owned),
            ..self.api.flatten(body)
        }
    }
}
