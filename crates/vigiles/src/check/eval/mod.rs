//! Judging checks.

mod compound;
mod decision;
mod files;
mod hooks;
mod run;
mod scene;
mod skill;
mod subagent;
mod text;
mod tools;

use super::error::{CheckError, EvalError};
use super::matcher::NameMatcher;
use super::pattern::PatternTester;
use super::result::CheckResult;
use super::target::Target;
use super::vocabulary::Check;
use scene::Scene;

impl Check {
    /// Judges the check.
    ///
    /// What was not recorded is never a pass: the verdict is then an error whose message says how to record it. The
    /// same goes for a claim about the whole run (nothing else was used, at most so many) when its end is missing.
    pub fn eval(&self, target: &Target<'_>, patterns: &dyn PatternTester) -> CheckResult {
        match self.validate(self.kind()) {
            Ok(()) => judge(self, *target, patterns),
            Err(error) => CheckResult::unknown(error.code(), error.to_string()),
        }
    }
}

/// Judges every check, in order. A list without checks is refused: it would pass whatever happened.
pub fn eval_all(
    checks: &[Check],
    target: &Target<'_>,
    patterns: &dyn PatternTester,
) -> Result<Vec<CheckResult>, CheckError> {
    if checks.is_empty() {
        return Err(CheckError::NoChecks);
    }
    Ok(checks.iter().map(|check| check.eval(target, patterns)).collect())
}

fn judge(check: &Check, target: Target<'_>, patterns: &dyn PatternTester) -> CheckResult {
    let result = match check {
        Check::Not { check: inner } => return compound::not(inner, target, patterns),
        Check::All { checks } => return compound::all(checks, target, patterns),
        Check::Any { checks } => return compound::any(checks, target, patterns),
        Check::Blocked | Check::Allowed => match target {
            Target::Run(run) => return decision::judge(check, run),
            _ => {
                return other_target(check, target, "the result of runHook")
                    .hinted(Some("hookBlocked(event) asks whether a hook blocked in a run".to_owned()));
            }
        },
        Check::NoWrite { matcher } => files::no_write(target, matcher, patterns),
        Check::WroteOnly { allowed } => files::wrote_only(target, allowed, patterns),
        Check::Wrote { path } => files::wrote(target, path),
        Check::DidNotWrite { path } => files::did_not_write(target, path),
        _ => match (Scene::of(target, patterns), target) {
            (Some(scene), _) if of_a_subagent_too(check) => of_scene(check, &scene),
            (Some(scene), Target::Trace(_)) => of_whole_run(check, &scene),
            _ if of_a_subagent_too(check) => return other_target(check, target, "a trace"),
            _ => return other_target(check, target, "the trace of a whole run"),
        },
    };
    result.unwrap_or_else(|error: EvalError| {
        CheckResult::unknown(error.code(), format!("could not judge {check}: {error}"))
    })
}

/// Whether the check is about what a subagent's part of a trace holds.
fn of_a_subagent_too(check: &Check) -> bool {
    matches!(
        check,
        Check::Tool { .. }
            | Check::ToolWith { .. }
            | Check::NotTool { .. }
            | Check::OnlyTools { .. }
            | Check::ToolCount { .. }
            | Check::ToolSequence { .. }
            | Check::Mcp { .. }
            | Check::Skill { .. }
            | Check::Subagent { .. }
            | Check::Output { .. }
    )
}

fn of_scene(check: &Check, scene: &Scene<'_>) -> Result<CheckResult, EvalError> {
    match check {
        Check::Tool { name } => tools::used(scene, name),
        Check::ToolWith { name, args } => tools::used_with(scene, name, args),
        Check::NotTool { name, args } => tools::not_used(scene, name, args.as_ref()),
        Check::OnlyTools { allowed } => tools::only(scene, allowed),
        Check::ToolCount { name, count } => tools::count(scene, name, *count),
        Check::ToolSequence { names } => tools::sequence(scene, names),
        Check::Mcp { server, tool } => tools::used(scene, &NameMatcher::Exact(format!("mcp__{server}__{tool}"))),
        Check::Skill { id } => skill::resolved(scene, id),
        Check::Subagent { name, checks } => subagent::judge_runs(scene, name, checks),
        Check::Output { matcher } => text::output(scene, matcher),
        _ => Ok(other_target(check, scene.target(), "something else")),
    }
}

fn of_whole_run(check: &Check, scene: &Scene<'_>) -> Result<CheckResult, EvalError> {
    match check {
        Check::Received { matcher } => text::received(scene, matcher),
        Check::EachReply { matcher } => text::each_reply(scene, matcher),
        Check::ReplyCount { matcher, count } => text::reply_count(scene, matcher, *count),
        Check::HookFired { event, blocked } => hooks::fired(scene, event, *blocked),
        Check::HookBlocked { event } => hooks::blocked(scene, event),
        Check::HookFailed { event } => hooks::failed(scene, event),
        Check::Turns { count } => run::turns(scene, *count),
        Check::ServedTurns { min } => run::served_turns(scene, *min),
        Check::Created { path } => files::created(scene, path),
        Check::NotCreated { path } => files::not_created(scene, path),
        Check::Cost { max_usd } => run::cost(scene, *max_usd),
        Check::Latency { max_ms } => run::latency(scene, *max_ms),
        Check::Tokens { max } => run::tokens(scene, *max),
        Check::InputTokens { max } => run::input_tokens(scene, *max),
        Check::OutputTokens { max } => run::output_tokens(scene, *max),
        Check::CacheTokens { max_creation, max_read } => run::cache_tokens(scene, *max_creation, *max_read),
        _ => Ok(other_target(check, scene.target(), "something else")),
    }
}

fn other_target(check: &Check, target: Target<'_>, belongs: &str) -> CheckResult {
    CheckResult::unknown(
        "VIGILES_CHECK_TARGET",
        format!("expected {belongs} to judge {check}, but {} was given", target.noun()),
    )
}
