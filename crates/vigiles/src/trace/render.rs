//! A trace as JSON: the plain object that [`Trace::from_json`] reads, field by field or whole.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;

use super::Trace;
use super::error::TraceError;
use super::json::decode;
use super::model::{
    HookFire, McpServer, ModelRequest, PermissionDenial, RequestKind, RunResult, Subagent, ToolCall, Usage,
};
use super::text::Text;
use crate::hook::Effect;

/// A field of the JSON form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Field {
    /// `toolCalls`, without `input` and `resultText`: see [`Trace::input_json`] and [`Trace::result_text`].
    ToolCalls,
    /// `hooks`.
    Hooks,
    /// `output`.
    Output,
    /// `replies`.
    Replies,
    /// `modelRequests`.
    ModelRequests,
    /// `turns`.
    Turns,
    /// `subagents`; their `toolCalls` are indices into the trace's.
    Subagents,
    /// `usage`.
    Usage,
    /// `permissionDenials`.
    PermissionDenials,
    /// `result`.
    Result,
    /// `skills`.
    Skills,
    /// `mcpServers`.
    McpServers,
    /// `filesWritten`.
    FilesWritten,
    /// `warnings`.
    Warnings,
    /// `parseErrors`.
    ParseErrors,
    /// `kind`, `model`, `sessionId`, `prompt`, `cwd`, `complete`, in one object.
    Facts,
}

impl Field {
    /// All fields.
    pub const ALL: [Self; 16] = [
        Self::Facts,
        Self::Output,
        Self::ToolCalls,
        Self::Hooks,
        Self::Replies,
        Self::ModelRequests,
        Self::Turns,
        Self::Subagents,
        Self::Usage,
        Self::PermissionDenials,
        Self::Result,
        Self::Skills,
        Self::McpServers,
        Self::FilesWritten,
        Self::Warnings,
        Self::ParseErrors,
    ];

    /// The name in the JSON form.
    pub fn name(self) -> &'static str {
        match self {
            Self::ToolCalls => "toolCalls",
            Self::Hooks => "hooks",
            Self::Output => "output",
            Self::Replies => "replies",
            Self::ModelRequests => "modelRequests",
            Self::Turns => "turns",
            Self::Subagents => "subagents",
            Self::Usage => "usage",
            Self::PermissionDenials => "permissionDenials",
            Self::Result => "result",
            Self::Skills => "skills",
            Self::McpServers => "mcpServers",
            Self::FilesWritten => "filesWritten",
            Self::Warnings => "warnings",
            Self::ParseErrors => "parseErrors",
            Self::Facts => "facts",
        }
    }

    /// The field of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name() == name)
    }
}

impl Trace {
    /// One field as JSON; `None` when it was not observed.
    pub fn field_json(&self, field: Field) -> Result<Option<String>, TraceError> {
        match field {
            Field::ToolCalls => {
                json_of(self.tool_calls().map(|calls| calls.iter().map(CallFacts::of).collect::<Vec<_>>()))
            }
            Field::Hooks => json_of(self.hooks().map(|_| self.hooks_form()).transpose()?),
            Field::Output => json_of(self.output()),
            Field::Replies => json_of(self.replies().map(|texts| self.read_all(texts)).transpose()?),
            Field::ModelRequests => {
                json_of(self.model_requests().map(|requests| requests.iter().map(RequestForm::of).collect::<Vec<_>>()))
            }
            Field::Turns => json_of(self.turns()),
            Field::Subagents => {
                let forms = self
                    .subagents()
                    .map(|agents| agents.iter().map(|agent| self.subagent_form(agent)).collect::<Result<Vec<_>, _>>());
                json_of(forms.transpose()?)
            }
            Field::Usage => json_of(self.usage().map(UsageForm::of)),
            Field::PermissionDenials => {
                let form = |denial| DenialForm::of(self, denial);
                json_of(
                    self.permission_denials()
                        .map(|list| list.iter().map(form).collect::<Result<Vec<_>, _>>())
                        .transpose()?,
                )
            }
            Field::Result => json_of(self.result().map(ResultForm::of)),
            Field::Skills => json_of(self.skills()),
            Field::McpServers => {
                json_of(self.mcp_servers().map(|list| list.iter().map(ServerForm::of).collect::<Vec<_>>()))
            }
            Field::FilesWritten => json_of(self.files_written()),
            Field::Warnings => json_of(Some(self.warnings())),
            Field::ParseErrors => json_of(Some(
                self.parse_errors()
                    .iter()
                    .map(|error| ErrorForm { line: error.line, reason: &error.reason })
                    .collect::<Vec<_>>(),
            )),
            Field::Facts => json_of(Some(FactsForm::of(self))),
        }
    }

