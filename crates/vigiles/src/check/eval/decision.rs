//! Checks over the decision of one hook run.

use super::super::result::CheckResult;
use super::super::seen::{excerpt, quoted};
use super::super::target::RunFacts;
use super::super::vocabulary::Check;

pub(super) fn judge(check: &Check, run: &RunFacts) -> CheckResult {
    let wants_block = matches!(check, Check::Blocked);
    let expected = if wants_block { "expected the hook to block" } else { "expected the hook to allow" };
    let Some(blocked) = run.blocked else {
        return CheckResult::unknown(
            "VIGILES_CHECK_TARGET",
            format!(
                "{expected}, but this is the result of a script, which decides nothing. Run it with runHook and an event"
            ),
        );
    };
    if run.unresolved {
        let why = match &run.explanation {
            Some(explanation) => explanation.clone(),
            None => format!(
                "its own code never ran ({}). The command, or the script it names, is not there or cannot be read: fix the path before trusting the answer",
                answer(run)
            ),
        };
        return CheckResult::unknown("VIGILES_HOOK_UNRESOLVED", format!("{expected}, but nothing was decided: {why}"));
    }
    if run.timed_out {
        return CheckResult::unknown(
            "VIGILES_HOOK_TIMED_OUT",
            format!(
                "{expected}, but it was ended at its time limit before it decided. Make the hook faster, or raise the limit (timeoutMs)"
            ),
        );
    }
    match (wants_block, blocked) {
        (true, true) => CheckResult::holds(format!("the hook blocked: {}", answer(run))),
        (false, false) => CheckResult::holds(format!("the hook allowed: {}", answer(run))),
        (false, true) => CheckResult::fails(format!("{expected}, but it blocked: {}", answer(run))),
        (true, false) => CheckResult::fails(format!("{expected}, but it allowed: {}", answer(run))).hinted(hint(run)),
    }
}

/// What the hook answered.
fn answer(run: &RunFacts) -> String {
    if run.ran == Some(false) {
        let why = run.condition_reason.as_deref().unwrap_or("its condition does not match the event");
        return format!("it was not run ({why})");
    }
    if let Some(explanation) = &run.explanation {
        return explanation.trim_end_matches('.').to_owned();
    }
    let mut parts: Vec<String> = run.exit_code.map(|code| format!("exit {code}")).into_iter().collect();
    if let Some(decision) = &run.decision {
        parts.push(format!("decision {}", quoted(decision)));
    }
    if !run.blocked_by.is_empty() {
        parts.push(format!("by {}", run.blocked_by.join(" and ")));
    }
    if let Some(reason) = &run.reason {
        parts.push(format!("reason {}", excerpt(reason, 200)));
    }
    if parts.is_empty() { "nothing more is told of it".to_owned() } else { parts.join(", ") }
}

fn hint(run: &RunFacts) -> Option<String> {
    if run.ran == Some(false) {
        return Some("give an event that the hook's matcher and condition select".to_owned());
    }
    // An explanation says what to do already.
    if run.explanation.is_some() {
        return None;
    }
    Some(match run.exit_code? {
        0 => "exit 2, or exit 0 and JSON with a deny or block decision on stdout, blocks".to_owned(),
        code => format!("exit {code} fails the hook and blocks nothing: the tool runs all the same. Exit 2 blocks"),
    })
}
