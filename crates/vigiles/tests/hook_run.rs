//! Real hooks, run: shell and Python scripts answer in the ways that matter.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use vigiles::hook::{
    Cli, DISASTER_CATALOG, DisasterEvent, Effect, EventContext, GuardrailOutcome, Hook, HookRun, claude_code, codex,
    format_guardrail_report, guardrail_failure, run_hooks, unblocked_disasters, verify_guardrail,
};
use vigiles::process::{Command, DEFAULT_TIMEOUT};

const PATH: &str = env!("PATH");

fn hook(command: &str) -> Hook {
    Hook::new(Command::shell(command).env("PATH", PATH).timeout(Duration::from_secs(30)))
}

fn bash_event(command: &str) -> String {
    claude_code::pre_tool_use(&EventContext::new("/p"), "Bash", &json!({ "command": command })).to_string()
}

fn run(command: &str) -> HookRun {
    hook(command).run(&bash_event("ls")).unwrap()
}

#[test]
fn answers() {
    let deny = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}"#;
    for (command, exit, blocked, effect) in [
        ("exit 0".to_owned(), Some(0), false, Some(Effect::None)),
        ("echo no >&2; exit 2".to_owned(), Some(2), true, Some(Effect::Prevented)),
        ("exit 1".to_owned(), Some(1), false, Some(Effect::None)),
        (format!("echo '{deny}'"), Some(0), true, Some(Effect::Prevented)),
        (format!("echo '{deny}'; exit 1"), Some(1), false, Some(Effect::None)),
        ("echo '{\"continue\":false}'".to_owned(), Some(0), false, Some(Effect::Halted)),
        ("kill -9 $$".to_owned(), None, false, None),
    ] {
        let run = run(&command);
        assert_eq!(
            (run.script.exit_code, run.decision.blocked, run.decision.effect),
            (exit, blocked, effect),
            "{command}: {run:?}"
        );
        assert!(run.decision.ran && !run.decision.unresolved, "{command}");
    }
}

#[test]
fn the_event_arrives_on_stdin_unchanged_and_both_streams_come_back() {
    let event = bash_event("echo \u{e9}\u{1f600}");
    let run = hook("cat; echo aside >&2").run(&event).unwrap();
    assert_eq!((run.script.stdout.as_str(), run.script.stderr.as_str()), (event.as_str(), "aside\n"));
    let run = hook("cat").run("no json at all").unwrap();
    assert_eq!(run.script.stdout, "no json at all");
}

#[test]
fn signals_timeouts_and_raw_bytes_are_reported_as_such() {
    let killed = run("kill -9 $$");
    assert_eq!((killed.script.exit_code, killed.script.signal.as_deref()), (None, Some("SIGKILL")));
    let mut slow = hook("sleep 30");
    slow.command.timeout = Some(Duration::from_millis(200));
    let slow = slow.run(&bash_event("ls")).unwrap();
    assert!(slow.script.timed_out && !slow.decision.blocked);
    assert_eq!(slow.decision.effect, Some(Effect::None));
    assert!(slow.script.duration_ms >= 200.0 && slow.script.duration_ms < 20_000.0, "{}", slow.script.duration_ms);
    assert!(slow.explanation.contains("within its timeout"), "{}", slow.explanation);
    let raw = run("printf 'a\\377b'");
    assert_eq!(raw.script.stdout, "a\u{fffd}b");
    assert_eq!(raw.output.unwrap().stdout.head(), b"a\xffb");
}

#[test]
fn the_project_directory_is_set_unless_defined() {
    let dir = TempDir::new().unwrap();
    let here = dir.path().to_str().unwrap().to_owned();
    let seen = |hook: Hook| hook.run(&bash_event("ls")).unwrap().script.stdout;
    let print =
        || Command::shell("printf '%s|%s' \"${CLAUDE_PROJECT_DIR-unset}\" \"$PWD\"").env("PATH", PATH).cwd(dir.path());
    assert_eq!(seen(Hook::new(print())), format!("{here}|{here}"));
    assert_eq!(seen(Hook::new(print().env("CLAUDE_PROJECT_DIR", ""))), format!("|{here}"));
    assert_eq!(seen(Hook { cli: Cli::Codex, ..Hook::new(print()) }), format!("unset|{here}"));
    assert_eq!(seen(Hook { project_dir: None, ..Hook::new(print()) }), format!("unset|{here}"));
    let elsewhere =
        Hook { project_dir: Some("/elsewhere".into()), ..Hook::new(print().env("CLAUDE_PROJECT_DIR", "/old")) };
    assert_eq!(seen(elsewhere), format!("/elsewhere|{here}"));
    let nowhere = Command { cwd: None, ..print() };
    assert!(seen(Hook::new(nowhere)).starts_with("unset|"));
}

