//! What checks are judged against.

use serde::Deserialize;

use crate::hook::HookRun;
use crate::process::{EgressAttempt, EgressDropped, ScriptRun};
use crate::trace::{Subagent, Trace};

/// What a check is judged against.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Target<'a> {
    /// A whole run.
    Trace(&'a Trace),
    /// One subagent of a run: its own tool calls, its answer, its subagents.
    Subagent(&'a Trace, &'a Subagent),
    /// One run of a hook or a script.
    Run(&'a RunFacts),
}

impl Target<'_> {
    /// What it is, for messages.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Self::Trace(_) => "a trace",
            Self::Subagent(..) => "a subagent's part of a trace",
            Self::Run(run) if run.blocked.is_some() => "the result of one hook run",
            Self::Run(_) => "the result of one script run",
        }
    }
}

impl<'a> From<&'a Trace> for Target<'a> {
    fn from(trace: &'a Trace) -> Self {
        Self::Trace(trace)
    }
}

impl<'a> From<&'a RunFacts> for Target<'a> {
    fn from(run: &'a RunFacts) -> Self {
        Self::Run(run)
    }
}

/// What checks need to know of one run of a hook or a script.
///
/// Read it from the JSON of a run's result; other fields of that are passed over.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RunFacts {
    /// The exit code; `None` when a signal ended the process.
    pub exit_code: Option<i32>,
    /// Whether it was ended at its time limit.
    pub timed_out: bool,
    /// Whether the hook blocked; `None` for a script, which decides nothing.
    pub blocked: Option<bool>,
    /// The block mechanisms that fired.
    pub blocked_by: Vec<String>,
    /// The decision as the hook spelled it: `deny`, `block`, `ask`, `allow`.
    pub decision: Option<String>,
    /// The hook's reason.
    pub reason: Option<String>,
    /// The hook's own code never ran: a missing script, a command that is not there.
    pub unresolved: bool,
    /// Whether the hook was started at all; `Some(false)` when its condition did not match the event.
    pub ran: Option<bool>,
    /// Why it was not started.
    pub condition_reason: Option<String>,
    /// One or two sentences on what the answer does, as [`crate::hook::explain`] words them.
    pub explanation: Option<String>,
    /// The files it wrote, relative to its working directory; `None` when nobody recorded them.
    pub files_written: Option<Vec<String>>,
    /// The connections out that it tried; `None` when nobody recorded them.
    pub egress: Option<Vec<EgressAttempt>>,
    /// What an allow-list kept from going out.
    pub egress_dropped: Option<EgressDropped>,
}

impl From<&HookRun> for RunFacts {
    fn from(run: &HookRun) -> Self {
        let decision = &run.decision;
        Self {
            blocked: Some(decision.blocked),
            blocked_by: decision.blocked_by.iter().map(|mechanism| mechanism.name().to_owned()).collect(),
            decision: decision.decision.clone(),
            reason: decision.reason.clone(),
            unresolved: decision.unresolved,
            ran: Some(decision.ran),
            condition_reason: run.condition_reason.clone(),
            explanation: Some(run.explanation.clone()),
            ..Self::from(&run.script)
        }
    }
}

impl From<&ScriptRun> for RunFacts {
    fn from(run: &ScriptRun) -> Self {
        Self {
            exit_code: run.exit_code,
            timed_out: run.timed_out,
            files_written: run.files_written.clone(),
            egress: run.egress.clone(),
            egress_dropped: run.egress_dropped,
            ..Self::default()
        }
    }
}
