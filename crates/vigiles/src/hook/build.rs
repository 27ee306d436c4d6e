//! Building an event by its name.

use serde_json::{Map, Value, json};

use super::decision::Cli;
use super::event::{EventContext, claude_code, codex};

/// The events that can be built, by CLI.
pub const EVENTS: [(Cli, &[&str]); 2] = [
    (
        Cli::ClaudeCode,
        &[
            "SessionStart",
            "UserPromptSubmit",
            "PreToolUse",
            "PostToolUse",
            "PostToolUseFailure",
            "PermissionRequest",
            "Notification",
            "Stop",
            "SubagentStart",
            "SubagentStop",
            "PreCompact",
            "SessionEnd",
        ],
    ),
    (
        Cli::Codex,
        &[
            "SessionStart",
            "UserPromptSubmit",
            "PreToolUse",
            "PostToolUse",
            "Stop",
            "SubagentStart",
            "SubagentStop",
            "SessionEnd",
        ],
    ),
];

/// An event that the CLI does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected an event of {}, but it has no {event:?}. Known: {}", cli.name(), known(*cli).join(", "))]
pub struct EventError {
    /// The CLI.
    pub cli: Cli,
    /// The name given.
    pub event: String,
}

impl EventError {
    /// The stable code of this kind of error.
    pub fn code(&self) -> &'static str {
        "VIGILES_HOOK_UNKNOWN_EVENT"
    }
}

fn known(cli: Cli) -> &'static [&'static str] {
    EVENTS.iter().find(|(of, _)| *of == cli).map_or(&[], |(_, events)| events)
}

/// The event of a name, with the fields the CLI sends.
///
/// `fields` are the event's own fields by the names the CLI gives them (`tool_name`, `tool_input`, `prompt`, ...). What
/// is left out has a fixed value; what the event does not have is added as it is.
pub fn build_event(
    cli: Cli,
    event: &str,
    context: &EventContext,
    fields: &Map<String, Value>,
) -> Result<Value, EventError> {
    let fields = Fields(fields);
    let built = match cli {
        Cli::ClaudeCode => claude_event(event, context, &fields),
        Cli::Codex => codex_event(event, context, &fields),
    };
    let Some(Value::Object(mut built)) = built else {
        return Err(EventError { cli, event: event.to_owned() });
    };
    built.extend(fields.0.clone());
    Ok(Value::Object(built))
}

struct Fields<'f>(&'f Map<String, Value>);

impl Fields<'_> {
    fn text<'v>(&'v self, name: &str, default: &'v str) -> &'v str {
        self.0.get(name).and_then(Value::as_str).unwrap_or(default)
    }

    fn value(&self, name: &str) -> Value {
        self.0.get(name).cloned().unwrap_or_else(|| json!({}))
    }

    fn tool(&self) -> (&str, Value) {
        (self.text("tool_name", "Bash"), self.value("tool_input"))
    }

    fn active(&self) -> bool {
        self.0.get("stop_hook_active").and_then(Value::as_bool).unwrap_or(false)
    }

    fn agent(&self) -> (&str, &str) {
        (self.text("agent_id", "agent-0001"), self.text("agent_type", "general-purpose"))
    }
}

fn claude_event(event: &str, context: &EventContext, fields: &Fields<'_>) -> Option<Value> {
    let (tool, input) = fields.tool();
    let (agent_id, agent_type) = fields.agent();
    let last = fields.text("last_assistant_message", "");
    Some(match event {
        "SessionStart" => claude_code::session_start(context, fields.text("source", "startup")),
        "UserPromptSubmit" => claude_code::user_prompt_submit(context, fields.text("prompt", "")),
        "PreToolUse" => claude_code::pre_tool_use(context, tool, &input),
        "PostToolUse" => claude_code::post_tool_use(context, tool, &input, &fields.value("tool_response")),
        "PostToolUseFailure" => claude_code::post_tool_use_failure(context, tool, &input, fields.text("error", "")),
        "PermissionRequest" => claude_code::permission_request(context, tool, &input),
        "Notification" => {
            let kind = fields.text("notification_type", "idle_prompt");
            claude_code::notification(context, fields.text("message", ""), kind)
        }
        "Stop" => claude_code::stop(context, fields.active(), last),
        "SubagentStart" => claude_code::subagent_start(context, agent_id, agent_type),
        "SubagentStop" => claude_code::subagent_stop(context, fields.active(), agent_id, agent_type, last),
        "PreCompact" => {
            let trigger = fields.text("trigger", "manual");
            claude_code::pre_compact(context, trigger, fields.text("custom_instructions", ""))
        }
        "SessionEnd" => claude_code::session_end(context, fields.text("reason", "other")),
        _ => return None,
    })
}

fn codex_event(event: &str, context: &EventContext, fields: &Fields<'_>) -> Option<Value> {
    let (tool, input) = fields.tool();
    let (agent_id, agent_type) = fields.agent();
    let last = fields.text("last_assistant_message", "");
    Some(match event {
        "SessionStart" => codex::session_start(context, fields.text("source", "startup")),
        "UserPromptSubmit" => codex::user_prompt_submit(context, fields.text("prompt", "")),
        "PreToolUse" => codex::pre_tool_use(context, tool, &input),
        "PostToolUse" => codex::post_tool_use(context, tool, &input, &fields.value("tool_response")),
        "Stop" => codex::stop(context, fields.active(), last),
        "SubagentStart" => codex::subagent_start(context, agent_id, agent_type),
        "SubagentStop" => codex::subagent_stop(context, fields.active(), agent_id, agent_type, last),
        "SessionEnd" => codex::session_end(context, fields.text("reason", "other")),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_can_be_built_and_names_itself() {
        for (cli, events) in EVENTS {
            for event in events {
                let built = build_event(cli, event, &EventContext::new("/project"), &Map::new()).unwrap();
                assert_eq!(built["hook_event_name"], **event);
                assert_eq!(built["cwd"], "/project");
            }
        }
    }

    #[test]
    fn given_fields_win_and_unknown_ones_are_added() {
        let fields = json!({ "tool_name": "Edit", "tool_input": { "file_path": "a" }, "extra": 1 });
        let event =
            build_event(Cli::ClaudeCode, "PreToolUse", &EventContext::new("/p"), fields.as_object().unwrap()).unwrap();
        assert_eq!(
            (&event["tool_name"], &event["tool_input"]["file_path"], &event["extra"]),
            (&json!("Edit"), &json!("a"), &json!(1))
        );
    }

    #[test]
    fn an_event_the_cli_does_not_have_is_refused_with_the_list() {
        let error = build_event(Cli::Codex, "PreCompact", &EventContext::new("/p"), &Map::new()).unwrap_err();
        assert_eq!(error.code(), "VIGILES_HOOK_UNKNOWN_EVENT");
        assert!(error.to_string().contains("SubagentStop"), "{error}");
    }
}
