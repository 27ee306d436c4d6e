//! Answers of the Messages API, as one JSON document or as server-sent events.

use std::sync::LazyLock;

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::model::http::{Body, Reply};
use crate::model::turn::{ApiError, Turn};

/// Thinking is signed by the API, and clients hand the signature back. This one says `scripted`.
const SIGNATURE: &str = "c2NyaXB0ZWQ=";

/// The answer to a request. `answer` differs between the answers of one server; ids are made of it.
pub(crate) fn reply(turn: &Turn, request: &Value, answer: &str) -> Reply {
    if let Some(error) = &turn.error {
        return self::error(error);
    }
    let no_input = Map::new();
    let content = content(turn, answer, &no_input);
    let used = turn.token_use();
    let calls = content.iter().any(|block| matches!(block, Block::ToolUse { .. }));
    let message = Message {
        id: format!("msg_{answer}"),
        kind: "message",
        role: "assistant",
        model: request["model"].as_str().unwrap_or("scripted"),
        content: &content,
        stop_reason: Some(turn.stop.as_deref().unwrap_or(if calls { "tool_use" } else { "end_turn" })),
        stop_sequence: None,
        usage: Usage {
            input_tokens: used.input_tokens,
            cache_creation_input_tokens: used.cache_creation_tokens,
            cache_read_input_tokens: used.cache_read_tokens,
            output_tokens: used.output_tokens,
        },
    };
    let mut bytes = Vec::new();
    let content_type = if request["stream"] == Value::Bool(true) {
        stream(&mut bytes, message);
        "text/event-stream"
    } else {
        write(&mut bytes, &message);
        "application/json"
    };
    Reply { status: 200, retry_after: None, content_type, body: Body::of(bytes, turn.disconnect) }
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

#[derive(Debug, Clone, Serialize)]
struct Message<'a> {
    id: String,
    #[serde(rename = "type")]
    kind: &'static str,
    role: &'static str,
    model: &'a str,
    content: &'a [Block<'a>],
    stop_reason: Option<&'a str>,
    stop_sequence: Option<&'a str>,
    usage: Usage,
}

#[derive(Debug, Clone, Serialize)]
#[expect(clippy::struct_field_names, reason = "as the API names them")]
struct Usage {
    input_tokens: u64,
    cache_creation_input_tokens: u64,
    cache_read_input_tokens: u64,
    output_tokens: u64,
}

#[derive(Debug, Clone, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block<'a> {
    Thinking { thinking: &'a str, signature: &'a str },
    Text { text: &'a str },
    ToolUse { id: String, name: &'a str, input: &'a Map<String, Value> },
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Event<'a> {
    MessageStart { message: Message<'a> },
    ContentBlockStart { index: usize, content_block: Block<'a> },
    ContentBlockDelta { index: usize, delta: Delta<'a> },
    ContentBlockStop { index: usize },
    MessageDelta { delta: Stop<'a>, usage: Output },
    MessageStop,
}

#[derive(Debug, Serialize)]
#[serde(tag = "type")]
#[expect(clippy::enum_variant_names, reason = "as the API names them")]
enum Delta<'a> {
    #[serde(rename = "thinking_delta")]
    ThinkingDelta { thinking: &'a str },
    #[serde(rename = "signature_delta")]
    SignatureDelta { signature: &'a str },
    #[serde(rename = "text_delta")]
    TextDelta { text: &'a str },
    #[serde(rename = "input_json_delta")]
    InputJsonDelta { partial_json: String },
}

#[derive(Debug, Serialize)]
struct Stop<'a> {
    stop_reason: Option<&'a str>,
    stop_sequence: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct Output {
    output_tokens: u64,
}

fn content<'a>(turn: &'a Turn, answer: &str, no_input: &'a Map<String, Value>) -> Vec<Block<'a>> {
    let thinking = turn.thinking.iter().map(|thinking| Block::Thinking { thinking, signature: SIGNATURE });
    let text = turn.text.iter().map(|text| Block::Text { text });
    let calls = turn.each_call().enumerate().map(|(index, (name, input))| Block::ToolUse {
        id: format!("toolu_{answer}_{}", index + 1),
        name,
        input: input.unwrap_or(no_input),
    });
    let mut content: Vec<Block<'a>> = thinking.chain(text).chain(calls).collect();
    if content.iter().all(|block| matches!(block, Block::Thinking { .. })) {
        // An answer says something, if only nothing.
        content.push(Block::Text { text: "" });
    }
    content
}

/// The events that stream a message: each block is opened, filled by one delta and closed.
fn stream(out: &mut Vec<u8>, message: Message<'_>) {
    let (content, stop_reason, output_tokens) = (message.content, message.stop_reason, message.usage.output_tokens);
    let usage = Usage { output_tokens: output_tokens.min(1), ..message.usage };
    event(
        out,
        "message_start",
        &Event::MessageStart { message: Message { content: &[], stop_reason: None, usage, ..message } },
    );
    for (index, block) in content.iter().enumerate() {
        let (content_block, deltas) = opened(block);
        event(out, "content_block_start", &Event::ContentBlockStart { index, content_block });
        for delta in deltas {
            event(out, "content_block_delta", &Event::ContentBlockDelta { index, delta });
        }
        event(out, "content_block_stop", &Event::ContentBlockStop { index });
    }
    let delta = Stop { stop_reason, stop_sequence: None };
    event(out, "message_delta", &Event::MessageDelta { delta, usage: Output { output_tokens } });
    event(out, "message_stop", &Event::MessageStop);
}

/// A block as it is opened, and what then fills it.
fn opened<'a>(block: &Block<'a>) -> (Block<'a>, Vec<Delta<'a>>) {
    static NOTHING: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);
    match block {
        Block::Thinking { thinking, signature } => (
            Block::Thinking { thinking: "", signature: "" },
            vec![Delta::ThinkingDelta { thinking }, Delta::SignatureDelta { signature }],
        ),
        Block::Text { text } => (Block::Text { text: "" }, vec![Delta::TextDelta { text }]),
        Block::ToolUse { id, name, input } => {
            let mut partial_json = Vec::new();
            write(&mut partial_json, input);
            let partial_json = String::from_utf8(partial_json).unwrap_or_default();
            (Block::ToolUse { id: id.clone(), name, input: &NOTHING }, vec![Delta::InputJsonDelta { partial_json }])
        }
    }
}

fn event(out: &mut Vec<u8>, name: &str, event: &Event<'_>) {
    out.extend_from_slice(b"event: ");
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b"\ndata: ");
    write(out, event);
    out.extend_from_slice(b"\n\n");
}

fn write(out: &mut Vec<u8>, value: &impl Serialize) {
    // Neither does writing to memory fail, nor a value whose keys are all strings.
    let _ = serde_json::to_writer(out, value);
}
