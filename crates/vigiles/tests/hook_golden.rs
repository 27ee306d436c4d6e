//! The decision agrees with what recorded runs of Claude Code show beside each hook's answer.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail by panicking")]

use std::path::Path;

use serde_json::Value;
use vigiles::hook::{Answer, Cli, Decision, Effect, decide};

fn stream(version: &str, scenario: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(format!("../../test/fixtures/golden/claude/{version}/{scenario}.jsonl"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn decisions(stream: &[Value], event: &str) -> Vec<Decision> {
    stream
        .iter()
        .filter(|line| line["subtype"] == "hook_response" && line["hook_event"] == event)
        .map(|line| {
            decide(&Answer {
                cli: Cli::ClaudeCode,
                event,
                exit_code: line["exit_code"].as_i64().and_then(|code| i32::try_from(code).ok()),
                signal: None,
                stdout: line["stdout"].as_str().unwrap(),
                stderr: line["stderr"].as_str().unwrap(),
                timed_out: line["outcome"] == "cancelled",
                started: true,
            })
        })
        .collect()
}

fn result(stream: &[Value]) -> &Value {
    stream.iter().rfind(|line| line["type"] == "result").unwrap()
}

#[test]
fn a_prevented_call_is_a_denied_call() {
    let mut prevented_runs = 0;
    for (version, scenario) in [
        ("2.1.197", "f1_pretool_exit2"),
        ("2.1.197", "f2_pretool_json_deny"),
        ("2.1.197", "g_all_hooks"),
        ("2.1.332", "f1_pretool_exit2"),
        ("2.1.332", "f2_pretool_json_deny"),
        ("2.1.332", "f3_pretool_exit1"),
        ("2.1.332", "f5_pretool_timeout_missing"),
        ("2.1.332", "g_all_hooks"),
        ("2.1.332", "t1_parallel_hooks"),
        ("2.1.332", "w1_hook_bad_json"),
    ] {
        let stream = stream(version, scenario);
        let decisions = decisions(&stream, "PreToolUse");
        assert!(!decisions.is_empty(), "{version} {scenario}: no hook was recorded");
        let denied = !result(&stream)["permission_denials"].as_array().unwrap().is_empty();
        let prevented = decisions.iter().any(|one| one.effect == Some(Effect::Prevented));
        assert_eq!(prevented, denied, "{version} {scenario}: {decisions:?}");
        assert!(
            decisions.iter().all(|one| one.effect.is_some() && one.blocked == (one.effect == Some(Effect::Prevented)))
        );
        prevented_runs += usize::from(prevented);
    }
    assert_eq!(prevented_runs, 4);
}

#[test]
fn a_prevented_prompt_costs_no_turn() {
    let stream = stream("2.1.332", "g2_ups_block");
    let decisions = decisions(&stream, "UserPromptSubmit");
    assert_eq!(decisions[0].effect, Some(Effect::Prevented));
    assert_eq!(decisions[0].reason.as_deref(), Some("prompt rejected"));
    assert_eq!(result(&stream)["num_turns"], 0);
}

#[test]
fn a_refused_stop_goes_on_with_the_hooks_text() {
    let stream = stream("2.1.332", "g3_stop_block");
    let decisions = decisions(&stream, "Stop");
    let effects: Vec<_> = decisions.iter().map(|one| one.effect).collect();
    assert_eq!(effects, [Some(Effect::Continued), Some(Effect::None)]);
    let feedback = stream.iter().find(|line| line["isSynthetic"] == true).unwrap().to_string();
    assert!(feedback.contains("Stop hook feedback") && feedback.contains(decisions[0].reason.as_deref().unwrap()));
}

#[test]
fn missing_and_slow_hooks_are_told_apart() {
    let stream = stream("2.1.332", "f5_pretool_timeout_missing");
    let unresolved: Vec<bool> = decisions(&stream, "PreToolUse").iter().map(|one| one.unresolved).collect();
    assert_eq!(unresolved, [true, false]);
}

#[test]
fn context_is_what_reached_the_model() {
    let stream = stream("2.1.332", "g_all_hooks");
    let context = |event: &str| decisions(&stream, event)[0].context.clone();
    assert_eq!(context("SessionStart").as_deref(), Some("SS-CONTEXT-42"));
    assert_eq!(context("UserPromptSubmit").as_deref(), Some("UPS-CONTEXT-43"));
    assert_eq!(context("PostToolUse").as_deref(), Some("PTU-CONTEXT-44"));
    assert_eq!(context("Stop"), None);
}
