//! A plain object in place of a recorded trace: what is absent was not observed, what has the wrong shape is named.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde_json::json;
use vigiles::hook::Effect;
use vigiles::trace::{Open, Trace, TraceKind};

fn read(value: &serde_json::Value) -> Trace {
    Trace::from_json(&value.to_string()).unwrap()
}

#[test]
fn an_absent_field_was_not_observed() {
    let trace = read(&json!({}));
    assert_eq!(trace.kind(), TraceKind::Plain);
    assert!(trace.tool_calls().is_none() && trace.hooks().is_none() && trace.output().is_none());
    assert!(trace.replies().is_none() && trace.model_requests().is_none() && trace.turns().is_none());
    assert!(trace.subagents().is_none() && trace.usage().is_none() && trace.permission_denials().is_none());
    assert!(trace.result().is_none() && trace.skills().is_none() && trace.mcp_servers().is_none());
    assert!(
        trace.model().is_none() && trace.session_id().is_none() && trace.prompt().is_none() && trace.cwd().is_none()
    );
    assert!(trace.files_written().is_none() && trace.work_dir().is_none());
    assert!(trace.warnings().is_empty() && trace.parse_errors().is_empty());
    assert!(trace.complete(), "an object made by hand is whole unless it says otherwise");
    assert_eq!(trace.file("a.txt").unwrap_err().code(), "VIGILES_NOT_OBSERVED");
}

#[test]
fn null_is_absent_and_an_empty_list_is_not() {
    let trace = read(&json!({"toolCalls": null, "hooks": [], "output": null, "replies": []}));
    assert!(trace.tool_calls().is_none() && trace.output().is_none());
    assert_eq!((trace.hooks().map(<[_]>::len), trace.replies().map(<[_]>::len)), (Some(0), Some(0)));
}

