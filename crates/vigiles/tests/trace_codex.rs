//! What is easily read wrong in the output of `codex exec --json`, each on a recorded run.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use vigiles::trace::{ToolCall, Trace, TraceKind};

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../test/fixtures/golden/codex/0.171.0")
        .join(name)
        .with_extension("jsonl")
}

fn bytes(name: &str) -> String {
    String::from_utf8(std::fs::read(golden(name)).unwrap()).unwrap()
}

fn open(name: &str) -> Trace {
    let trace = Trace::from_path(golden(name)).unwrap();
    assert_eq!(trace.kind(), TraceKind::CodexExec);
    trace
}

fn calls(trace: &Trace) -> &[ToolCall] {
    trace.tool_calls().unwrap()
}

fn commands(trace: &Trace) -> Vec<String> {
    calls(trace).iter().map(|call| trace.input(call).unwrap()["command"].as_str().unwrap().to_owned()).collect()
}

fn warns(trace: &Trace, part: &str) -> bool {
    trace.warnings().iter().any(|warning| warning.contains(part))
}

#[test]
fn an_error_line_does_not_end_a_turn() {
    // "Reconnecting..." is an error line; the turn goes on.
    let trace = open("err_e500");
    assert!(bytes("err_e500").contains("{\"type\":\"error\",\"message\":\"Reconnecting... 1/1"));
    assert_eq!(&*trace.result().unwrap().subtype, "failed");
    let recovered =
        bytes("err_e500").lines().take_while(|line| !line.contains("turn.failed")).collect::<Vec<_>>().join("\n");
    let cut = Trace::from_slice(recovered.as_bytes()).unwrap();
    assert!(cut.result().is_none() && !cut.complete(), "only turn.failed and turn.completed end a turn");
    let usage = r#"{"type":"turn.completed","usage":{"input_tokens":1,"cached_input_tokens":0,"output_tokens":2}}"#;
    let trace = Trace::from_slice(format!("{recovered}\n{usage}\n").as_bytes()).unwrap();
    assert!(trace.complete());
    assert_eq!((trace.result().unwrap().is_error, trace.usage().unwrap().output_tokens), (false, Some(2)));
    assert!(warns(&trace, "Reconnecting... 1/1"));
}

