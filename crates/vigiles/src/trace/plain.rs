//! A plain object with the fields of a trace.

use std::collections::HashMap;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::hook::{Answer, Cli, decide};

use super::error::TraceError;
use super::json::decode;
use super::model::{
    HookFire, McpServer, ModelRequest, ParseError, PermissionDenial, RequestKind, RequestMessage, ResultText,
    RunResult, Subagent, ToolCall, Usage,
};
use super::parts::Parts;
use super::text::Text;

/// Paths and contents; `None` for a file that is not there.
pub(super) type Files = HashMap<Box<str>, Option<String>>;

/// A plain object, read.
pub(super) struct Read {
    pub(super) parts: Parts,
    pub(super) parse_errors: Vec<ParseError>,
    pub(super) files: Option<Files>,
}

/// Reads the JSON form. Unknown fields are the user's own and are passed over.
pub(super) fn read(text: &str) -> Result<Read, TraceError> {
    // Said here: in place of an object, a list would be read as the fields one after the other.
    if let Some(seen) = not_an_object(text) {
        return Err(TraceError::NotATrace(format!("it is {seen}")));
    }
    // `JSON.stringify` writes half of a surrogate pair as an escape, and `serde_json` refuses it.
    let text = decode::mended(text);
    let json = &mut serde_json::Deserializer::from_str(&text);
    let plain: Plain<'_> = serde_path_to_error::deserialize(&mut *json).map_err(|error| wrong_shape(&error))?;
    json.end().map_err(|error| TraceError::NotATrace(error.to_string()))?;
    let mut calls = Vec::new();
    let subagents =
        plain.subagents.map(|agents| agents.into_iter().map(|agent| agent.into_model(&mut calls)).collect());
    let mut tool_calls: Option<Vec<ToolCall>> =
        plain.tool_calls.map(|calls| calls.into_iter().map(|call| call.into_model(None)).collect());
    let subagents = append_nested(&mut tool_calls, calls, subagents);
    let parts = Parts {
        tool_calls,
        hooks: plain.hooks.map(|hooks| hooks.into_iter().map(PlainHook::into_model).collect()),
        output: plain.output,
        replies: plain.replies.map(|replies| replies.into_iter().map(Text::Kept).collect()),
        model_requests: plain
            .model_requests
            .map(|requests| requests.into_iter().map(PlainRequest::into_model).collect()),
        turns: plain.turns,
        subagents,
        usage: plain.usage.map(PlainUsage::into_model),
        permission_denials: plain
            .permission_denials
            .map(|list| list.into_iter().map(PlainDenial::into_model).collect()),
        result: plain.result.map(PlainResult::into_model),
        skills: plain.skills,
        mcp_servers: plain.mcp_servers.map(|list| list.into_iter().map(PlainServer::into_model).collect()),
        model: plain.model,
        session_id: plain.session_id,
        prompt: plain.prompt,
        cwd: plain.cwd,
        files_written: plain.files_written,
        warnings: plain.warnings.unwrap_or_default(),
        complete: plain.complete.unwrap_or(true),
        hooks_partial: plain.hooks_partial.unwrap_or(false),
    };
    let parse_errors = plain.parse_errors.into_iter().flatten().map(PlainError::into_model).collect();
    Ok(Read { parts, parse_errors, files: plain.files })
}

/// What stands there instead of an object; `None` also for what is not JSON at all.
fn not_an_object(text: &str) -> Option<&'static str> {
    let text = text.trim();
    match (text, text.bytes().next()) {
        (_, None) => Some("empty"),
        (_, Some(b'[')) => Some("an array"),
        (_, Some(b'"')) => Some("a string"),
        (_, Some(b'-' | b'0'..=b'9')) => Some("a number"),
        ("true" | "false", _) => Some("a boolean"),
        ("null", _) => Some("null"),
        _ => None,
    }
}

fn wrong_shape(error: &serde_path_to_error::Error<serde_json::Error>) -> TraceError {
    let (path, reason) = (error.path().to_string(), error.inner());
    TraceError::NotATrace(if path == "." { reason.to_string() } else { format!("`{path}` is wrong: {reason}") })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Plain<'t> {
    #[serde(borrow)]
    tool_calls: Option<Vec<PlainCall<'t>>>,
    hooks: Option<Vec<PlainHook>>,
    hooks_partial: Option<bool>,
    output: Option<Box<str>>,
    replies: Option<Vec<Box<str>>>,
    #[serde(borrow)]
    model_requests: Option<Vec<PlainRequest<'t>>>,
    turns: Option<u32>,
    #[serde(borrow)]
    subagents: Option<Vec<PlainSubagent<'t>>>,
    usage: Option<PlainUsage>,
    #[serde(borrow)]
    permission_denials: Option<Vec<PlainDenial<'t>>>,
    result: Option<PlainResult>,
    skills: Option<Vec<String>>,
    mcp_servers: Option<Vec<PlainServer>>,
    model: Option<Box<str>>,
    session_id: Option<Box<str>>,
    prompt: Option<Box<str>>,
    cwd: Option<Box<str>>,
    files_written: Option<Vec<String>>,
    warnings: Option<Vec<String>>,
    complete: Option<bool>,
    parse_errors: Option<Vec<PlainError>>,
    files: Option<Files>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PlainCall<'t> {
    id: Option<Box<str>>,
    name: String,
    #[serde(borrow)]
    input: Option<&'t RawValue>,
    result_text: Option<Box<str>>,
    is_error: Option<bool>,
    denied: Option<bool>,
    parent_id: Option<Box<str>>,
    turn: Option<u32>,
}

