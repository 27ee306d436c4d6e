//! Checks against plain definitions of what they mean, on generated runs.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use proptest::prelude::*;
use serde_json::json;
use vigiles::check::{
    Bounds, Check, CheckResult, EcmaPatterns, NameMatcher, Pattern, Target, Verdict,
    predicate::{tool_count, tool_sequence, used_tool},
};
use vigiles::trace::Trace;

const NAMES: [&str; 5] = ["Read", "Edit", "Bash", "Task", "Agent"];

fn names(length: std::ops::Range<usize>) -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(prop::sample::select(NAMES.to_vec()), length)
}

fn trace(names: &[&str], complete: bool) -> Trace {
    let calls: Vec<_> = names.iter().map(|name| json!({"name": name})).collect();
    Trace::from_json(&json!({"toolCalls": calls, "turns": names.len(), "complete": complete}).to_string()).unwrap()
}

fn eval(check: &Check, trace: &Trace) -> CheckResult {
    check.eval(&Target::from(trace), &EcmaPatterns::new())
}

fn one_tool(name: &str) -> &str {
    if name == "Task" { "Agent" } else { name }
}

/// By trying every choice of positions.
fn is_subsequence(wanted: &[&str], seen: &[&str]) -> bool {
    match (wanted, seen) {
        ([], _) => true,
        (_, []) => false,
        ([first, rest @ ..], [head, tail @ ..]) => {
            (one_tool(first) == one_tool(head) && is_subsequence(rest, tail)) || is_subsequence(wanted, tail)
        }
    }
}

/// A small check over the tools of a run.
fn check() -> impl Strategy<Value = Check> {
    let name = || prop::sample::select(NAMES.to_vec()).prop_map(NameMatcher::from);
    let bounds = || {
        (0..4_u64, 0..4_u64)
            .prop_map(|(one, other)| Bounds::Range { min: Some(one.min(other)), max: Some(one.max(other)) })
    };
    prop_oneof![
        name().prop_map(|name| Check::Tool { name }),
        name().prop_map(|name| Check::NotTool { name, args: None }),
        (name(), bounds()).prop_map(|(name, count)| Check::ToolCount { name, count }),
        (name(), 1..4_u64).prop_map(|(name, min)| Check::ToolCount { name, count: Bounds::at_least(min) }),
        (name(), 0..4_u64).prop_map(|(name, max)| Check::ToolCount { name, count: Bounds::at_most(max) }),
        names(1..4).prop_map(|names| Check::ToolSequence { names: names.into_iter().map(NameMatcher::from).collect() }),
        names(1..4).prop_map(|names| Check::OnlyTools { allowed: names.into_iter().map(str::to_owned).collect() }),
        bounds().prop_map(|count| Check::Turns { count }),
    ]
}