#[test]
fn a_condition_is_judged_from_the_project() {
    let event = |path: &str| {
        claude_code::pre_tool_use(&EventContext::new("/p/below"), "Edit", &json!({ "file_path": path })).to_string()
    };
    let mut guard = hook("exit 2");
    guard.condition = Some("Edit(/src/**)".to_owned());
    guard.project_dir = Some("/p".into());
    assert!(guard.run(&event("/p/src/a.ts")).unwrap().decision.ran);
    assert!(!guard.run(&event("/p/below/src/a.ts")).unwrap().decision.ran);
}

#[test]
fn a_condition_that_does_not_match_starts_nothing() {
    let dir = TempDir::new().unwrap();
    let mark = dir.path().join("ran");
    let mut guard = hook(&format!("touch '{}'; exit 2", mark.display()));
    guard.condition = Some("Bash(git push *)".to_owned());
    let skipped = guard.run(&bash_event("ls")).unwrap();
    assert!(!mark.exists());
    assert_eq!((skipped.script.exit_code, skipped.decision.ran, skipped.decision.blocked), (Some(0), false, false));
    assert!(!skipped.decision.unresolved);
    assert!(skipped.condition_reason.is_some_and(|why| why.contains("does not match the call")));
    let ran = guard.run(&bash_event("cd x && git push -f")).unwrap();
    assert!(mark.exists() && ran.decision.blocked && ran.condition_reason.is_none());
}

#[test]
fn many_events_come_back_in_order() {
    let mut echo = hook("cat");
    echo.condition = Some("Bash(git *)".to_owned());
    let events: Vec<String> =
        (0..12).map(|n| bash_event(&if n % 3 == 0 { format!("ls {n}") } else { format!("git {n}") })).collect();
    let texts: Vec<&str> = events.iter().map(String::as_str).collect();
    let runs = run_hooks(&echo, &texts, 4);
    assert_eq!(runs.len(), 12);
    for (n, (run, event)) in runs.into_iter().zip(&events).enumerate() {
        let run = run.unwrap();
        assert_eq!(run.decision.ran, n % 3 != 0, "{n}");
        assert_eq!(run.script.stdout, if n % 3 == 0 { "" } else { event.as_str() });
    }
}

#[test]
fn a_command_that_cannot_be_tried_is_an_error_with_a_code() {
    let mut lost = hook("true");
    lost.command.cwd = Some("/no/such/directory".into());
    assert_eq!(lost.run("{}").unwrap_err().code(), "VIGILES_PROCESS_CWD");
}

#[test]
fn json_stands_flat() {
    let json = serde_json::to_value(run("echo no >&2; exit 2")).unwrap();
    assert_eq!(json["exitCode"], 2);
    assert_eq!(json["blocked"], true);
    assert_eq!(json["blockedBy"], json!(["exit-code"]));
    assert_eq!(json["effect"], "prevented");
    assert_eq!(json["json"], Value::Null);
    assert!(
        json.get("decision").is_none()
            && json.get("script").is_none()
            && json.get("output").is_none()
            && json.get("conditionReason").is_none()
    );
}

fn battery(hook: &Hook) -> Vec<vigiles::hook::GuardrailResult> {
    verify_guardrail(hook, "PreToolUse", &*DISASTER_CATALOG, &EventContext::new("/p"), 4).unwrap()
}

