//! The `if` condition of a hook.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use proptest::prelude::*;
use serde_json::{Value, json};
use vigiles::hook::{Cli, ConditionSubject, ConditionVerdict, decide_condition};

fn decide(condition: &str, tool: &str, input: &Value) -> ConditionVerdict {
    decide_condition(
        Some(condition),
        &ConditionSubject {
            cli: Cli::ClaudeCode,
            event: "PreToolUse",
            tool: Some(tool),
            input: Some(input),
            cwd: Some("/home/dev/proj/sub"),
            root: Some("/home/dev/proj"),
            home: Some("/home/dev"),
        },
    )
}

fn bash(condition: &str, command: &str) -> bool {
    decide(condition, "Bash", &json!({ "command": command })).runs
}

fn file(condition: &str, path: &str) -> bool {
    let tool = condition.split('(').next().unwrap();
    decide(condition, tool, &json!({ "file_path": path })).runs
}

#[test]
fn commands() {
    for (condition, command, expected) in [
        ("Bash", "anything", true),
        ("Bash(*)", "anything", true),
        ("Bash()", "anything", true),
        ("Bash(git push:*)", "git push", true),
        ("Bash(git push:*)", "git push origin main", true),
        ("Bash(git push:*)", "git pushx", false),
        ("Bash(git push:*)", "git pull", false),
        ("Bash(git push *)", "git push", true),
        ("Bash(git push *)", "git push origin main", true),
        ("Bash(git push *)", "git pushx", false),
        ("Bash(git push*)", "git pushx", true),
        ("Bash(npm run test)", "npm run test", true),
        ("Bash(npm run test)", "npm run test:unit", false),
        ("Bash(npm run test)", "npm run test --watch", false),
        ("Bash(git * main)", "git push origin main", true),
        ("Bash(* --version)", "node --version", true),
        // Each simple command counts.
        ("Bash(git *)", "npm test && git push", true),
        ("Bash(git *)", "(cd x; git push)", true),
        ("Bash(git *)", "if true; then git push; fi", true),
        ("Bash(git *)", "echo 'git push'", false),
        ("Bash(git *)", "echo hi # git push", false),
        // Assignments, redirections, wrappers and quotes do not hide a command.
        ("Bash(git *)", "FOO=bar git push", true),
        ("Bash(git push)", "git push > log 2>&1", true),
        ("Bash(git *)", "timeout 5 nice -n 3 git push", true),
        ("Bash(git *)", "g\"\"it push", true),
        ("Bash(*>*)", "printf zed > out", false),
        // Substitutions are looked into, and may hide the rest of a longer pattern.
        ("Bash(rm *)", "echo $(rm -rf /)", true),
        ("Bash(rm *)", "echo `rm -rf /`", true),
        ("Bash(rm *)", "echo $(date)", false),
        ("Bash(rm *)", "echo $HOME", false),
        ("Bash(rm *)", "$TOOL -rf /", true),
        ("Bash(git push *)", "echo $(date)", true),
        ("Bash(git push *)", "git $VERB origin", true),
        ("Bash(git push *)", "echo date", false),
        // What cannot be taken apart runs.
        ("Bash(git *)", "echo 'open", true),
        ("Bash(git *)", "cat <<EOF\nx\nEOF", true),
    ] {
        assert_eq!(bash(condition, command), expected, "{condition} on {command:?}");
    }
}

#[test]
fn paths() {
    for (condition, path, expected) in [
        ("Edit(src/**)", "/home/dev/proj/sub/src/a/b.ts", true),
        ("Edit(src/**)", "src/a.ts", true),
        ("Edit(src/**)", "./src/a.ts", true),
        ("Edit(src/**)", "src/../README.md", true), // as written it starts with src/
        ("Edit(src/**)", "/home/dev/proj/sub/lib/a.ts", false),
        ("Edit(src/**)", "/home/dev/proj/src/a.ts", false),
        ("Edit(/src/**)", "/home/dev/proj/src/a.ts", true),
        ("Edit(/src/**)", "/home/dev/proj/sub/src/a.ts", false),
        ("Edit(*.ts)", "/home/dev/proj/sub/deep/a.ts", true),
        ("Edit(*.ts)", "a.tsx", false),
        ("Read(.env)", "/home/dev/proj/sub/deep/.env", true),
        ("Read(.env)", "/home/dev/proj/sub/.env.local", false),
        ("Read(~/.ssh/**)", "/home/dev/.ssh/id_rsa", true),
        ("Read(~/.ssh/**)", "~/.ssh/id_rsa", true),
        ("Read(~/.ssh/**)", "/home/other/.ssh/id_rsa", false),
        ("Read(~/.ssh/**)", "/home/dev/proj/../.ssh/id_rsa", true),
        ("Read(//etc/**)", "/etc/passwd", true),
        ("Read(//etc/**)", "/home/dev/etc/passwd", false),
        ("Write(**/secret/**)", "a/secret/b", true),
        ("Write(docs/)", "docs/a/b.md", true),
        ("Write(../shared/*)", "/home/dev/proj/shared/x", false),
    ] {
        assert_eq!(file(condition, path), expected, "{condition} on {path:?}");
    }
}

