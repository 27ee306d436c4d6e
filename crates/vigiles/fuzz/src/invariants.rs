//! What holds for any input. The fuzz targets and `tests/fuzz_replay.rs` share it.

#![allow(
    dead_code,
    clippy::panic,
    clippy::unwrap_used,
    reason = "each target uses one of the two; a broken invariant is a panic"
)]

use vigiles::hook::{Answer, Cli, Effect, decide, explain};
use vigiles::trace::{Field, Subagent, Trace, TraceKind};

/// Reads bytes as a trace and asks for everything in it.
pub(crate) fn trace(bytes: &[u8]) {
    let trace = match Trace::from_slice(bytes) {
        Ok(trace) => trace,
        Err(error) => {
            assert!(error.code().starts_with("VIGILES_TRACE_"), "{error:?}");
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    if trace.kind() != TraceKind::Plain {
        parse_errors(&trace, bytes);
    }
    ask_for_everything(&trace);

    let json = trace.to_json().unwrap();
    let again = Trace::from_json(&json).unwrap_or_else(|error| panic!("not read back: {error}\n{json}"));
    assert_eq!(again.kind(), TraceKind::Plain);
    assert_eq!(again.tool_calls().map(<[_]>::len), trace.tool_calls().map(<[_]>::len));
    assert_eq!(again.complete(), trace.complete());
    assert_eq!((again.output(), again.turns(), again.warnings()), (trace.output(), trace.turns(), trace.warnings()));
    assert_eq!(again.hooks().is_some(), trace.hooks().is_some());
    let twice = again.to_json().unwrap();
    assert_eq!(Trace::from_json(&twice).unwrap().to_json().unwrap(), twice, "the form of the form is itself");
}

fn parse_errors(trace: &Trace, bytes: &[u8]) {
    let lines = bytes.split(|&byte| byte == b'\n').count() as u64;
    for pair in trace.parse_errors().windows(2) {
        assert!(pair[0].line < pair[1].line, "errors in the order of their lines, one each: {pair:?}");
    }
    for error in trace.parse_errors() {
        assert!((1..=lines).contains(&error.line) && !error.reason.is_empty(), "{error:?} of {lines} lines");
    }
}

fn ask_for_everything(trace: &Trace) {
    // What somebody wrote by hand may be half of anything.
    let is_plain = trace.kind() == TraceKind::Plain;
    for field in Field::ALL {
        if let Some(json) = trace.field_json(field).unwrap() {
            serde_json::from_str::<&serde_json::value::RawValue>(&json)
                .unwrap_or_else(|error| panic!("{}: {error}", field.name()));
        }
    }
    let calls = trace.tool_calls().unwrap_or_default();
    for call in calls {
        trace.input(call).unwrap();
        serde_json::from_str::<&serde_json::value::RawValue>(&trace.input_json(call).unwrap()).unwrap();
        trace.result_text(call).unwrap();
        let is_whole = call.is_error.is_some() == call.result.is_some();
        assert!(is_plain || is_whole, "an answer has a verdict: {call:?}");
    }
    for text in trace.replies().unwrap_or_default() {
        trace.read(text).unwrap();
    }
    for fire in trace.hooks().unwrap_or_default() {
        for text in [&fire.stdout, &fire.stderr, &fire.output].into_iter().flatten() {
            trace.read(text).unwrap();
        }
        assert!(fire.blocked != Some(true) || fire.effect != Some(Effect::None), "a block has an effect: {fire:?}");
    }
    let mut agents: Vec<&Subagent> = trace.subagents().unwrap_or_default().iter().collect();
    while let Some(agent) = agents.pop() {
        trace.subagent_output(agent).unwrap();
        assert!(agent.calls.iter().flatten().all(|&index| index < calls.len()));
        agents.extend(&agent.subagents);
    }
    let has_usage = trace.usage().is_some() || is_plain || trace.kind() == TraceKind::CodexExec;
    assert!(trace.result().is_none() || has_usage);
}

const EVENTS: [&str; 8] = [
    "PreToolUse",
    "PostToolUse",
    "UserPromptSubmit",
    "Stop",
    "SubagentStop",
    "SessionStart",
    "PermissionRequest",
    "Unheard",
];

/// Reads bytes as the answer of a hook: one byte that says how it ended, stdout, NUL, stderr.
pub(crate) fn hook_decision(bytes: &[u8]) {
    let (&how, rest) = bytes.split_first().unwrap_or((&0, &[]));
    let mut streams = rest.splitn(2, |&byte| byte == 0).map(String::from_utf8_lossy);
    let (stdout, stderr) = (streams.next().unwrap_or_default(), streams.next().unwrap_or_default());
    for cli in [Cli::ClaudeCode, Cli::Codex] {
        let answer = Answer {
            cli,
            event: EVENTS[usize::from(how % 8)],
            exit_code: [Some(0), Some(1), Some(2), None][usize::from(how / 8 % 4)],
            signal: (how & 0x20 != 0).then_some(9),
            stdout: &stdout,
            stderr: &stderr,
            timed_out: how & 0x40 != 0,
            started: how & 0x80 == 0,
        };
        let decision = decide(&answer);
        assert_eq!(decision.blocked, !decision.blocked_by.is_empty(), "{decision:?}");
        assert!(!decision.blocked || decision.effect != Some(Effect::None), "a block has an effect: {decision:?}");
        assert!(
            decision.ran == answer.started && (decision.ran || !decision.blocked),
            "what never ran blocks nothing: {decision:?}"
        );
        assert_eq!(decide(&answer), decision, "the same answer, the same decision");
        assert!(!explain(&answer, &decision).is_empty());
    }
}
