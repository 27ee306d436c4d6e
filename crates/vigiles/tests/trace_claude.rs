//! What is easily read wrong in the output of Claude Code, each on a recorded run.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use vigiles::hook::Effect;
use vigiles::trace::{Field, HookFire, Open, ToolCall, Trace, TraceError, TraceKind};

fn golden(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/fixtures/golden/claude").join(path)
}

fn open(path: &str) -> Trace {
    Trace::from_path(golden(path)).unwrap()
}

/// A stream of 2.1.332 or 2.1.197 with the session file of the same run.
fn merged(version: &str, name: &str) -> Trace {
    let session = golden(&format!("sessions/{version}/{name}.jsonl"));
    Open::default().session(session).read_path(golden(&format!("{version}/{name}.jsonl"))).unwrap()
}

fn bytes(path: &str) -> String {
    String::from_utf8(std::fs::read(golden(path)).unwrap()).unwrap()
}

fn calls(trace: &Trace) -> &[ToolCall] {
    trace.tool_calls().unwrap()
}

fn ids(trace: &Trace) -> Vec<&str> {
    calls(trace).iter().map(|call| &*call.id).collect()
}

fn results(trace: &Trace) -> Vec<String> {
    calls(trace).iter().map(|call| trace.result_text(call).unwrap().unwrap().into_owned()).collect()
}

fn replies(trace: &Trace) -> Vec<String> {
    trace.replies().unwrap().iter().map(|text| trace.read(text).unwrap().into_owned()).collect()
}

fn hooks(trace: &Trace) -> &[HookFire] {
    trace.hooks().unwrap()
}

fn warns(trace: &Trace, part: &str) -> bool {
    trace.warnings().iter().any(|warning| warning.contains(part))
}

fn cost(trace: &Trace) -> f64 {
    trace.usage().unwrap().cost_usd.unwrap()
}

fn assert_close(seen: f64, expected: f64) {
    assert!((seen - expected).abs() < 1e-9, "expected {expected}, seen {seen}");
}

#[test]
fn init_is_not_the_first_line_when_hooks_run_before_it() {
    let path = "2.1.332/h3_skill_plugin.jsonl";
    assert!(bytes(path).starts_with("{\"type\":\"system\",\"subtype\":\"hook_started\""));
    let trace = open(path);
    assert_eq!(trace.kind(), TraceKind::ClaudeStream);
    assert_eq!(trace.model(), Some("claude-opus-5-5"));
    assert_eq!(trace.session_id(), Some("ef08a78f-d48f-4ee8-94f8-45890c75299f"));
    assert!(trace.skills().unwrap().iter().any(|skill| skill == "demo-plugin:greet"));
}

#[test]
fn type_is_not_the_first_key_of_a_result() {
    let path = "2.1.332/a_text.jsonl";
    let stream = bytes(path);
    let last = stream.lines().last().unwrap();
    assert!(last.contains("\"type\":\"result\"") && !last.starts_with("{\"type\""), "{last}");
    let result = open(path).result().unwrap().clone();
    assert_eq!((&*result.subtype, result.is_error, result.num_turns), ("success", false, Some(1)));
}

#[test]
fn an_api_failure_is_subtype_success_with_is_error() {
    let trace = open("2.1.332/l1b_429_exhaust.jsonl");
    let result = trace.result().unwrap();
    assert_eq!(&*result.subtype, "success");
    assert!(result.is_error);
    assert_eq!(result.api_error_status, Some(429));
    assert_eq!(result.terminal_reason.as_deref(), Some("api_error"));
    // The CLI writes the failure as if the model had said it.
    assert_eq!((trace.turns(), replies(&trace).len()), (Some(0), 0));
    assert!(warns(&trace, "repeated 2 model request(s), the last after HTTP 429"));
}

#[test]
fn three_parallel_tools_are_one_turn_and_four_of_the_clis_turns() {
    let trace = open("2.1.332/e_parallel.jsonl");
    assert_eq!(calls(&trace).iter().map(|call| call.turn).collect::<Vec<_>>(), [Some(1); 3]);
    assert_eq!(trace.turns(), Some(2));
    assert_eq!(trace.result().unwrap().num_turns, Some(4));
}

#[test]
fn results_of_parallel_tools_come_in_completion_order() {
    let path = "2.1.332/e_parallel.jsonl";
    let stream = bytes(path);
    let place = |id: &str| stream.find(&format!("\"tool_use_id\":\"{id}\"")).unwrap();
    assert!(place("toolu_0002") < place("toolu_0001"), "the second call was answered first");
    let trace = open(path);
    assert_eq!(ids(&trace), ["toolu_0001", "toolu_0002", "toolu_0003"]);
    assert_eq!(results(&trace), ["A", "B", "Exit code 1\nC"]);
    assert_eq!(
        calls(&trace).iter().map(|call| call.is_error).collect::<Vec<_>>(),
        [Some(false), Some(false), Some(true)]
    );
}

