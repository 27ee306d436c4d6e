//! The events hooks read on stdin, built with the fields the CLIs send.
//!
//! All builders are deterministic: what the caller does not give is a fixed value.

use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The fields that all events of a session share.
///
/// In JSON the names are camelCase, and everything but `cwd` may be left out.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "ContextForm")]
pub struct EventContext {
    /// The session's id. Default: a fixed UUID.
    pub session_id: String,
    /// The working directory of the session, absolute.
    pub cwd: String,
    /// The session file. Default: `<cwd>/.vigiles/transcript.jsonl`; nothing is created there.
    pub transcript_path: String,
    /// The permission mode: `default`, `acceptEdits`, `plan`, `bypassPermissions`, ...
    pub permission_mode: String,
    /// Codex only: the model's name.
    pub model: String,
    /// Codex only: the turn's id.
    pub turn_id: String,
    /// Claude Code only: the prompt's id.
    pub prompt_id: String,
    /// The id of the tool call in tool events.
    pub tool_use_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ContextForm {
    cwd: String,
    session_id: Option<String>,
    transcript_path: Option<String>,
    permission_mode: Option<String>,
    model: Option<String>,
    turn_id: Option<String>,
    prompt_id: Option<String>,
    tool_use_id: Option<String>,
}

impl From<ContextForm> for EventContext {
    fn from(form: ContextForm) -> Self {
        let default = Self::new(form.cwd);
        Self {
            session_id: form.session_id.unwrap_or(default.session_id),
            transcript_path: form.transcript_path.unwrap_or(default.transcript_path),
            permission_mode: form.permission_mode.unwrap_or(default.permission_mode),
            model: form.model.unwrap_or(default.model),
            turn_id: form.turn_id.unwrap_or(default.turn_id),
            prompt_id: form.prompt_id.unwrap_or(default.prompt_id),
            tool_use_id: form.tool_use_id.unwrap_or(default.tool_use_id),
            cwd: default.cwd,
        }
    }
}

impl EventContext {
    /// A context in this working directory, all else at its default.
    pub fn new(cwd: impl Into<String>) -> Self {
        let cwd = cwd.into();
        Self {
            session_id: "00000000-0000-4000-8000-000000000001".to_owned(),
            transcript_path: format!("{}/.vigiles/transcript.jsonl", trim_separators(&cwd)),
            permission_mode: "default".to_owned(),
            model: "mock-model".to_owned(),
            turn_id: "00000000-0000-4000-8000-000000000002".to_owned(),
            prompt_id: "00000000-0000-4000-8000-000000000003".to_owned(),
            tool_use_id: "toolu_0001".to_owned(),
            cwd,
        }
    }

    fn claude(&self, event: &str, fields: Value) -> Value {
        self.build(event, &[("permission_mode", &self.permission_mode), ("prompt_id", &self.prompt_id)], fields)
    }

    fn codex(&self, event: &str, fields: Value) -> Value {
        let turn = [("model", &self.model), ("permission_mode", &self.permission_mode), ("turn_id", &self.turn_id)];
        self.build(event, &turn, fields)
    }

    fn build(&self, event: &str, shared: &[(&str, &String)], fields: Value) -> Value {
        let mut object = Map::new();
        object.insert("session_id".to_owned(), json!(self.session_id));
        object.insert("transcript_path".to_owned(), json!(self.transcript_path));
        object.insert("cwd".to_owned(), json!(self.cwd));
        for (name, value) in shared {
            object.insert((*name).to_owned(), json!(value));
        }
        object.insert("hook_event_name".to_owned(), json!(event));
        if let Value::Object(fields) = fields {
            object.extend(fields);
        }
        Value::Object(object)
    }
}

/// Events of Claude Code (2.1.197, 2.1.332).
///
/// The shared fields and those of tool events are as captured from real runs; the fields of events that cannot be
/// triggered in a headless run are as documented, and the builder says so.
pub mod claude_code {
    use super::{EventContext, Value, json};

    /// A session starts. `source`: `startup`, `resume`, `clear`, `compact`.
    pub fn session_start(context: &EventContext, source: &str) -> Value {
        context.build("SessionStart", &[], json!({ "source": source }))
    }

    /// The user sends a prompt.
    pub fn user_prompt_submit(context: &EventContext, prompt: &str) -> Value {
        context.claude("UserPromptSubmit", json!({ "prompt": prompt }))
    }

    /// A tool is about to run.
    pub fn pre_tool_use(context: &EventContext, tool: &str, input: &Value) -> Value {
        context
            .claude("PreToolUse", json!({ "tool_name": tool, "tool_input": input, "tool_use_id": context.tool_use_id }))
    }

