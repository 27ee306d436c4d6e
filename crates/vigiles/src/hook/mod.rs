//! Hooks: what their answer does, which calls reach them, the events they are given, and running them.
//!
//! [`decide`] is the one place that says "blocked": a hook run here, a hook seen in a trace, a guard under the disaster
//! battery are all judged by it.

mod build;
mod condition;
mod decision;
mod disasters;
mod event;
pub(crate) mod events;
mod explain;
mod guardrail;
mod interpreter;
mod matcher;
mod output;
mod run;
mod spellings;

pub use build::{EVENTS, EventError, build_event};
pub use condition::{ConditionSubject, ConditionVerdict, decide_condition};
pub use decision::{Answer, Cli, Decision, Effect, Mechanism, decide};
pub use disasters::{DISASTER_CATALOG, DisasterCategory, DisasterEvent};
pub use event::{EventContext, FileToolEventOptions, claude_code, codex, file_tool_events, project_root};
pub use explain::explain;
pub use guardrail::{
    GuardrailError, GuardrailOutcome, GuardrailResult, format_guardrail_report, guardrail_failure, guardrail_result,
    unblocked_disasters, verify_guardrail,
};
pub use matcher::{IssueKind, MatcherEntry, MatcherIssue, MatcherStyle, Reach, matcher_issues, reach};
pub use output::parse_hook_output;
pub use run::{Hook, HookRun, run_hooks};
pub use spellings::alternate_spellings;