/// No golden keeps a run whose messages were repeated: these lines are made by hand, in the form of the goldens.
#[test]
fn messages_that_a_repeated_request_prints_again_count_once() {
    let message = |text: &str| {
        format!(r#"{{"type":"item.completed","item":{{"id":"item_0","type":"agent_message","text":"{text}"}}}}"#)
    };
    let (half, other) = (message("half"), message("other"));
    let start = r#"{"type":"thread.started","thread_id":"t"}"#;
    let turn = r#"{"type":"turn.started"}"#;
    let retry = r#"{"type":"error","message":"Reconnecting... 1/5 (stream disconnected before completion: idle timeout waiting for SSE)"}"#;
    let end = r#"{"type":"turn.completed","usage":{"input_tokens":1,"cached_input_tokens":0,"output_tokens":2}}"#;
    let read = |lines: &[&str]| Trace::from_slice(lines.join("\n").as_bytes()).unwrap();
    let replies = |trace: &Trace| {
        trace.replies().unwrap().iter().map(|text| trace.read(text).unwrap().into_owned()).collect::<Vec<_>>()
    };

    let trace = read(&[start, turn, &half, retry, &half, &other, end]);
    assert_eq!((replies(&trace), trace.output()), (vec!["half".to_owned(), "other".to_owned()], Some("other")));
    assert!(warns(&trace, "1 repeated message(s) were left out"), "{:?}", trace.warnings());
    let again = retry.replace("1/5", "2/5");
    let trace = read(&[start, turn, &half, retry, &half, &again, &half, end]);
    assert_eq!(replies(&trace), ["half"], "each attempt may print it again");
    assert!(warns(&trace, "2 repeated message(s)"));

    let kept = [
        (vec![start, turn, &half, &half, end], "no retry: the agent said it twice"),
        (vec![start, turn, &half, retry, &half, &half, end], "once for the retry, and once more"),
        (vec![start, turn, &half, retry, end, turn, &half, end], "the next turn is another"),
    ];
    for (lines, why) in kept {
        assert_eq!(replies(&read(&lines)), ["half", "half"], "{why}");
    }
    let other_error = r#"{"type":"error","message":"something else"}"#;
    assert_eq!(replies(&read(&[start, turn, &half, other_error, &half, end])).len(), 2, "only a retry repeats");
    assert!(!warns(&read(&[start, turn, &half, &half, end]), "repeated message"));
}

#[test]
fn an_error_item_is_a_warning() {
    let trace = open("subagent_wait");
    assert!(warns(&trace, "Model metadata for `mock-model` not found"));
    assert!(!trace.result().unwrap().is_error);
    let trace = open("hook_deny");
    let bypass = trace.warnings().iter().filter(|warning| warning.contains("bypass-hook-trust")).count();
    assert_eq!((bytes("hook_deny").matches("bypass-hook-trust").count(), bypass), (2, 1), "told twice, kept once");
}

#[test]
fn a_failed_turn_says_why() {
    for (name, part) in [
        ("err_e400", ""),
        ("err_e429", "429"),
        ("err_truncate", "stream disconnected before completion"),
        ("err_incomplete", "max_output_tokens"),
    ] {
        let trace = open(name);
        let result = trace.result().unwrap();
        assert_eq!((&*result.subtype, result.is_error), ("failed", true), "{name}");
        assert!(result.errors[0].contains(part), "{name}: {:?}", result.errors);
        assert!(trace.output().is_none() && trace.complete(), "{name}");
    }
}

#[test]
fn the_key_id_of_a_web_search_comes_twice() {
    assert!(bytes("web_search").contains(r#""id":"item_0","type":"web_search","id":"ws_1""#));
    let trace = open("web_search");
    let [call] = calls(&trace) else { panic!("one call, not one for each id") };
    assert_eq!((&*call.id, &*call.name), ("ws_1", "web_search"), "the last of equal keys");
    assert_eq!(trace.input(call).unwrap()["action"]["query"], "weather");
}

#[test]
fn a_background_command_has_no_end() {
    let trace = open("background");
    let [call] = calls(&trace) else { panic!("one call") };
    assert_eq!((call.is_error, call.denied, trace.result_text(call).unwrap()), (None, None, None));
    assert!(trace.complete() && !trace.result().unwrap().is_error, "the turn ended well all the same");
    assert!(warns(&trace, "1 call(s) have no end"));
}

#[test]
fn the_usage_of_a_resumed_thread_is_cumulative() {
    let (first, second) = (open("resume1"), open("resume2"));
    assert_eq!(first.session_id(), second.session_id(), "one thread");
    assert_eq!(first.usage().unwrap().input_tokens, Some(201));
    assert_eq!(second.usage().unwrap().input_tokens, Some(301));
    let both = Trace::from_slice((bytes("resume1") + &bytes("resume2")).as_bytes()).unwrap();
    let usage = both.usage().unwrap();
    assert_eq!(
        (usage.input_tokens, usage.output_tokens, usage.cache_read_tokens),
        (Some(301), Some(61), Some(30)),
        "the last, not the sum"
    );
    assert_eq!(both.output(), Some("Hello from mock."));
    assert_eq!(both.replies().unwrap().len(), 3);
}

#[test]
fn item_ids_start_anew_in_each_process() {
    let both = Trace::from_slice((bytes("shell_ok") + &bytes("shell_fail")).as_bytes()).unwrap();
    let (ok, fail) = (open("shell_ok"), open("shell_fail"));
    assert_eq!(commands(&both), [commands(&ok), commands(&fail)].concat());
    assert_eq!(
        both.usage().unwrap().input_tokens,
        Some(ok.usage().unwrap().input_tokens.unwrap() + fail.usage().unwrap().input_tokens.unwrap())
    );
}

#[test]
fn calls_refused_before_they_ran_are_invisible_and_that_is_said() {
    for name in ["hook_deny", "hook_deny_exit2", "badargs"] {
        assert!(warns(&open(name), "no line for a call that was refused"), "{name}");
    }
    assert!(calls(&open("badargs")).is_empty());
    // Under a sandbox, of five commands two are told.
    assert_eq!((calls(&open("denied_ro")).len(), calls(&open("denied_full")).len()), (2, 5));
    assert!(warns(&open("denied_ro"), "no line for a call"));
    // The three others ran, and failed at once.
    assert!(warns(&open("denied_ro"), "under a sandbox, for a command that ran and failed at once"));
}

#[test]
fn hooks_and_turns_are_not_observed() {
    let trace = open("hooks_trusted");
    assert!(trace.hooks().is_none() && trace.turns().is_none() && trace.permission_denials().is_none());
    assert!(trace.skills().is_none() && trace.mcp_servers().is_none() && trace.model_requests().is_none());
    assert!(calls(&trace).iter().all(|call| call.turn.is_none()));
    assert!(warns(&trace, "nothing of hooks"));
}

#[test]
fn a_blocked_prompt_completes_with_no_answer() {
    let trace = open("hook_prompt_block");
    assert!(trace.complete() && trace.output().is_none());
    assert_eq!(trace.usage().unwrap().input_tokens, Some(0));
}

#[test]
fn parallel_calls_are_not_ordered() {
    let trace = open("parallel");
    assert_eq!(commands(&trace), ["/bin/bash -lc 'echo B'", "/bin/bash -lc 'echo A'"]);
    let results: Vec<_> =
        calls(&trace).iter().map(|call| trace.result_text(call).unwrap().unwrap().into_owned()).collect();
    assert_eq!(results, ["B\n", "A\n"]);
}

#[test]
fn an_exit_code_is_an_error() {
    let trace = open("shell_fail");
    let [call] = calls(&trace) else { panic!("one call") };
    assert_eq!((call.is_error, call.denied), (Some(true), Some(false)));
    assert_eq!(trace.result_text(call).unwrap().unwrap(), "out\nerr\n");
}

#[test]
fn an_error_of_an_mcp_tool_is_in_its_result() {
    let trace = open("mcp_ns_bypass");
    let seen: Vec<_> = calls(&trace)
        .iter()
        .map(|call| (&*call.name, call.is_error, trace.result_text(call).unwrap().unwrap().into_owned()))
        .collect();
    assert_eq!(
        seen,
        [
            ("mcp__probe__echo", Some(false), "echo: hi".to_owned()),
            ("mcp__probe__boom", Some(true), "it broke".to_owned())
        ]
    );
}

#[test]
fn a_killed_run_is_not_complete() {
    for name in ["kill_sigkill", "kill_sigint"] {
        let trace = open(name);
        assert!(
            !trace.complete() && trace.result().is_none() && trace.output().is_none() && trace.usage().is_none(),
            "{name}"
        );
        assert!(trace.parse_errors().is_empty(), "{name}: all lines are whole");
        assert_eq!(calls(&trace).last().unwrap().is_error, None, "{name}");
        assert!(warns(&trace, "ends inside a turn"), "{name}");
    }
}

#[test]
fn a_list_that_is_updated_is_one_call() {
    let trace = open("todo_list");
    assert!(bytes("todo_list").contains("item.updated"));
    let [call] = calls(&trace) else { panic!("one call") };
    assert_eq!(
        trace.input(call).unwrap()["items"][1],
        serde_json::json!({"text": "two", "completed": true}),
        "as it was in the end"
    );
}

#[test]
fn a_subagent_is_known_by_what_the_parent_was_told() {
    let trace = open("subagent_wait");
    let [agent] = trace.subagents().unwrap() else { panic!("one subagent") };
    assert_eq!(trace.subagent_output(agent).unwrap().unwrap(), "child says hi");
    assert!(agent.calls.is_none(), "its own calls are not shown");
}

#[test]
fn files_changed_by_a_patch_are_in_its_arguments() {
    let trace = open("apply_patch");
    let [first, _] = calls(&trace) else { panic!("two calls") };
    assert_eq!(&*first.name, "apply_patch");
    assert_eq!(trace.input(first).unwrap()["changes"][0]["kind"], "add");
}
