//! Checks over hooks that really ran.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use vigiles::check::{Check, EcmaPatterns, RunFacts, Target, Verdict};
use vigiles::hook::{Hook, HookRun};
use vigiles::process::{Command, ScriptRun};

const FORCE_PUSH: &str =
    r#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "git push -f"}}"#;

fn run(command: &str) -> HookRun {
    Hook::new(Command::shell(command)).run(FORCE_PUSH).unwrap()
}

fn verdicts(run: &HookRun) -> [Verdict; 2] {
    let facts = RunFacts::from(run);
    let target = Target::from(&facts);
    [Check::Blocked, Check::Allowed].map(|check| check.eval(&target, &EcmaPatterns::new()).verdict)
}

#[test]
fn the_decision_of_the_hook_is_the_verdict() {
    assert_eq!(verdicts(&run("echo no >&2; exit 2")), [Verdict::Pass, Verdict::Fail]);
    assert_eq!(verdicts(&run("exit 0")), [Verdict::Fail, Verdict::Pass]);
    assert_eq!(verdicts(&run("exit 1")), [Verdict::Fail, Verdict::Pass]);
    assert_eq!(verdicts(&run("/no/such/hook.sh")), [Verdict::Error, Verdict::Error]);
}

#[test]
fn facts_are_the_same_from_the_run_and_from_its_json() {
    for command in ["echo no >&2; exit 2", "exit 0", "/no/such/hook.sh"] {
        let run = run(command);
        let json = serde_json::to_string(&run).unwrap();
        assert_eq!(serde_json::from_str::<RunFacts>(&json).unwrap(), RunFacts::from(&run), "{json}");
    }
}

#[test]
fn a_hook_that_runs_out_of_time_has_no_verdict() {
    let slow = Command::shell("sleep 30; exit 2").timeout(std::time::Duration::from_millis(200));
    let run = Hook::new(slow).run(FORCE_PUSH).unwrap();
    assert_eq!(verdicts(&run), [Verdict::Error, Verdict::Error]);
}

#[test]
fn a_script_is_judged_by_its_facts_and_decides_nothing() {
    let run = ScriptRun::from(&Command::shell("echo out; exit 2").run().unwrap());
    let facts = RunFacts::from(&run);
    assert_eq!((facts.exit_code, facts.blocked, facts.timed_out), (Some(2), None, false));
    let json = serde_json::to_string(&run).unwrap();
    assert_eq!(serde_json::from_str::<RunFacts>(&json).unwrap(), facts, "{json}");
    let result = Check::Blocked.eval(&Target::from(&facts), &EcmaPatterns::new());
    assert_eq!(result.verdict, Verdict::Error);
    assert!(result.message.contains("the result of a script"), "{}", result.message);
}