impl PlainCall<'_> {
    fn into_model(self, parent: Option<&str>) -> ToolCall {
        ToolCall {
            id: self.id.unwrap_or_default(),
            name: Arc::from(self.name),
            input: raw(self.input),
            result: self.result_text.map(|text| ResultText::Text(Text::Kept(text))),
            is_error: self.is_error,
            denied: self.denied,
            parent_id: self.parent_id.or_else(|| parent.map(Into::into)),
            turn: self.turn,
        }
    }
}

fn raw(value: Option<&RawValue>) -> Text {
    Text::Kept(value.map_or("{}", RawValue::get).into())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PlainHook {
    name: Option<Box<str>>,
    event: Option<Box<str>>,
    exit_code: Option<i32>,
    blocked: Option<bool>,
    outcome: Option<Box<str>>,
    stdout: Option<Box<str>>,
    stderr: Option<Box<str>>,
    output: Option<Box<str>>,
    command: Option<Box<str>>,
    tool_use_id: Option<Box<str>>,
    duration_ms: Option<f64>,
    timed_out: Option<bool>,
}

impl PlainHook {
    fn into_model(self) -> HookFire {
        let name = self.name.or_else(|| self.event.clone()).unwrap_or_default();
        let event = self.event.unwrap_or_else(|| name.split(':').next().unwrap_or_default().into());
        let decision = decide(&Answer {
            cli: Cli::ClaudeCode,
            event: &event,
            exit_code: self.exit_code,
            signal: None,
            stdout: self.stdout.as_deref().unwrap_or_default(),
            stderr: self.stderr.as_deref().unwrap_or_default(),
            timed_out: self.timed_out == Some(true),
            started: true,
        });
        let is_ended = self.exit_code.is_some() || self.timed_out.is_some() || self.stdout.is_some();
        // What was recorded wins; it is worked out only where it was left out.
        let blocked = self.blocked.or_else(|| is_ended.then_some(decision.blocked));
        HookFire {
            blocked,
            effect: decision.effect.filter(|_| blocked == Some(decision.blocked)),
            name: name.into(),
            event: event.into(),
            exit_code: self.exit_code,
            outcome: self.outcome.map(Into::into),
            stdout: self.stdout.map(Text::Kept),
            stderr: self.stderr.map(Text::Kept),
            output: self.output.map(Text::Kept),
            command: self.command,
            tool_use_id: self.tool_use_id,
            duration_ms: self.duration_ms,
            timed_out: self.timed_out,
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PlainSubagent<'t> {
    id: Option<Box<str>>,
    name: Option<Box<str>>,
    #[serde(borrow)]
    tool_calls: Option<Vec<PlainCall<'t>>>,
    output: Option<Box<str>>,
    #[serde(borrow)]
    subagents: Option<Vec<PlainSubagent<'t>>>,
}

impl<'t> PlainSubagent<'t> {
    /// Its calls go to `calls`, and are named by their index there.
    fn into_model(self, calls: &mut Vec<ToolCall>) -> Subagent {
        let id = self.id.unwrap_or_default();
        let own = self.tool_calls.map(|own| {
            let first = calls.len();
            calls.extend(own.into_iter().map(|call: PlainCall<'t>| call.into_model(Some(&id))));
            (first..calls.len()).collect()
        });
        Subagent {
            name: self.name.unwrap_or_default(),
            calls: own,
            output: self.output.map(|text| ResultText::Text(Text::Kept(text))),
            subagents: self.subagents.into_iter().flatten().map(|agent| agent.into_model(calls)).collect(),
            id,
        }
    }
}

/// Puts the calls of subagents behind those of the list, unless the list has them already.
fn append_nested(
    tool_calls: &mut Option<Vec<ToolCall>>,
    nested: Vec<ToolCall>,
    mut subagents: Option<Vec<Subagent>>,
) -> Option<Vec<Subagent>> {
    if nested.is_empty() {
        return subagents;
    }
    let list = tool_calls.get_or_insert_default();
    let with_id = list.iter().enumerate().filter(|(_, call)| !call.id.is_empty());
    let mut by_id: HashMap<Box<str>, usize> = with_id.map(|(index, call)| (call.id.clone(), index)).collect();
    // Without an id, an equal call of the list is the same one, each of them once.
    let mut without_id: Vec<usize> = (0..list.len()).filter(|&index| list[index].id.is_empty()).collect();
    let mut place = |call: ToolCall| {
        let known = if call.id.is_empty() {
            without_id.iter().position(|&index| list[index] == call).map(|at| without_id.remove(at))
        } else {
            by_id.get(&call.id).copied()
        };
        known.unwrap_or_else(|| {
            if !call.id.is_empty() {
                by_id.insert(call.id.clone(), list.len());
            }
            list.push(call);
            list.len() - 1
        })
    };
    let places: Vec<usize> = nested.into_iter().map(&mut place).collect();
    for agent in subagents.iter_mut().flatten() {
        renumber(agent, &places);
    }
    subagents
}

fn renumber(agent: &mut Subagent, places: &[usize]) {
    for index in agent.calls.iter_mut().flatten() {
        *index = places[*index];
    }
    for nested in &mut agent.subagents {
        renumber(nested, places);
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PlainRequest<'t> {
    /// Text, or content blocks whose texts are joined.
    #[serde(borrow)]
    system: Option<&'t RawValue>,
    #[serde(borrow)]
    messages: Option<Vec<PlainMessage<'t>>>,
    side_channel: Option<bool>,
    tools: Option<Vec<String>>,
    model: Option<String>,
    kind: Option<String>,
    agent_id: Option<String>,
    agent: Option<String>,
}

#[derive(Deserialize)]
struct PlainMessage<'t> {
    role: Option<String>,
    text: Option<String>,
    #[serde(borrow)]
    content: Option<&'t RawValue>,
}

impl PlainRequest<'_> {
    fn into_model(self) -> ModelRequest {
        let kind = self.kind.as_deref().and_then(RequestKind::from_name);
        ModelRequest {
            system: flatten(self.system),
            messages: self.messages.into_iter().flatten().map(PlainMessage::into_model).collect(),
            side_channel: self.side_channel.unwrap_or_else(|| kind.is_some_and(RequestKind::is_side_channel)),
            tools: self.tools.unwrap_or_default(),
            model: self.model,
            kind,
            agent_id: self.agent_id,
            agent: self.agent,
        }
    }
}

impl PlainMessage<'_> {
    fn into_model(self) -> RequestMessage {
        let text = self.text.unwrap_or_else(|| flatten(self.content));
        RequestMessage { role: self.role.unwrap_or_default(), text }
    }
}

fn flatten(value: Option<&RawValue>) -> String {
    let value = value.map_or(serde_json::Value::Null, |raw| decode::value_of(raw.get().as_bytes()));
    value.as_str().map_or_else(|| super::text_blocks(&value), str::to_owned)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PlainUsage {
    cost_usd: Option<f64>,
    duration_ms: Option<f64>,
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    cache_creation_tokens: Option<u64>,
    cache_read_tokens: Option<u64>,
}

impl PlainUsage {
    fn into_model(self) -> Usage {
        Usage {
            cost_usd: self.cost_usd,
            duration_ms: self.duration_ms,
            input_tokens: self.input_tokens,
            output_tokens: self.output_tokens,
            cache_creation_tokens: self.cache_creation_tokens,
            cache_read_tokens: self.cache_read_tokens,
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_field_names, reason = "the names of the JSON form")]
struct PlainDenial<'t> {
    tool_name: Option<Box<str>>,
    tool_use_id: Option<Box<str>>,
    #[serde(borrow)]
    tool_input: Option<&'t RawValue>,
}

impl PlainDenial<'_> {
    fn into_model(self) -> PermissionDenial {
        PermissionDenial {
            tool_name: self.tool_name.unwrap_or_default(),
            tool_use_id: self.tool_use_id.unwrap_or_default(),
            tool_input: raw(self.tool_input),
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PlainResult {
    subtype: Option<Box<str>>,
    is_error: Option<bool>,
    terminal_reason: Option<Box<str>>,
    api_error_status: Option<u16>,
    num_turns: Option<u32>,
    errors: Option<Vec<String>>,
}

impl PlainResult {
    fn into_model(self) -> RunResult {
        RunResult {
            subtype: self.subtype.unwrap_or_default(),
            is_error: self.is_error.unwrap_or(false),
            terminal_reason: self.terminal_reason,
            api_error_status: self.api_error_status,
            num_turns: self.num_turns,
            errors: self.errors.unwrap_or_default(),
        }
    }
}

#[derive(Deserialize)]
struct PlainServer {
    name: Box<str>,
    status: Option<Box<str>>,
}

impl PlainServer {
    fn into_model(self) -> McpServer {
        McpServer { name: self.name, status: self.status.unwrap_or_default() }
    }
}

#[derive(Deserialize)]
struct PlainError {
    line: u64,
    reason: String,
}

impl PlainError {
    fn into_model(self) -> ParseError {
        ParseError { line: self.line, reason: self.reason }
    }
}
