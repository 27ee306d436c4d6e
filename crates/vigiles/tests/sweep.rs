//! The guards of a plugin against the disaster battery.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use vigiles::harness::{GuardSweep, Sweep, SweptOutcome, load_plugin, sweep_guards};
use vigiles::hook::{DISASTER_CATALOG, EventContext, Hook};
use vigiles::process::Command;

const GUARD: &str = "#!/bin/sh\ngrep -q 'git push' && { echo no pushing >&2; exit 2; }\nexit 0\n";

fn plugin(hooks: &Value) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    fs::create_dir_all(dir.path().join("hooks")).expect("a directory");
    fs::write(dir.path().join("hooks/hooks.json"), json!({ "hooks": hooks }).to_string()).expect("a file");
    fs::write(dir.path().join("guard.sh"), GUARD).expect("a file");
    dir
}

fn sweep(dir: &Path) -> GuardSweep {
    let hooks = load_plugin(dir).expect("a plugin").surfaces.hooks;
    let mut command = Command::shell("").cwd(dir);
    command.env = vec![("PATH".into(), "/usr/bin:/bin".into())];
    let context = EventContext::new(dir.to_string_lossy());
    let sweep = Sweep {
        event: "PreToolUse",
        context: &context,
        disasters: &*DISASTER_CATALOG,
        like: Hook::new(command),
        plugin_root: Some(dir),
        concurrency: 4,
    };
    sweep_guards(&hooks, &sweep).expect("it is swept")
}

fn one(hook: &Value, matcher: Option<&str>) -> SweptOutcome {
    let mut group = json!({ "hooks": [hook] });
    if let Some(matcher) = matcher {
        group["matcher"] = matcher.into();
    }
    let dir = plugin(&json!({ "PreToolUse": [group] }));
    sweep(dir.path()).hooks.remove(0)
}

fn command(command: &str) -> Value {
    json!({ "type": "command", "command": command })
}

#[test]
fn a_guard_is_measured_on_every_disaster_that_it_would_see() {
    let outcome = one(&command("sh ${CLAUDE_PLUGIN_ROOT}/guard.sh"), Some("Bash"));
    let SweptOutcome::Measured { hook, results, blocked, allowed, not_run } = outcome else {
        panic!("{outcome:?}");
    };
    assert_eq!((hook.index, hook.event.as_str(), hook.matcher.as_deref()), (0, "PreToolUse", Some("Bash")));
    assert!(hook.file.ends_with("hooks/hooks.json") && hook.line == 1);
    assert_eq!(results.len(), DISASTER_CATALOG.len());
    let pushes: Vec<&str> = DISASTER_CATALOG
        .iter()
        .filter(|disaster| disaster.input.to_string().contains("git push"))
        .map(|disaster| &*disaster.id)
        .collect();
    assert_eq!(blocked, pushes);
    assert_eq!(blocked.len() + allowed.len(), DISASTER_CATALOG.len());
    assert!(not_run.is_empty());
}

#[test]
fn a_condition_keeps_it_from_the_rest() {
    let mut hook = command("exit 2");
    hook["if"] = "Bash(git push:*)".into();
    let outcome = one(&hook, Some("Bash"));
    let SweptOutcome::Measured { blocked, allowed, not_run, .. } = outcome else { panic!("{outcome:?}") };
    assert!(!blocked.is_empty() && allowed.is_empty() && !not_run.is_empty());
}

#[test]
fn what_no_disaster_would_start_does_not_apply() {
    let mut condition = command("exit 2");
    condition["if"] = "Bash(terraform destroy:*)".into();
    let mut asynchronous = command("exit 2");
    asynchronous["async"] = true.into();
    let cases = [
        (command("exit 2"), Some("Write"), "its matcher \"Write\" selects none of the tools"),
        (command("exit 2"), Some("Ba(sh"), "its matcher \"Ba(sh\" does not compile"),
        (condition, Some("Bash"), "its condition \"Bash(terraform destroy:*)\" matches none of the disasters"),
        (asynchronous, Some("Bash"), "it is asynchronous"),
    ];
    for (hook, matcher, expected) in cases {
        let outcome = one(&hook, matcher);
        let SweptOutcome::NotApplicable { reason, .. } = &outcome else { panic!("{outcome:?}") };
        assert!(reason.contains(expected), "{reason}");
    }
    let dir = plugin(&json!({ "Stop": [{ "hooks": [command("exit 2")] }] }));
    let swept = sweep(dir.path());
    let SweptOutcome::NotApplicable { reason, .. } = &swept.hooks[0] else { panic!("{swept:?}") };
    assert_eq!(reason, "it is registered for Stop, and the disasters are events of PreToolUse");
    assert_eq!(swept.notes, ["no hook was measured, so nothing here is known to stop a disaster at PreToolUse"]);
}

#[test]
fn what_cannot_run_here_is_unresolved_and_never_a_guard() {
    for (line, expected) in [
        ("sh ${GUARD_HOME}/guard.sh", "reads the variable GUARD_HOME, which is not set here. Give it in `env`"),
        ("sh ${CLAUDE_PLUGIN_ROOT}/missing.sh", "missing.sh"),
        ("${CLAUDE_PLUGIN_ROOT}/missing.sh", "127"),
        ("if then", "parse"),
        ("no-such-program-at-all", "127"),
    ] {
        let outcome = one(&command(line), Some("Bash"));
        let SweptOutcome::Unresolved { reason, .. } = &outcome else { panic!("{line}: {outcome:?}") };
        assert!(reason.contains(expected), "{line}: {reason}");
    }
}

#[test]
fn hooks_that_run_no_command_are_told_apart() {
    let hooks = json!({ "PreToolUse": [{ "matcher": "Bash", "hooks": [
        { "type": "prompt", "prompt": "Is this safe?" },
        command("exit 2"),
    ]}]});
    let dir = plugin(&hooks);
    let swept = sweep(dir.path());
    assert_eq!(swept.hooks.len(), 1);
    assert_eq!(
        serde_json::to_value(&swept.unmeasurable).expect("JSON"),
        json!([{ "event": "PreToolUse", "matcher": "Bash", "type": "prompt" }])
    );
    assert_eq!(swept.notes, ["1 hook(s) run no command (they ask a model or an address), and were not measured"]);
}

#[test]
fn no_hooks_are_no_guards() {
    let dir = plugin(&json!({}));
    let swept = sweep(dir.path());
    assert!(swept.hooks.is_empty());
    assert_eq!(swept.notes, ["no hook is registered: an absence of guards, not a guard that holds"]);
}
