//! The fields of a trace as checks read them: what was not recorded is refused, with the way to record it.

use crate::trace::{HookFire, ModelRequest, Subagent, Text, ToolCall, Trace, TraceError, TraceKind, Usage};

/// What to do about a field that is missing, by the kind of trace that lacks it.
struct Missing {
    what: &'static str,
    claude: &'static str,
    codex: &'static str,
    plain: &'static str,
}

const STREAM: &str =
    "Record with `--output-format stream-json --verbose`; `--output-format json` prints the result alone";
const CODEX: &str = "Record with `codex exec --json`";

macro_rules! add {
    ($field:literal) => {
        concat!("The object that was given has no `", $field, "`: add it, or pass the trace itself")
    };
}

impl Missing {
    fn error(&self, trace: &Trace) -> TraceError {
        let hint = match trace.kind() {
            TraceKind::Plain => self.plain,
            TraceKind::CodexExec => self.codex,
            _ => self.claude,
        };
        TraceError::NotObserved { what: self.what, hint }
    }
}

pub(super) fn tool_calls(trace: &Trace) -> Result<&[ToolCall], TraceError> {
    let missing = Missing { what: "the list of tool calls", claude: STREAM, codex: CODEX, plain: add!("toolCalls") };
    trace.tool_calls().ok_or_else(|| missing.error(trace))
}

/// The firings that were recorded, possibly not all (see [`Trace::hooks_partial`]).
pub(super) fn hooks(trace: &Trace) -> Result<&[HookFire], TraceError> {
    trace.hooks().ok_or_else(|| hooks_missing(trace))
}

pub(super) fn hooks_missing(trace: &Trace) -> TraceError {
    Missing {
        what: "what every hook did",
        claude: "Record with `--output-format stream-json --verbose --include-hook-events`",
        codex: "Codex `exec --json` prints nothing about hooks: test the hook itself with runHook",
        plain: add!("hooks"),
    }
    .error(trace)
}

/// A hook that started and whose answer is not in the recording.
pub(super) fn hook_end_missing() -> TraceError {
    TraceError::NotObserved { what: "how every hook ended", hint: "Record the run to its end" }
}

pub(super) fn output(trace: &Trace) -> Result<&str, TraceError> {
    let none = "The run gave none before it ended: see its result and warnings";
    let missing = Missing { what: "a final answer", claude: none, codex: none, plain: add!("output") };
    trace.output().ok_or_else(|| missing.error(trace))
}

pub(super) fn replies(trace: &Trace) -> Result<&[Text], TraceError> {
    let missing = Missing { what: "the list of replies", claude: STREAM, codex: CODEX, plain: add!("replies") };
    trace.replies().ok_or_else(|| missing.error(trace))
}

pub(super) fn model_requests(trace: &Trace) -> Result<&[ModelRequest], TraceError> {
    let run = "The CLIs do not record it: give it as `modelRequests` of a plain object when you have it from a proxy of your own";
    let missing = Missing { what: "what the model was sent", claude: run, codex: run, plain: add!("modelRequests") };
    trace.model_requests().ok_or_else(|| missing.error(trace))
}

pub(super) fn turns(trace: &Trace) -> Result<u64, TraceError> {
    let missing = Missing {
        what: "the number of turns",
        claude: STREAM,
        codex: "Codex does not tell turns: count tool calls (toolCount) or replies (replyCount) instead",
        plain: add!("turns"),
    };
    trace.turns().map(u64::from).ok_or_else(|| missing.error(trace))
}

pub(super) fn subagents(trace: &Trace) -> Result<&[Subagent], TraceError> {
    let missing = Missing { what: "the list of subagents", claude: STREAM, codex: CODEX, plain: add!("subagents") };
    trace.subagents().ok_or_else(|| missing.error(trace))
}

pub(super) fn subagent_calls(agent: &Subagent) -> Result<&[usize], TraceError> {
    agent.calls.as_deref().ok_or(TraceError::NotObserved {
        what: "what this subagent did",
        hint: "Codex tells only that a subagent was started and what it answered: check its output, or test it as an agent of its own",
    })
}

pub(super) fn usage<T>(
    trace: &Trace,
    what: &'static str,
    field: impl Fn(&Usage) -> Option<T>,
) -> Result<T, TraceError> {
    let missing = Missing {
        what,
        claude: "The CLI tells it in its result event, the last line of `--output-format stream-json`",
        codex: "Codex tells only the tokens of a turn: use tokens, inputTokens, outputTokens or cacheTokens",
        plain: "The object that was given has no such figure in its `usage`: add it, or pass the trace itself",
    };
    trace.usage().and_then(field).ok_or_else(|| missing.error(trace))
}

pub(super) fn files_written(recorded: Option<&[String]>) -> Result<&[String], TraceError> {
    recorded.ok_or(TraceError::NotObserved {
        what: "the list of written files",
        hint: "Runs of a harness record it, and hooks and scripts that run confined (`sandbox: \"strict\"`); or judge an object that has `filesWritten`",
    })
}
