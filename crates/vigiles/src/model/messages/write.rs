//! Answers of the Messages API, as one JSON document or as server-sent events.

use serde_json::{Map, Value, json};

use crate::model::http::{Body, Reply};
use crate::model::turn::{ApiError, Turn};

/// The answer to a request. `answer` differs between the answers of one server; ids are made of it.
pub(crate) fn reply(turn: &Turn, request: &Value, answer: &str) -> Reply {
    if let Some(error) = &turn.error {
        return self::error(error);
    }
    let message = message(turn, request, answer);
    if request["stream"] == Value::Bool(true) {
        let events = events(turn, message);
        Reply {
            status: 200,
            retry_after: None,
            content_type: "text/event-stream",
            body: Body::of(events, turn.disconnect),
        }
    } else {
        let bytes = message.to_string().into_bytes();
        Reply {
            status: 200,
            retry_after: None,
            content_type: "application/json",
            body: Body::of(bytes, turn.disconnect),
        }
    }
}

/// An HTTP error.
pub(crate) fn error(error: &ApiError) -> Reply {
    let kind = error.kind.as_deref().unwrap_or(match error.status {
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        400..=499 => "invalid_request_error",
        _ => "api_error",
    });
    let text = error.message.as_deref().unwrap_or("scripted error");
    let body = json!({ "type": "error", "error": { "type": kind, "message": text } });
    Reply {
        status: error.status,
        retry_after: error.retry_after,
        content_type: "application/json",
        body: Body::of(body.to_string().into_bytes(), false),
    }
}

fn message(turn: &Turn, request: &Value, answer: &str) -> Value {
    let mut content = Vec::new();
    if let Some(thinking) = &turn.thinking {
        content.push(json!({ "type": "thinking", "thinking": thinking, "signature": "c2NyaXB0ZWQ=" }));
    }
    let calls = turn.calls();
    match &turn.text {
        Some(text) => content.push(json!({ "type": "text", "text": text })),
        // An answer has at least one block.
        None if calls.is_empty() => content.push(json!({ "type": "text", "text": "" })),
        None => {}
    }
    for (index, call) in calls.iter().enumerate() {
        let id = format!("toolu_{}_{}", answer, index + 1);
        content.push(json!({ "type": "tool_use", "id": id, "name": call.tool, "input": call.input }));
    }
    let stop = turn.stop.as_deref().unwrap_or(if calls.is_empty() { "end_turn" } else { "tool_use" });
    let used = turn.token_use();
    json!({
        "id": format!("msg_{}", answer),
        "type": "message",
        "role": "assistant",
        "model": request["model"].as_str().unwrap_or("scripted"),
        "content": content,
        "stop_reason": stop,
        "stop_sequence": null,
        "usage": {
            "input_tokens": used.input_tokens,
            "cache_creation_input_tokens": used.cache_creation_tokens,
            "cache_read_input_tokens": used.cache_read_tokens,
            "output_tokens": used.output_tokens,
        },
    })
}

/// The events that stream a message: each block is opened, filled by one delta and closed.
fn events(turn: &Turn, message: Value) -> Vec<u8> {
    let Value::Object(mut message) = message else { return Vec::new() };
    let content = message.insert("content".into(), json!([])).unwrap_or_default();
    let stop = message.insert("stop_reason".into(), Value::Null).unwrap_or_default();
    let used = turn.token_use();
    message["usage"]["output_tokens"] = used.output_tokens.min(1).into();

    let mut out = Vec::new();
    event(&mut out, &json!({ "type": "message_start", "message": message }));
    for (index, block) in content.as_array().into_iter().flatten().enumerate() {
        let (opened, deltas) = opened(block);
        event(&mut out, &json!({ "type": "content_block_start", "index": index, "content_block": opened }));
        for delta in deltas {
            event(&mut out, &json!({ "type": "content_block_delta", "index": index, "delta": delta }));
        }
        event(&mut out, &json!({ "type": "content_block_stop", "index": index }));
    }
    event(
        &mut out,
        &json!({
            "type": "message_delta",
            "delta": { "stop_reason": stop, "stop_sequence": null },
            "usage": { "output_tokens": used.output_tokens },
        }),
    );
    event(&mut out, &json!({ "type": "message_stop" }));
    out
}

/// A block as it is opened, and what then fills it.
fn opened(block: &Value) -> (Value, Vec<Value>) {
    let mut empty: Map<String, Value> = block.as_object().cloned().unwrap_or_default();
    let text = |field: &str| block[field].as_str().unwrap_or_default().to_owned();
    let deltas = match block["type"].as_str() {
        Some("thinking") => {
            empty["thinking"] = "".into();
            empty["signature"] = "".into();
            vec![
                json!({ "type": "thinking_delta", "thinking": text("thinking") }),
                json!({ "type": "signature_delta", "signature": text("signature") }),
            ]
        }
        Some("tool_use") => {
            let input = std::mem::replace(&mut empty["input"], json!({}));
            vec![json!({ "type": "input_json_delta", "partial_json": input.to_string() })]
        }
        _ => {
            empty["text"] = "".into();
            vec![json!({ "type": "text_delta", "text": text("text") })]
        }
    };
    (Value::Object(empty), deltas)
}

fn event(out: &mut Vec<u8>, data: &Value) {
    let name = data["type"].as_str().unwrap_or_default();
    out.extend_from_slice(b"event: ");
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b"\ndata: ");
    out.extend_from_slice(data.to_string().as_bytes());
    out.extend_from_slice(b"\n\n");
}