proptest! {
    #[test]
    fn count_is_the_length_of_the_filtered_list(calls in names(0..8), name in prop::sample::select(NAMES.to_vec()), limit in 0..6_u64) {
        let trace = trace(&calls, true);
        let expected = calls.iter().filter(|call| one_tool(call) == one_tool(name)).count();
        let patterns = EcmaPatterns::new();
        let exact = NameMatcher::from(name);
        let pattern = NameMatcher::from(Pattern::new(format!("^{name}$"), ""));
        prop_assert_eq!(tool_count(&trace, &exact, &patterns).unwrap(), expected);
        prop_assert_eq!(tool_count(&trace, &pattern, &patterns).unwrap(), expected);
        prop_assert_eq!(used_tool(&trace, &exact, &patterns).unwrap(), expected > 0);
        let at_most = Check::ToolCount { name: exact.clone(), count: Bounds::at_most(limit) };
        prop_assert_eq!(eval(&at_most, &trace).pass(), expected as u64 <= limit);
        prop_assert_eq!(eval(&Check::Tool { name: exact.clone() }, &trace).pass(), expected > 0);
        prop_assert_eq!(eval(&Check::NotTool { name: exact, args: None }, &trace).pass(), expected == 0);
    }

    #[test]
    fn sequence_is_a_subsequence(calls in names(0..8), wanted in names(1..5)) {
        let trace = trace(&calls, true);
        let matchers: Vec<NameMatcher> = wanted.iter().map(|name| NameMatcher::from(*name)).collect();
        let expected = is_subsequence(&wanted, &calls);
        prop_assert_eq!(tool_sequence(&trace, &matchers, &EcmaPatterns::new()).unwrap(), expected);
        prop_assert_eq!(eval(&Check::ToolSequence { names: matchers }, &trace).pass(), expected);
    }

    /// Whatever comes after the cut, a verdict given before it stays.
    #[test]
    fn a_verdict_over_a_cut_run_holds_for_every_continuation(check in check(), seen in names(0..4), rest in names(0..5)) {
        let before = eval(&check, &trace(&seen, false));
        let after = eval(&check, &trace(&[seen, rest].concat(), true));
        prop_assert_ne!(after.verdict, Verdict::Error);
        if before.verdict != Verdict::Error {
            prop_assert_eq!(before.verdict, after.verdict, "{} then {}", before.message, after.message);
        }
    }

    /// A verdict is left open only when a continuation could turn it, and the nearest ones are tried here.
    #[test]
    fn a_cut_run_leaves_open_only_what_can_turn(check in check(), seen in names(0..3)) {
        if eval(&check, &trace(&seen, false)).verdict == Verdict::Error {
            let nearer = names_of(&check);
            let mut more: Vec<Vec<&str>> = (0..=nearer.len()).map(|length| nearer[..length].to_vec()).collect();
            more.extend([NAMES.to_vec(), NAMES.repeat(4)]);
            let verdicts: Vec<Verdict> = more.iter().map(|more| eval(&check, &trace(&[seen.clone(), more.clone()].concat(), true)).verdict).collect();
            prop_assert!(verdicts.contains(&Verdict::Pass) && verdicts.contains(&Verdict::Fail), "{check} over {seen:?}: {verdicts:?}");
        }
    }

    #[test]
    fn negation_and_combination_follow_their_truth_tables(checks in prop::collection::vec(check(), 1..4), seen in names(0..4), complete in any::<bool>()) {
        let trace = trace(&seen, complete);
        let verdicts: Vec<Verdict> = checks.iter().map(|check| eval(check, &trace).verdict).collect();
        let negated = eval(&Check::Not { check: Box::new(checks[0].clone()) }, &trace).verdict;
        prop_assert_eq!(negated, match verdicts[0] {
            Verdict::Pass => Verdict::Fail,
            Verdict::Fail => Verdict::Pass,
            Verdict::Error => Verdict::Error,
        });
        let rank = |verdict: &Verdict| match verdict { Verdict::Fail => 0, Verdict::Error => 1, Verdict::Pass => 2 };
        let all = eval(&Check::All { checks: checks.clone() }, &trace).verdict;
        let any = eval(&Check::Any { checks }, &trace).verdict;
        prop_assert_eq!(rank(&all), verdicts.iter().map(rank).min().unwrap());
        prop_assert_eq!(rank(&any), verdicts.iter().map(rank).max().unwrap());
    }
}

/// Calls that bring the check nearer to holding.
fn names_of(check: &Check) -> Vec<&'static str> {
    let known = |name: &NameMatcher| NAMES.into_iter().find(|known| NameMatcher::from(*known) == *name);
    match check {
        Check::Tool { name } | Check::NotTool { name, .. } => known(name).into_iter().collect(),
        Check::ToolCount { name, count } => {
            known(name).into_iter().cycle().take(usize::try_from(count.min()).unwrap()).collect()
        }
        Check::ToolSequence { names } => names.iter().filter_map(known).collect(),
        Check::OnlyTools { allowed } => {
            NAMES.into_iter().filter(|name| allowed.iter().any(|allowed| allowed == name)).collect()
        }
        Check::Turns { count } => vec!["Read"; usize::try_from(count.min()).unwrap()],
        _ => vec![],
    }
}