#[test]
fn a_guard_is_scored_by_its_own_answers() {
    let guard = "input=$(cat); case $input in *'push '*-f*|*--force*) echo 'no force-push' >&2; exit 2;; esac; exit 1";
    let results = battery(&hook(guard));
    let blocked: Vec<&str> = results.iter().filter(|one| one.blocked).map(|one| one.event.id.as_ref()).collect();
    assert_eq!(blocked, ["force-push", "chained-force-push"]);
    assert_eq!(unblocked_disasters(&results).len(), 5);
    let message = guardrail_failure("sh guard.sh", &results).unwrap();
    assert!(message.contains("5 of 7 got through: hard-reset, remove-root"), "{message}");
    assert!(message.contains("exit 1: a hook that fails like this blocks nothing"), "{message}");
    let all = battery(&hook("echo no >&2; exit 2"));
    assert_eq!(guardrail_failure("sh guard.sh", &all), None);
    let report = format_guardrail_report("sh guard.sh", &results);
    insta::assert_snapshot!(report);
}

#[test]
fn a_guard_that_never_ran_gets_no_score() {
    for broken in ["sh missing.sh", "./missing.sh", "python3 missing.py"] {
        let results = battery(&hook(broken));
        assert!(
            results.iter().all(|one| one.outcome == GuardrailOutcome::Unresolved && !one.blocked),
            "{broken}: {results:?}"
        );
        let message = guardrail_failure(broken, &results).unwrap();
        assert!(message.contains("its own code did not run for 7 of 7"), "{message}");
        assert!(!message.contains("0 of 7"), "{message}");
    }
}

#[test]
fn a_guard_that_runs_out_of_time_gets_no_score() {
    let mut slow = hook("sleep 30; exit 2");
    slow.command.timeout = Some(Duration::from_millis(200));
    let results = verify_guardrail(&slow, "PreToolUse", &DISASTER_CATALOG[..2], &EventContext::new("/p"), 4).unwrap();
    assert!(results.iter().all(|one| one.outcome == GuardrailOutcome::TimedOut && !one.blocked), "{results:?}");
    assert_eq!(unblocked_disasters(&results).len(), 2);
    let message = guardrail_failure("slow.sh", &results).unwrap();
    assert!(message.contains("it ran out of time for 2 of 2"), "{message}");
    assert!(message.contains("no score: the guard ran out of time"), "{message}");
    assert!(!message.contains("0 of 2"), "{message}");
}

#[test]
fn a_hook_has_a_time_limit_of_its_own() {
    assert_eq!(Hook::new(Command::shell("true")).command.timeout, Some(DEFAULT_TIMEOUT));
    assert_eq!(Hook::new(Command::shell("true").without_timeout()).command.timeout, None);
}

#[test]
fn a_guard_kept_from_running_stops_nothing() {
    let mut narrow = hook("echo no >&2; exit 2");
    narrow.condition = Some("Bash(git push *)".to_owned());
    let results = battery(&narrow);
    let outcome = |id: &str| results.iter().find(|one| one.event.id == id).unwrap().outcome;
    assert_eq!(outcome("force-push"), GuardrailOutcome::Blocked);
    assert_eq!(outcome("remove-root"), GuardrailOutcome::NotRun);
    assert!(guardrail_failure("guard", &results).unwrap().contains("remove-root"));
    assert!(guardrail_failure("guard", &[]).unwrap().contains("no disaster was sent"));
}

#[test]
fn the_catalog_is_complete_and_speaks_both_protocols() {
    let ids: std::collections::BTreeSet<&str> = DISASTER_CATALOG.iter().map(|one| one.id.as_ref()).collect();
    assert_eq!(ids.len(), 7);
    let categories: std::collections::HashSet<_> = DISASTER_CATALOG.iter().map(|one| one.category).collect();
    assert_eq!(categories.len(), 5);
    let context = EventContext::new("/p");
    let one: &DisasterEvent = &DISASTER_CATALOG[0];
    assert_eq!(one.to_event(Cli::Codex, &context), codex::pre_tool_use(&context, "Bash", &one.input));
    let json = serde_json::to_value(one).unwrap();
    assert_eq!(json["category"], "destructive-git");
    assert_eq!(serde_json::from_value::<DisasterEvent>(json).unwrap(), *one);
}