#[test]
fn a_background_agent_gives_two_results() {
    let path = "2.1.332/i1_subagent_default.jsonl";
    assert_eq!(bytes(path).matches("\"type\":\"result\"").count(), 2);
    let trace = open(path);
    let usage = trace.usage().unwrap();
    // 0.00123 stood in the first result: the cost accumulates, tokens and time do not.
    assert_close(cost(&trace), 0.00183);
    assert_eq!((usage.input_tokens, usage.output_tokens), (Some(300), Some(30)));
    assert_eq!(usage.duration_ms, Some(246.0));
    assert_eq!(trace.output(), Some("main done 2"));
    assert_eq!(replies(&trace), ["main done", "main done 2"]);
    assert_eq!(trace.turns(), Some(3));
    assert_eq!(trace.result().unwrap().num_turns, Some(1), "the last result's own number");
    assert!(trace.complete());
}

#[test]
fn the_output_is_the_last_text_that_is_not_empty() {
    let stream = bytes("2.1.332/a_text.jsonl");
    let result = stream.lines().last().unwrap();
    let silent = serde_json::json!({"type": "result", "subtype": "success", "is_error": false, "result": "", "total_cost_usd": 0.5,
        "session_id": serde_json::from_str::<serde_json::Value>(result).unwrap()["session_id"]});
    let once = Trace::from_slice(stream.as_bytes()).unwrap();
    let twice = Trace::from_slice(format!("{stream}{silent}\n").as_bytes()).unwrap();
    assert_eq!(twice.output(), once.output());
    assert!(once.output().is_some_and(|output| !output.is_empty()));
    assert_close(cost(&twice), 0.5);
}

#[test]
fn two_prompts_in_one_stream_give_two_results() {
    let trace = open("2.1.332/s1_stream_input.jsonl");
    assert_eq!(trace.prompt(), Some("first"));
    assert_eq!(trace.output(), Some("two"));
    assert_eq!(replies(&trace), ["one", "two"]);
    assert_eq!(trace.usage().unwrap().input_tokens, Some(200));
}

#[test]
fn a_truncated_last_line_is_reported_and_the_rest_is_used() {
    let trace = open("2.1.332/n5_truncated_last_line.jsonl");
    let [error] = trace.parse_errors() else { panic!("expected one parse error, seen {:?}", trace.parse_errors()) };
    assert_eq!(error.line, 2);
    assert!(error.reason.starts_with("the last line is cut off"), "{}", error.reason);
    assert_eq!(trace.session_id(), Some("ed71eb95-c916-407b-89c0-a09de789bc38"));
    assert!(!trace.complete());
    assert!(warns(&trace, "the last line is cut off"));
    assert!(trace.result().is_none() && trace.usage().is_none() && trace.output().is_none());
}

#[test]
fn an_exit_without_result_is_not_complete() {
    for version in ["2.1.197", "2.1.332"] {
        let trace = open(&format!("{version}/n1_kill_SIGTERM.jsonl"));
        assert!(!trace.complete());
        assert!(
            trace.result().is_none()
                && trace.usage().is_none()
                && trace.output().is_none()
                && trace.permission_denials().is_none()
        );
        assert!(trace.parse_errors().is_empty(), "all lines are whole");
        assert!(warns(&trace, "no result event"));
        assert_eq!(trace.turns(), Some(1));
    }
    let interrupted = open("2.1.332/n1_kill_SIGINT.jsonl");
    assert!(interrupted.complete(), "SIGINT gets a result");
    let result = interrupted.result().unwrap();
    assert_eq!(
        (&*result.subtype, result.terminal_reason.as_deref()),
        ("error_during_execution", Some("aborted_streaming"))
    );
}

#[test]
fn is_error_is_absent_on_success_of_file_tools() {
    let path = "2.1.332/d_write_read_edit.jsonl";
    let write = bytes(path).lines().find(|line| line.contains("\"tool_result\"")).unwrap().to_owned();
    assert!(!write.contains("is_error"), "{write}");
    let trace = open(path);
    let seen: Vec<_> = calls(&trace).iter().map(|call| (&*call.name, call.is_error.unwrap())).collect();
    assert_eq!(seen, [("Write", false), ("Read", false), ("Edit", false), ("Edit", true), ("Read", true)]);
}

#[test]
fn a_call_that_was_never_answered_has_no_verdict() {
    let trace = open("2.1.332/m2_max_budget.jsonl");
    let [_, last] = calls(&trace) else { panic!("two calls") };
    assert_eq!((last.is_error, last.denied, trace.result_text(last).unwrap()), (None, None, None));
    assert_eq!(&*trace.result().unwrap().subtype, "error_max_budget_usd");
    assert_eq!(trace.result().unwrap().errors, ["Reached maximum budget ($0.001)"]);
}

