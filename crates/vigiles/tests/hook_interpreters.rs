//! Hooks whose own code never ran, told by what their interpreter prints.
//!
//! `hook_interpreters.json` holds what real interpreters printed: Python 3.11, dash 0.5.12, bash 5.2, Perl 5.36, Node 20
//! and 24, Ruby 3.1, Deno 2.9, Bun 1.4. A test runs the ones that are installed again, so that a new version with other
//! words is noticed.

use std::path::Path;
use std::process::Command;

use serde::Deserialize;
use vigiles::hook::{Answer, Cli, Decision, decide};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Recorded {
    command: String,
    exit_code: i32,
    stderr: String,
    unresolved: bool,
}

fn judge(exit_code: i32, stderr: &str) -> Decision {
    decide(&Answer {
        cli: Cli::ClaudeCode,
        event: "PreToolUse",
        exit_code: Some(exit_code),
        signal: None,
        stdout: "",
        stderr,
        timed_out: false,
        started: true,
    })
}

#[test]
fn recorded_reports() {
    let recorded: Vec<Recorded> = serde_json::from_str(include_str!("hook_interpreters.json")).unwrap();
    assert!(recorded.iter().filter(|one| one.unresolved).count() > 50);
    assert!(recorded.iter().filter(|one| !one.unresolved).count() > 20);
    for one in recorded {
        let decision = judge(one.exit_code, &one.stderr);
        assert_eq!(decision.unresolved, one.unresolved, "{}: exit {} {}", one.command, one.exit_code, one.stderr);
        assert_eq!(decision.blocked, one.exit_code == 2, "{}", one.command);
        if one.unresolved {
            let note = decision.note.unwrap_or_default();
            assert!(note.len() > 20, "{}: {note:?}", one.command);
        }
    }
}

#[test]
fn what_a_missing_python_script_means() {
    let decision = judge(2, "python3: can't open file '/p/guard.py': [Errno 2] No such file or directory\n");
    assert!(decision.blocked && decision.unresolved);
    assert_eq!(
        decision.note.as_deref(),
        Some(
            "python could not open the hook's script: python3: can't open file '/p/guard.py': [Errno 2] No such file or \
             directory"
        )
    );
}

#[test]
fn a_hook_that_talks_about_such_errors_is_resolved() {
    for (exit, stderr) in [
        // Said, and then explained.
        (2, "python3: can't open file 'x.py': [Errno 2] No such file or directory\nBlocked: fix the path\n"),
        // Another exit code than the interpreter's.
        (1, "python3: can't open file 'x.py': [Errno 2] No such file or directory\n"),
        (2, "Blocked: can't open file 'x.py': [Errno 2] is what you will get\n"),
        (2, "do not run sh: 0: cannot open x\n"),
        (2, "hook.sh: line 3: refusing: syntax error near unexpected token `then'\n"),
        (2, "SyntaxError: invalid syntax\n"),
        (1, "SyntaxError: invalid syntax\n"),
        (1, "Error: Cannot find module 'x'\n"),
        (2, "not found\n"),
        (2, ""),
    ] {
        assert!(!judge(exit, stderr).unresolved, "exit {exit}: {stderr}");
    }
}

/// Runs the interpreters of this machine on scripts that are missing or broken.
#[test]
fn installed_interpreters_still_print_what_is_recorded() {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("bad.py", "def f(:\n"),
        ("bad.sh", "if then\n"),
        ("bad.pl", "sub {{{\n"),
        ("bad.js", "function (\n"),
        ("bad.mjs", "import { x from \"y\"\n"),
        ("bad.rb", "def f(\n"),
    ] {
        std::fs::write(dir.path().join(name), text).unwrap();
    }
    let mut tried = 0;
    for (program, scripts) in [
        ("sh", ["missing.sh", "bad.sh"].as_slice()),
        ("bash", &["missing.sh", "bad.sh"]),
        ("python3", &["missing.py", "bad.py"]),
        ("perl", &["missing.pl", "bad.pl"]),
        ("node", &["missing.js", "bad.js", "bad.mjs"]),
        ("ruby", &["missing.rb", "bad.rb"]),
    ] {
        for script in scripts {
            let Some((exit, stderr)) = run(program, script, dir.path()) else { continue };
            tried += 1;
            assert!(judge(exit, &stderr).unresolved, "{program} {script}: exit {exit}\n{stderr}");
        }
    }
    assert!(tried >= 4, "at least sh and bash must be here");
}

fn run(program: &str, script: &str, dir: &Path) -> Option<(i32, String)> {
    let output = Command::new(program).arg(script).current_dir(dir).env("LC_ALL", "C").output().ok()?;
    Some((output.status.code()?, String::from_utf8_lossy(&output.stderr).into_owned()))
}