#[test]
fn every_field_is_read() {
    let trace = read(&json!({
        "toolCalls": [{"id": "t1", "name": "Bash", "input": {"command": "ls"}, "resultText": "a\n", "isError": false, "denied": true, "turn": 2}],
        "hooks": [{"name": "PreToolUse:Bash", "event": "PreToolUse", "exitCode": 2, "blocked": true, "stderr": "no", "toolUseId": "t1",
            "command": "guard", "durationMs": 1.5, "timedOut": false, "outcome": "error", "stdout": "", "output": "no"}],
        "output": "done", "replies": ["one", "done"], "turns": 3,
        "modelRequests": [{"system": [{"type": "text", "text": "be"}, {"type": "text", "text": "brief"}],
            "messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "text": "ho"}], "sideChannel": true}],
        "usage": {"costUsd": 0.5, "durationMs": 20, "inputTokens": 1, "outputTokens": 2, "cacheCreationTokens": 3, "cacheReadTokens": 4},
        "permissionDenials": [{"toolName": "Bash", "toolUseId": "t1", "toolInput": {"command": "ls"}}],
        "result": {"subtype": "success", "isError": true, "terminalReason": "api_error", "apiErrorStatus": 429, "numTurns": 4, "errors": ["e"]},
        "parseErrors": [{"line": 7, "reason": "r"}], "hooksPartial": true,
        "skills": ["greet"], "mcpServers": [{"name": "demo", "status": "failed"}], "model": "m", "sessionId": "s", "prompt": "p", "cwd": "/w",
        "filesWritten": ["a.txt"], "warnings": ["w"], "complete": false, "files": {"a.txt": "text", "gone.txt": null},
    }));
    let call = &trace.tool_calls().unwrap()[0];
    assert_eq!(
        (&*call.id, &*call.name, call.is_error, call.denied, call.turn),
        ("t1", "Bash", Some(false), Some(true), Some(2))
    );
    assert_eq!(trace.input(call).unwrap(), json!({"command": "ls"}));
    assert_eq!(trace.result_text(call).unwrap().unwrap(), "a\n");
    let fire = &trace.hooks().unwrap()[0];
    assert_eq!(
        (&*fire.event, fire.exit_code, fire.blocked, fire.effect),
        ("PreToolUse", Some(2), Some(true), Some(Effect::Prevented))
    );
    assert_eq!(
        (fire.command.as_deref(), fire.duration_ms, fire.tool_use_id.as_deref()),
        (Some("guard"), Some(1.5), Some("t1"))
    );
    let request = &trace.model_requests().unwrap()[0];
    assert_eq!((&*request.system, request.side_channel), ("be\nbrief", true));
    assert_eq!(request.messages.iter().map(|message| &*message.text).collect::<Vec<_>>(), ["hi", "ho"]);
    let usage = trace.usage().unwrap();
    assert_eq!((usage.cost_usd, usage.cache_creation_tokens, usage.cache_read_tokens), (Some(0.5), Some(3), Some(4)));
    assert_eq!(&*trace.permission_denials().unwrap()[0].tool_use_id, "t1");
    let result = trace.result().unwrap();
    assert_eq!((result.is_error, result.api_error_status, result.num_turns), (true, Some(429), Some(4)));
    assert_eq!(&*trace.mcp_servers().unwrap()[0].status, "failed");
    assert_eq!(
        (trace.model(), trace.session_id(), trace.prompt(), trace.cwd()),
        (Some("m"), Some("s"), Some("p"), Some("/w"))
    );
    assert_eq!((trace.files_written().unwrap(), trace.warnings()), (&["a.txt".to_owned()][..], &["w".to_owned()][..]));
    assert_eq!((trace.turns(), trace.output(), trace.complete()), (Some(3), Some("done"), false));
    assert_eq!((trace.parse_errors()[0].line, &*trace.parse_errors()[0].reason), (7, "r"));
    assert!(trace.hooks_partial());
    assert_eq!(trace.file("a.txt").unwrap().as_deref(), Some("text"));
    assert_eq!(trace.file("gone.txt").unwrap(), None);
    assert_eq!(trace.file("never-told.txt").unwrap_err().code(), "VIGILES_NOT_OBSERVED");
}

#[test]
fn a_wrong_type_is_an_error_that_names_the_field() {
    let wrong = [
        (json!({"toolCalls": "none"}), "toolCalls"),
        (json!({"toolCalls": [{"name": 7}]}), "toolCalls[0].name"),
        (json!({"toolCalls": [{"name": "Bash"}, {"id": "t1"}]}), "toolCalls[1]"),
        (json!({"toolCalls": [{"name": "Bash", "isError": "no"}]}), "toolCalls[0].isError"),
        (json!({"toolCalls": [{"name": "Bash", "resultText": ["a"]}]}), "toolCalls[0].resultText"),
        (json!({"toolCalls": [{"name": "Bash", "turn": -1}]}), "toolCalls[0].turn"),
        (json!({"hooks": {}}), "hooks"),
        (json!({"hooks": [{"exitCode": "2"}]}), "hooks[0].exitCode"),
        (json!({"output": ["a"]}), "output"),
        (json!({"replies": "a"}), "replies"),
        (json!({"replies": ["a", 1]}), "replies[1]"),
        (json!({"turns": "3"}), "turns"),
        (json!({"turns": 1.5}), "turns"),
        (json!({"usage": {"costUsd": "free"}}), "usage.costUsd"),
        (json!({"usage": {"inputTokens": -1}}), "usage.inputTokens"),
        (json!({"subagents": [{"subagents": [{"toolCalls": 1}]}]}), "subagents[0].subagents[0].toolCalls"),
        (json!({"result": {"isError": 1}}), "result.isError"),
        (json!({"skills": [1]}), "skills[0]"),
        (json!({"mcpServers": [{"status": "connected"}]}), "mcpServers[0]"),
        (json!({"modelRequests": [{"messages": [{"role": 1}]}]}), "modelRequests[0].messages[0].role"),
        (json!({"permissionDenials": [{"toolName": []}]}), "permissionDenials[0].toolName"),
        (json!({"complete": "yes"}), "complete"),
        (json!({"filesWritten": {}}), "filesWritten"),
        (json!({"files": {"a.txt": 1}}), "files.a.txt"),
    ];
    for (value, field) in wrong {
        let error = Trace::from_json(&value.to_string()).unwrap_err();
        assert_eq!(error.code(), "VIGILES_TRACE_INVALID");
        assert!(error.to_string().contains(&format!("`{field}`")), "expected `{field}` of {value} in: {error}");
    }
}

#[test]
fn text_that_is_no_object() {
    for text in ["{", "{\"turns\":1", "{} {}", "\u{feff}{}", "nope", "[", "true false"] {
        let error = Trace::from_json(text).unwrap_err();
        assert_eq!(error.code(), "VIGILES_TRACE_INVALID", "{text}");
    }
    assert!(!Trace::from_json("nope").unwrap_err().to_string().contains("it is null"));
    let seen = [
        ("", "empty"),
        (" []", "an array"),
        ("\n\"text\"", "a string"),
        ("-7", "a number"),
        ("true", "a boolean"),
        ("null", "null"),
    ];
    for (text, seen) in seen {
        let error = Trace::from_json(text).unwrap_err();
        let expected = format!("expected an object with the fields of a trace, but it is {seen}");
        assert_eq!((error.code(), error.to_string()), ("VIGILES_TRACE_INVALID", expected), "{text}");
    }
}

#[test]
fn unknown_fields_are_the_users_own() {
    let trace = read(
        &json!({"mine": {"a": [1]}, "turns": 1, "toolCalls": [{"name": "Bash", "note": "x"}], "usage": {"seconds": 3}}),
    );
    assert_eq!((trace.turns(), trace.tool_calls().map(<[_]>::len)), (Some(1), Some(1)));
}

#[test]
fn a_call_needs_a_name_alone() {
    let trace = read(&json!({"toolCalls": [{"name": "Bash"}]}));
    let call = &trace.tool_calls().unwrap()[0];
    assert_eq!(
        (&*call.id, call.is_error, call.denied, call.turn, call.parent_id.as_deref()),
        ("", None, None, None, None)
    );
    assert_eq!((trace.input(call).unwrap(), trace.result_text(call).unwrap()), (json!({}), None));
}

#[test]
fn what_a_hook_did_is_worked_out_where_it_is_not_told() {
    let trace = read(&json!({"hooks": [
        {"name": "PreToolUse:Bash", "exitCode": 2},
        {"event": "PreToolUse", "exitCode": 0, "stdout": "{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"deny\"}}"},
        {"event": "PreToolUse", "exitCode": 1},
        {"event": "PreToolUse", "exitCode": 2, "blocked": false},
        {"event": "PreToolUse"},
    ]}));
    let seen: Vec<_> = trace.hooks().unwrap().iter().map(|fire| (&*fire.event, fire.blocked, fire.effect)).collect();
    assert_eq!(
        seen,
        [
            ("PreToolUse", Some(true), Some(Effect::Prevented)),
            ("PreToolUse", Some(true), Some(Effect::Prevented)),
            ("PreToolUse", Some(false), Some(Effect::None)),
            // What was recorded wins, and then nobody knows what the CLI did.
            ("PreToolUse", Some(false), None),
            // Nothing tells how it ended.
            ("PreToolUse", None, None),
        ]
    );
}

#[test]
fn calls_of_nested_subagents_join_the_list() {
    let trace = read(&json!({
        "toolCalls": [{"id": "a", "name": "Agent"}, {"id": "b", "name": "Read", "parentId": "a"}],
        "subagents": [
            {"id": "a", "name": "outer", "output": "report", "toolCalls": [{"id": "b", "name": "Read"}, {"name": "Bash"}], "subagents": [
                {"id": "c", "name": "inner", "toolCalls": [{"id": "d", "name": "Write"}]},
            ]},
            {"name": "silent"},
        ],
    }));
    let calls = trace.tool_calls().unwrap();
    assert_eq!(calls.iter().map(|call| &*call.name).collect::<Vec<_>>(), ["Agent", "Read", "Bash", "Write"]);
    assert_eq!(
        calls.iter().map(|call| call.parent_id.as_deref()).collect::<Vec<_>>(),
        [None, Some("a"), Some("a"), Some("c")]
    );
    let [outer, silent] = trace.subagents().unwrap() else { panic!("two subagents") };
    assert_eq!(outer.calls.as_deref(), Some(&[1, 2][..]), "a call in both lists is one call");
    assert_eq!(trace.subagent_output(outer).unwrap().unwrap(), "report");
    assert_eq!((&*outer.subagents[0].name, outer.subagents[0].calls.as_deref()), ("inner", Some(&[3][..])));
    assert_eq!((silent.calls.as_deref(), trace.subagent_output(silent).unwrap()), (None, None), "not observed");
    let alone = read(&json!({"subagents": [{"id": "a", "name": "x", "toolCalls": [{"name": "Bash"}]}]}));
    assert_eq!(alone.tool_calls().map(<[_]>::len), Some(1));
}

#[test]
fn calls_without_ids_are_not_doubled_by_writing_and_reading() {
    let trace = read(&json!({"toolCalls": [{"name": "Agent"}], "subagents": [
        {"id": "a", "toolCalls": [{"name": "Bash"}, {"name": "Bash"}, {"name": "Read"}]},
        {"name": "nameless", "toolCalls": [{"name": "Bash"}]},
    ]}));
    let names =
        |trace: &Trace| trace.tool_calls().unwrap().iter().map(|call| call.name.to_string()).collect::<Vec<_>>();
    assert_eq!(names(&trace), ["Agent", "Bash", "Bash", "Read", "Bash"]);
    let again = Trace::from_json(&trace.to_json().unwrap()).unwrap();
    assert_eq!(names(&again), names(&trace));
    assert_eq!(again.subagents(), trace.subagents());
}

#[test]
fn nesting_without_end_is_refused() {
    let deep = format!("{{\"subagents\":[{}{}]}}", "{\"subagents\":[".repeat(10_000), "]}".repeat(10_000));
    assert_eq!(Trace::from_json(&deep).unwrap_err().code(), "VIGILES_TRACE_INVALID");
    let input = format!(
        "{{\"toolCalls\":[{{\"name\":\"Bash\",\"input\":{{\"a\":{}{}}}}}]}}",
        "[".repeat(10_000),
        "]".repeat(10_000)
    );
    let trace = Trace::from_json(&input).unwrap();
    assert!(
        trace.input(&trace.tool_calls().unwrap()[0]).unwrap()["a"].is_array(),
        "arguments may be as deep as they like"
    );
}

#[test]
fn a_lone_surrogate_from_javascript() {
    // JSON.stringify writes half a pair as an escape.
    let trace = Trace::from_json(
        r#"{"output":"cut \ud83d","toolCalls":[{"name":"Bash","input":{"command":"\ude00"},"resultText":"\ud83d"}]}"#,
    )
    .unwrap();
    assert_eq!(trace.output(), Some("cut \u{fffd}"));
    let call = &trace.tool_calls().unwrap()[0];
    assert_eq!(trace.input(call).unwrap()["command"], "\u{fffd}");
    assert_eq!(trace.result_text(call).unwrap().unwrap(), "\u{fffd}");
}

/// `to_json` of a trace, in a file.
fn written(json: &str) -> (tempfile::TempDir, std::path::PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("trace.json");
    std::fs::write(&path, json).unwrap();
    (dir, path)
}

#[test]
fn what_to_json_wrote_is_read_from_a_file_and_from_bytes() {
    let goldens = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/fixtures/golden");
    for golden in [
        "claude/2.1.332/g_all_hooks.jsonl",
        "claude/2.1.332/g1b_all_hooks_noevents.jsonl",
        "claude/2.1.332/n5_truncated_last_line.jsonl",
        "claude/2.1.332/v5_json_output.jsonl",
        "claude/sessions/2.1.332/i2_subagent_fg.jsonl",
        "codex/0.171.0/denied_full.jsonl",
    ] {
        let trace = Trace::from_path(goldens.join(golden)).unwrap();
        let json = trace.to_json().unwrap();
        let pretty = serde_json::to_string_pretty(&serde_json::from_str::<serde_json::Value>(&json).unwrap()).unwrap();
        for text in [&json, &pretty, &format!("\u{feff}{json}\n")] {
            let (_dir, path) = written(text);
            for again in [Trace::from_path(&path).unwrap(), Trace::from_slice(text.as_bytes()).unwrap()] {
                assert_eq!(again.kind(), TraceKind::Plain, "{golden}");
                let mut expected: serde_json::Value = serde_json::from_str(&json).unwrap();
                expected["kind"] = "plain".into();
                let seen: serde_json::Value = serde_json::from_str(&again.to_json().unwrap()).unwrap();
                assert_eq!(seen, expected, "{golden}");
                assert_eq!(again.parse_errors(), trace.parse_errors(), "{golden}");
                let partial = trace.hooks_partial() && trace.hooks().is_some();
                assert_eq!(again.hooks_partial(), partial, "{golden}: what may be missing is still said");
            }
        }
    }
}

#[test]
fn a_plain_object_in_a_file_is_read_with_its_files_or_a_work_dir() {
    let (dir, path) = written(r#"{"toolCalls": [{"name": "Bash"}], "files": {"a.txt": "told"}}"#);
    std::fs::write(dir.path().join("a.txt"), "on disk").unwrap();
    assert_eq!(Trace::from_path(&path).unwrap().file("a.txt").unwrap().as_deref(), Some("told"));
    let trace = Open::default().work_dir(dir.path()).read_path(&path).unwrap();
    assert_eq!(trace.file("a.txt").unwrap().as_deref(), Some("on disk"));
    assert_eq!(trace.tool_calls().map(<[_]>::len), Some(1));
}

#[test]
fn an_object_that_is_no_trace_stays_unknown_and_a_wrong_field_is_named() {
    for text in ["{\"output\": \"done\"}", "{\"kind\": \"other\"}", "[{\"toolCalls\": []}]", "{\"toolCalls\": []}\n{}"]
    {
        assert_eq!(Trace::from_slice(text.as_bytes()).unwrap_err().code(), "VIGILES_TRACE_UNKNOWN_KIND", "{text}");
    }
    let error = Trace::from_slice(br#"{"toolCalls": "none"}"#).unwrap_err();
    assert_eq!(error.code(), "VIGILES_TRACE_INVALID");
    assert!(error.to_string().contains("`toolCalls`"), "{error}");
}
