//! What an agent, or one of its subagents, was seen to do.

use std::borrow::Cow;

use crate::trace::{Subagent, ToolCall, Trace, TraceKind};

use super::super::error::EvalError;
use super::super::matcher::Bounds;
use super::super::observed;
use super::super::pattern::PatternTester;
use super::super::result::CheckResult;
use super::super::seen::{excerpt, quoted};
use super::super::target::Target;

/// The part of a trace that a check is about, and the means to test patterns on it.
pub(super) struct Scene<'a> {
    pub(super) trace: &'a Trace,
    pub(super) agent: Option<&'a Subagent>,
    pub(super) patterns: &'a dyn PatternTester,
}

/// The last event of the run is not known.
pub(super) struct Unfinished {
    pub(super) code: &'static str,
    pub(super) why: String,
}

impl<'a> Scene<'a> {
    /// `None` for the run of a single hook or script.
    pub(super) fn of(target: Target<'a>, patterns: &'a dyn PatternTester) -> Option<Self> {
        match target {
            Target::Trace(trace) => Some(Self { trace, agent: None, patterns }),
            Target::Subagent(trace, agent) => Some(Self { trace, agent: Some(agent), patterns }),
            Target::Run(_) => None,
        }
    }

    pub(super) fn target(&self) -> Target<'a> {
        match self.agent {
            None => Target::Trace(self.trace),
            Some(agent) => Target::Subagent(self.trace, agent),
        }
    }

    /// `the agent`, or the subagent by name.
    pub(super) fn actor(&self) -> Cow<'static, str> {
        match self.agent {
            None => Cow::Borrowed("the agent"),
            Some(agent) => Cow::Owned(format!("subagent {}", quoted(&agent.name))),
        }
    }

    pub(super) fn calls(&self) -> Result<Vec<&'a ToolCall>, EvalError> {
        let Some(agent) = self.agent else { return Ok(observed::tool_calls(self.trace)?.iter().collect()) };
        let own = observed::subagent_calls(agent)?;
        let all = observed::tool_calls(self.trace)?;
        Ok(own.iter().filter_map(|&index| all.get(index)).collect())
    }

    /// Subagents at any depth.
    pub(super) fn subagents(&self) -> Result<Vec<&'a Subagent>, EvalError> {
        fn collect<'s>(agents: &'s [Subagent], into: &mut Vec<&'s Subagent>) {
            for agent in agents {
                into.push(agent);
                collect(&agent.subagents, into);
            }
        }
        let mut found = Vec::new();
        match self.agent {
            None => collect(observed::subagents(self.trace)?, &mut found),
            Some(agent) => collect(&agent.subagents, &mut found),
        }
        Ok(found)
    }

    /// [`unfinished`] of the run that the scene is part of.
    pub(super) fn unfinished(&self) -> Option<Unfinished> {
        unfinished(self.trace)
    }

    /// [`provisional`] in the run that the scene is part of.
    pub(super) fn provisional(&self, result: CheckResult) -> CheckResult {
        provisional(self.trace, result)
    }

    /// A number against its bounds: below the least it may still grow, above the greatest it stays.
    pub(super) fn within(&self, seen: u64, bounds: Bounds, holds: String, fails: String) -> CheckResult {
        let decided = if bounds.contains(seen) { bounds.max().is_none() } else { seen >= bounds.min() };
        let result = if bounds.contains(seen) { CheckResult::holds(holds) } else { CheckResult::fails(fails) };
        if decided { result } else { self.provisional(result) }
    }
}

/// Why later events could still overturn what was seen so far; `None` when the run came to its end.
///
/// A run that a limit ended (`error_max_turns`) came to its end. One that the API or the CLI broke did not: that
/// nothing was used in it says nothing about the agent.
pub(super) fn unfinished(trace: &Trace) -> Option<Unfinished> {
    if !trace.complete() {
        let why = match trace.kind() {
            TraceKind::ClaudeStream | TraceKind::ClaudeJson => "the stream ended without a result event",
            TraceKind::ClaudeSession => "the session file ends in the middle of a turn",
            TraceKind::CodexExec => "the stream ended without turn.completed or turn.failed",
            TraceKind::Plain => "the object says `complete: false`",
        };
        return Some(Unfinished {
            code: "VIGILES_TRACE_INCOMPLETE",
            why: format!("{why}: what came after is unknown"),
        });
    }
    let result = trace.result().filter(|result| result.is_error)?;
    if result.subtype.starts_with("error_max") {
        return None;
    }
    let status = result.api_error_status.map(|status| format!(" with HTTP status {status}")).unwrap_or_default();
    let said = result.errors.first().map(String::as_str).or(trace.output()).unwrap_or_default();
    let said = if said.is_empty() { String::new() } else { format!(": {}", excerpt(said, 200)) };
    Some(Unfinished {
        code: "VIGILES_RUN_FAILED",
        why: format!(
            "the run itself failed ({}){status}{said}",
            result.terminal_reason.as_ref().unwrap_or(&result.subtype)
        ),
    })
}

/// A claim that later events could still make true or false: without the end of the run nobody can tell.
pub(super) fn provisional(trace: &Trace, result: CheckResult) -> CheckResult {
    match unfinished(trace) {
        None => result,
        Some(Unfinished { code, why }) if result.pass() => {
            CheckResult::unknown(code, format!("so far {}, but {why}", result.message))
        }
        Some(Unfinished { code, why }) => CheckResult::unknown(code, format!("{}\nunknown: {why}", result.message)),
    }
}
