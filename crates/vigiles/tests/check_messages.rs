//! What checks say. The messages are read by people, so each kind has its text here, passing, failing and open.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;

use vigiles::check::{Check, EcmaPatterns, RunFacts, Target, eval_all, format_failures, predicate::hook_blocked};
use vigiles::trace::Trace;

/// Keeps the text alone: the expression that made it stands in this file.
macro_rules! snapshot {
    ($name:literal, $text:expr) => {{
        let text = $text;
        insta::assert_snapshot!($name, text);
    }};
    ($text:expr) => {{
        let text = $text;
        insta::assert_snapshot!(text);
    }};
}

/// Each check with what it says about the trace.
fn say(trace: &str, checks: &[&str]) -> String {
    let trace = Trace::from_json(trace).unwrap();
    say_of(&Target::from(&trace), checks)
}

fn say_of(target: &Target<'_>, checks: &[&str]) -> String {
    let patterns = EcmaPatterns::new();
    let mut text = String::new();
    for check in checks {
        let check = Check::from_json(check).unwrap();
        let result = check.eval(target, &patterns);
        let code = result.code.map(|code| format!(" {code}")).unwrap_or_default();
        writeln!(text, "{check}\n  {}{code}: {}", result.verdict.name(), result.message.replace('\n', "\n  ")).unwrap();
    }
    text
}

/// Reads two files, edits one, runs a command that was refused, asks an MCP server.
const WORK: &str = r#"{
    "toolCalls": [
        {"name": "Read", "input": {"file_path": "src/a.ts"}, "isError": false},
        {"name": "Read", "input": {"file_path": "src/b.ts"}, "isError": false},
        {"name": "Edit", "input": {"file_path": "/work/src/a.ts", "replace_all": true, "count": 2, "edits": [{"old": "x"}]}, "isError": false},
        {"name": "Bash", "input": {"command": "rm -rf /"}, "isError": true, "denied": true, "resultText": "refused"},
        {"name": "mcp__github__merge_pull", "input": {"id": 7}, "isError": false}
    ],
    "mcpServers": [{"name": "github", "status": "connected"}, {"name": "jira", "status": "failed"}],
    "cwd": "/work"
}"#;

const NOTHING: &str = r#"{"toolCalls": []}"#;

