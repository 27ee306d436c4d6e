//! A request as the text that the model is told.

use serde_json::Value;

use crate::trace::{ModelRequest, RequestMessage};

/// Flattens a request. Unknown blocks are taken whole: a text that might have reached the model is never dropped.
pub(crate) fn flatten(body: &Value) -> ModelRequest {
    let messages = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let tools = body["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
    ModelRequest {
        system: content(&body["system"]),
        messages: messages
            .iter()
            .map(|message| RequestMessage {
                role: message["role"].as_str().unwrap_or_default().to_owned(),
                text: content(&message["content"]),
            })
            .collect(),
        tools: tools.iter().filter_map(|tool| tool["name"].as_str().map(str::to_owned)).collect(),
        model: body["model"].as_str().map(str::to_owned),
        ..ModelRequest::default()
    }
}

/// A text, or blocks with a line break between them.
fn content(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => {
            let texts: Vec<String> = blocks.iter().map(block).filter(|text| !text.is_empty()).collect();
            texts.join("\n")
        }
        Value::Null => String::new(),
        other => block(other),
    }
}

fn block(block: &Value) -> String {
    let kind = match block {
        Value::String(text) => return text.clone(),
        other => other["type"].as_str().unwrap_or_default(),
    };
    match kind {
        "text" | "search_result" | "document" => leaves(block),
        "thinking" => block["thinking"].as_str().unwrap_or_default().to_owned(),
        // Arguments are what the model said, not what it was told.
        "tool_use" | "server_tool_use" | "image" | "redacted_thinking" | "container_upload" => String::new(),
        kind if kind.ends_with("tool_result") => match &block["content"] {
            object @ Value::Object(_) => leaves(object),
            other => content(other),
        },
        _ => block.to_string(),
    }
}

/// All texts in a value, without what only describes them and without encoded bytes.
fn leaves(value: &Value) -> String {
    let mut texts = Vec::new();
    collect(value, &mut texts);
    texts.join("\n")
}

fn collect<'v>(value: &'v Value, texts: &mut Vec<&'v str>) {
    match value {
        Value::String(text) if !text.is_empty() => texts.push(text),
        Value::Array(items) => items.iter().for_each(|item| collect(item, texts)),
        Value::Object(fields) if fields.get("type").is_some_and(|kind| kind == "base64") => {}
        Value::Object(fields) => {
            let told = fields.iter().filter(|(name, _)| !matches!(name.as_str(), "type" | "media_type"));
            told.for_each(|(_, field)| collect(field, texts));
        }
        _ => {}
    }
}