    /// The arguments of a call as JSON text that `JSON.parse` reads.
    ///
    /// Bytes that are not UTF-8 are U+FFFD; escapes stay as they were written.
    pub fn input_json<'t>(&'t self, call: &'t ToolCall) -> Result<Cow<'t, str>, TraceError> {
        self.read(&call.input)
    }

    /// The whole trace as a plain object.
    pub fn to_json(&self) -> Result<String, TraceError> {
        let mut text = String::from("{");
        let mut add = |member: String| {
            if text.len() > 1 {
                text.push(',');
            }
            text.push_str(&member);
        };
        for field in Field::ALL {
            let value = match field {
                Field::ToolCalls => self.calls_json()?,
                Field::Subagents => self.subagents_json()?,
                field => self.field_json(field)?,
            };
            match (field, value) {
                (_, None) => {}
                (Field::Facts, Some(value)) => add(value.trim_matches(['{', '}']).to_owned()),
                (field, Some(value)) => add(format!("\"{}\":{value}", field.name())),
            }
        }
        if self.hooks_partial() && self.hooks().is_some() {
            add("\"hooksPartial\":true".to_owned());
        }
        text.push('}');
        Ok(text)
    }

    fn calls_json(&self) -> Result<Option<String>, TraceError> {
        let whole =
            self.tool_calls().map(|calls| calls.iter().map(|call| self.call_form(call)).collect::<Result<Vec<_>, _>>());
        json_of(whole.transpose()?)
    }

    /// Subagents with their calls whole.
    fn subagents_json(&self) -> Result<Option<String>, TraceError> {
        let Some(agents) = self.subagents() else {
            return Ok(None);
        };
        json_of(Some(agents.iter().map(|agent| self.whole_subagent(agent)).collect::<Result<Vec<_>, _>>()?))
    }

    fn whole_subagent<'t>(&'t self, agent: &'t Subagent) -> Result<SubagentForm<'t, CallForm<'t>>, TraceError> {
        let calls = self.tool_calls().unwrap_or_default();
        let own = agent
            .calls
            .as_ref()
            .map(|own| own.iter().map(|&index| self.call_form(&calls[index])).collect::<Result<Vec<_>, _>>());
        Ok(SubagentForm {
            id: &agent.id,
            name: &agent.name,
            tool_calls: own.transpose()?,
            output: self.subagent_output(agent)?,
            subagents: agent.subagents.iter().map(|nested| self.whole_subagent(nested)).collect::<Result<_, _>>()?,
        })
    }

    fn subagent_form<'t>(&'t self, agent: &'t Subagent) -> Result<SubagentForm<'t, usize>, TraceError> {
        Ok(SubagentForm {
            id: &agent.id,
            name: &agent.name,
            tool_calls: agent.calls.clone(),
            output: self.subagent_output(agent)?,
            subagents: agent.subagents.iter().map(|nested| self.subagent_form(nested)).collect::<Result<_, _>>()?,
        })
    }

    fn call_form<'t>(&'t self, call: &'t ToolCall) -> Result<CallForm<'t>, TraceError> {
        Ok(CallForm {
            facts: CallFacts::of(call),
            input: raw_json(&self.input_json(call)?),
            result_text: self.result_text(call)?,
        })
    }

    fn hooks_form(&self) -> Result<Vec<HookForm<'_>>, TraceError> {
        self.hooks().unwrap_or_default().iter().map(|fire| HookForm::of(self, fire)).collect()
    }

    fn read_all<'t>(&'t self, texts: &'t [Text]) -> Result<Vec<Cow<'t, str>>, TraceError> {
        texts.iter().map(|text| self.read(text)).collect()
    }
}

fn json_of(value: Option<impl Serialize>) -> Result<Option<String>, TraceError> {
    value
        .map(|value| serde_json::to_string(&value).map_err(|error| TraceError::NotATrace(error.to_string())))
        .transpose()
}

/// JSON text as it is. A `RawValue` would take lone surrogates too, and then nobody but JavaScript could read the whole.
fn raw_json(text: &str) -> Box<RawValue> {
    RawValue::from_string(decode::mended(text).into_owned()).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CallFacts<'t> {
    #[serde(skip_serializing_if = "str::is_empty")]
    id: &'t str,
    name: &'t str,
    #[serde(skip_serializing_if = "Option::is_none")]
    is_error: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    denied: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent_id: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<u32>,
}