    /// A tool has run. `response` is what the tool returned: an object for the built-in tools, such as
    /// `{stdout, stderr, interrupted, isImage}` of `Bash`.
    pub fn post_tool_use(context: &EventContext, tool: &str, input: &Value, response: &Value) -> Value {
        context.claude(
            "PostToolUse",
            json!({
                "tool_name": tool,
                "tool_input": input,
                "tool_response": response,
                "tool_use_id": context.tool_use_id,
            }),
        )
    }

    /// A tool has failed. `error` is the text the model sees.
    pub fn post_tool_use_failure(context: &EventContext, tool: &str, input: &Value, error: &str) -> Value {
        context.claude(
            "PostToolUseFailure",
            json!({
                "tool_name": tool,
                "tool_input": input,
                "tool_use_id": context.tool_use_id,
                "error": error,
                "is_interrupt": false,
            }),
        )
    }

    /// The user is asked for a permission. As documented; a headless run never asks.
    pub fn permission_request(context: &EventContext, tool: &str, input: &Value) -> Value {
        context.claude("PermissionRequest", json!({ "tool_name": tool, "tool_input": input }))
    }

    /// A notification is shown. As documented. `kind`: `permission_prompt`, `idle_prompt`, `auth_success`, ...
    pub fn notification(context: &EventContext, message: &str, kind: &str) -> Value {
        context.claude("Notification", json!({ "message": message, "notification_type": kind }))
    }

    /// The agent is about to stop. `active`: it goes on already because a Stop hook told it to.
    pub fn stop(context: &EventContext, active: bool, last_assistant_message: &str) -> Value {
        context.claude("Stop", json!({ "stop_hook_active": active, "last_assistant_message": last_assistant_message }))
    }

    /// A subagent starts. As documented.
    pub fn subagent_start(context: &EventContext, agent_id: &str, agent_type: &str) -> Value {
        context.claude("SubagentStart", json!({ "agent_id": agent_id, "agent_type": agent_type }))
    }

    /// A subagent is about to stop.
    pub fn subagent_stop(
        context: &EventContext,
        active: bool,
        agent_id: &str,
        agent_type: &str,
        last_assistant_message: &str,
    ) -> Value {
        context.claude(
            "SubagentStop",
            json!({
                "stop_hook_active": active,
                "agent_id": agent_id,
                "agent_type": agent_type,
                "agent_transcript_path": super::agent_transcript(context, agent_id),
                "last_assistant_message": last_assistant_message,
            }),
        )
    }

    /// The conversation is about to be compacted. As documented. `trigger`: `manual`, `auto`.
    pub fn pre_compact(context: &EventContext, trigger: &str, custom_instructions: &str) -> Value {
        context.claude("PreCompact", json!({ "trigger": trigger, "custom_instructions": custom_instructions }))
    }

    /// The session ends. `reason`: `clear`, `logout`, `prompt_input_exit`, `other`, ...
    pub fn session_end(context: &EventContext, reason: &str) -> Value {
        context.build("SessionEnd", &[], json!({ "reason": reason }))
    }
}

/// Events of Codex (0.171): the eight that fire in `codex exec`, with the fields seen there.
pub mod codex {
    use super::{EventContext, Value, json};

    /// A session starts. `source`: `startup`, `resume`, `clear`. Not part of a turn: no `turn_id`.
    pub fn session_start(context: &EventContext, source: &str) -> Value {
        let shared = [("model", &context.model), ("permission_mode", &context.permission_mode)];
        context.build("SessionStart", &shared, json!({ "source": source }))
    }

    /// The user sends a prompt.
    pub fn user_prompt_submit(context: &EventContext, prompt: &str) -> Value {
        context.codex("UserPromptSubmit", json!({ "prompt": prompt }))
    }

    /// A tool is about to run. `tool`: `Bash` and `apply_patch` with `{command}`, `mcp__server__tool`, ...
    pub fn pre_tool_use(context: &EventContext, tool: &str, input: &Value) -> Value {
        context
            .codex("PreToolUse", json!({ "tool_name": tool, "tool_input": input, "tool_use_id": context.tool_use_id }))
    }

    /// A tool has run, whatever its exit code.
    pub fn post_tool_use(context: &EventContext, tool: &str, input: &Value, response: &Value) -> Value {
        context.codex(
            "PostToolUse",
            json!({
                "tool_name": tool,
                "tool_input": input,
                "tool_response": response,
                "tool_use_id": context.tool_use_id,
            }),
        )
    }

    /// The agent is about to stop. `active`: it goes on already because a Stop hook told it to.
    pub fn stop(context: &EventContext, active: bool, last_assistant_message: &str) -> Value {
        context.codex("Stop", json!({ "stop_hook_active": active, "last_assistant_message": last_assistant_message }))
    }

