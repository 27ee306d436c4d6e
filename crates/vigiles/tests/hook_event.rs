//! The events hooks read.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use serde_json::{Map, Value, json};
use vigiles::hook::{EventContext, FileToolEventOptions, claude_code, codex, file_tool_events, project_root};

fn keys(event: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = event.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

#[test]
fn claude_code_tool_events_have_the_measured_fields() {
    let context = EventContext::new("/home/dev/proj");
    let event = claude_code::pre_tool_use(&context, "Bash", &json!({ "command": "ls" }));
    assert_eq!(
        event,
        json!({
            "session_id": "00000000-0000-4000-8000-000000000001",
            "transcript_path": "/home/dev/proj/.vigiles/transcript.jsonl",
            "cwd": "/home/dev/proj",
            "prompt_id": "00000000-0000-4000-8000-000000000003",
            "permission_mode": "default",
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": { "command": "ls" },
            "tool_use_id": "toolu_0001",
        })
    );
    let after = claude_code::post_tool_use(&context, "Bash", &json!({}), &json!({ "stdout": "x" }));
    assert_eq!(after["tool_response"]["stdout"], "x");
    assert_eq!(after["hook_event_name"], "PostToolUse");
}

#[test]
fn codex_events_have_the_measured_fields() {
    let context = EventContext::new("/p");
    let shared = ["cwd", "hook_event_name", "session_id", "transcript_path"];
    let with = |more: &[&'static str]| {
        let mut all: Vec<&str> = shared.iter().chain(more).copied().collect();
        all.sort_unstable();
        all
    };
    let tool = ["model", "permission_mode", "turn_id", "tool_name", "tool_input", "tool_use_id"];
    assert_eq!(keys(&codex::pre_tool_use(&context, "Bash", &json!({}))), with(&tool));
    assert_eq!(
        keys(&codex::post_tool_use(&context, "Bash", &json!({}), &json!("out"))),
        with(&[&tool[..], &["tool_response"]].concat())
    );
    assert_eq!(keys(&codex::session_start(&context, "startup")), with(&["model", "permission_mode", "source"]));
    assert_eq!(keys(&codex::session_end(&context, "other")), with(&["reason"]));
    assert_eq!(
        keys(&codex::stop(&context, true, "done")),
        with(&["model", "permission_mode", "turn_id", "stop_hook_active", "last_assistant_message"])
    );
}

#[test]
fn every_builder_names_its_event() {
    let context = EventContext::new("/p");
    let none = json!({});
    for (event, name) in [
        (claude_code::session_start(&context, "startup"), "SessionStart"),
        (claude_code::user_prompt_submit(&context, "hi"), "UserPromptSubmit"),
        (claude_code::post_tool_use_failure(&context, "Bash", &none, "Exit code 1"), "PostToolUseFailure"),
        (claude_code::permission_request(&context, "Bash", &none), "PermissionRequest"),
        (claude_code::notification(&context, "hey", "idle_prompt"), "Notification"),
        (claude_code::stop(&context, false, "bye"), "Stop"),
        (claude_code::subagent_start(&context, "a1", "Explore"), "SubagentStart"),
        (claude_code::subagent_stop(&context, false, "a1", "Explore", "bye"), "SubagentStop"),
        (claude_code::pre_compact(&context, "manual", ""), "PreCompact"),
        (claude_code::session_end(&context, "other"), "SessionEnd"),
        (codex::user_prompt_submit(&context, "hi"), "UserPromptSubmit"),
        (codex::subagent_start(&context, "a1", "worker"), "SubagentStart"),
        (codex::subagent_stop(&context, false, "a1", "worker", "bye"), "SubagentStop"),
    ] {
        assert_eq!(event["hook_event_name"], name);
        assert_eq!(event["cwd"], "/p");
    }
}

fn paths(path: &str, root: &str) -> [String; 2] {
    file_tool_events(path, root, &FileToolEventOptions::default())
        .map(|event| event["tool_input"]["file_path"].as_str().unwrap().to_owned())
}

#[test]
fn a_file_is_sent_in_both_spellings() {
    assert_eq!(paths("src/a.ts", "/p"), ["src/a.ts", "/p/src/a.ts"]);
    assert_eq!(paths("./src/a.ts", "/p/"), ["src/a.ts", "/p/src/a.ts"]);
    assert_eq!(paths(".\\src\\a.ts", "/p///"), ["src/a.ts", "/p/src/a.ts"]);
    assert_eq!(paths("/p/src/a.ts", "/p"), ["src/a.ts", "/p/src/a.ts"]);
    assert_eq!(paths("/other/a.ts", "/p"), ["/other/a.ts", "/other/a.ts"]);
    assert_eq!(paths("/pq/a.ts", "/p"), ["/pq/a.ts", "/pq/a.ts"]);
    assert_eq!(paths("a.ts", "/"), ["a.ts", "/a.ts"]);
    assert_eq!(paths("a.ts", "C:\\"), ["a.ts", "C:/a.ts"]);
    assert_eq!(paths("a.ts", "C:\\p\\"), ["a.ts", "C:/p/a.ts"]);
}

#[test]
fn options_add_but_never_replace_what_the_event_is_about() {
    let fields = |value: Value| value.as_object().cloned().unwrap_or_else(Map::new);
    let options = FileToolEventOptions {
        event: Some("PreToolUse"),
        tool: Some("Write"),
        input: fields(json!({ "content": "x", "file_path": "ignored" })),
        extra: fields(
            json!({ "session_id": "s", "cwd": "ignored", "tool_name": "ignored", "hook_event_name": "ignored" }),
        ),
    };
    let [relative, _] = file_tool_events("a.ts", "/p", &options);
    assert_eq!(
        relative,
        json!({
            "session_id": "s",
            "cwd": "/p",
            "hook_event_name": "PreToolUse",
            "tool_name": "Write",
            "tool_input": { "content": "x", "file_path": "a.ts" },
        })
    );
    let [default, _] = file_tool_events("a.ts", "/p", &FileToolEventOptions::default());
    assert_eq!((&default["hook_event_name"], &default["tool_name"]), (&json!("PostToolUse"), &json!("Edit")));
}

#[test]
fn the_root_is_the_first_absolute_candidate() {
    assert_eq!(project_root(Some("/a"), Some("/b"), "/c"), "/a");
    assert_eq!(project_root(Some("rel"), Some("/b"), "/c"), "/b");
    assert_eq!(project_root(Some(" "), Some(""), "/c"), "/c");
    assert_eq!(project_root(None, Some("C:\\p"), "/c"), "C:\\p");
    assert_eq!(project_root(None, None, "/c"), "/c");
}