#[test]
fn tools() {
    snapshot!(say(
        WORK,
        &[
            r#"{"kind": "tool", "name": "Read"}"#,
            r#"{"kind": "tool", "name": "Bash"}"#,
            r#"{"kind": "tool", "name": {"regex": "^mcp__git"}}"#,
            r#"{"kind": "tool", "name": "Write"}"#,
            r#"{"kind": "tool", "name": "bash"}"#,
            r#"{"kind": "tool", "name": "Gerp"}"#,
            r#"{"kind": "tool", "name": "merge_pull"}"#,
            r#"{"kind": "tool", "name": "github_merge__pull"}"#,
            r#"{"kind": "tool", "name": {"regex": "^Web", "flags": "i"}}"#,
            r#"{"kind": "mcp", "server": "github", "tool": "merge_pull"}"#,
            r#"{"kind": "mcp", "server": "github", "tool": "merge_pul"}"#,
            r#"{"kind": "mcp", "server": "jira", "tool": "search"}"#,
        ]
    ));
    snapshot!("tools_without_calls", say(NOTHING, &[r#"{"kind": "tool", "name": "Bash"}"#]));
}

#[test]
fn arguments() {
    snapshot!(say(
        WORK,
        &[
            r#"{"kind": "toolWith", "name": "Read", "args": {"file_path": "src/b.ts"}}"#,
            r#"{"kind": "toolWith", "name": "Edit", "args": {"replace_all": true, "count": 2.0, "file_path": {"regex": "A\\.TS$", "flags": "i"}}}"#,
            r#"{"kind": "toolWith", "name": "Edit", "args": {"edits.0.old": "x", "edits": {"regex": "\"old\""}}}"#,
            r#"{"kind": "toolWith", "name": "Read", "args": {"file_path": "src/c.ts"}}"#,
            r#"{"kind": "toolWith", "name": "Edit", "args": {"replace_all": false, "path": "src/a.ts"}}"#,
            r#"{"kind": "toolWith", "name": "Write", "args": {"file_path": "src/c.ts"}}"#,
            r#"{"kind": "notTool", "name": "Write"}"#,
            r#"{"kind": "notTool", "name": "Bash"}"#,
            r#"{"kind": "notTool", "name": {"regex": "^Read"}}"#,
            r#"{"kind": "notTool", "name": "Bash", "args": {"command": {"regex": "^git"}}}"#,
            r#"{"kind": "notTool", "name": "Bash", "args": {"command": {"regex": "rm"}}}"#,
        ]
    ));
}

#[test]
fn lists_counts_and_order() {
    snapshot!(say(
        WORK,
        &[
            r#"{"kind": "onlyTools", "allowed": ["Read", "Edit", "Bash(git *)", "mcp__github__merge_pull"]}"#,
            r#"{"kind": "onlyTools", "allowed": ["Read", "Bash(git *)", "mcp__github"]}"#,
            r#"{"kind": "toolCount", "name": "Read", "max": 2}"#,
            r#"{"kind": "toolCount", "name": "Read", "max": 1}"#,
            r#"{"kind": "toolCount", "name": "Read", "exactly": 3}"#,
            r#"{"kind": "toolCount", "name": "reed", "min": 1, "max": 2}"#,
            r#"{"kind": "toolSequence", "names": ["Read", "Edit", {"regex": "^mcp"}]}"#,
            r#"{"kind": "toolSequence", "names": ["Edit", "Read"]}"#,
            r#"{"kind": "toolSequence", "names": ["Edit", "Write"]}"#,
            r#"{"kind": "toolSequence", "names": ["Glob", "Edit"]}"#,
        ]
    ));
    snapshot!("only_tools_without_calls", say(NOTHING, &[r#"{"kind": "onlyTools", "allowed": ["Read"]}"#]));
}

#[test]
fn skills() {
    const OFFERED: &str = r#""skills": ["demo:greet", "other:review", "mine:review", "deploy"]"#;
    let called = |call: &str| format!(r#"{{"toolCalls": [{{"name": "Read"}}, {call}], {OFFERED}}}"#);
    let skill = |id: &str| format!(r#"{{"kind": "skill", "id": "{id}"}}"#);
    let mut text = String::new();
    for (call, asked) in [
        (r#"{"name": "Skill", "input": {"skill": "demo:greet"}, "isError": false}"#, "demo:greet"),
        (r#"{"name": "Skill", "input": {"skill": "greet"}, "isError": false}"#, "demo:greet"),
        (r#"{"name": "Skill", "input": {"skill": "greet"}, "isError": false}"#, "greet"),
        (r#"{"name": "Skill", "input": {"skill": "review"}, "isError": false}"#, "mine:review"),
        (r#"{"name": "Skill", "input": {"skill": "demo:greet"}, "isError": false}"#, "greet"),
        (r#"{"name": "Skill", "input": {"skill": "deploy"}, "isError": false}"#, "demo:greet"),
        (
            r#"{"name": "Skill", "input": {"skill": "demo:greet"}, "isError": true, "resultText": "Unknown skill: demo:greet"}"#,
            "demo:greet",
        ),
        (r#"{"name": "Skill", "input": {"skill": "demo:greet"}}"#, "demo:greet"),
        (r#"{"name": "Edit"}"#, "demo:greet"),
        (r#"{"name": "Edit"}"#, "demo:gret"),
        (r#"{"name": "Edit"}"#, "greet"),
        (r#"{"name": "Edit"}"#, "unheard-of"),
    ] {
        writeln!(text, "{call}\n{}", say(&called(call), &[&skill(asked)])).unwrap();
    }
    snapshot!(text);

    let slash = r#"{"toolCalls": [], "prompt": "/demo:greet Bob"}"#;
    snapshot!("skill_of_a_slash_prompt", say(slash, &[&skill("demo:greet")]));
}

#[test]
fn texts() {
    let long = "All 12 tests pass. ".repeat(20);
    let trace = format!(
        r#"{{
            "output": "{long}",
            "replies": ["On it.", "Working on it", "{long}"],
            "modelRequests": [
                {{"system": "You are an agent.", "messages": [{{"role": "user", "text": "go"}}]}},
                {{"system": "", "messages": [{{"role": "user", "text": "Title?"}}], "sideChannel": true}}
            ]
        }}"#
    );
    snapshot!(say(
        &trace,
        &[
            r#"{"kind": "output", "matcher": "12 tests"}"#,
            r#"{"kind": "output", "matcher": "\\d+ TESTS", "regex": true, "flags": "i"}"#,
            r#"{"kind": "output", "matcher": "all 12"}"#,
            r#"{"kind": "output", "matcher": "failed", "regex": true}"#,
            r#"{"kind": "received", "matcher": "an agent"}"#,
            r#"{"kind": "received", "matcher": "Title"}"#,
            r#"{"kind": "received", "matcher": "CONTEXT-7"}"#,
            r#"{"kind": "received", "matcher": "you are"}"#,
            r#"{"kind": "experimental_eachReply", "matcher": "[.it]\\s*$", "regex": true}"#,
            r#"{"kind": "eachReply", "matcher": "on it"}"#,
            r#"{"kind": "experimental_replyCount", "matcher": "on it", "regex": true, "flags": "i", "min": 2}"#,
            r#"{"kind": "replyCount", "matcher": "on it", "exactly": 2}"#,
            r#"{"kind": "replyCount", "matcher": "never said", "min": 1}"#,
        ]
    ));
    snapshot!(
        "texts_of_a_silent_run",
        say(
            r#"{"replies": [], "modelRequests": [], "result": {"subtype": "error_max_turns", "isError": true}}"#,
            &[
                r#"{"kind": "output", "matcher": "done"}"#,
                r#"{"kind": "received", "matcher": "done"}"#,
                r#"{"kind": "eachReply", "matcher": "done"}"#,
                r#"{"kind": "replyCount", "matcher": "done", "min": 1}"#,
            ]
        )
    );
}

#[test]
fn hooks() {
    let trace = r#"{"hooks": [
        {"name": "SessionStart:startup", "event": "SessionStart", "exitCode": 0},
        {"name": "PreToolUse:Bash", "event": "PreToolUse", "exitCode": 2, "blocked": true},
        {"name": "PreToolUse:Read", "event": "PreToolUse", "exitCode": 0},
        {"name": "PreToolUse:Read", "event": "PreToolUse", "exitCode": 1},
        {"name": "Stop", "event": "Stop", "timedOut": true}
    ]}"#;
    snapshot!(say(
        trace,
        &[
            r#"{"kind": "hookFired", "event": "PreToolUse"}"#,
            r#"{"kind": "hookFired", "event": "PreToolUse:Bash", "blocked": true}"#,
            r#"{"kind": "hookFired", "event": "PreToolUse", "blocked": false}"#,
            r#"{"kind": "hookFired", "event": "SessionStart", "blocked": false}"#,
            r#"{"kind": "hookFired", "event": "PostToolUse"}"#,
            r#"{"kind": "hookFired", "event": "PreTolUse"}"#,
            r#"{"kind": "hookFired", "event": "PreToolUse:Edit|Write"}"#,
            r#"{"kind": "hookBlocked", "event": "PreToolUse"}"#,
            r#"{"kind": "hookBlocked", "event": "PreToolUse:Read"}"#,
            r#"{"kind": "hookBlocked", "event": "SessionStart"}"#,
            r#"{"kind": "hookBlocked", "event": "Stop"}"#,
            r#"{"kind": "hookBlocked", "event": "SubagentStop"}"#,
            r#"{"kind": "hookFailed", "event": "PreToolUse:Read"}"#,
            r#"{"kind": "hookFailed", "event": "PreToolUse:Bash"}"#,
            r#"{"kind": "hookFailed", "event": "SessionStart"}"#,
            r#"{"kind": "hookFailed", "event": "Stop"}"#,
        ]
    ));
    snapshot!(
        "hooks_when_none_fired",
        say(
            r#"{"hooks": []}"#,
            &[
                r#"{"kind": "hookFired", "event": "Stop"}"#,
                r#"{"kind": "hookBlocked", "event": "Stop"}"#,
                r#"{"kind": "hookFailed", "event": "Stop"}"#,
            ]
        )
    );
}

/// A run that was cut off while a hook was at work: nobody knows what it would have said.
#[test]
fn hooks_without_an_end() {
    let one = r#"{"hooks": [{"name": "PreToolUse:Bash", "event": "PreToolUse"}]}"#;
    let checks = [
        r#"{"kind": "hookFired", "event": "PreToolUse"}"#,
        r#"{"kind": "hookFired", "event": "PreToolUse", "blocked": true}"#,
        r#"{"kind": "hookFired", "event": "PreToolUse", "blocked": false}"#,
        r#"{"kind": "hookBlocked", "event": "PreToolUse"}"#,
    ];
    snapshot!("hooks_without_an_end", say(one, &checks));
    let beside_a_block = r#"{"hooks": [
        {"name": "PreToolUse:Bash", "event": "PreToolUse"},
        {"name": "PreToolUse:Bash", "event": "PreToolUse", "exitCode": 2, "blocked": true}
    ]}"#;
    snapshot!("hooks_without_an_end_beside_a_block", say(beside_a_block, &checks));

    let blocked = |json: &str| hook_blocked(&Trace::from_json(json).unwrap(), "PreToolUse");
    assert_eq!(blocked(one).unwrap_err().code(), "VIGILES_NOT_OBSERVED");
    assert!(blocked(beside_a_block).unwrap());
}

#[test]
fn turns_and_budgets() {
    let trace = r#"{
        "turns": 4,
        "usage": {"costUsd": 0.0453, "durationMs": 8200, "inputTokens": 900, "outputTokens": 150, "cacheCreationTokens": 4000, "cacheReadTokens": 12000}
    }"#;
    snapshot!(say(
        trace,
        &[
            r#"{"kind": "turns", "min": 1, "max": 4}"#,
            r#"{"kind": "turns", "max": 3}"#,
            r#"{"kind": "turns", "exactly": 1}"#,
            r#"{"kind": "servedTurns", "min": 4}"#,
            r#"{"kind": "servedTurns", "min": 5}"#,
            r#"{"kind": "cost", "maxUsd": 0.05}"#,
            r#"{"kind": "cost", "maxUsd": 0.04}"#,
            r#"{"kind": "latency", "maxMs": 10000}"#,
            r#"{"kind": "latency", "maxMs": 5000.5}"#,
            r#"{"kind": "tokens", "max": 1050}"#,
            r#"{"kind": "tokens", "max": 1049}"#,
            r#"{"kind": "inputTokens", "max": 100}"#,
            r#"{"kind": "outputTokens", "max": 100}"#,
            r#"{"kind": "cacheTokens", "maxCreation": 4000, "maxRead": 12000}"#,
            r#"{"kind": "cacheTokens", "maxCreation": 4000, "maxRead": 100}"#,
            r#"{"kind": "cacheTokens", "maxCreation": 10}"#,
        ]
    ));
}

#[test]
fn subagents() {
    let trace = r#"{
        "toolCalls": [{"name": "Task"}],
        "subagents": [
            {"id": "1", "name": "demo:reviewer", "toolCalls": [{"name": "Read"}], "output": "LGTM",
             "subagents": [{"id": "3", "name": "Explore", "toolCalls": [{"name": "Grep"}], "output": "nothing"}]},
            {"id": "2", "name": "demo:reviewer", "toolCalls": [{"name": "Bash", "input": {"command": "ls"}}], "output": "Two problems"},
            {"id": "4", "name": "silent"}
        ]
    }"#;
    snapshot!(say(
        trace,
        &[
            r#"{"kind": "tool", "name": "Agent"}"#,
            r#"{"kind": "subagent", "name": "reviewer"}"#,
            r#"{"kind": "subagent", "name": "Explore", "checks": [{"kind": "tool", "name": "Grep"}, {"kind": "output", "matcher": "nothing"}]}"#,
            r#"{"kind": "subagent", "name": "demo:reviewer", "checks": [{"kind": "tool", "name": "Read"}, {"kind": "notTool", "name": "Bash"}]}"#,
            r#"{"kind": "subagent", "name": "Explore", "checks": [{"kind": "output", "matcher": "found"}, {"kind": "turns", "max": 3}, {"kind": "wrote", "path": "a"}]}"#,
            r#"{"kind": "subagent", "name": "silent", "checks": [{"kind": "tool", "name": "Read"}]}"#,
            r#"{"kind": "subagent", "name": "silent", "checks": [{"kind": "output", "matcher": "x"}]}"#,
            r#"{"kind": "subagent", "name": "explorer"}"#,
            r#"{"kind": "subagent", "name": "planner"}"#,
        ]
    ));
    snapshot!(
        "no_subagent",
        say(r#"{"toolCalls": [], "subagents": []}"#, &[r#"{"kind": "subagent", "name": "planner"}"#])
    );
}

#[test]
fn files() {
    let recorded = r#"{
        "toolCalls": [{"name": "Write", "input": {"file_path": "/work/docs/note.md"}, "isError": false}],
        "filesWritten": ["DONE", "docs/note.md"], "cwd": "/work"
    }"#;
    snapshot!(say(
        recorded,
        &[
            r#"{"kind": "wrote", "path": "DONE"}"#,
            r#"{"kind": "wrote", "path": "docs/note.md"}"#,
            r#"{"kind": "wrote", "path": "./docs/../docs/note.md"}"#,
            r#"{"kind": "wrote", "path": "note.md"}"#,
            r#"{"kind": "didNotWrite", "path": "secrets.env"}"#,
            r#"{"kind": "didNotWrite", "path": "DONE"}"#,
            r#"{"kind": "didNotWrite", "path": "docs/note.md"}"#,
            r#"{"kind": "noWrite", "matcher": ".env"}"#,
            r#"{"kind": "noWrite", "matcher": "\\.md$", "regex": true}"#,
            r#"{"kind": "wroteOnly", "allowed": ["DONE", {"regex": "^docs/"}]}"#,
            r#"{"kind": "wroteOnly", "allowed": ["DONE"]}"#,
            r#"{"kind": "wroteOnly", "allowed": []}"#,
            r#"{"kind": "created", "path": "DONE"}"#,
        ]
    ));
    let calls_only = r#"{"toolCalls": [
        {"name": "Write", "input": {"file_path": "/work/a.md"}, "isError": false},
        {"name": "Edit", "input": {"file_path": "/work/b.md"}, "isError": true},
        {"name": "NotebookEdit", "input": {"notebook_path": "/work/c.ipynb"}, "isError": false},
        {"name": "apply_patch", "input": {"changes": [{"path": "/work/d.ts", "kind": "add"}, {"path": "/work/e.ts", "kind": "delete"}]}, "isError": false},
        {"name": "apply_patch", "input": {"input": "*** Begin Patch\n*** Update File: f.ts\n*** Move to: g.ts\n*** End Patch"}, "isError": false}
    ]}"#;
    snapshot!(
        "files_known_from_calls",
        say(
            calls_only,
            &[
                r#"{"kind": "wrote", "path": "a.md"}"#,
                r#"{"kind": "wrote", "path": "b.md"}"#,
                r#"{"kind": "wrote", "path": "c.ipynb"}"#,
                r#"{"kind": "wrote", "path": "d.ts"}"#,
                r#"{"kind": "wrote", "path": "g.ts"}"#,
                r#"{"kind": "didNotWrite", "path": "a.md"}"#,
                r#"{"kind": "didNotWrite", "path": "e.ts"}"#,
                r#"{"kind": "notCreated", "path": "e.ts"}"#,
            ]
        )
    );
}

#[test]
fn decisions() {
    let mut text = String::new();
    for facts in [
        r#"{"blocked": true, "exitCode": 2, "blockedBy": ["exit-code"], "ran": true, "reason": "no force push"}"#,
        r#"{"blocked": false, "exitCode": 0, "ran": true}"#,
        r#"{"blocked": false, "exitCode": 1, "ran": true}"#,
        r#"{"blocked": false, "exitCode": 0, "ran": true, "decision": "allow"}"#,
        r#"{"blocked": false, "exitCode": null, "ran": true}"#,
        r#"{"blocked": false, "exitCode": 0, "ran": false, "conditionReason": "Bash(git *) does not match \"ls\""}"#,
        r#"{"blocked": true, "exitCode": 2, "ran": true, "unresolved": true, "blockedBy": ["exit-code"]}"#,
        r#"{"blocked": false, "exitCode": null, "ran": true, "timedOut": true}"#,
        r#"{"blocked": false, "exitCode": 1, "ran": true, "explanation": "exit 1: Claude Code runs the tool; to block, exit 2."}"#,
        r#"{"exitCode": 0}"#,
    ] {
        let run: RunFacts = serde_json::from_str(facts).unwrap();
        writeln!(
            text,
            "{facts}\n{}",
            say_of(&Target::from(&run), &[r#"{"kind": "blocked"}"#, r#"{"kind": "allowed"}"#])
        )
        .unwrap();
    }
    snapshot!(text);

    let confined: RunFacts = serde_json::from_str(r#"{"exitCode": 0, "filesWritten": ["state/cache.json"]}"#).unwrap();
    snapshot!(
        "files_of_one_run",
        say_of(
            &Target::from(&confined),
            &[
                r#"{"kind": "noWrite", "matcher": "cache"}"#,
                r#"{"kind": "wroteOnly", "allowed": ["state/"]}"#,
                r#"{"kind": "wrote", "path": "state/cache.json"}"#,
                r#"{"kind": "wrote", "path": "cache.json"}"#,
                r#"{"kind": "didNotWrite", "path": "state/cache.json"}"#,
                r#"{"kind": "didNotWrite", "path": "package.json"}"#,
                r#"{"kind": "tool", "name": "Bash"}"#,
                r#"{"kind": "cost", "maxUsd": 1}"#,
            ]
        )
    );
    let open = RunFacts::default();
    snapshot!("files_of_an_unconfined_run", say_of(&Target::from(&open), &[r#"{"kind": "wroteOnly", "allowed": []}"#]));
}

#[test]
fn connections_out() {
    let mut text = String::new();
    for facts in [
        r#"{"egress": []}"#,
        r#"{"egress": [{"host": "packages.example.com", "port": 443, "ts": 3}, {"host": "2001:db8::1", "port": 8443}]}"#,
        r#"{"egress": [{"host": "packages.example.com", "port": 443, "allowed": true}], "egressDropped": {"packets": 2, "bytes": 120}}"#,
        "{}",
    ] {
        let run: RunFacts = serde_json::from_str(facts).unwrap();
        let checks = [
            r#"{"kind": "egressOnly", "allowed": []}"#,
            r#"{"kind": "egressOnly", "allowed": ["Packages.example.com", "[2001:db8::1]:8443"]}"#,
            r#"{"kind": "egressOnly", "allowed": ["example.com", {"regex": "^2001:"}]}"#,
            r#"{"kind": "egressOnly", "allowed": ["packages.example.com:80"]}"#,
        ];
        writeln!(text, "{facts}\n{}", say_of(&Target::from(&run), &checks)).unwrap();
    }
    snapshot!(text);
}

#[test]
fn combinations() {
    snapshot!(say(
        WORK,
        &[
            r#"{"kind": "not", "check": {"kind": "tool", "name": "Write"}}"#,
            r#"{"kind": "not", "check": {"kind": "tool", "name": "Read"}}"#,
            r#"{"kind": "not", "check": {"kind": "output", "matcher": "x"}}"#,
            r#"{"kind": "all", "checks": [{"kind": "tool", "name": "Read"}, {"kind": "tool", "name": "Edit"}]}"#,
            r#"{"kind": "all", "checks": [{"kind": "tool", "name": "Read"}, {"kind": "tool", "name": "Write"}, {"kind": "output", "matcher": "x"}]}"#,
            r#"{"kind": "all", "checks": [{"kind": "tool", "name": "Read"}, {"kind": "output", "matcher": "x"}]}"#,
            r#"{"kind": "any", "checks": [{"kind": "output", "matcher": "x"}, {"kind": "tool", "name": "Read"}]}"#,
            r#"{"kind": "any", "checks": [{"kind": "tool", "name": "Glob"}, {"kind": "tool", "name": "Write"}]}"#,
            r#"{"kind": "any", "checks": [{"kind": "tool", "name": "Glob"}, {"kind": "output", "matcher": "x"}]}"#,
        ]
    ));
}

/// One check of each kind over a trace that recorded nothing.
#[test]
fn not_observed() {
    snapshot!(say(
        "{}",
        &[
            r#"{"kind": "tool", "name": "Read"}"#,
            r#"{"kind": "notTool", "name": "Read"}"#,
            r#"{"kind": "skill", "id": "a"}"#,
            r#"{"kind": "subagent", "name": "a"}"#,
            r#"{"kind": "output", "matcher": "a"}"#,
            r#"{"kind": "received", "matcher": "a"}"#,
            r#"{"kind": "eachReply", "matcher": "a"}"#,
            r#"{"kind": "hookFired", "event": "Stop"}"#,
            r#"{"kind": "not", "check": {"kind": "hookBlocked", "event": "Stop"}}"#,
            r#"{"kind": "turns", "max": 3}"#,
            r#"{"kind": "wrote", "path": "a"}"#,
            r#"{"kind": "didNotWrite", "path": "a"}"#,
            r#"{"kind": "noWrite", "matcher": "a"}"#,
            r#"{"kind": "created", "path": "a"}"#,
            r#"{"kind": "notCreated", "path": "a"}"#,
            r#"{"kind": "cost", "maxUsd": 1}"#,
            r#"{"kind": "tokens", "max": 1}"#,
            r#"{"kind": "cacheTokens", "maxRead": 1}"#,
            r#"{"kind": "blocked"}"#,
        ]
    ));
}

/// A claim about the whole of a run needs its end; what was seen stays seen.
#[test]
fn incomplete() {
    let cut = r#"{"toolCalls": [{"name": "Read"}], "replies": ["ok"], "turns": 2, "complete": false}"#;
    snapshot!(say(
        cut,
        &[
            r#"{"kind": "tool", "name": "Read"}"#,
            r#"{"kind": "tool", "name": "Bash"}"#,
            r#"{"kind": "notTool", "name": "Bash"}"#,
            r#"{"kind": "notTool", "name": "Read"}"#,
            r#"{"kind": "not", "check": {"kind": "tool", "name": "Bash"}}"#,
            r#"{"kind": "onlyTools", "allowed": ["Read"]}"#,
            r#"{"kind": "onlyTools", "allowed": ["Edit"]}"#,
            r#"{"kind": "toolCount", "name": "Read", "min": 1}"#,
            r#"{"kind": "toolCount", "name": "Read", "max": 1}"#,
            r#"{"kind": "toolCount", "name": "Read", "max": 0}"#,
            r#"{"kind": "turns", "min": 3}"#,
            r#"{"kind": "eachReply", "matcher": "ok"}"#,
            r#"{"kind": "output", "matcher": "ok"}"#,
        ]
    ));
    let broken = r#"{"toolCalls": [], "output": "API Error: 401", "result": {"subtype": "success", "isError": true, "terminalReason": "api_error", "apiErrorStatus": 401}}"#;
    snapshot!(
        "broken_by_the_api",
        say(broken, &[r#"{"kind": "notTool", "name": "Bash"}"#, r#"{"kind": "output", "matcher": "done"}"#,])
    );
}

#[test]
fn invalid_pattern() {
    snapshot!(say(WORK, &[r#"{"kind": "tool", "name": {"regex": "("}}"#]));
}

#[test]
fn whole_list() {
    let trace = Trace::from_json(WORK).unwrap();
    let list = |text| Check::list_from_json(text).unwrap();
    let judge = |checks: &[Check]| eval_all(checks, &Target::from(&trace), &EcmaPatterns::new()).unwrap();
    let mixed = list(
        r#"[{"kind": "tool", "name": "Read"}, {"kind": "notTool", "name": "Bash"},
            {"kind": "output", "matcher": "x"}, {"kind": "tool", "name": "bash"}]"#,
    );
    snapshot!(format_failures(&judge(&mixed)).unwrap());
    let one = list(r#"[{"kind": "tool", "name": "Glob"}]"#);
    snapshot!("whole_list_of_one", format_failures(&judge(&one)).unwrap());
    let open = list(r#"[{"kind": "output", "matcher": "x"}]"#);
    snapshot!("whole_list_open", format_failures(&judge(&open)).unwrap());
    assert_eq!(format_failures(&judge(&list(r#"[{"kind": "tool", "name": "Read"}]"#))), None);
    assert_eq!(eval_all(&[], &Target::from(&trace), &EcmaPatterns::new()).unwrap_err().code(), "VIGILES_NO_CHECKS");
}