#[test]
fn an_unknown_skill_is_an_error_of_the_call() {
    let trace = open("2.1.332/h2_skill_unknown.jsonl");
    let [call] = calls(&trace) else { panic!("one call") };
    assert_eq!((&*call.name, call.is_error, call.denied), ("Skill", Some(true), Some(false)));
    assert_eq!(trace.input(call).unwrap(), serde_json::json!({"skill": "nosuch"}));
    assert!(results(&trace)[0].contains("Unknown skill: nosuch"));
    assert_eq!(trace.skills().unwrap().iter().filter(|skill| *skill == "nosuch").count(), 0);
}

#[test]
fn a_slash_prompt_makes_no_skill_call() {
    let trace = open("2.1.332/h4_skill_slash.jsonl");
    assert!(calls(&trace).is_empty());
    assert_eq!(replies(&trace), ["hi"]);
}

#[test]
fn a_bare_skill_name_resolves_to_a_plugins() {
    let trace = open("2.1.332/h3_skill_plugin.jsonl");
    let skills: Vec<_> =
        calls(&trace).iter().map(|call| trace.input(call).unwrap()["skill"].as_str().unwrap().to_owned()).collect();
    assert_eq!(skills, ["demo-plugin:greet", "greet"]);
    assert_eq!(trace.skills().unwrap().iter().filter(|skill| skill.ends_with(":greet")).count(), 1);
    // Each skill's body comes as a synthetic user message: one more of the CLI's turns, none of the model's.
    assert_eq!((trace.turns(), trace.result().unwrap().num_turns), (Some(3), Some(6)));
}

#[test]
fn a_subagent_is_found_under_both_names_of_its_tool() {
    let stream = bytes("2.1.332/i2_subagent_fg.jsonl");
    assert!(stream.contains("\"name\":\"Agent\""));
    for stream in [stream.clone(), stream.replace("\"name\":\"Agent\"", "\"name\":\"Task\"")] {
        let trace = Trace::from_slice(stream.as_bytes()).unwrap();
        let [agent] = trace.subagents().unwrap() else { panic!("one subagent") };
        assert_eq!((&*agent.id, &*agent.name), ("toolu_0001", "x"));
        assert_eq!(agent.calls.as_deref(), Some(&[1][..]));
        assert_eq!(trace.subagent_output(agent).unwrap().unwrap(), "SUB RESULT");
        let inner = &calls(&trace)[1];
        assert_eq!((inner.parent_id.as_deref(), inner.turn), (Some("toolu_0001"), Some(1)));
        assert_eq!(trace.turns(), Some(2), "the subagent's turns are its own");
        assert_eq!(replies(&trace), ["main done"]);
    }
}

#[test]
fn an_unknown_subagent_type_starts_nothing() {
    let trace = open("2.1.332/i4_subagent_unknown.jsonl");
    assert_eq!(calls(&trace)[0].is_error, Some(true));
    assert!(trace.subagents().unwrap().is_empty());
}

#[test]
fn a_call_that_permissions_refuse_is_denied() {
    for version in ["2.1.197", "2.1.332"] {
        let trace = open(&format!("{version}/c2_bash_not_allowed.jsonl"));
        let call = &calls(&trace)[0];
        assert_eq!((call.is_error, call.denied), (Some(true), Some(true)), "{version}");
        let [denial] = trace.permission_denials().unwrap() else { panic!("{version}: one denial") };
        assert_eq!((&*denial.tool_name, &*denial.tool_use_id), ("Bash", "toolu_0001"));
        assert!(trace.read(&denial.tool_input).unwrap().contains("touch x.txt"));
        assert!(!trace.result().unwrap().is_error, "the run goes on");
    }
}

#[test]
fn a_failed_call_is_not_denied() {
    let trace = open("2.1.332/c_bash.jsonl");
    assert!(calls(&trace).iter().all(|call| call.denied == Some(false)), "{:?}", calls(&trace));
}

#[test]
fn a_hook_that_exits_2_blocks_and_is_tied_to_its_call() {
    for version in ["2.1.197", "2.1.332"] {
        let trace = open(&format!("{version}/f1_pretool_exit2.jsonl"));
        let [fire] = hooks(&trace) else { panic!("{version}: one firing") };
        assert_eq!(
            (&*fire.name, fire.exit_code, fire.blocked, fire.effect),
            ("PreToolUse:Bash", Some(2), Some(true), Some(Effect::Prevented))
        );
        assert_eq!(fire.tool_use_id.as_deref(), Some("toolu_0001"));
        assert!(fire.command.as_deref().unwrap().ends_with("exit 2"), "the command stands in the answer to the call");
        assert_eq!(calls(&trace)[0].denied, Some(true));
    }
}