#[test]
fn other_tools() {
    for (condition, tool, input, expected) in [
        ("Edit(*.ts)", "Write", json!({"file_path": "a.ts"}), false),
        ("Bash", "Read", json!({}), false),
        ("mcp__github__*", "mcp__github__create", json!({}), true),
        ("mcp__github__*", "mcp__gitlab__create", json!({}), false),
        ("mcp__github", "mcp__github__create", json!({}), true),
        ("mcp__github", "mcp__github_enterprise__create", json!({}), false),
        ("mcp__github__create", "mcp__github__create", json!({}), true),
        ("WebFetch(domain:example.com)", "WebFetch", json!({"url": "https://u@Example.com:8443/x"}), true),
        ("WebFetch(domain:example.com)", "WebFetch", json!({"url": "https://api.example.com/"}), false),
        ("WebFetch(domain:*.example.com)", "WebFetch", json!({"url": "https://api.example.com/"}), true),
        ("WebFetch(domain:example.com)", "WebFetch", json!({"url": "https://evil.com/?q=example.com"}), false),
        ("Skill(deploy)", "Skill", json!({"skill": "deploy", "args": "prod"}), true),
        ("Skill(deploy *)", "Skill", json!({"skill": "deploy", "args": "prod"}), true),
        ("Skill(deploy)", "Skill", json!({"skill": "greet"}), false),
        ("Agent(Explore)", "Task", json!({"subagent_type": "Explore"}), true),
        ("Task(Explore)", "Agent", json!({"subagent_type": "Plan"}), false),
        // Not to be judged: runs.
        ("Monitor(x)", "Monitor", json!({}), true),
        ("Bash(git *)", "Bash", json!({}), true),
        ("Bash(git *", "Bash", json!({"command": "ls"}), true),
        ("git push && rm", "Bash", json!({"command": "ls"}), true),
    ] {
        assert_eq!(decide(condition, tool, &input).runs, expected, "{condition} on {tool} {input}");
    }
}

#[test]
fn the_verdict_says_why() {
    let why = |condition: Option<&str>, subject: ConditionSubject<'_>| {
        let verdict = decide_condition(condition, &subject);
        (verdict.runs, verdict.why)
    };
    let subject = ConditionSubject { event: "PreToolUse", tool: Some("Bash"), ..ConditionSubject::default() };
    assert_eq!(why(None, subject), (true, "no condition declared".to_owned()));
    assert_eq!(
        why(Some("Edit"), subject),
        (false, "the condition \"Edit\" does not match the tool \"Bash\"".to_owned())
    );
    let (runs, text) = why(Some("Bash"), ConditionSubject { event: "Stop", ..subject });
    assert!(!runs && text.contains("never runs at Stop"), "{text}");
    let (runs, text) = why(Some("Edit"), ConditionSubject { cli: Cli::Codex, ..subject });
    assert!(runs && text.contains("Codex has no conditions"), "{text}");
    let (runs, text) = why(Some("Bash(x y)"), subject);
    assert!(runs && text.contains("the call has no command"), "{text}");
    assert!(why(Some("Edit"), ConditionSubject { event: "", tool: None, ..subject }).0);
}

proptest! {
    #[test]
    fn a_prefix_pattern_runs_for_every_command_that_starts_so(rest in "[a-z /.-]{0,20}", before in "[a-z ]{0,10}") {
        let chained = format!("{before} && git push {rest}");
        prop_assert!(bash("Bash(git push *)", &chained));
    }

    #[test]
    fn any_text_is_judged_without_a_panic(condition in ".*", command in ".*", path in ".*") {
        bash(&condition, &command);
        bash(&format!("Bash({condition})"), &command);
        file(&format!("Edit({condition})"), &path);
    }
}
