//! What a hook printed on stdout, read as the CLIs read it.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::decision::Cli;
use crate::trace::mended;

/// What stdout is to the CLI.
pub(super) enum Output {
    /// Nothing but white space.
    Empty,
    /// Text: stdout that does not start with `{`.
    Text,
    /// A JSON object that fits the schema of the CLI.
    Json(Map<String, Value>),
    /// It starts like a JSON object, but is none or does not fit the schema.
    Invalid {
        /// The object, when it is one.
        json: Option<Map<String, Value>>,
        /// What is wrong, as `field: expected ..., got ...`.
        why: String,
    },
}

/// Reads the JSON answer of a hook: stdout must be one JSON object and nothing else.
///
/// Returns `None` for anything else. Lone surrogate escapes (`"\ud83d"`, which JavaScript writes when it cuts a string
/// inside an emoji) become U+FFFD: the CLIs accept them, so they must not turn a denial into silence.
pub fn parse_hook_output(stdout: &str) -> Option<Value> {
    parse_object(trim(stdout)).ok().map(Value::Object)
}

pub(super) fn read(cli: Cli, event: &str, stdout: &str) -> Output {
    let text = trim(stdout);
    if text.is_empty() {
        return Output::Empty;
    }
    if !text.starts_with('{') {
        return Output::Text;
    }
    match parse_object(text) {
        Err(why) => Output::Invalid { json: None, why },
        Ok(json) => match schema_violation(cli, event, &json) {
            Some(why) => Output::Invalid { json: Some(json), why },
            None => Output::Json(json),
        },
    }
}

/// JavaScript's `trim` also drops the byte order mark, which `str::trim` keeps.
fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}')
}

fn parse_object(text: &str) -> Result<Map<String, Value>, String> {
    if !text.starts_with('{') {
        return Err("stdout does not start with \"{\"".to_owned());
    }
    let parsed = serde_json::from_str(text).or_else(|error| match mended(text) {
        Cow::Owned(repaired) => serde_json::from_str(&repaired),
        Cow::Borrowed(_) => Err(error),
    });
    parsed.map_err(|error| format!("stdout starts with \"{{\" but is not one JSON object: {error}"))
}

/// The first field that does not fit the schema, or `None`.
///
/// Only what is known to make the CLI throw the whole answer away is checked: the types and values of the fields the CLI
/// itself lists when it rejects an answer. Fields it does not list are ignored, as the CLI does.
fn schema_violation(cli: Cli, event: &str, json: &Map<String, Value>) -> Option<String> {
    // Claude Code's fields are optional but not nullable; Codex reads null as absent, except in its two flags.
    let nullable = cli == Cli::Codex;
    for name in ["continue", "suppressOutput"] {
        if let Some(value) = json.get(name)
            && !value.is_boolean()
        {
            return Some(violation(name, "a boolean", value));
        }
    }
    for name in ["stopReason", "reason", "systemMessage"] {
        if let Some(value) = field(json, name, nullable)
            && !value.is_string()
        {
            return Some(violation(name, "a string", value));
        }
    }
    let decisions: &[&str] = match (cli, event) {
        (Cli::Codex, event) if event != "PreToolUse" => &["block"],
        _ => &["approve", "block"],
    };
    if let Some(value) = field(json, "decision", nullable)
        && !one_of(value, decisions)
    {
        return Some(violation("decision", &alternatives(decisions), value));
    }
    let specific = field(json, "hookSpecificOutput", nullable)?;
    let Some(specific) = specific.as_object() else {
        return Some(violation("hookSpecificOutput", "an object", specific));
    };
    specific_violation(cli, event, specific, nullable)
}

fn specific_violation(cli: Cli, event: &str, specific: &Map<String, Value>, nullable: bool) -> Option<String> {
    const NAME: &str = "hookSpecificOutput.hookEventName";
    let expected = if event.is_empty() { "the event's name".to_owned() } else { format!("{event:?}") };
    match specific.get("hookEventName") {
        None => return Some(format!("{NAME}: expected {expected}, but it is missing")),
        Some(Value::String(name)) if event.is_empty() || name == event => {}
        Some(other) => return Some(violation(NAME, &expected, other)),
    }
    let named = specific.get("hookEventName").and_then(Value::as_str).unwrap_or_default();
    if named == "PreToolUse" {
        let decisions: &[&str] = match cli {
            Cli::ClaudeCode => &["allow", "deny", "ask", "defer"],
            Cli::Codex => &["allow", "deny", "ask"],
        };
        if let Some(value) = field(specific, "permissionDecision", nullable)
            && !one_of(value, decisions)
        {
            return Some(violation("hookSpecificOutput.permissionDecision", &alternatives(decisions), value));
        }
        if let Some(value) = field(specific, "permissionDecisionReason", nullable)
            && !value.is_string()
        {
            return Some(violation("hookSpecificOutput.permissionDecisionReason", "a string", value));
        }
        if let Some(value) = field(specific, "updatedInput", nullable)
            && cli == Cli::ClaudeCode
            && !value.is_object()
        {
            return Some(violation("hookSpecificOutput.updatedInput", "an object", value));
        }
    }
    if let Some(value) = field(specific, "additionalContext", nullable)
        && !value.is_string()
    {
        return Some(violation("hookSpecificOutput.additionalContext", "a string", value));
    }
    None
}

fn field<'a>(json: &'a Map<String, Value>, name: &str, nullable: bool) -> Option<&'a Value> {
    json.get(name).filter(|value| !(nullable && value.is_null()))
}

fn one_of(value: &Value, allowed: &[&str]) -> bool {
    value.as_str().is_some_and(|text| allowed.contains(&text))
}

fn alternatives(values: &[&str]) -> String {
    values.iter().map(|value| format!("{value:?}")).collect::<Vec<_>>().join(" or ")
}

fn violation(name: &str, expected: &str, got: &Value) -> String {
    const SHOWN: usize = 80;
    let mut shown = got.to_string();
    if let Some((cut, _)) = shown.char_indices().nth(SHOWN) {
        shown.truncate(cut);
        shown.push('…');
    }
    format!("{name}: expected {expected}, got {shown}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_object_and_nothing_else_is_json() {
        assert_eq!(parse_hook_output(" \u{feff}{\"a\":1}\n"), Some(serde_json::json!({"a": 1})));
        for text in ["", "plain", "[1]", "\"x\"", "true", "{\"a\":1} trailing", "debug\n{\"a\":1}", "{", "{\"a\":"] {
            assert_eq!(parse_hook_output(text), None, "{text:?}");
        }
    }

    #[test]
    fn lone_surrogates_are_replaced_and_pairs_are_kept() {
        let read = |text: &str| parse_hook_output(text).map(|json| json["r"].as_str().map(str::to_owned));
        assert_eq!(read(r#"{"r":"cut \ud83d"}"#), Some(Some("cut \u{fffd}".to_owned())));
        assert_eq!(read(r#"{"r":"\udc00\ud83d\ude00"}"#), Some(Some("\u{fffd}\u{1f600}".to_owned())));
        assert_eq!(read(r#"{"r":"\\ud83d \ud83d"}"#), Some(Some("\\ud83d \u{fffd}".to_owned())));
    }
}
