//! Who asks: headers and body decide.

use serde_json::{Value, json};
use vigiles::model::Script;
use vigiles::trace::RequestKind;

use super::client::{Ask, CLAUDE, send, start};

const AGENT_ID: (&str, &str) = ("x-claude-code-agent-id", "a1");

fn own_tool() -> Value {
    json!([{ "name": "Bash", "input_schema": {} }])
}

async fn kind_of(agent: Option<&str>, header: Option<(&'static str, &str)>, body: &Value) -> RequestKind {
    let server = start(Script::default()).await;
    let mut ask = Ask::json(body);
    if let Some(agent) = agent {
        ask = ask.from(agent);
    }
    if let Some((name, value)) = header {
        ask = ask.header(name, value);
    }
    send(&server, ask).await;
    let request = server.request(0).unwrap();
    let flat = request.flat();
    assert_eq!(flat.kind, Some(request.kind()));
    assert_eq!(flat.side_channel, request.kind().is_side_channel());
    assert_eq!(server.report().side_requests, usize::from(flat.side_channel));
    request.kind()
}

#[tokio::test]
async fn requests_of_claude_code() {
    use RequestKind::{Classifier, Main, Other, PromptHook, Title, WebSearch};

    let title = json!({ "type": "json_schema", "schema": { "properties": { "title": { "type": "string" } } } });
    let verdict = json!({ "type": "json_schema", "schema": { "properties": { "ok": { "type": "boolean" } } } });
    let hook = json!([{ "type": "text", "text": "You are evaluating a hook in Claude Code." }]);
    let monitor = json!([{ "type": "text", "text": "You are a security monitor for agents." }]);
    let table = [
        ("the main loop", json!({ "stream": true, "tools": own_tool() }), Main),
        ("a second try after 404 does not stream", json!({ "tools": own_tool() }), Main),
        ("a custom tool", json!({ "stream": true, "tools": [{ "type": "custom", "name": "x" }] }), Main),
        (
            "an own tool beside one of the server",
            json!({ "stream": true, "tools": [{ "type": "web_search_20250305", "name": "web_search" }, { "name": "Bash" }] }),
            Main,
        ),
        ("a tool whose type is null", json!({ "stream": true, "tools": [{ "name": "x", "type": null }] }), Main),
        ("no tools: --tools \"\"", json!({ "stream": true, "tools": [] }), Main),
        ("no tools, thinking on", json!({ "stream": true, "tools": [], "thinking": { "type": "enabled" } }), Main),
        ("no tools at all", json!({ "stream": true }), Main),
        (
            "a format and tools",
            json!({ "stream": true, "tools": own_tool(), "output_config": { "format": verdict } }),
            Main,
        ),
        (
            "a title",
            json!({ "stream": true, "tools": [], "thinking": { "type": "disabled" }, "output_config": { "format": title } }),
            Title,
        ),
        (
            "a prompt hook",
            json!({ "stream": true, "tools": [], "system": hook, "output_config": { "format": verdict } }),
            PromptHook,
        ),
        (
            "a prompt hook that does not stream",
            json!({ "tools": [], "system": "You are evaluating a hook in Claude Code." }),
            PromptHook,
        ),
        (
            "a web search",
            json!({ "stream": true, "tools": [{ "type": "web_search_20250305", "name": "web_search" }] }),
            WebSearch,
        ),
        ("the classifier", json!({ "max_tokens": 64, "system": monitor }), Classifier),
        ("thinking off, no format", json!({ "stream": true, "tools": [], "thinking": { "type": "disabled" } }), Other),
        ("no stream, no tools", json!({ "system": "Something new." }), Other),
        (
            "another tool of the server",
            json!({ "stream": true, "tools": [{ "type": "code_execution_20250825" }] }),
            Other,
        ),
        ("an empty object", json!({}), Other),
    ];
    for (what, body, expected) in table {
        assert_eq!(kind_of(Some(CLAUDE), None, &body).await, expected, "{what}");
        assert_eq!(
            kind_of(Some(CLAUDE), Some(AGENT_ID), &body).await,
            RequestKind::Subagent,
            "{what} with an agent id"
        );
        assert_eq!(kind_of(None, None, &body).await, Main, "{what} from no named client");
        let sdk = Some("Anthropic/JS 0.90.0 (not claude-cli/2.1)");
        assert_eq!(kind_of(sdk, None, &body).await, Main, "{what} from an SDK");
    }
}

/// A shape that nobody sends must not take the server down.
#[tokio::test]
async fn odd_shapes() {
    for body in [
        json!({ "tools": "Bash", "system": 7, "messages": {}, "output_config": [], "thinking": true, "stream": "yes" }),
        json!({ "tools": { "name": "Bash" }, "stream": true }),
        json!({ "tools": [null, 3, "x", [], {}], "stream": true, "messages": [null, 3, "x", []] }),
        json!({ "": "", "model": { "a": [1] } }),
    ] {
        let kind = kind_of(Some(CLAUDE), None, &body).await;
        assert!(matches!(kind, RequestKind::Main | RequestKind::Other), "{body}: {kind:?}");
    }
}
