//! The data of a trace: what one agent run was seen to do.

use std::sync::Arc;

use crate::hook::Effect;

use super::text::Text;

/// Which format a trace was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TraceKind {
    /// Claude Code, `--output-format stream-json`: one event a line.
    ClaudeStream,
    /// Claude Code, `--output-format json`: the result event alone, or an array of events with `--verbose`.
    ClaudeJson,
    /// A Claude Code session file (`$CLAUDE_CONFIG_DIR/projects/<cwd>/<session>.jsonl`).
    ClaudeSession,
    /// Codex, `exec --json`.
    CodexExec,
    /// A plain object with the fields of a trace, as [`super::Trace::to_json`] writes it.
    Plain,
}

impl TraceKind {
    /// All kinds.
    pub const ALL: [Self; 5] =
        [Self::ClaudeStream, Self::ClaudeJson, Self::ClaudeSession, Self::CodexExec, Self::Plain];

    /// The name used in JSON and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeStream => "claude-stream-json",
            Self::ClaudeJson => "claude-json",
            Self::ClaudeSession => "claude-session",
            Self::CodexExec => "codex-exec-json",
            Self::Plain => "plain",
        }
    }
}

/// One tool the agent invoked.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// The call's id as the model gave it (`toolu_...`, `item_1`); empty in a plain object without ids.
    pub id: Box<str>,
    /// The tool's name as called: `Bash`, `mcp__server__tool`, `Agent`.
    pub name: Arc<str>,
    /// The arguments, as JSON text.
    pub input: Text,
    /// What the tool answered; `None` while no answer was recorded (the run was cut).
    pub result: Option<ResultText>,
    /// Whether the answer was an error; `None` while no answer was recorded.
    pub is_error: Option<bool>,
    /// `true` when permission rules or a hook refused the call before it ran; a call of a tool or skill that does not
    /// exist is an error, not a denial. `None` when that was not recorded.
    pub denied: Option<bool>,
    /// The call that started the subagent this call belongs to; `None` for the main agent.
    pub parent_id: Option<Box<str>>,
    /// Which model turn of its agent made the call, counted from 1; `None` where the format does not tell turns (Codex).
    pub turn: Option<u32>,
}

/// The text of a tool's answer.
#[derive(Debug, Clone, PartialEq)]
pub enum ResultText {
    /// One string.
    Text(Text),
    /// A JSON array of content blocks; its text blocks joined with line breaks are the answer.
    Blocks(Text),
}

/// One firing of a hook.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HookFire {
    /// `Event:Matcher`, such as `PreToolUse:Bash`, or the bare event.
    pub name: Arc<str>,
    /// The event, such as `PreToolUse`.
    pub event: Arc<str>,
    /// The exit code of the hook's process.
    pub exit_code: Option<i32>,
    /// Whether a documented block mechanism fired (see [`crate::hook::decide`]); `None` when the hook was started and its
    /// end was not recorded.
    pub blocked: Option<bool>,
    /// What the CLI then did; `None` where that was never measured.
    pub effect: Option<Effect>,
    /// The CLI's own word: `success`, `error`, `cancelled`; `None` where it said none.
    pub outcome: Option<Arc<str>>,
    /// Standard output.
    pub stdout: Option<Text>,
    /// Standard error.
    pub stderr: Option<Text>,
    /// Both streams as the CLI joins them.
    pub output: Option<Text>,
    /// The command as configured; only a session file has it.
    pub command: Option<Box<str>>,
    /// The tool call it belongs to; `None` where it cannot be tied to one call with certainty.
    pub tool_use_id: Option<Box<str>>,
    /// Wall time in milliseconds; only a session file has it.
    pub duration_ms: Option<f64>,
    /// Whether the CLI ended it at its timeout.
    pub timed_out: Option<bool>,
}

/// A subagent's own part of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Subagent {
    /// The id of the `Agent` call (Claude), of the thread (Codex).
    pub id: Box<str>,
    /// The subagent's type, such as `Explore` or `plugin:reviewer`.
    pub name: Box<str>,
    /// Indices of its own calls in [`super::Trace::tool_calls`]; `None` where the format does not show them (Codex).
    pub calls: Option<Vec<usize>>,
    /// Its final answer; `None` where none was recorded.
    pub output: Option<ResultText>,
    /// Subagents that it started.
    pub subagents: Vec<Subagent>,
}

