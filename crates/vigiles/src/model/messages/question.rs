//! What a request asks, whatever the CLI says beside it.

use std::fmt::Write;

use serde_json::Value;

/// The conversation without what the CLI changes between two tries of one question: marks for the cache, reminders of its
/// own, features that it leaves out.
pub(crate) fn question(body: &Value) -> String {
    let mut question = String::new();
    for message in body["messages"].as_array().into_iter().flatten() {
        match message["role"].as_str() {
            Some("assistant") => question.push_str("assistant\n"),
            Some("user") => match &message["content"] {
                Value::String(text) => add_text(&mut question, text),
                content => content.as_array().into_iter().flatten().for_each(|block| add_block(&mut question, block)),
            },
            _ => {}
        }
    }
    question
}

fn add_block(question: &mut String, block: &Value) {
    if let Some(call) = block["tool_use_id"].as_str() {
        // Writing to a string does not fail.
        let _ = writeln!(question, "result of {call}");
    }
    if let Some(text) = block["text"].as_str() {
        add_text(question, text);
    }
}

fn add_text(question: &mut String, text: &str) {
    if !text.trim_start().starts_with("<system-reminder>") {
        question.push_str(text);
        question.push('\n');
    }
}
