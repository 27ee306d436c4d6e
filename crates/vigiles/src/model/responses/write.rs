//! Answers of the Responses API, as one JSON document or as server-sent events.

use serde_json::{Value, json};

use crate::model::http::{Body, Reply};
use crate::model::turn::{ApiError, Turn};

use super::names::{Call, call};

/// The answer to a request. `answer` differs between the answers of one server; ids are made of it.
pub(crate) fn reply(turn: &Turn, request: &Value, answer: &str) -> Reply {
    if let Some(error) = &turn.error {
        return self::error(error);
    }
    let items = items(turn, answer);
    let response = response(turn, request, answer, &items);
    let (content_type, bytes) = if request["stream"] == Value::Bool(true) {
        ("text/event-stream", events(&items, &response))
    } else {
        ("application/json", response.to_string().into_bytes())
    };
    Reply { status: 200, retry_after: None, content_type, body: Body::of(bytes, turn.disconnect) }
}

/// An HTTP error.
pub(crate) fn error(error: &ApiError) -> Reply {
    let kind = error.kind.as_deref().unwrap_or(match error.status {
        401 => "invalid_api_key",
        404 => "model_not_found",
        429 => "rate_limit_exceeded",
        400..=499 => "invalid_request_error",
        _ => "server_error",
    });
    let text = error.message.as_deref().unwrap_or("scripted error");
    let body = json!({ "error": { "type": kind, "code": kind, "message": text } });
    Reply {
        status: error.status,
        retry_after: error.retry_after,
        content_type: "application/json",
        body: Body::of(body.to_string().into_bytes(), false),
    }
}

/// What the model says, in the order it says it.
fn items(turn: &Turn, answer: &str) -> Vec<Value> {
    let mut items = Vec::new();
    if let Some(thinking) = &turn.thinking {
        let summary = json!([{ "type": "summary_text", "text": thinking }]);
        items.push(json!({ "type": "reasoning", "id": format!("rs_{answer}"), "summary": summary }));
    }
    if let Some(text) = &turn.text {
        let content = json!([{ "type": "output_text", "text": text, "annotations": [] }]);
        let id = format!("msg_{answer}");
        items.push(
            json!({ "type": "message", "id": id, "role": "assistant", "status": "completed", "content": content }),
        );
    }
    for (index, scripted) in turn.calls().iter().enumerate() {
        let call_id = call_id(answer, index);
        items.push(match call(&scripted.tool, &scripted.input) {
            Call::Function { name, namespace, arguments } => {
                let mut item = json!({
                    "type": "function_call",
                    "id": format!("fc_{answer}_{}", index + 1),
                    "call_id": call_id,
                    "name": name,
                    "arguments": arguments.to_string(),
                    "status": "completed",
                });
                if let Some(namespace) = namespace {
                    item["namespace"] = namespace.into();
                }
                item
            }
            Call::Custom { name, input } => json!({
                "type": "custom_tool_call",
                "id": format!("ctc_{answer}_{}", index + 1),
                "call_id": call_id,
                "name": name,
                "input": input,
                "status": "completed",
            }),
        });
    }
    items
}

/// The id of a call, counted from 0.
pub(crate) fn call_id(answer: &str, index: usize) -> String {
    format!("call_{answer}_{}", index + 1)
}

fn response(turn: &Turn, request: &Value, answer: &str, items: &[Value]) -> Value {
    let used = turn.token_use();
    let input = used.input_tokens + used.cache_read_tokens + used.cache_creation_tokens;
    let mut response = json!({
        "id": format!("resp_{answer}"),
        "object": "response",
        "model": request["model"].as_str().unwrap_or("scripted"),
        "status": if turn.stop.is_some() { "incomplete" } else { "completed" },
        "output": items,
        "usage": {
            "input_tokens": input,
            "input_tokens_details": { "cached_tokens": used.cache_read_tokens },
            "output_tokens": used.output_tokens,
            "output_tokens_details": { "reasoning_tokens": 0 },
            "total_tokens": input + used.output_tokens,
        },
    });
    if let Some(stop) = &turn.stop {
        let reason = match stop.as_str() {
            "max_tokens" => "max_output_tokens",
            "refusal" => "content_filter",
            other => other,
        };
        response["incomplete_details"] = json!({ "reason": reason });
    }
    response
}

/// The events that stream a response.
fn events(items: &[Value], response: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    let mut event = |data: &Value| {
        let name = data["type"].as_str().unwrap_or_default();
        out.extend_from_slice(format!("event: {name}\ndata: {data}\n\n").as_bytes());
    };
    event(&json!({ "type": "response.created", "response": { "id": response["id"], "model": response["model"] } }));
    for (index, item) in items.iter().enumerate() {
        event(&json!({ "type": "response.output_item.added", "output_index": index, "item": item }));
        if item["type"] == "message" {
            let text = &item["content"][0]["text"];
            event(
                &json!({ "type": "response.output_text.delta", "output_index": index, "content_index": 0, "item_id": item["id"], "delta": text }),
            );
        }
        event(&json!({ "type": "response.output_item.done", "output_index": index, "item": item }));
    }
    let end = if response["status"] == "completed" { "response.completed" } else { "response.incomplete" };
    event(&json!({ "type": end, "response": response }));
    out
}
