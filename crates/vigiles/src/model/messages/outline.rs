//! The part of a request that says who asks and how to answer.

use serde_json::{Map, Value};

use crate::trace::json::{Node, decode};

/// A request without its long parts: no messages, no system prompt, and of each tool only the `type`, which the tools of the
/// client do not have.
pub(crate) fn outline(body: Node<'_>) -> Value {
    let mut outline = Map::new();
    for (key, value) in body.members() {
        let value = match &*key.key() {
            b"messages" | b"system" | b"metadata" => continue,
            b"tools" => Value::Array(value.items().map(tool).collect()),
            _ => decode::value(value),
        };
        outline.insert(key.str().unwrap_or_default().into_owned(), value);
    }
    Value::Object(outline)
}

fn tool(tool: Node<'_>) -> Value {
    let kind = tool.get("type").map(|kind| ("type".to_owned(), decode::value(kind)));
    Value::Object(kind.into_iter().collect())
}
