//! The body of a request, read no further than it is asked for.

use std::sync::OnceLock;

use bytes::Bytes;
use serde_json::Value;

use crate::trace::json::tape::{self, Tape};
use crate::trace::json::{Node, decode};

use super::api::Api;

/// A JSON object that was sent. Requests of a CLI are long, and nearly all of it is text that the answer does not depend
/// on: one pass checks the whole and keeps the [`outline`](Self::outline); the rest is decoded when somebody asks.
#[derive(Debug)]
pub(crate) struct RequestBody {
    raw: Bytes,
    outline: Value,
    whole: OnceLock<Value>,
}

impl RequestBody {
    /// Checks a body. The error says what is wrong with it.
    pub(crate) fn read(api: Api, raw: Bytes) -> Result<Self, String> {
        let mut tape = Tape::default();
        tape::scan(&raw, &mut tape).map_err(|refusal| format!("{} at byte {}", refusal.reason, refusal.at))?;
        let root = Node::root(&raw, &tape);
        if !root.is_object() {
            return Err("it is no object".to_owned());
        }
        let outline = api.outline(root);
        Ok(Self { raw, outline, whole: OnceLock::new() })
    }

    /// The bytes as they were sent.
    pub(crate) fn raw(&self) -> Bytes {
        self.raw.clone()
    }

    /// What tells requests apart and shapes the answer, without the conversation: see [`Api::outline`].
    pub(crate) fn outline(&self) -> &Value {
        &self.outline
    }

    /// All of it. Halves of surrogate pairs are U+FFFD in it: a client that cuts its texts sends them.
    pub(crate) fn whole(&self) -> &Value {
        self.whole.get_or_init(|| decode::value_of(&self.raw))
    }
}
