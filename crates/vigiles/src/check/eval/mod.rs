//! Judging checks.

mod compound;
mod decision;
mod egress;
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

/// Why a check was not judged.
enum Refusal {
    /// It is about something else: what should have been given, and what to use instead.
    Target(&'static str, Option<&'static str>),
    /// What it is about has no answer.
    Eval(EvalError),
}

impl From<EvalError> for Refusal {
    fn from(error: EvalError) -> Self {
        Self::Eval(error)
    }
}

fn judge(check: &Check, target: Target<'_>, patterns: &dyn PatternTester) -> CheckResult {
    match dispatch(check, target, patterns) {
        Ok(result) => result,
        Err(Refusal::Eval(error)) => CheckResult::unknown(error.code(), format!("could not judge {check}: {error}")),
        Err(Refusal::Target(belongs, instead)) => CheckResult::unknown(
            "VIGILES_CHECK_TARGET",
            format!("expected {belongs} to judge {check}, but {} was given", target.noun()),
        )
        .hinted(instead.map(str::to_owned)),
    }
}

fn dispatch(check: &Check, target: Target<'_>, patterns: &dyn PatternTester) -> Result<CheckResult, Refusal> {
    let agent = || Scene::of(target, patterns).ok_or(Refusal::Target("a trace", None));
    let whole_run = || match target {
        Target::Trace(_) => agent(),
        Target::Subagent(..) | Target::Run(_) => Err(Refusal::Target("the trace of a whole run", None)),
    };
    let result = match check {
        Check::Tool { name } => tools::used(&agent()?, name),
        Check::ToolWith { name, args } => tools::used_with(&agent()?, name, args),
        Check::NotTool { name, args } => tools::not_used(&agent()?, name, args.as_ref()),
        Check::OnlyTools { allowed } => tools::only(&agent()?, allowed),
        Check::ToolCount { name, count } => tools::count(&agent()?, name, *count),
        Check::ToolSequence { names } => tools::sequence(&agent()?, names),
        Check::Mcp { server, tool } => tools::used(&agent()?, &NameMatcher::Exact(format!("mcp__{server}__{tool}"))),
        Check::Skill { id } => skill::resolved(&agent()?, id),
        Check::Subagent { name, checks } => subagent::passes(&agent()?, name, checks),
        Check::Output { matcher } => text::output(&agent()?, matcher),
        Check::Received { matcher } => text::received(&whole_run()?, matcher),
        Check::EachReply { matcher } => text::each_reply(&whole_run()?, matcher),
        Check::ReplyCount { matcher, count } => text::reply_count(&whole_run()?, matcher, *count),
        Check::HookFired { event, blocked } => hooks::fired(&whole_run()?, event, *blocked),
        Check::HookBlocked { event } => hooks::blocked(&whole_run()?, event),
        Check::HookFailed { event } => hooks::failed(&whole_run()?, event),
        Check::Turns { count } => run::turns(&whole_run()?, *count),
        Check::ServedTurns { min } => run::served_turns(&whole_run()?, *min),
        Check::Wrote { path } => files::wrote(target, path),
        Check::DidNotWrite { path } => files::did_not_write(target, path),
        Check::NoWrite { matcher } => files::no_write(target, matcher, patterns),
        Check::WroteOnly { allowed } => files::wrote_only(target, allowed, patterns),
        Check::EgressOnly { allowed } => egress::only(target, allowed, patterns),
        Check::Created { path } => files::created(&whole_run()?, path),
        Check::NotCreated { path } => files::not_created(&whole_run()?, path),
        Check::Blocked | Check::Allowed => {
            let Target::Run(run) = target else {
                let instead = "hookBlocked(event) asks whether a hook blocked in a run";
                return Err(Refusal::Target("the result of runHook", Some(instead)));
            };
            Ok(decision::judge(check, run))
        }
        Check::Cost { max_usd } => run::cost(&whole_run()?, *max_usd),
        Check::Latency { max_ms } => run::latency(&whole_run()?, *max_ms),
        Check::Tokens { max } => run::tokens(&whole_run()?, *max),
        Check::InputTokens { max } => run::input_tokens(&whole_run()?, *max),
        Check::OutputTokens { max } => run::output_tokens(&whole_run()?, *max),
        Check::CacheTokens { max_creation, max_read } => run::cache_tokens(&whole_run()?, *max_creation, *max_read),
        Check::Not { check } => Ok(compound::not(check, target, patterns)),
        Check::All { checks } => Ok(compound::all(checks, target, patterns)),
        Check::Any { checks } => Ok(compound::any(checks, target, patterns)),
    };
    Ok(result?)
}
