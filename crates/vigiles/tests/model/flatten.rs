//! What the model is told, as text.

use serde_json::{Value, json};
use vigiles::model::{Script, Turn};
use vigiles::trace::ModelRequest;

use super::client::{Ask, send, start};

async fn flat(ask: Ask) -> ModelRequest {
    let server = start(Script::new([Turn::text("Done.")])).await;
    let raw = ask.body.clone();
    send(&server, ask).await;
    let request = server.request(0).unwrap();
    assert_eq!(request.raw(), raw);
    (*request.flat()).clone()
}

async fn content(content: Value) -> String {
    let request = flat(Ask::json(&json!({ "messages": [{ "role": "user", "content": content }] }))).await;
    assert_eq!(request.messages.len(), 1);
    request.messages[0].text.clone()
}

#[tokio::test]
async fn every_kind_of_block() {
    let table = [
        ("a text", json!("Hello"), "Hello"),
        ("no content", json!(null), ""),
        ("no blocks", json!([]), ""),
        ("text blocks", json!([{ "type": "text", "text": "a" }, { "type": "text", "text": "b" }]), "a\nb"),
        (
            "an empty text between",
            json!([{ "type": "text", "text": "a" }, { "type": "text", "text": "" }, "b"]),
            "a\nb",
        ),
        (
            "a text with citations",
            json!([{ "type": "text", "text": "a", "citations": [{ "type": "char_location", "cited_text": "quoted" }] }]),
            "quoted\na",
        ),
        ("a block outside of an array", json!({ "type": "text", "text": "a" }), "a"),
        ("thinking", json!([{ "type": "thinking", "thinking": "Hm.", "signature": "c2ln" }]), "Hm."),
        ("redacted thinking", json!([{ "type": "redacted_thinking", "data": "xyz" }]), ""),
        ("a call", json!([{ "type": "tool_use", "id": "t", "name": "Bash", "input": { "command": "ls" } }]), ""),
        (
            "a call of the server",
            json!([{ "type": "server_tool_use", "id": "t", "name": "x", "input": { "q": "a" } }]),
            "",
        ),
        ("an image", json!([{ "type": "image", "source": { "type": "base64", "data": "AAAA" } }]), ""),
        ("an upload", json!([{ "type": "container_upload", "file_id": "f" }]), ""),
        ("a result", json!([{ "type": "tool_result", "tool_use_id": "t", "content": "out" }]), "out"),
        ("a result without content", json!([{ "type": "tool_result", "tool_use_id": "t" }]), ""),
        (
            "a result of blocks",
            json!([{ "type": "tool_result", "tool_use_id": "t", "content": [
                { "type": "text", "text": "out" },
                { "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": "AAAA" } },
                { "type": "search_result", "source": "s", "title": "t", "content": [{ "type": "text", "text": "found" }] },
            ] }]),
            "out\nfound\ns\nt",
        ),
        (
            "a result of an object",
            json!([{ "type": "code_execution_tool_result", "content": { "type": "x", "stdout": "one", "stderr": "two", "return_code": 0 } }]),
            "two\none",
        ),
        (
            "a result of the server in an array",
            json!([{ "type": "web_search_tool_result", "content": [{ "type": "text", "text": "page" }] }]),
            "page",
        ),
        (
            "a document of text",
            json!([{ "type": "document", "title": "T", "source": { "type": "text", "media_type": "text/plain", "data": "body" } }]),
            "body\nT",
        ),
        (
            "a document of bytes",
            json!([{ "type": "document", "title": "T", "source": { "type": "base64", "media_type": "application/pdf", "data": "AAAA" } }]),
            "T",
        ),
        ("an unknown block", json!([{ "type": "new_thing", "text": "kept" }]), r#"{"text":"kept","type":"new_thing"}"#),
        ("a block without a type", json!([{ "text": "kept" }]), r#"{"text":"kept"}"#),
        ("numbers and nulls as blocks", json!([1, null, true]), "1\nnull\ntrue"),
    ];
    for (what, blocks, expected) in table {
        assert_eq!(content(blocks).await, expected, "{what}");
    }
}

#[tokio::test]
async fn a_whole_request() {
    let request = flat(Ask::json(&json!({
        "model": "claude-sonnet-4-5",
        "system": [{ "type": "text", "text": "You are", "cache_control": { "type": "ephemeral" } }, { "type": "text", "text": "an agent" }],
        "messages": [
            { "role": "user", "content": "Hi" },
            { "role": "system", "content": "A hook says so." },
            { "role": "assistant", "content": [{ "type": "text", "text": "Hello" }] },
            { "content": "no role" },
        ],
        "tools": [{ "name": "Bash" }, { "type": "web_search_20250305", "name": "web_search" }, { "type": "nameless" }],
    })))
    .await;
    // `cache_control` marks the block and is no text of it, but its value is a leaf like any other unless it is a `type`.
    assert_eq!(request.system, "You are\nan agent");
    let messages: Vec<_> = request.messages.iter().map(|one| (one.role.as_str(), one.text.as_str())).collect();
    let expected = [("user", "Hi"), ("system", "A hook says so."), ("assistant", "Hello"), ("", "no role")];
    assert_eq!(messages, expected);
    assert_eq!(request.tools, ["Bash", "web_search"]);
    assert_eq!(request.model.as_deref(), Some("claude-sonnet-4-5"));
    assert_eq!((request.agent, request.agent_id), (None, None));
}

#[tokio::test]
async fn a_system_prompt_may_be_a_string() {
    assert_eq!(flat(Ask::json(&json!({ "system": "You are", "messages": [] }))).await.system, "You are");
}

/// A client that cuts a text by UTF-16 units sends half a pair.
#[tokio::test]
async fn half_a_surrogate_pair_is_a_replacement_character() {
    let body = r#"{"messages":[{"role":"user","content":"cut \ud83d"}],"model":"m"}"#;
    let request = flat(Ask::json(&json!({})).with_body(body)).await;
    assert_eq!(request.messages[0].text, "cut \u{FFFD}");
}

/// Of equal keys the last holds, as for every JSON reader.
#[tokio::test]
async fn equal_and_escaped_keys() {
    let body = r#"{"\u006dessages":[{"role":"user","content":"a"}],"stream":true,"stre\u0061m":false}"#;
    let server = start(Script::new([Turn::text("Done.")])).await;
    let answer = send(&server, Ask::json(&json!({})).with_body(body)).await;
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(server.request(0).unwrap().flat().messages[0].text, "a");
}
