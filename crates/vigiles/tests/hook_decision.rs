//! What a hook's answer does: one case per row of the table, for both CLIs, and properties over arbitrary answers.

use proptest::prelude::*;
use vigiles::hook::Mechanism::{AskDecision, DenyDecision, ExitCode, HaltField};
use vigiles::hook::{Answer, Cli, Decision, Effect, Mechanism, decide, explain};

const BOTH: [Cli; 2] = [Cli::ClaudeCode, Cli::Codex];

fn answer<'a>(cli: Cli, event: &'a str, exit_code: i32, stdout: &'a str, stderr: &'a str) -> Answer<'a> {
    Answer { cli, event, exit_code: Some(exit_code), signal: None, stdout, stderr, timed_out: false, started: true }
}

fn specific(event: &str, fields: &str) -> String {
    format!(r#"{{"hookSpecificOutput":{{"hookEventName":"{event}",{fields}}}}}"#)
}

/// Effect (`None`: not measured) and the mechanisms that fired.
type Expected = (Option<Effect>, &'static [Mechanism]);

struct Row {
    event: &'static str,
    exit: i32,
    stdout: String,
    stderr: &'static str,
    claude: Expected,
    codex: Expected,
}

fn row(event: &'static str, exit: i32, stdout: &str, stderr: &'static str, expected: (Expected, Expected)) -> Row {
    Row { event, exit, stdout: stdout.to_owned(), stderr, claude: expected.0, codex: expected.1 }
}

/// The same for both CLIs.
fn same(effect: Option<Effect>, by: &'static [Mechanism]) -> (Expected, Expected) {
    ((effect, by), (effect, by))
}

fn check(row: &Row) {
    for (cli, (effect, by)) in [(Cli::ClaudeCode, row.claude), (Cli::Codex, row.codex)] {
        let answer = answer(cli, row.event, row.exit, &row.stdout, row.stderr);
        let decision = decide(&answer);
        let shown = format!("{cli:?} {} exit {} {} -> {decision:?}", row.event, row.exit, row.stdout);
        assert_eq!(decision.effect, effect, "{shown}");
        assert_eq!(decision.blocked_by, by, "{shown}");
        assert_eq!(decision.blocked, !by.is_empty(), "{shown}");
        if effect.is_none() {
            let note = decision.note.as_deref().unwrap_or_default();
            assert!(note.contains("not measured"), "an unmeasured effect must say so: {shown}");
            assert!(explain(&answer, &decision).contains("not measured"), "{shown}");
        }
    }
}

#[test]
fn every_row_of_the_table() {
    use Effect::{Continued, Feedback, Halted, None as Nothing, Prevented};
    let deny = specific("PreToolUse", r#""permissionDecision":"deny","permissionDecisionReason":"no""#);
    let ask = specific("PreToolUse", r#""permissionDecision":"ask","permissionDecisionReason":"sure?""#);
    let allow = specific("PreToolUse", r#""permissionDecision":"allow""#);
    let rewrite = specific("PreToolUse", r#""permissionDecision":"allow","updatedInput":{"command":"ls"}"#);
    let block = r#"{"decision":"block","reason":"no"}"#.to_owned();
    let halt = r#"{"continue":false,"stopReason":"enough"}"#.to_owned();
    let none: &'static [Mechanism] = &[];
    let rows = [
        row("PreToolUse", 2, "", "no\n", same(Some(Prevented), &[ExitCode])),
        row("PreToolUse", 0, &deny, "", same(Some(Prevented), &[DenyDecision])),
        row("PreToolUse", 0, &block, "", same(Some(Prevented), &[DenyDecision])),
        row("PreToolUse", 0, &ask, "", ((Some(Prevented), &[AskDecision]), (Some(Nothing), none))),
        row("PreToolUse", 0, &rewrite, "", same(Some(Nothing), none)),
        row("PreToolUse", 0, &allow, "", same(Some(Nothing), none)),
        row("PreToolUse", 0, &halt, "", ((Some(Halted), none), (None, none))),
        row("PreToolUse", 1, "", "broken\n", same(Some(Nothing), none)),
        row("PreToolUse", 127, "", "sh: 1: nope: not found\n", same(Some(Nothing), none)),
        row("PreToolUse", 255, "", "", same(Some(Nothing), none)),
        row("PreToolUse", 0, &deny.replace("\"deny\"", "\"denny\""), "", same(Some(Nothing), none)),
        row("PreToolUse", 0, "{not json", "", same(Some(Nothing), none)),
        row("PreToolUse", 0, "just talk", "", same(Some(Nothing), none)),
        row("PreToolUse", 0, "", "talk on stderr", same(Some(Nothing), none)),
        row("PreToolUse", 2, &allow, "no\n", same(Some(Prevented), &[ExitCode])),
        row("PreToolUse", 2, &deny, "no\n", same(Some(Prevented), &[ExitCode])),
        row("PreToolUse", 2, &halt, "no\n", same(Some(Prevented), &[ExitCode])),
        row("PreToolUse", 1, &deny, "", same(Some(Nothing), none)),
        row("PostToolUse", 2, "", "look\n", same(Some(Feedback), &[ExitCode])),
        row("PostToolUse", 0, &block, "", same(Some(Feedback), &[DenyDecision])),
        row("PostToolUse", 0, &specific("PostToolUse", r#""additionalContext":"x""#), "", same(Some(Feedback), none)),
        row("PostToolUse", 0, "", "", same(Some(Nothing), none)),
        row("UserPromptSubmit", 2, "", "no\n", same(Some(Prevented), &[ExitCode])),
        row("UserPromptSubmit", 0, &block, "", same(Some(Prevented), &[DenyDecision])),
        row("UserPromptSubmit", 0, "context", "", same(Some(Nothing), none)),
        row("Stop", 2, "", "go on\n", same(Some(Continued), &[ExitCode])),
        row("Stop", 0, &block, "", same(Some(Continued), &[DenyDecision])),
        row("SubagentStop", 2, "", "go on\n", same(Some(Continued), &[ExitCode])),
        row("SubagentStop", 0, &block, "", same(Some(Continued), &[DenyDecision])),
        row("Stop", 0, "stop-out", "", same(Some(Nothing), none)),
        row("SessionStart", 2, "", "x\n", ((Some(Nothing), none), (None, none))),
        row("SessionStart", 1, "", "x\n", ((Some(Nothing), none), (None, none))),
        row("SessionStart", 0, &halt, "", ((None, none), (Some(Prevented), &[HaltField]))),
        row("SessionStart", 0, "context", "", same(Some(Nothing), none)),
        row("SessionEnd", 2, "", "x\n", same(Some(Nothing), none)),
        row("SessionEnd", 0, &block, "", same(Some(Nothing), none)),
        row("Notification", 1, "", "", same(Some(Nothing), none)),
        // Nobody has measured these; a block mechanism that fired is still named.
        row("PreCompact", 2, "", "no\n", same(None, &[ExitCode])),
        row("", 2, "", "no\n", same(None, &[ExitCode])),
        row("UserPromptSubmit", 1, "", "", same(None, none)),
        row("PostToolUse", 0, &halt, "", same(None, none)),
        row("Stop", 0, &specific("Stop", r#""additionalContext":"x""#), "", same(None, none)),
        row("PreToolUse", 0, r#"{"decision":"block","reason":"no","continue":false}"#, "", same(None, &[DenyDecision])),
    ];
    rows.iter().for_each(check);
}

#[test]
fn a_timeout_blocks_nothing_whatever_was_printed() {
    let deny = specific("PreToolUse", r#""permissionDecision":"deny","permissionDecisionReason":"no""#);
    for cli in BOTH {
        for (exit_code, signal) in [(Some(2), None), (Some(0), None), (None, Some(9))] {
            let base = answer(cli, "PreToolUse", 0, &deny, "no");
            let decision = decide(&Answer { exit_code, signal, timed_out: true, ..base });
            assert_eq!((decision.blocked, decision.effect), (false, Some(Effect::None)), "{decision:?}");
            assert!(!decision.unresolved);
        }
    }
}

#[test]
fn a_hook_that_was_not_launched_decides_nothing() {
    let base = answer(Cli::ClaudeCode, "PreToolUse", 2, "", "guard: not found\n");
    let decision = decide(&Answer { started: false, ..base });
    assert_eq!((decision.ran, decision.blocked, decision.unresolved), (false, false, true));
    assert_eq!(decision.note.as_deref(), Some("the hook's process was never launched: guard: not found"));
}

#[test]
fn death_by_signal_is_not_measured_for_a_tool_call() {
    let base = answer(Cli::ClaudeCode, "PreToolUse", 0, "", "");
    let decision = decide(&Answer { exit_code: None, signal: Some(9), ..base });
    assert_eq!((decision.blocked, decision.effect), (false, None));
    assert!(decision.note.is_some_and(|note| note.contains("signal 9")));
}

#[test]
fn the_schema_decides_whether_an_answer_counts() {
    let counts = |cli, event: &str, stdout: &str| decide(&answer(cli, event, 0, stdout, "")).blocked;
    let claude = |stdout: &str| counts(Cli::ClaudeCode, "PreToolUse", stdout);
    let codex = |stdout: &str| counts(Cli::Codex, "PreToolUse", stdout);
    let deny = r#""permissionDecision":"deny","permissionDecisionReason":"no""#;

    for ignored in [
        // Without the event's name, or with another's, the object is of no known kind.
        format!(r#"{{"hookSpecificOutput":{{{deny}}}}}"#),
        specific("PostToolUse", deny),
        specific("PreToolUse", deny).replacen('{', r#"{"continue":"no","#, 1),
        specific("PreToolUse", deny).replacen('{', r#"{"suppressOutput":1,"#, 1),
        specific("PreToolUse", deny).replacen('{', r#"{"systemMessage":{},"#, 1),
        r#"{"decision":"deny","reason":"no"}"#.to_owned(),
        r#"{"decision":"block","reason":7}"#.to_owned(),
        r#"{"decision":true,"reason":"no"}"#.to_owned(),
        r#"{"hookSpecificOutput":"deny","decision":"block","reason":"no"}"#.to_owned(),
        format!("checking...\n{}", specific("PreToolUse", deny)),
        format!("{}\ndone", specific("PreToolUse", deny)),
    ] {
        assert!(!claude(&ignored), "Claude Code must ignore {ignored}");
        assert!(!codex(&ignored), "Codex must ignore {ignored}");
    }
    for honoured in [
        format!("\n\u{feff} {} \n", specific("PreToolUse", deny)),
        specific("PreToolUse", &format!(r#"{deny},"unknown":[1]"#)),
        specific("PreToolUse", r#""permissionDecision":"deny","permissionDecisionReason":"cut \ud83d""#),
        r#"{"decision":"block","reason":"no","somethingElse":1}"#.to_owned(),
    ] {
        assert!(claude(&honoured), "Claude Code must honour {honoured}");
        assert!(codex(&honoured), "Codex must honour {honoured}");
    }
    // Claude Code's optional fields may be absent but not null; Codex reads null as absent.
    let with_null = r#"{"decision":"block","reason":"no","stopReason":null}"#;
    assert!(!claude(with_null));
    assert!(codex(with_null));
}

#[test]
fn the_permission_decision_beats_the_older_one() {
    let both = r#"{"decision":"block","reason":"old","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}"#;
    let decision = decide(&answer(Cli::ClaudeCode, "PreToolUse", 0, both, ""));
    assert_eq!((decision.blocked, decision.decision.as_deref()), (false, Some("allow")));
}

#[test]
fn a_block_of_codex_without_a_reason_has_no_measured_effect() {
    for event in ["PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop"] {
        let silent = decide(&answer(Cli::Codex, event, 2, "", " \n"));
        assert_eq!((silent.blocked, silent.effect), (true, None), "{event}");
        assert_eq!(silent.blocked_by, [ExitCode], "{event}");
        assert!(silent.note.is_some_and(|note| note.contains("no reason on stderr")), "{event}");
    }
    let at_end = decide(&answer(Cli::Codex, "SessionEnd", 2, "", ""));
    assert_eq!((at_end.blocked, at_end.effect), (false, Some(Effect::None)));
    let bare = specific("PreToolUse", r#""permissionDecision":"deny""#);
    let denied = decide(&answer(Cli::Codex, "PreToolUse", 0, &bare, ""));
    assert_eq!((denied.blocked, denied.effect), (true, None));
    assert_eq!(denied.blocked_by, [DenyDecision]);
    assert!(denied.note.is_some_and(|note| note.contains("a denial without a reason")));
    assert!(decide(&answer(Cli::ClaudeCode, "PreToolUse", 0, &bare, "")).blocked);
    assert!(decide(&answer(Cli::ClaudeCode, "PreToolUse", 2, "", "")).blocked);
}

#[test]
fn reason_and_context_are_the_texts_the_model_gets() {
    let of = |event: &str, exit, stdout: &str, stderr: &str| {
        let decision = decide(&answer(Cli::ClaudeCode, event, exit, stdout, stderr));
        (decision.reason.unwrap_or_default(), decision.context.unwrap_or_default())
    };
    let text = |reason: &str, context: &str| (reason.to_owned(), context.to_owned());
    assert_eq!(of("PreToolUse", 2, "out", " no rm \n"), text("no rm", ""));
    let deny = specific("PreToolUse", r#""permissionDecision":"deny","permissionDecisionReason":"no bash today""#);
    assert_eq!(of("PreToolUse", 0, &deny, "log"), text("no bash today", ""));
    assert_eq!(of("Stop", 0, r#"{"decision":"block","reason":"tests fail"}"#, ""), text("tests fail", ""));
    assert_eq!(of("PreToolUse", 0, r#"{"continue":false,"stopReason":"enough"}"#, ""), text("enough", ""));
    assert_eq!(of("SessionStart", 0, "SS-CONTEXT\n", ""), text("", "SS-CONTEXT"));
    assert_eq!(of("PreToolUse", 0, "only for the log", ""), text("", ""));
    let context = specific("PostToolUse", r#""additionalContext":"PTU""#);
    assert_eq!(of("PostToolUse", 0, &context, ""), text("", "PTU"));
}

#[test]
fn explanations_say_what_happens_and_what_to_do() {
    let explained = |cli, event: &str, exit, stdout: &str, stderr: &str| {
        let answer = answer(cli, event, exit, stdout, stderr);
        explain(&answer, &decide(&answer))
    };
    let deny = specific("PreToolUse", r#""permissionDecision":"deny","permissionDecisionReason":"no""#);
    let explanations = [
        explained(Cli::ClaudeCode, "PreToolUse", 1, "", "boom"),
        explained(Cli::ClaudeCode, "PreToolUse", 1, &deny, ""),
        explained(Cli::ClaudeCode, "PreToolUse", 0, "", ""),
        explained(Cli::ClaudeCode, "PreToolUse", 0, &format!("debug {deny}"), ""),
        explained(Cli::ClaudeCode, "PreToolUse", 0, &deny.replace("\"deny\"", "\"denny\""), ""),
        explained(Cli::ClaudeCode, "PreToolUse", 0, &deny, ""),
        explained(Cli::ClaudeCode, "PreToolUse", 0, r#"{"continue":false}"#, ""),
        explained(
            Cli::ClaudeCode,
            "PreToolUse",
            2,
            "",
            "python3: can't open file '/x/guard.py': [Errno 2] No such file or directory",
        ),
        explained(Cli::Codex, "PreToolUse", 2, "", ""),
        explained(Cli::Codex, "PreToolUse", 0, &deny.replace("\"deny\"", "\"ask\""), ""),
        explained(Cli::ClaudeCode, "UserPromptSubmit", 2, "", "no"),
        explained(Cli::ClaudeCode, "UserPromptSubmit", 1, "", "no"),
        explained(Cli::ClaudeCode, "PostToolUse", 2, "", "look"),
        explained(Cli::Codex, "PostToolUse", 2, "", "look"),
        explained(Cli::ClaudeCode, "Stop", 2, "", "go on"),
        explained(Cli::ClaudeCode, "SessionEnd", 2, "", "bye"),
    ]
    .join("\n");
    insta::assert_snapshot!(explanations);
}

#[test]
fn json_has_the_names_of_the_documentation() {
    let deny = specific("PreToolUse", r#""permissionDecision":"deny","permissionDecisionReason":"no""#);
    let json = serde_json::to_value(decide(&answer(Cli::ClaudeCode, "PreToolUse", 0, &deny, ""))).unwrap();
    assert_eq!(
        json,
        serde_json::json!({
            "blocked": true,
            "effect": "prevented",
            "decision": "deny",
            "blockedBy": ["deny-decision"],
            "haltsTurn": false,
            "ran": true,
            "unresolved": false,
            "reason": "no",
            "json": {"hookSpecificOutput": {
                "hookEventName": "PreToolUse",
                "permissionDecision": "deny",
                "permissionDecisionReason": "no",
            }},
        })
    );
    for mechanism in [ExitCode, DenyDecision, AskDecision, HaltField] {
        assert_eq!(serde_json::to_value(mechanism).unwrap(), mechanism.name());
    }
}

fn any_event() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "PreToolUse",
            "PostToolUse",
            "PostToolUseFailure",
            "UserPromptSubmit",
            "Stop",
            "SubagentStop",
            "SessionStart",
            "SessionEnd",
            "Notification",
            "PermissionRequest",
            "",
        ])
        .prop_map(str::to_owned),
        ".*",
    ]
}

fn any_stdout() -> impl Strategy<Value = String> {
    let value = prop::sample::select(vec![
        "\"deny\"",
        "\"block\"",
        "\"ask\"",
        "\"allow\"",
        "false",
        "true",
        "null",
        "7",
        "{}",
        "\"\\ud800\"",
    ]);
    let name =
        prop::sample::select(vec!["decision", "reason", "continue", "stopReason", "hookSpecificOutput", "async"]);
    let inner = prop::sample::select(vec![
        "hookEventName",
        "permissionDecision",
        "additionalContext",
        "updatedInput",
        "decision",
    ]);
    prop_oneof![
        ".*",
        (name, value.clone(), inner, value, any_event()).prop_map(|(name, value, inner, other, event)| {
            let event = serde_json::to_string(&event).unwrap_or_default();
            format!(r#"{{"{name}":{value},"hookSpecificOutput":{{"hookEventName":{event},"{inner}":{other}}}}}"#)
        }),
        "\\{.*\\}",
    ]
}

proptest! {
    #[test]
    fn decisions_are_consistent(
        codex: bool,
        event in any_event(),
        exit_code in prop::option::of(prop_oneof![0..3i32, any::<i32>()]),
        stdout in any_stdout(),
        stderr in "(.*\n?){0,3}",
        timed_out: bool,
        started: bool,
    ) {
        let cli = if codex { Cli::Codex } else { Cli::ClaudeCode };
        let answer = Answer { cli, event: &event, exit_code, signal: None, stdout: &stdout, stderr: &stderr, timed_out, started };
        let decision: Decision = decide(&answer);
        prop_assert_eq!(decision.blocked, !decision.blocked_by.is_empty());
        prop_assert_eq!(decision.ran, started);
        if decision.blocked {
            prop_assert_ne!(decision.effect, Some(Effect::None));
            prop_assert!(started && !timed_out && matches!(exit_code, Some(0 | 2)));
        }
        if matches!(decision.effect, Some(Effect::Prevented | Effect::Continued)) {
            prop_assert!(decision.blocked);
        }
        if decision.effect.is_none() {
            prop_assert!(decision.note.is_some());
        }
        prop_assert!(!explain(&answer, &decision).is_empty());
        prop_assert_eq!(decide(&answer), decision);
    }
}
