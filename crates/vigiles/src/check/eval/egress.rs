//! Checks over connections out.

use crate::process::EgressAttempt;
use crate::trace::TraceError;

use super::super::error::EvalError;
use super::super::matcher::NameMatcher;
use super::super::pattern::PatternTester;
use super::super::result::CheckResult;
use super::super::seen::{list, plural, quoted_list};
use super::super::target::{RunFacts, Target};

pub(super) fn only(
    target: Target<'_>,
    allowed: &[NameMatcher],
    patterns: &dyn PatternTester,
) -> Result<CheckResult, EvalError> {
    let (attempts, dropped) = recorded(target)?;
    let mut outside: Vec<String> = Vec::new();
    for attempt in attempts {
        let mut fits = false;
        for matcher in allowed {
            fits = fits || is_meant(matcher, attempt, patterns)?;
        }
        let shown = shown(attempt);
        if !fits && !outside.contains(&shown) {
            outside.push(shown);
        }
    }
    let listed = if allowed.is_empty() { "nowhere".to_owned() } else { format!("only to {}", list(allowed)) };
    if !outside.is_empty() {
        let seen = quoted_list(outside.iter().map(String::as_str));
        return Ok(CheckResult::fails(format!("expected the run to connect {listed}, but it tried {seen}")));
    }
    if dropped > 0 {
        return Ok(CheckResult::fails(format!(
            "expected the run to connect {listed}, but {} to addresses that `egress` does not allow {} dropped. Run it with \
             `recordEgress` to see where they were to go",
            plural(dropped, "packet"),
            if dropped == 1 { "was" } else { "were" }
        )));
    }
    Ok(CheckResult::holds(match attempts {
        [] => "the run tried no connection".to_owned(),
        attempts => {
            let seen: Vec<String> = attempts.iter().map(shown).collect();
            format!("the run connected {listed}: {}", quoted_list(seen.iter().map(String::as_str)))
        }
    }))
}

/// A host as it is, whatever its case, or with its port.
fn is_meant(matcher: &NameMatcher, attempt: &EgressAttempt, patterns: &dyn PatternTester) -> Result<bool, EvalError> {
    match matcher {
        NameMatcher::Exact(name) => {
            Ok(name.eq_ignore_ascii_case(&attempt.host) || name.eq_ignore_ascii_case(&shown(attempt)))
        }
        NameMatcher::Matches(pattern) => Ok(patterns.is_match(pattern, &attempt.host)?),
    }
}

fn shown(attempt: &EgressAttempt) -> String {
    let EgressAttempt { host, port, .. } = attempt;
    match (port, host.contains(':')) {
        (0, _) => host.clone(),
        (_, true) => format!("[{host}]:{port}"),
        (_, false) => format!("{host}:{port}"),
    }
}

/// The attempts, and how many packets an allow-list dropped.
fn recorded(target: Target<'_>) -> Result<(&[EgressAttempt], u64), EvalError> {
    let missing = TraceError::NotObserved {
        what: "the list of connections out",
        hint: "Run the hook or script with `recordEgress: true`, or with `egress: { allow: [...] }`; runs of a harness do not record it",
    };
    match target {
        Target::Run(RunFacts { egress: Some(egress), egress_dropped, .. }) => {
            Ok((egress, egress_dropped.map_or(0, |dropped| dropped.packets)))
        }
        _ => Err(missing.into()),
    }
}