impl<'t> CallFacts<'t> {
    fn of(call: &'t ToolCall) -> Self {
        Self {
            id: &call.id,
            name: &call.name,
            is_error: call.is_error,
            denied: call.denied,
            parent_id: call.parent_id.as_deref(),
            turn: call.turn,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CallForm<'t> {
    #[serde(flatten)]
    facts: CallFacts<'t>,
    input: Box<RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result_text: Option<Cow<'t, str>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HookForm<'t> {
    name: &'t str,
    event: &'t str,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_code: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blocked: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    effect: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stdout: Option<Cow<'t, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stderr: Option<Cow<'t, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<Cow<'t, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_use_id: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timed_out: Option<bool>,
}

impl<'t> HookForm<'t> {
    fn of(trace: &'t Trace, fire: &'t HookFire) -> Result<Self, TraceError> {
        let read = |text: &'t Option<Text>| text.as_ref().map(|text| trace.read(text)).transpose();
        Ok(Self {
            name: &fire.name,
            event: &fire.event,
            exit_code: fire.exit_code,
            blocked: fire.blocked,
            effect: fire.effect.map(Effect::name),
            outcome: fire.outcome.as_deref(),
            stdout: read(&fire.stdout)?,
            stderr: read(&fire.stderr)?,
            output: read(&fire.output)?,
            command: fire.command.as_deref(),
            tool_use_id: fire.tool_use_id.as_deref(),
            duration_ms: fire.duration_ms,
            timed_out: fire.timed_out,
        })
    }
}

/// `C` is what stands for a call: the call itself, or its index.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SubagentForm<'t, C> {
    id: &'t str,
    name: &'t str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_calls: Option<Vec<C>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<Cow<'t, str>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    subagents: Vec<SubagentForm<'t, C>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RequestForm<'t> {
    system: &'t str,
    messages: Vec<MessageForm<'t>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    side_channel: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_id: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'t str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    tools: &'t [String],
}

#[derive(Serialize)]
struct MessageForm<'t> {
    role: &'t str,
    text: &'t str,
}

impl ModelRequest {
    /// The request as JSON, as it is in [`Field::ModelRequests`].
    pub fn to_json(&self) -> Result<String, TraceError> {
        json_of(Some(RequestForm::of(self))).map(Option::unwrap_or_default)
    }
}

impl<'t> RequestForm<'t> {
    fn of(request: &'t ModelRequest) -> Self {
        Self {
            system: &request.system,
            messages: request
                .messages
                .iter()
                .map(|message| MessageForm { role: &message.role, text: &message.text })
                .collect(),
            side_channel: request.side_channel,
            kind: request.kind.map(RequestKind::name),
            agent: request.agent.as_deref(),
            agent_id: request.agent_id.as_deref(),
            model: request.model.as_deref(),
            tools: &request.tools,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct UsageForm {
    #[serde(skip_serializing_if = "Option::is_none")]
    cost_usd: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_creation_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_read_tokens: Option<u64>,
}

impl UsageForm {
    fn of(usage: &Usage) -> Self {
        Self {
            cost_usd: usage.cost_usd,
            duration_ms: usage.duration_ms,
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            cache_creation_tokens: usage.cache_creation_tokens,
            cache_read_tokens: usage.cache_read_tokens,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_field_names, reason = "the names of the JSON form")]
struct DenialForm<'t> {
    tool_name: &'t str,
    tool_use_id: &'t str,
    tool_input: Box<RawValue>,
}

impl<'t> DenialForm<'t> {
    fn of(trace: &Trace, denial: &'t PermissionDenial) -> Result<Self, TraceError> {
        Ok(Self {
            tool_name: &denial.tool_name,
            tool_use_id: &denial.tool_use_id,
            tool_input: raw_json(&trace.read(&denial.tool_input)?),
        })
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResultForm<'t> {
    subtype: &'t str,
    is_error: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    terminal_reason: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    api_error_status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    num_turns: Option<u32>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    errors: &'t [String],
}

impl<'t> ResultForm<'t> {
    fn of(result: &'t RunResult) -> Self {
        Self {
            subtype: &result.subtype,
            is_error: result.is_error,
            terminal_reason: result.terminal_reason.as_deref(),
            api_error_status: result.api_error_status,
            num_turns: result.num_turns,
            errors: &result.errors,
        }
    }
}

#[derive(Serialize)]
struct ServerForm<'t> {
    name: &'t str,
    status: &'t str,
}

impl<'t> ServerForm<'t> {
    fn of(server: &'t McpServer) -> Self {
        Self { name: &server.name, status: &server.status }
    }
}

#[derive(Serialize)]
struct ErrorForm<'t> {
    line: u64,
    reason: &'t str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FactsForm<'t> {
    kind: &'static str,
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cwd: Option<&'t str>,
}

impl<'t> FactsForm<'t> {
    fn of(trace: &'t Trace) -> Self {
        Self {
            kind: trace.kind().name(),
            complete: trace.complete(),
            model: trace.model(),
            session_id: trace.session_id(),
            prompt: trace.prompt(),
            cwd: trace.cwd(),
        }
    }
}
