//! How a guard fares against the disaster battery.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::build::{EventError, build_event};
use super::decision::Effect;
use super::disasters::DisasterEvent;
use super::event::EventContext;
use super::run::{Hook, HookRun, run_hooks};
use crate::process::ProcessError;

/// What became of one disaster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GuardrailOutcome {
    /// The guard's own code ran and blocked the call.
    Blocked,
    /// The guard ran and let the call through.
    Allowed,
    /// The guard's condition kept it from running: the call goes through unseen.
    NotRun,
    /// The guard's own code never ran (missing script, broken interpreter). Its answer says nothing about the guard, even
    /// when it blocks.
    Unresolved,
    /// The guard was still running when its time was up. The CLI would run the tool, but what the guard thinks of the
    /// call is not known.
    TimedOut,
}

/// One disaster and what the guard did with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GuardrailResult {
    /// The disaster.
    pub event: DisasterEvent,
    /// What became of it.
    pub outcome: GuardrailOutcome,
    /// The guard's own code ran and blocked the call: `outcome` is `blocked`.
    pub blocked: bool,
    /// What the CLI does with the answer; absent when not measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effect: Option<Effect>,
    /// The guard's exit code, `None` when a signal ended it.
    pub exit_code: Option<i32>,
    /// The guard's process was launched.
    pub ran: bool,
    /// The guard's text, else what its answer does and what to change.
    pub reason: String,
}

/// A guard that could not be tried.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GuardrailError {
    /// The CLI has no such event.
    #[error(transparent)]
    Event(#[from] EventError),
    /// The guard could not be started.
    #[error(transparent)]
    Process(#[from] ProcessError),
}

impl GuardrailError {
    /// The stable code of this kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Event(error) => error.code(),
            Self::Process(error) => error.code(),
        }
    }
}

/// Sends every disaster to the guard, at most `concurrency` at a time, and says what became of each. Order: `disasters`.
///
/// `event` is the one that the guard is registered for, usually `PreToolUse`. The disasters are only described to the
/// guard on stdin; nothing runs them.
pub fn verify_guardrail(
    hook: &Hook,
    event: &str,
    disasters: &[DisasterEvent],
    context: &EventContext,
    concurrency: usize,
) -> Result<Vec<GuardrailResult>, GuardrailError> {
    let events = disasters.iter().map(|disaster| {
        let fields = [("tool_name", json!(disaster.tool)), ("tool_input", disaster.input.clone())];
        let fields = fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        build_event(hook.cli, event, context, &fields).map(|event| event.to_string())
    });
    let events = events.collect::<Result<Vec<String>, EventError>>()?;
    let events: Vec<&str> = events.iter().map(String::as_str).collect();
    run_hooks(hook, &events, concurrency)
        .into_iter()
        .zip(disasters)
        .map(|(run, disaster)| Ok(guardrail_result(disaster, &run?)))
        .collect()
}

/// Judges one run of a guard.
pub fn guardrail_result(disaster: &DisasterEvent, run: &HookRun) -> GuardrailResult {
    let decision = &run.decision;
    let outcome = if run.condition_reason.is_some() {
        GuardrailOutcome::NotRun
    } else if decision.unresolved {
        GuardrailOutcome::Unresolved
    } else if run.script.timed_out {
        GuardrailOutcome::TimedOut
    } else if decision.blocked {
        GuardrailOutcome::Blocked
    } else {
        GuardrailOutcome::Allowed
    };
    let said = decision.reason.clone().filter(|_| outcome == GuardrailOutcome::Blocked);
    GuardrailResult {
        event: disaster.clone(),
        outcome,
        blocked: outcome == GuardrailOutcome::Blocked,
        effect: decision.effect,
        exit_code: run.script.exit_code,
        ran: decision.ran,
        reason: said.unwrap_or_else(|| run.explanation.clone()),
    }
}

/// The disasters that the guard did not stop, whatever their outcome.
pub fn unblocked_disasters(results: &[GuardrailResult]) -> Vec<&GuardrailResult> {
    results.iter().filter(|result| !result.blocked).collect()
}

/// A table of all results, one line each, with the reason where a disaster was not stopped.
///
/// A guard of which some result is unresolved or timed out gets no score: what it would do is not known. It is the rule by
/// which the checks `blocked` and `allowed` give an error there and no verdict.
pub fn format_guardrail_report(command: &str, results: &[GuardrailResult]) -> String {
    let mut report = format!("guard: {command}\n");
    let blocked = results.iter().filter(|result| result.blocked).count();
    if results.is_empty() {
        report.push_str("no disasters were sent\n");
    } else if results.iter().any(|result| result.outcome == GuardrailOutcome::Unresolved) {
        report.push_str("no score: the guard's own code did not run\n");
    } else if results.iter().any(|result| result.outcome == GuardrailOutcome::TimedOut) {
        report.push_str("no score: the guard ran out of time\n");
    } else {
        let _ = writeln!(report, "{blocked} of {} disasters blocked", results.len());
    }
    let width = results.iter().map(|result| result.event.id.len()).max().unwrap_or_default();
    for result in results {
        let outcome = match result.outcome {
            GuardrailOutcome::Blocked => "blocked",
            GuardrailOutcome::Allowed => "ALLOWED",
            GuardrailOutcome::NotRun => "NOT RUN",
            GuardrailOutcome::Unresolved => "UNRESOLVED",
            GuardrailOutcome::TimedOut => "TIMED OUT",
        };
        let _ = writeln!(report, "  {outcome:<10}  {:<width$}  {}", result.event.id, result.event.call());
        if !result.blocked {
            let _ = writeln!(report, "              {}", result.reason.replace('\n', " "));
        }
    }
    report
}

/// The message of the assertion that a guard blocks all disasters, or `None` when it does.
///
/// No results at all are a failure too: nothing was proven.
pub fn guardrail_failure(command: &str, results: &[GuardrailResult]) -> Option<String> {
    if results.is_empty() {
        return Some(format!(
            "expected {command:?} to block every disaster, but no disaster was sent: give at least one event"
        ));
    }
    let unblocked = unblocked_disasters(results);
    if unblocked.is_empty() {
        return None;
    }
    let count = |outcome| unblocked.iter().filter(|result| result.outcome == outcome).count();
    let (unresolved, timed_out) = (count(GuardrailOutcome::Unresolved), count(GuardrailOutcome::TimedOut));
    let headline = if unresolved > 0 {
        format!(
            "expected {command:?} to block every disaster, but its own code did not run for {unresolved} of {}, so it was \
             not tested: fix the command first",
            results.len()
        )
    } else if timed_out > 0 {
        format!(
            "expected {command:?} to block every disaster, but it ran out of time for {timed_out} of {}, and a guard that \
             does so blocks nothing: make it faster, or raise the time limit",
            results.len()
        )
    } else {
        let ids: Vec<&str> = unblocked.iter().map(|result| result.event.id.as_ref()).collect();
        format!(
            "expected {command:?} to block every disaster, but {} of {} got through: {}",
            unblocked.len(),
            results.len(),
            ids.join(", ")
        )
    };
    Some(format!("{headline}\n{}", format_guardrail_report(command, results)))
}
