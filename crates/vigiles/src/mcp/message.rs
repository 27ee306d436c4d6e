//! JSON-RPC 2.0: what a line holds, and what is answered.

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// The most messages of one batch.
const MAX_BATCH: usize = 1000;

/// Why a message is answered with an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failure {
    code: i32,
    pub(super) message: String,
}

impl Failure {
    pub(super) fn parse(message: impl Into<String>) -> Self {
        Self { code: -32700, message: format!("Parse error: {}", message.into()) }
    }

    pub(super) fn invalid_request(message: impl Into<String>) -> Self {
        Self { code: -32600, message: format!("Invalid Request: {}", message.into()) }
    }

    pub(super) fn no_method(method: &str) -> Self {
        Self { code: -32601, message: format!("Method not found: {method}") }
    }

    pub(super) fn invalid_params(message: impl Into<String>) -> Self {
        Self { code: -32602, message: format!("Invalid params: {}", message.into()) }
    }

    pub(super) fn internal(message: impl Into<String>) -> Self {
        Self { code: -32603, message: format!("Internal error: {}", message.into()) }
    }
}

/// One line of a client.
#[derive(Debug)]
pub(super) enum Line<'a> {
    One(Message<'a>),
    Batch(Vec<Message<'a>>),
    /// Nothing that could be taken apart into messages.
    Broken(Failure),
}

/// One message of a client.
#[derive(Debug)]
pub(super) enum Message<'a> {
    Request {
        id: &'a RawValue,
        method: String,
        params: Option<&'a RawValue>,
    },
    Notification {
        method: String,
        params: Option<&'a RawValue>,
    },
    /// An answer. The server asks nothing, so it waits for none.
    Answer,
    Invalid {
        id: &'a RawValue,
        failure: Failure,
    },
}

impl<'a> Line<'a> {
    /// Reads a line.
    pub(super) fn read(line: &'a [u8]) -> Self {
        let json = match std::str::from_utf8(line) {
            Ok(text) => serde_json::from_str::<&RawValue>(text).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        match json {
            Err(problem) => Self::Broken(Failure::parse(problem)),
            Ok(json) if json.get().starts_with('[') => Self::read_batch(json.get()),
            Ok(json) => Self::One(Message::read(json.get())),
        }
    }

    fn read_batch(json: &'a str) -> Self {
        match serde_json::from_str::<Vec<&RawValue>>(json) {
            Err(error) => Self::Broken(Failure::parse(error.to_string())),
            Ok(list) if list.is_empty() => Self::Broken(Failure::invalid_request("an empty batch")),
            Ok(list) if list.len() > MAX_BATCH => Self::Broken(Failure::invalid_request(format!(
                "a batch of {} messages, and the server takes {MAX_BATCH}",
                list.len()
            ))),
            Ok(list) => Self::Batch(list.into_iter().map(|message| Message::read(message.get())).collect()),
        }
    }
}

impl<'a> Message<'a> {
    fn read(json: &'a str) -> Self {
        #[derive(Deserialize)]
        struct Envelope<'a> {
            #[serde(borrow)]
            jsonrpc: Option<&'a RawValue>,
            #[serde(borrow, default, deserialize_with = "given")]
            id: Option<&'a RawValue>,
            #[serde(borrow)]
            method: Option<&'a RawValue>,
            #[serde(borrow)]
            params: Option<&'a RawValue>,
            #[serde(borrow, default, deserialize_with = "given")]
            result: Option<&'a RawValue>,
            #[serde(borrow)]
            error: Option<&'a RawValue>,
        }

        let invalid = |id: Option<&'a RawValue>, problem: String| Self::Invalid {
            id: id.filter(|id| is_id(id)).unwrap_or(RawValue::NULL),
            failure: Failure::invalid_request(problem),
        };
        if !json.starts_with('{') {
            return invalid(None, "expected an object".to_owned());
        }
        let Envelope { jsonrpc, id, method, params, result, error } = match serde_json::from_str(json) {
            Ok(envelope) => envelope,
            Err(error) => return invalid(None, error.to_string()),
        };
        if jsonrpc.map(RawValue::get) != Some(r#""2.0""#) {
            return invalid(id, "expected `jsonrpc` to be \"2.0\"".to_owned());
        }
        let Some(method) = method else {
            return if result.is_some() || error.is_some() {
                Self::Answer
            } else {
                invalid(id, "expected a `method`".to_owned())
            };
        };
        let Ok(method) = serde_json::from_str::<String>(method.get()) else {
            return invalid(id, "expected `method` to be a string".to_owned());
        };
        match id {
            None => Self::Notification { method, params },
            Some(id) if is_id(id) => Self::Request { id, method, params },
            Some(_) => invalid(None, "expected `id` to be a string or a number".to_owned()),
        }
    }
}

/// Tells a field that is `null` from one that is not there.
fn given<'a, D: Deserializer<'a>>(deserializer: D) -> Result<Option<&'a RawValue>, D::Error> {
    Deserialize::deserialize(deserializer).map(Some)
}

fn is_id(value: &RawValue) -> bool {
    value.get().starts_with(|first: char| first == '"' || first == '-' || first.is_ascii_digit())
}

/// An answer. `outcome` is JSON.
pub(super) fn answer(id: &RawValue, outcome: Result<String, Failure>) -> String {
    match outcome {
        Ok(result) => format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#),
        Err(Failure { code, message }) => {
            let message = serde_json::Value::String(message);
            format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":{message}}}}}"#)
        }
    }
}

/// Answers as the line that is sent.
pub(super) fn line(text: String) -> Vec<u8> {
    let mut bytes = text.into_bytes();
    // A script's own JSON may be spread over lines. In JSON a bare line end is white space, never a part of a string.
    for byte in &mut bytes {
        if matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
    bytes.push(b'\n');
    bytes
}
