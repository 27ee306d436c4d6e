//! A request as the text that the model is told.

use serde_json::Value;

use crate::trace::{ModelRequest, RequestMessage};

/// Flattens a request: messages with their role, answers of tools as messages of the role `tool`.
pub(crate) fn flatten(body: &Value) -> ModelRequest {
    let items = body["input"].as_array().map(Vec::as_slice).unwrap_or_default();
    let text_input = body["input"].as_str().map(|text| message("user", text.to_owned()));
    ModelRequest {
        system: body["instructions"].as_str().unwrap_or_default().to_owned(),
        messages: text_input.into_iter().chain(items.iter().filter_map(item)).collect(),
        tools: tools(body),
        model: body["model"].as_str().map(str::to_owned),
        ..ModelRequest::default()
    }
}

fn message(role: &str, text: String) -> RequestMessage {
    RequestMessage { role: role.to_owned(), text }
}

fn item(item: &Value) -> Option<RequestMessage> {
    match item["type"].as_str().unwrap_or("message") {
        "message" => Some(message(item["role"].as_str().unwrap_or_default(), content(&item["content"]))),
        // Arguments are what the model said, not what it was told.
        "function_call" | "custom_tool_call" | "local_shell_call" | "reasoning" | "web_search_call" => None,
        kind if kind.ends_with("_output") => Some(message("tool", output(&item["output"]))),
        _ => Some(message("", item.to_string())),
    }
}

fn content(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts: Vec<&str> = parts.iter().filter_map(|part| part["text"].as_str()).collect();
            texts.join("\n")
        }
        _ => String::new(),
    }
}

/// A tool's answer: a text, parts, or an object that holds either.
fn output(value: &Value) -> String {
    match value {
        Value::Object(fields) => fields.get("content").or_else(|| fields.get("output")).map_or_else(
            || value.to_string(),
            |inner| if inner.is_string() || inner.is_array() { content(inner) } else { inner.to_string() },
        ),
        other => content(other),
    }
}

/// Names of the tools, those of a namespace with it in front.
fn tools(body: &Value) -> Vec<String> {
    let mut names = Vec::new();
    for tool in body["tools"].as_array().into_iter().flatten() {
        let name = tool["name"].as_str().or_else(|| tool["type"].as_str()).unwrap_or_default();
        if let Some(inner) = tool["tools"].as_array() {
            let members = inner.iter().filter_map(|tool| tool["name"].as_str());
            names.extend(members.map(|inner| format!("{name}__{inner}")));
        } else {
            names.push(name.to_owned());
        }
    }
    names
}