    /// A subagent starts.
    pub fn subagent_start(context: &EventContext, agent_id: &str, agent_type: &str) -> Value {
        context.codex("SubagentStart", json!({ "agent_id": agent_id, "agent_type": agent_type }))
    }

    /// A subagent is about to stop.
    pub fn subagent_stop(
        context: &EventContext,
        active: bool,
        agent_id: &str,
        agent_type: &str,
        last_assistant_message: &str,
    ) -> Value {
        context.codex(
            "SubagentStop",
            json!({
                "stop_hook_active": active,
                "agent_id": agent_id,
                "agent_type": agent_type,
                "agent_transcript_path": super::agent_transcript(context, agent_id),
                "last_assistant_message": last_assistant_message,
            }),
        )
    }

    /// The session ends. It has neither `model` nor `permission_mode`.
    pub fn session_end(context: &EventContext, reason: &str) -> Value {
        context.build("SessionEnd", &[], json!({ "reason": reason }))
    }
}

fn agent_transcript(context: &EventContext, agent_id: &str) -> String {
    let session = context.transcript_path.strip_suffix(".jsonl").unwrap_or(&context.transcript_path);
    format!("{session}/subagents/agent-{agent_id}.jsonl")
}

/// Options of [`file_tool_events`].
#[derive(Debug, Clone, Default)]
pub struct FileToolEventOptions<'a> {
    /// The event; `PostToolUse` by default.
    pub event: Option<&'a str>,
    /// The tool; `Edit` by default.
    pub tool: Option<&'a str>,
    /// More fields of `tool_input`, such as `old_string`. They cannot replace `file_path`.
    pub input: Map<String, Value>,
    /// More fields of the event. They cannot replace `cwd`, `hook_event_name`, `tool_name` and `tool_input`.
    pub extra: Map<String, Value>,
}

/// The root of the project: the first of the explicit root, `CLAUDE_PROJECT_DIR` and the working directory that is
/// absolute and not blank.
pub fn project_root<'a>(explicit: Option<&'a str>, project_dir: Option<&'a str>, cwd: &'a str) -> &'a str {
    [explicit, project_dir]
        .into_iter()
        .flatten()
        .find(|candidate| !candidate.trim().is_empty() && is_absolute(candidate))
        .unwrap_or(cwd)
}

/// The same file edit as two events: with the path relative to the project, and absolute.
///
/// CLIs send both spellings, and a guard that knows only one of them lets the other through. `path` may be either; a
/// leading `./` and backslashes are normalized. `root` is the project's directory, absolute; its trailing separators are
/// dropped, except in `/` and `C:\`. A path outside the root stays absolute in both events.
pub fn file_tool_events(path: &str, root: &str, options: &FileToolEventOptions<'_>) -> [Value; 2] {
    let root = trim_separators(root);
    let path = path.replace('\\', "/");
    let mut path = path.as_str();
    while let Some(rest) = path.strip_prefix("./") {
        path = rest.trim_start_matches('/');
    }
    let forward_root = root.replace('\\', "/");
    let prefix = if forward_root.ends_with('/') { forward_root } else { format!("{forward_root}/") };
    let (relative, absolute) = if is_absolute(path) {
        (path.strip_prefix(prefix.as_str()).unwrap_or(path).to_owned(), path.to_owned())
    } else {
        (path.to_owned(), format!("{prefix}{path}"))
    };
    [relative, absolute].map(|file_path| file_event(&file_path, root, options))
}

fn file_event(file_path: &str, root: &str, options: &FileToolEventOptions<'_>) -> Value {
    let mut input = options.input.clone();
    input.insert("file_path".to_owned(), json!(file_path));
    let mut event = options.extra.clone();
    event.insert("cwd".to_owned(), json!(root));
    event.insert("hook_event_name".to_owned(), json!(options.event.unwrap_or("PostToolUse")));
    event.insert("tool_name".to_owned(), json!(options.tool.unwrap_or("Edit")));
    event.insert("tool_input".to_owned(), Value::Object(input));
    Value::Object(event)
}

fn is_absolute(path: &str) -> bool {
    Path::new(path).is_absolute() || path.starts_with(['/', '\\']) || has_drive(path)
}

/// `C:\` or `C:/`: a Windows root is absolute on every platform, as the events may come from one.
fn has_drive(path: &str) -> bool {
    let bytes = path.as_bytes();
    bytes.len() >= 3 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' && matches!(bytes[2], b'/' | b'\\')
}

fn trim_separators(path: &str) -> &str {
    let kept = if has_drive(path) { 3 } else { 1 };
    let trimmed = path.trim_end_matches(['/', '\\']);
    if trimmed.len() < kept { path.get(..kept).unwrap_or(path) } else { trimmed }
}