#[test]
fn a_hook_that_denies_in_json_blocks_with_exit_0() {
    for version in ["2.1.197", "2.1.332"] {
        let trace = open(&format!("{version}/f2_pretool_json_deny.jsonl"));
        let [fire] = hooks(&trace) else { panic!("{version}: one firing") };
        assert_eq!((fire.exit_code, fire.blocked, fire.outcome.as_deref()), (Some(0), Some(true), Some("success")));
        assert_eq!(calls(&trace)[0].denied, Some(true));
    }
}

/// Exit code, outcome, and whether it timed out.
type Ended<'t> = (Option<i32>, &'t str, bool);

#[test]
fn exit_1_a_timeout_a_missing_hook_and_bad_json_let_the_tool_run() {
    let expected: [(&str, &[Ended<'_>]); 3] = [
        ("f3_pretool_exit1", &[(Some(1), "error", false)]),
        ("f5_pretool_timeout_missing", &[(Some(1), "cancelled", true), (Some(127), "error", false)]),
        ("w1_hook_bad_json", &[(Some(0), "error", false)]),
    ];
    for (name, expected) in expected {
        let trace = open(&format!("2.1.332/{name}.jsonl"));
        let seen: Vec<_> = hooks(&trace)
            .iter()
            .map(|fire| (fire.exit_code, fire.outcome.as_deref().unwrap(), fire.timed_out.unwrap()))
            .collect();
        assert_eq!(seen, expected, "{name}");
        assert!(
            hooks(&trace).iter().all(|fire| (fire.blocked, fire.effect) == (Some(false), Some(Effect::None))),
            "{name}"
        );
        assert_eq!((calls(&trace)[0].denied, results(&trace)), (Some(false), vec!["hi".to_owned()]), "{name}");
    }
}

#[test]
fn a_blocked_prompt_is_a_success_without_turns() {
    let trace = open("2.1.332/g2_ups_block.jsonl");
    let [fire] = hooks(&trace) else { panic!("one firing") };
    assert_eq!((&*fire.event, fire.blocked, fire.effect), ("UserPromptSubmit", Some(true), Some(Effect::Prevented)));
    let result = trace.result().unwrap();
    assert_eq!((&*result.subtype, result.is_error, result.num_turns), ("success", false, Some(0)));
    assert_eq!(trace.turns(), Some(0));
}

#[test]
fn a_stop_hook_makes_the_agent_go_on() {
    let trace = open("2.1.332/g3_stop_block.jsonl");
    let seen: Vec<_> = hooks(&trace).iter().map(|fire| (&*fire.name, fire.blocked, fire.effect)).collect();
    assert_eq!(seen, [("Stop", Some(true), Some(Effect::Continued)), ("Stop", Some(false), Some(Effect::None))]);
    assert_eq!(replies(&trace), ["first stop", "second stop"]);
}

#[test]
fn without_hook_events_hooks_are_not_observed() {
    let path = "2.1.332/a_text.jsonl";
    let trace = open(path);
    assert!(trace.hooks().is_none());
    assert!(trace.hooks_partial());
    assert!(warns(&trace, "--include-hook-events"));
    // The caller knows better: then an empty list is an observation.
    let told = Open::default().hook_events(true).read_path(golden(path)).unwrap();
    assert_eq!((told.hooks().map(<[_]>::len), told.hooks_partial()), (Some(0), false));
    let told = Open::default().hook_events(false).read_path(golden(path)).unwrap();
    assert!(told.hooks().is_none());
}

#[test]
fn without_hook_events_only_session_start_is_told() {
    let path = "2.1.332/g1b_all_hooks_noevents.jsonl";
    let trace = open(path);
    let [start] = hooks(&trace) else { panic!("one firing") };
    assert_eq!((&*start.event, start.exit_code), ("SessionStart", Some(0)));
    assert!(trace.hooks_partial());
    assert!(warns(&trace, "no hook but SessionStart"));
    assert!(!open("2.1.332/g_all_hooks.jsonl").hooks_partial());
    assert!(Open::default().hook_events(false).read_path(golden(path)).unwrap().hooks().is_none());
}

#[test]
fn hooks_of_two_parallel_calls_of_one_tool_belong_to_no_call_for_certain() {
    let trace = open("2.1.332/t1_parallel_hooks.jsonl");
    assert_eq!(calls(&trace).len(), 2);
    let seen: Vec<_> = hooks(&trace).iter().map(|fire| (&*fire.name, fire.tool_use_id.as_deref())).collect();
    assert_eq!(seen, [("PreToolUse:Bash", None), ("PreToolUse:Bash", None)]);
}

#[test]
fn the_session_file_gives_hooks_their_command_call_and_duration() {
    for version in ["2.1.197", "2.1.332"] {
        let alone = open(&format!("{version}/g_all_hooks.jsonl"));
        assert!(hooks(&alone).iter().all(|fire| fire.command.is_none() && fire.duration_ms.is_none()));
        let trace = merged(version, "g_all_hooks");
        assert_eq!(hooks(&trace).len(), hooks(&alone).len(), "{version}: no firing is added or lost");
        let find = |name: &str| hooks(&trace).iter().find(|fire| &*fire.name == name).unwrap();
        assert_eq!(find("SessionStart:startup").command.as_deref(), Some("echo SS-CONTEXT-42"));
        assert_eq!(find("UserPromptSubmit").command.as_deref(), Some("echo UPS-CONTEXT-43"));
        assert!(find("UserPromptSubmit").tool_use_id.is_none(), "its id in the session file is random");
        let post = find("PostToolUse:Bash");
        assert_eq!(post.tool_use_id.as_deref(), Some("toolu_0001"));
        assert!(post.command.as_deref().unwrap().contains("PTU-CONTEXT-44"));
        assert!(post.duration_ms.unwrap() > 0.0);
        assert_eq!(trace.prompt(), Some("hello"), "only the session file tells the prompt");
    }
}

#[test]
fn the_session_file_alone_tells_hooks_that_blocked() {
    let trace = open("sessions/2.1.332/f1_pretool_exit2.jsonl");
    assert_eq!(trace.kind(), TraceKind::ClaudeSession);
    let [fire] = hooks(&trace) else { panic!("one firing") };
    assert_eq!((&*fire.name, fire.exit_code, fire.blocked), ("PreToolUse:Bash", Some(2), Some(true)));
    assert_eq!(fire.tool_use_id.as_deref(), Some("toolu_0001"));
    assert_eq!(trace.read(fire.stderr.as_ref().unwrap()).unwrap().trim(), "blocked by policy");
    assert!(trace.hooks_partial());
    assert!(trace.result().is_none(), "a session file has no result event");
    assert!(trace.complete());
}

#[test]
fn a_hook_that_timed_out_is_found_in_the_session_by_its_name_alone() {
    // The goldens keep no session of such a run: the records are in the form of the CLI's.
    let stream = bytes("2.1.332/f5_pretool_timeout_missing.jsonl");
    let id = "024edf93-7c58-4970-aed5-b2832c19ab4a";
    let record = |attachment: serde_json::Value| {
        serde_json::json!({"type": "attachment", "sessionId": id, "uuid": "u", "parentUuid": null, "attachment": attachment}).to_string()
    };
    let cancelled =
        record(serde_json::json!({"type": "hook_cancelled", "hookName": "PreToolUse:Bash", "hookEvent": "PreToolUse",
        "toolUseID": "toolu_0001", "command": "sleep 60", "timedOut": true, "timeoutMs": 1000, "durationMs": 1003}));
    let missing = record(
        serde_json::json!({"type": "hook_non_blocking_error", "hookName": "PreToolUse:Bash", "hookEvent": "PreToolUse",
        "toolUseID": "toolu_0001", "command": "./no-such-hook.sh", "exitCode": 127, "durationMs": 2, "stdout": "",
        "stderr": "/bin/sh: 1: ./no-such-hook.sh: not found"}),
    );
    let call = serde_json::json!({"type": "assistant", "sessionId": id, "message": {"id": "msg", "content": [
        {"type": "tool_use", "id": "toolu_0001", "name": "Bash", "input": {}}]}});
    let dir = tempfile::tempdir().unwrap();
    let session = dir.path().join("session.jsonl");
    std::fs::write(&session, format!("{call}\n{missing}\n{cancelled}\n")).unwrap();
    let trace = Open::default().session(session).read_bytes(stream.into_bytes()).unwrap();
    let seen: Vec<_> =
        hooks(&trace).iter().map(|fire| (fire.command.as_deref(), fire.duration_ms, fire.timed_out)).collect();
    assert_eq!(
        seen,
        [(Some("sleep 60"), Some(1003.0), Some(true)), (Some("./no-such-hook.sh"), Some(2.0), Some(false))]
    );
}

#[test]
fn a_session_has_its_subagents_in_files_beside_it() {
    for version in ["2.1.197", "2.1.332"] {
        let trace = open(&format!("sessions/{version}/i2_subagent_fg.jsonl"));
        let stream = open(&format!("{version}/i2_subagent_fg.jsonl"));
        assert_eq!(ids(&trace), ["toolu_0001", "toolu_sub1"], "{version}");
        assert_eq!(
            calls(&trace)[1].parent_id.as_deref(),
            Some("toolu_0001"),
            "the file names the agent, the trace the call"
        );
        let [agent] = trace.subagents().unwrap() else { panic!("{version}: one subagent") };
        assert_eq!(&*agent.name, "x");
        assert_eq!(trace.subagent_output(agent).unwrap().unwrap(), "SUB RESULT");
        assert_eq!((trace.turns(), replies(&trace)), (stream.turns(), replies(&stream)));
    }
}

#[test]
fn every_session_counts_turns_and_calls_as_its_stream_does() {
    for version in ["2.1.197", "2.1.332"] {
        for name in ["c_bash", "g_all_hooks", "i2_subagent_fg"] {
            let stream = open(&format!("{version}/{name}.jsonl"));
            let session = open(&format!("sessions/{version}/{name}.jsonl"));
            assert_eq!(session.turns(), stream.turns(), "{version} {name}");
            assert_eq!(ids(&session), ids(&stream), "{version} {name}");
            assert_eq!(results(&session), results(&stream), "{version} {name}");
            assert_eq!(session.session_id(), stream.session_id(), "{version} {name}");
        }
    }
}

/// A stream as it is without `--include-hook-events`: a golden without those lines.
fn without_hook_events(path: &str, keep: impl Fn(&str) -> bool) -> String {
    let stream = bytes(path);
    let kept = stream.lines().filter(|line| !line.contains("\"subtype\":\"hook_") || keep(line));
    kept.flat_map(|line| [line, "\n"]).collect()
}

#[test]
fn a_stream_without_hook_events_has_the_hooks_of_its_session_file() {
    for version in ["2.1.197", "2.1.332"] {
        let session = golden(&format!("sessions/{version}/g_all_hooks.jsonl"));
        let path = format!("{version}/g_all_hooks.jsonl");
        let alone = Trace::from_path(&session).unwrap();
        let names = |trace: &Trace| hooks(trace).iter().map(|fire| fire.name.to_string()).collect::<Vec<_>>();
        let is_start = |line: &str| line.contains("SessionStart");
        for stream in [without_hook_events(&path, |_| false), without_hook_events(&path, is_start)] {
            let trace = Open::default().session(&session).read_bytes(stream.into_bytes()).unwrap();
            assert_eq!(names(&trace), names(&alone), "{version}");
            assert!(hooks(&trace).len() > 1 && hooks(&trace).iter().all(|fire| fire.command.is_some()), "{version}");
            let post = hooks(&trace).iter().find(|fire| &*fire.event == "PostToolUse").unwrap();
            assert_eq!(post.tool_use_id.as_deref(), Some("toolu_0001"));
            let stdout = trace.read(post.stdout.as_ref().unwrap()).unwrap();
            assert!(stdout.contains("PTU-CONTEXT-44"), "{version}: its texts are those of the session: {stdout}");
            assert!(trace.hooks_partial() && warns(&trace, "hooks are those of the session file"), "{version}");
        }
        let whole = merged(version, "g_all_hooks");
        assert!(!whole.hooks_partial() && !warns(&whole, "hooks are those of the session file"));
    }
    // No record is no observation: the hook may have exited 0 without output.
    assert!(merged("2.1.332", "c_bash").hooks().is_none());
    // The caller knows that hook events were recorded: then no hook fired.
    let session = golden("sessions/2.1.332/g_all_hooks.jsonl");
    let stream = without_hook_events("2.1.332/g_all_hooks.jsonl", |_| false);
    let told = Open::default().hook_events(true).session(&session).read_bytes(stream.into_bytes()).unwrap();
    assert_eq!((hooks(&told).len(), told.hooks_partial()), (0, false));
}

#[test]
fn a_hook_whose_end_was_not_recorded_did_not_do_anything_for_certain() {
    let stream = bytes("2.1.332/f3_pretool_exit1.jsonl");
    let cut: String = stream
        .lines()
        .filter(|line| !line.contains("\"subtype\":\"hook_response\""))
        .flat_map(|line| [line, "\n"])
        .collect();
    let trace = Trace::from_slice(cut.as_bytes()).unwrap();
    let [fire] = hooks(&trace) else { panic!("one firing") };
    assert_eq!((&*fire.name, fire.blocked, fire.effect, fire.exit_code), ("PreToolUse:Bash", None, None, None));
    assert!(trace.complete() && warns(&trace, "1 hook(s) started and their end was not recorded"));
    assert!(!trace.field_json(Field::Hooks).unwrap().unwrap().contains("blocked"), "absent, not false");
    let again = Trace::from_json(&trace.to_json().unwrap()).unwrap();
    assert_eq!(hooks(&again)[0].blocked, None);
}

#[test]
fn a_session_file_tells_the_working_directory() {
    for version in ["2.1.197", "2.1.332"] {
        for name in ["c_bash", "i2_subagent_fg"] {
            let session = open(&format!("sessions/{version}/{name}.jsonl"));
            assert!(session.cwd().is_some_and(|cwd| cwd.starts_with('/')), "{version} {name}");
            assert_eq!(session.cwd(), open(&format!("{version}/{name}.jsonl")).cwd(), "{version} {name}");
        }
    }
}

#[test]
fn the_tokens_of_a_session_are_those_of_its_stream() {
    for version in ["2.1.197", "2.1.332"] {
        for name in ["c_bash", "g_all_hooks", "i2_subagent_fg"] {
            let tokens = |trace: Trace| {
                let usage = trace.usage().unwrap();
                (usage.input_tokens, usage.output_tokens, usage.cache_creation_tokens, usage.cache_read_tokens)
            };
            let stream = tokens(open(&format!("{version}/{name}.jsonl")));
            assert_eq!(tokens(open(&format!("sessions/{version}/{name}.jsonl"))), stream, "{version} {name}");
        }
    }
    let (session, stream) = (open("sessions/2.1.332/i2_subagent_fg.jsonl"), open("2.1.332/i2_subagent_fg.jsonl"));
    assert_close(cost(&session), cost(&stream));
}

/// Hand-made lines in the form of the CLI's: 20,000 firings of one hook, of which the even ones block.
#[test]
fn twenty_thousand_firings_are_merged_in_no_time() {
    use std::fmt::Write as _;
    const FIRINGS: usize = 20_000;
    let mut stream = String::from("{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"s\"}\n");
    let mut session = String::new();
    for n in 0..FIRINGS {
        let (exit, is_error) = if n % 2 == 0 { (2, true) } else { (0, false) };
        let call = |session: &str| {
            format!(
                r#"{{"type":"assistant",{session},"message":{{"id":"m{n}","content":[{{"type":"tool_use","id":"t{n}","name":"Bash","input":{{}}}}]}}}}"#
            )
        };
        let text = if is_error { "PreToolUse:Bash hook error: [guard]: no" } else { "ok" };
        let answer = |session: &str| {
            format!(
                r#"{{"type":"user",{session},"message":{{"content":[{{"type":"tool_result","tool_use_id":"t{n}","is_error":{is_error},"content":"{text}"}}]}}}}"#
            )
        };
        let id = r#""session_id":"s""#;
        writeln!(stream, "{}", call(id)).unwrap();
        writeln!(stream, r#"{{"type":"system","subtype":"hook_started",{id},"hook_id":"h{n}","hook_name":"PreToolUse:Bash","hook_event":"PreToolUse"}}"#).unwrap();
        writeln!(stream, r#"{{"type":"system","subtype":"hook_response",{id},"hook_id":"h{n}","hook_name":"PreToolUse:Bash","hook_event":"PreToolUse","exit_code":{exit},"stdout":"","stderr":"{}","outcome":"success"}}"#, if is_error { "no" } else { "" }).unwrap();
        writeln!(stream, "{}", answer(id)).unwrap();
        let id = r#""sessionId":"s""#;
        writeln!(session, "{}", call(id)).unwrap();
        if !is_error {
            writeln!(session, r#"{{"type":"attachment",{id},"attachment":{{"type":"hook_success","hookName":"PreToolUse:Bash","hookEvent":"PreToolUse","toolUseID":"t{n}","command":"guard","exitCode":0,"stdout":"","stderr":"","durationMs":{n}}}}}"#).unwrap();
        }
        writeln!(session, "{}", answer(id)).unwrap();
    }
    stream.push_str("{\"type\":\"result\",\"subtype\":\"success\",\"session_id\":\"s\"}\n");
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("session.jsonl");
    std::fs::write(&path, session).unwrap();
    let start = std::time::Instant::now();
    let trace = Open::default().session(&path).read_bytes(stream.into_bytes()).unwrap();
    let took = start.elapsed();
    assert_eq!(hooks(&trace).len(), FIRINGS);
    for (n, fire) in hooks(&trace).iter().enumerate() {
        assert_eq!((fire.command.as_deref(), fire.tool_use_id.as_deref()), (Some("guard"), Some(&*format!("t{n}"))));
    }
    assert_eq!(hooks(&trace)[19_999].duration_ms, Some(19_999.0));
    assert!(took < std::time::Duration::from_secs(10), "took {took:?}: each firing looks at all others");
}

#[test]
fn a_session_beside_what_is_no_stream_is_refused() {
    let session = golden("sessions/2.1.332/c_bash.jsonl");
    for (path, kind) in
        [(golden("../codex/0.171.0/shell_ok.jsonl"), "codex-exec-json"), (session.clone(), "claude-session")]
    {
        let error = Open::default().session(&session).read_path(path).unwrap_err();
        assert_eq!(error.code(), "VIGILES_TRACE_SESSION_MISMATCH", "{error}");
        assert!(error.to_string().contains(kind) && error.to_string().contains("c_bash.jsonl"), "{error}");
    }
    let plain = Open::default().session(&session).read_bytes(b"{\"toolCalls\":[]}".to_vec()).unwrap_err();
    assert!(matches!(plain, TraceError::NoSession { kind: "plain", .. }), "{plain}");
}

#[test]
fn a_session_of_another_run_is_refused() {
    let other = golden("sessions/2.1.332/c_bash.jsonl");
    let error = Open::default().session(&other).read_path(golden("2.1.332/g_all_hooks.jsonl")).unwrap_err();
    assert_eq!(error.code(), "VIGILES_TRACE_SESSION_MISMATCH");
    let TraceError::SessionMismatch { path, expected, seen } = error else { panic!("{error}") };
    assert_eq!((path, &*expected), (other, "cb800bd1-e39f-4c52-b6d8-88bfc4b176c2"));
    assert_ne!(seen, expected);
}

#[test]
fn something_else_in_place_of_the_session_is_refused() {
    let stream = golden("2.1.332/g_all_hooks.jsonl");
    let error = Open::default().session(&stream).read_path(&stream).unwrap_err();
    assert_eq!(error.code(), "VIGILES_TRACE_NOT_A_SESSION", "{error}");
    assert!(error.to_string().contains("claude-stream-json"), "{error}");
    let error = Open::default().session(golden("2.1.332/none.jsonl")).read_path(&stream).unwrap_err();
    assert_eq!(error.code(), "VIGILES_TRACE_NOT_FOUND", "{error}");
}

#[test]
fn broken_lines_of_the_session_are_counted_too() {
    let session = bytes("sessions/2.1.332/g_all_hooks.jsonl");
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("session.jsonl");
    std::fs::write(&path, format!("{session}{{broken\n\"half \\ud83d\"\n{{\"type\":\"us")).unwrap();
    let trace = Open::default().session(&path).read_path(golden("2.1.332/g_all_hooks.jsonl")).unwrap();
    let lines = session.lines().count() as u64;
    let seen: Vec<_> = trace.parse_errors().iter().map(|error| error.line).collect();
    assert_eq!(seen, [lines + 1, lines + 3]);
    assert!(
        trace.parse_errors().iter().all(|error| error.reason.contains("session.jsonl")),
        "{:?}",
        trace.parse_errors()
    );
    assert!(warns(&trace, "surrogate"), "{:?}", trace.warnings());
}

#[test]
fn the_result_alone_observes_nothing_but_the_result() {
    let trace = open("2.1.332/v5_json_output.jsonl");
    assert_eq!(trace.kind(), TraceKind::ClaudeJson);
    assert!(trace.tool_calls().is_none() && trace.hooks().is_none() && trace.turns().is_none());
    assert!(trace.replies().is_none() && trace.subagents().is_none());
    assert_eq!(trace.output(), Some("x"));
    assert_eq!(trace.result().unwrap().num_turns, Some(2));
    assert!(warns(&trace, "--output-format stream-json"));
}

#[test]
fn an_array_of_events_reads_as_the_stream() {
    let stream = bytes("2.1.332/e_parallel.jsonl");
    let array = format!("[{}]", stream.lines().collect::<Vec<_>>().join(","));
    let pretty = serde_json::to_string_pretty(&serde_json::from_str::<serde_json::Value>(&array).unwrap()).unwrap();
    let expected = open("2.1.332/e_parallel.jsonl");
    for document in
        [array.clone(), format!("{array}\n"), pretty.clone(), format!("\u{feff}{array}"), format!("\u{feff}{pretty}")]
    {
        let trace = Trace::from_slice(document.as_bytes()).unwrap();
        assert_eq!(trace.kind(), TraceKind::ClaudeJson);
        assert_eq!((ids(&trace), results(&trace)), (ids(&expected), results(&expected)));
        assert_eq!((trace.turns(), trace.output()), (expected.turns(), expected.output()));
    }
}

#[test]
fn a_large_output_is_told_as_the_cli_tells_it() {
    let trace = open("2.1.332/v4_big_output.jsonl");
    assert!(results(&trace).iter().any(|text| text.contains("<persisted-output>")));
}

#[test]
fn a_result_of_blocks_is_its_texts() {
    let trace = open("2.1.332/j1_mcp.jsonl");
    assert_eq!(&*calls(&trace)[0].name, "mcp__demo__echo");
    assert_eq!(results(&trace)[0], "ECHO:yo");
    assert_eq!(calls(&trace)[1].is_error, Some(true));
    let servers = trace.mcp_servers().unwrap();
    assert!(servers.iter().any(|server| (&*server.name, &*server.status) == ("demo", "connected")), "{servers:?}");
}

#[test]
fn an_unknown_session_to_resume_gives_a_result_alone() {
    let trace = open("2.1.332/x6_resume_unknown.jsonl");
    let result = trace.result().unwrap();
    assert_eq!((&*result.subtype, result.is_error), ("error_during_execution", true));
    assert_eq!(result.errors, ["No conversation found with session ID: 33333333-3333-4333-8333-333333333333"]);
    assert!(trace.tool_calls().is_none(), "no call was observed, and none was not");
}
