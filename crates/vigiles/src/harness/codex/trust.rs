//! Which hooks Codex trusts.
//!
//! Codex skips a hook that it does not trust without a word. It trusts one whose hash stands in its configuration, under a
//! key made of the file and the hook's place in it.

use std::fmt::Write;

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::harness::settings::HookEntry;

/// The time limit that Codex takes when a hook has none, in seconds. It is part of the hash.
const DEFAULT_TIMEOUT: f64 = 600.0;

/// The key of a hook in `[hooks.state]`: `<file>:<event in snake case>:<group>:<handler>`.
pub fn trust_key(hook: &HookEntry) -> Option<String> {
    let mut parts = hook.pointer.trim_start_matches("/hooks/").split('/');
    let (_event, group, _hooks, handler) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    Some(format!("{}:{}:{group}:{handler}", hook.file.display(), snake_case(&hook.event)))
}

/// The hash that makes a hook trusted: `sha256:` and the SHA-256, in hexadecimal, of the compact JSON with sorted keys of
/// `{event_name, matcher?, hooks: [{type, command, timeout, async, statusMessage?}]}`. The form was compared with the
/// hashes that the app server of Codex 0.171.0 gives for its hooks.
pub fn trust_hash(hook: &HookEntry, status_message: Option<&str>) -> Option<String> {
    let timeout = hook.timeout.unwrap_or(DEFAULT_TIMEOUT);
    // Whole seconds are written without a fraction.
    #[expect(clippy::cast_possible_truncation, reason = "checked to be whole")]
    let timeout = if timeout.fract() == 0.0 { json!(timeout as i64) } else { json!(timeout) };
    let mut handler = Map::new();
    handler.insert("type".into(), json!("command"));
    handler.insert("command".into(), json!(hook.command()?));
    handler.insert("timeout".into(), timeout);
    handler.insert("async".into(), json!(hook.is_async));
    if let Some(message) = status_message {
        handler.insert("statusMessage".into(), json!(message));
    }
    let mut whole = Map::new();
    whole.insert("event_name".into(), json!(snake_case(&hook.event)));
    if let Some(matcher) = &hook.matcher {
        whole.insert("matcher".into(), json!(matcher));
    }
    whole.insert("hooks".into(), json!([sorted(Value::Object(handler))]));
    let text = sorted(Value::Object(whole)).to_string();
    let mut hash = "sha256:".to_owned();
    for byte in Sha256::digest(text.as_bytes()) {
        // Writing to a string does not fail.
        let _ = write!(hash, "{byte:02x}");
    }
    Some(hash)
}

fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for (index, c) in name.char_indices() {
        if c.is_ascii_uppercase() && index > 0 {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}

/// With the keys of every object in order, whatever order the map keeps.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<(String, Value)> =
                fields.into_iter().map(|(name, value)| (name, sorted(value))).collect();
            fields.sort_by(|(a, _), (b, _)| a.cmp(b));
            Value::Object(fields.into_iter().collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(sorted).collect()),
        other => other,
    }
}
