//! Checks over runs that the real CLIs recorded.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use vigiles::check::{Check, CheckResult, EcmaPatterns, Target, Verdict, predicate};
use vigiles::trace::{Open, Trace};

fn golden(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/fixtures/golden").join(path)
}

fn eval(trace: &Trace, check: &str) -> CheckResult {
    Check::from_json(check).unwrap().eval(&Target::from(trace), &EcmaPatterns::new())
}

#[track_caller]
fn says(trace: &Trace, check: &str, verdict: Verdict, message: &str) {
    let result = eval(trace, check);
    assert_eq!(result.verdict, verdict, "{}", result.message);
    assert!(result.message.contains(message), "{}", result.message);
}

#[test]
fn a_hook_that_blocks_and_one_that_only_fails() {
    let blocked = Trace::from_path(golden("claude/2.1.332/f1_pretool_exit2.jsonl")).unwrap();
    says(
        &blocked,
        r#"{"kind": "hookBlocked", "event": "PreToolUse"}"#,
        Verdict::Pass,
        "exit 2 blocked, effect prevented",
    );
    says(&blocked, r#"{"kind": "hookFailed", "event": "PreToolUse"}"#, Verdict::Pass, "exit 2");
    assert!(predicate::hook_blocked(&blocked, "PreToolUse:Bash").unwrap());

    let failed = Trace::from_path(golden("claude/2.1.332/f3_pretool_exit1.jsonl")).unwrap();
    says(&failed, r#"{"kind": "hookFailed", "event": "PreToolUse"}"#, Verdict::Pass, "this blocks nothing");
    says(
        &failed,
        r#"{"kind": "hookBlocked", "event": "PreToolUse"}"#,
        Verdict::Fail,
        "exit 1 fails the hook and blocks nothing",
    );
    assert!(predicate::hook_failed(&failed, "PreToolUse:Bash").unwrap());
    assert!(!predicate::hook_blocked(&failed, "PreToolUse:Bash").unwrap());
}

#[test]
fn hooks_that_were_not_recorded_are_not_absent() {
    let trace = Trace::from_path(golden("claude/2.1.332/g1b_all_hooks_noevents.jsonl")).unwrap();
    for check in [
        r#"{"kind": "hookFired", "event": "PreToolUse"}"#,
        r#"{"kind": "not", "check": {"kind": "hookFired", "event": "PreToolUse"}}"#,
        r#"{"kind": "hookBlocked", "event": "PreToolUse"}"#,
    ] {
        says(&trace, check, Verdict::Error, "--include-hook-events");
    }
}

#[test]
fn skills_by_the_id_of_the_call() {
    let plugin = Trace::from_path(golden("claude/2.1.332/h3_skill_plugin.jsonl")).unwrap();
    says(&plugin, r#"{"kind": "skill", "id": "demo-plugin:greet"}"#, Verdict::Pass, "demo-plugin:greet");
    says(&plugin, r#"{"kind": "skill", "id": "demo-plugin:gret"}"#, Verdict::Fail, "demo-plugin:greet");

    let unknown = Trace::from_path(golden("claude/2.1.332/h2_skill_unknown.jsonl")).unwrap();
    let asked = eval(&unknown, r#"{"kind": "tool", "name": "Skill"}"#);
    assert!(asked.pass(), "{}", asked.message);
    let id = unknown.input(&unknown.tool_calls().unwrap()[0]).unwrap()["skill"].as_str().unwrap().to_owned();
    says(&unknown, &format!(r#"{{"kind": "skill", "id": "{id}"}}"#), Verdict::Fail, "its call failed: ");

    let slash = Trace::from_path(golden("claude/2.1.332/h4_skill_slash.jsonl")).unwrap();
    says(&slash, r#"{"kind": "skill", "id": "greet"}"#, Verdict::Fail, "there is no Skill call");
}

#[test]
fn a_run_that_was_killed_proves_nothing_about_its_rest() {
    let killed = Trace::from_path(golden("claude/2.1.197/n1_kill_SIGTERM.jsonl")).unwrap();
    says(&killed, r#"{"kind": "notTool", "name": "WebFetch"}"#, Verdict::Error, "without a result event");
    says(&killed, r#"{"kind": "onlyTools", "allowed": ["Bash"]}"#, Verdict::Error, "without a result event");
    says(&killed, r#"{"kind": "tool", "name": "Bash"}"#, Verdict::Error, "it used no tool");
}

#[test]
fn a_run_that_the_api_refused_proves_nothing() {
    let refused = Trace::from_path(golden("claude/2.1.332/l1b_429_exhaust.jsonl")).unwrap();
    says(&refused, r#"{"kind": "notTool", "name": "Bash"}"#, Verdict::Error, "HTTP status 429");
    says(&refused, r#"{"kind": "turns", "max": 5}"#, Verdict::Error, "HTTP status 429");

    let limited = Trace::from_path(golden("claude/2.1.332/m1_max_turns.jsonl")).unwrap();
    says(&limited, r#"{"kind": "notTool", "name": "WebFetch"}"#, Verdict::Pass, "");
    says(&limited, r#"{"kind": "output", "matcher": "done"}"#, Verdict::Fail, "error_max_turns");
}

#[test]
fn subagents_have_calls_of_their_own() {
    let trace = Trace::from_path(golden("claude/2.1.332/i2_subagent_fg.jsonl")).unwrap();
    let agent = &trace.subagents().unwrap()[0];
    let own = agent.calls.as_deref().unwrap();
    let name = &trace.tool_calls().unwrap()[own[0]].name;
    let check = format!(
        r#"{{"kind": "subagent", "name": "{}", "checks": [{{"kind": "tool", "name": "{name}"}}, {{"kind": "notTool", "name": "Agent"}}]}}"#,
        agent.name
    );
    says(&trace, &check, Verdict::Pass, "passed 2 checks");
    says(&trace, r#"{"kind": "tool", "name": "Task"}"#, Verdict::Pass, "");
}

#[test]
fn what_codex_does_not_tell() {
    let trace = Trace::from_path(golden("codex/0.171.0/shell_ok.jsonl")).unwrap();
    says(&trace, r#"{"kind": "tool", "name": "Bash"}"#, Verdict::Pass, "");
    says(&trace, r#"{"kind": "turns", "max": 3}"#, Verdict::Error, "Codex does not tell turns");
    says(
        &trace,
        r#"{"kind": "hookFired", "event": "PreToolUse"}"#,
        Verdict::Error,
        "test the hook itself with runHook",
    );
    says(&trace, r#"{"kind": "cost", "maxUsd": 1}"#, Verdict::Error, "Codex tells only the tokens");
    says(&trace, r#"{"kind": "skill", "id": "greet"}"#, Verdict::Fail, "Codex has no Skill call");

    let parent = Trace::from_path(golden("codex/0.171.0/subagent_wait.jsonl")).unwrap();
    says(&parent, r#"{"kind": "subagent", "name": "reviewer"}"#, Verdict::Error, "Codex does not tell them");
    says(&parent, r#"{"kind": "tool", "name": "spawn_agent"}"#, Verdict::Pass, "");
}

#[test]
fn files_in_the_work_dir() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("DONE"), "").unwrap();
    let trace = Open::default().work_dir(dir.path()).read_path(golden("claude/2.1.332/c_bash.jsonl")).unwrap();
    says(&trace, r#"{"kind": "wrote", "path": "DONE"}"#, Verdict::Pass, "it is there after the run");
    says(&trace, r#"{"kind": "created", "path": "DONE"}"#, Verdict::Pass, "");
    says(&trace, r#"{"kind": "notCreated", "path": "DONE"}"#, Verdict::Fail, "no recorded call wrote a file");
    says(&trace, r#"{"kind": "wrote", "path": "OTHER"}"#, Verdict::Fail, "there is no such file after it");
    says(&trace, r#"{"kind": "didNotWrite", "path": "OTHER"}"#, Verdict::Pass, "");
    says(&trace, r#"{"kind": "didNotWrite", "path": "DONE"}"#, Verdict::Error, "whether it was there before");

    let written = Trace::from_path(golden("claude/2.1.332/d_write_read_edit.jsonl")).unwrap();
    let call = written.tool_calls().unwrap().iter().find(|call| &*call.name == "Write").unwrap();
    let path = written.input(call).unwrap()["file_path"].as_str().unwrap().to_owned();
    let file = Path::new(&path).file_name().unwrap().to_str().unwrap();
    says(&written, &format!(r#"{{"kind": "wrote", "path": "{path}"}}"#), Verdict::Pass, "by a call of Write");
    says(&written, &format!(r#"{{"kind": "wrote", "path": "{file}"}}"#), Verdict::Pass, "by a call of Write");
}