/// Cost, time and tokens of a run; a field is `None` where the CLI did not tell it.
///
/// Tokens are those of the main agent: neither a stream's result nor Codex counts those of subagents. The cost is of all.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Usage {
    /// US dollars, computed by the CLI.
    pub cost_usd: Option<f64>,
    /// Wall time in milliseconds.
    pub duration_ms: Option<f64>,
    /// Uncached input tokens.
    pub input_tokens: Option<u64>,
    /// Output tokens.
    pub output_tokens: Option<u64>,
    /// Tokens written to the prompt cache.
    pub cache_creation_tokens: Option<u64>,
    /// Tokens read from the prompt cache.
    pub cache_read_tokens: Option<u64>,
}

/// A call that was refused by permission rules or by a hook.
#[derive(Debug, Clone, PartialEq)]
pub struct PermissionDenial {
    /// The tool.
    pub tool_name: Box<str>,
    /// The refused call.
    pub tool_use_id: Box<str>,
    /// Its arguments, as JSON text.
    pub tool_input: Text,
}

/// How the CLI ended, in its own words.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RunResult {
    /// `success`, `error_max_turns`, `error_max_budget_usd`, `error_during_execution`; for Codex `completed` or `failed`.
    pub subtype: Box<str>,
    /// Whether the run failed. An API failure is subtype `success` with this set.
    pub is_error: bool,
    /// `completed`, `max_turns`, `hook_stopped`, `api_error`, ...
    pub terminal_reason: Option<Box<str>>,
    /// HTTP status of the API failure that ended the run.
    pub api_error_status: Option<u16>,
    /// The CLI's own count: 1 + the number of tool results and synthetic messages. Not the number of model turns.
    pub num_turns: Option<u32>,
    /// What the CLI said went wrong.
    pub errors: Vec<String>,
}

/// An MCP server as the CLI saw it at start.
#[derive(Debug, Clone, PartialEq)]
pub struct McpServer {
    /// Its configured name.
    pub name: Box<str>,
    /// `connected`, `failed`, `pending`, ...
    pub status: Box<str>,
}

/// A model request as it was sent.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ModelRequest {
    /// The system prompt, flattened to text.
    pub system: String,
    /// The messages, each flattened to text.
    pub messages: Vec<RequestMessage>,
    /// Not a turn of an agent: a title, a classifier, a hook of type `prompt`.
    pub side_channel: bool,
    /// Names of the tools that it offered.
    pub tools: Vec<String>,
    /// The model that was asked.
    pub model: Option<String>,
    /// Who asked.
    pub kind: Option<RequestKind>,
    /// The id that the CLI gave the subagent that asked.
    pub agent_id: Option<String>,
    /// The type of the subagent that asked.
    pub agent: Option<String>,
}

/// Who made a model request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum RequestKind {
    /// The main agent.
    Main,
    /// A subagent.
    Subagent,
    /// The CLI, for a title of the session.
    Title,
    /// The CLI, for a hook of type `prompt`.
    PromptHook,
    /// The CLI, for the search behind its tool `WebSearch`.
    WebSearch,
    /// The CLI, for the judge of its permission mode `auto`.
    Classifier,
    /// The CLI, for something else.
    Other,
}

impl RequestKind {
    /// All kinds.
    pub const ALL: [Self; 7] =
        [Self::Main, Self::Subagent, Self::Title, Self::PromptHook, Self::WebSearch, Self::Classifier, Self::Other];

    /// The name in JSON and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::Subagent => "subagent",
            Self::Title => "title",
            Self::PromptHook => "promptHook",
            Self::WebSearch => "webSearch",
            Self::Classifier => "classifier",
            Self::Other => "other",
        }
    }

    /// The kind with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Not a turn of an agent: the CLI asked on its own account.
    pub fn is_side_channel(self) -> bool {
        !matches!(self, Self::Main | Self::Subagent)
    }
}

/// One message of a [`ModelRequest`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RequestMessage {
    /// `user`, `assistant`, `system`.
    pub role: String,
    /// All text the model is told.
    pub text: String,
}

/// A line that could not be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// Line number, counted from 1.
    pub line: u64,
    /// Why.
    pub reason: String,
}
