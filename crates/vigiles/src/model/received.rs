//! Requests as they arrived.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use serde_json::Value;

use crate::trace::{ModelRequest, RequestKind};

use super::Api;

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
}

impl Received {
    /// The body as it was sent.
    pub fn raw(&self) -> &[u8] {
        &self.raw
    }

    /// The request as text, made when it is first asked for.
    pub fn flat(&self) -> Arc<ModelRequest> {
        Arc::clone(self.flat.get_or_init(|| {
            // It was JSON when it was accepted.
            let body = serde_json::from_slice(&self.raw).unwrap_or(Value::Null);
            Arc::new(self.flatten(&body))
        }))
    }

    pub(crate) fn flatten(&self, body: &Value) -> ModelRequest {
        let (kind, agent_id) = match &self.kind {
            Kind::Main => (RequestKind::Main, None),
            Kind::Subagent { id } => (RequestKind::Subagent, Some(id.clone())),
            Kind::Side(purpose) => (*purpose, None),
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
