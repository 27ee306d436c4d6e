//! Checks made of checks. An inner check that could not be judged leaves the outer one open, unless the others decide it.

use super::super::pattern::PatternTester;
use super::super::result::{CheckResult, Verdict, lines};
use super::super::seen::{count_of, plural};
use super::super::target::Target;
use super::super::vocabulary::Check;
use super::judge;

pub(super) fn not(inner: &Check, target: Target<'_>, patterns: &dyn PatternTester) -> CheckResult {
    let result = judge(inner, target, patterns);
    match result.verdict {
        Verdict::Pass => CheckResult::fails(format!("expected not({inner}), but {}", result.message)),
        Verdict::Fail => CheckResult::holds(format!("{inner} does not hold: {}", result.message)),
        Verdict::Error => result,
    }
}

pub(super) fn all(checks: &[Check], target: Target<'_>, patterns: &dyn PatternTester) -> CheckResult {
    let results: Vec<CheckResult> = checks.iter().map(|check| judge(check, target, patterns)).collect();
    let broken: Vec<&CheckResult> = results.iter().filter(|result| !result.pass()).collect();
    if broken.is_empty() {
        return CheckResult::holds(format!("all of {} hold", plural(count_of(checks), "check")));
    }
    let message = format!(
        "expected all of {} to hold, but {} not:{}",
        plural(count_of(checks), "check"),
        if broken.len() == 1 { "1 does".to_owned() } else { format!("{} do", broken.len()) },
        lines(&broken)
    );
    decided(&results, Verdict::Fail, message)
}

pub(super) fn any(checks: &[Check], target: Target<'_>, patterns: &dyn PatternTester) -> CheckResult {
    let results: Vec<CheckResult> = checks.iter().map(|check| judge(check, target, patterns)).collect();
    if let Some(held) = results.iter().find(|result| result.pass()) {
        return CheckResult::holds(held.message.clone());
    }
    let message = format!(
        "expected one of {} to hold, but none does:{}",
        plural(count_of(checks), "check"),
        lines(&results.iter().collect::<Vec<_>>())
    );
    if results.iter().any(|result| result.verdict == Verdict::Error) {
        decided(&results, Verdict::Pass, message)
    } else {
        CheckResult::fails(message)
    }
}

/// A failure where one result has the deciding verdict, otherwise open for the reason of the first that is.
pub(super) fn decided(results: &[CheckResult], deciding: Verdict, message: String) -> CheckResult {
    if results.iter().any(|result| result.verdict == deciding) {
        return CheckResult::fails(message);
    }
    match results.iter().find_map(|result| result.code) {
        Some(code) => CheckResult::unknown(code, message),
        None => CheckResult::fails(message),
    }
}
