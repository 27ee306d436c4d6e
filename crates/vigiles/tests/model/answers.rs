//! The bytes of every form of turn.

use std::fmt::Write;

use serde_json::json;
use vigiles::model::{Script, Turn};

use super::client::{Ask, conversation, send, start};

fn turn(json: serde_json::Value) -> Turn {
    serde_json::from_value(json).unwrap()
}

/// Every form that a turn can have, with a name.
fn forms() -> Vec<(&'static str, Turn)> {
    [
        ("text", json!({ "text": "Two files.\nNo more \"than\" that \u{1F600}." })),
        ("empty text", json!({ "text": "" })),
        ("thinking alone", json!({ "thinking": "Hm." })),
        ("thinking and text", json!({ "thinking": "Hm.", "text": "Done." })),
        ("one tool", json!({ "tool": "Bash", "input": { "command": "ls", "timeout": 5 } })),
        ("one tool without input", json!({ "tool": "TodoRead" })),
        ("text and tool", json!({ "text": "On it.", "tool": "Bash", "input": { "command": "ls" } })),
        ("several tools", json!({ "tools": [{ "tool": "Read", "input": { "file_path": "/a" } }, { "tool": "Bash" }] })),
        (
            "everything at once",
            json!({ "thinking": "Hm.", "text": "On it.", "tool": "Bash", "input": {}, "tools": [{ "tool": "Read" }] }),
        ),
        ("max_tokens", json!({ "text": "Half a sen", "stop": "max_tokens" })),
        ("refusal without a text", json!({ "stop": "refusal" })),
        (
            "usage",
            json!({
                "text": "Done.",
                "usage": { "inputTokens": 1, "outputTokens": 2, "cacheCreationTokens": 3, "cacheReadTokens": 4 },
            }),
        ),
        ("some usage", json!({ "text": "Done.", "usage": { "outputTokens": 0 } })),
    ]
    .map(|(name, json)| (name, turn(json)))
    .into()
}

async fn rendered(stream: bool) -> String {
    let forms = forms();
    let server = start(Script::new(forms.iter().map(|(_, turn)| turn.clone()))).await;
    let mut text = String::new();
    for (name, _) in &forms {
        let mut body = conversation(name);
        body["stream"] = stream.into();
        let answer = send(&server, Ask::json(&body)).await;
        assert_eq!((answer.status, answer.cut), (200, false), "{name}");
        let kind = answer.header("content-type").unwrap();
        let body = if stream { answer.text() } else { format!("{:#}\n", answer.json()) };
        writeln!(text, "=== {name} ({kind})\n{body}").unwrap();
    }
    assert_eq!(server.report().unused, []);
    text
}

#[tokio::test]
async fn as_events() {
    insta::assert_snapshot!(rendered(true).await);
}

#[tokio::test]
async fn as_documents() {
    insta::assert_snapshot!(rendered(false).await);
}

#[tokio::test]
async fn errors() {
    let statuses = [400, 401, 403, 404, 413, 422, 429, 500, 503, 529, 599];
    let mut turns: Vec<Turn> = statuses.into_iter().map(Turn::error).collect();
    turns.push(turn(json!({
        "error": { "status": 429, "type": "enterprise_limit", "message": "Come back later.", "retryAfter": 7 },
    })));
    let server = start(Script::new(turns.clone())).await;
    let mut text = String::new();
    for index in 0..turns.len() {
        // Another question each time: the same one after a final error would be asked again.
        let answer = send(&server, Ask::main(&format!("question {index}"))).await;
        let after = answer.header("retry-after").unwrap_or("none");
        writeln!(text, "{}, retry-after {after}: {}", answer.status, answer.text()).unwrap();
    }
    insta::assert_snapshot!(text);
}

/// An SDK that asks for no stream gets one only if it says `true`.
#[tokio::test]
async fn only_true_streams() {
    for (stream, kind) in [
        (json!(true), "text/event-stream"),
        (json!(false), "application/json"),
        (json!("true"), "application/json"),
        (json!(1), "application/json"),
        (json!(null), "application/json"),
    ] {
        let server = start(Script::new([Turn::text("Done.")])).await;
        let answer = send(&server, Ask::json(&json!({ "messages": [], "stream": stream }))).await;
        assert_eq!(answer.header("content-type"), Some(kind), "stream: {stream}");
    }
}

#[tokio::test]
async fn the_model_is_that_of_the_request() {
    let server = start(Script::new([Turn::text("1"), Turn::text("2"), Turn::text("3")])).await;
    let mut models = Vec::new();
    for model in [json!("some-model"), json!(null), json!(7)] {
        let answer = send(&server, Ask::json(&json!({ "messages": [], "model": model }))).await;
        models.push(answer.json()["model"].clone());
    }
    assert_eq!(models, ["some-model", "scripted", "scripted"]);
}

#[tokio::test]
async fn a_disconnect_cuts_the_answer_in_its_middle() {
    let text = "A sentence that is long enough to be cut.";
    for stream in [true, false] {
        let cut = Turn { disconnect: true, ..Turn::text(text) };
        let server = start(Script::new([cut, Turn::text(text)])).await;
        let mut body = conversation("Hello");
        body["stream"] = stream.into();
        let torn = send(&server, Ask::json(&body)).await;
        assert!(torn.cut, "stream: {stream}");
        assert_eq!(torn.status, 200);
        let whole = send(&server, Ask::json(&body)).await;
        assert!(!whole.cut);
        // Ids differ by the number of the answer.
        let torn = torn.text().replace("scripted0001", "scripted0002");
        assert!(!torn.is_empty() && whole.text().starts_with(&torn), "{torn} of {}", whole.text());
    }
}

#[tokio::test]
async fn a_delay_passes_before_the_answer() {
    let delayed = Turn { delay_ms: Some(300), ..Turn::text("late") };
    let server = start(Script::new([delayed, Turn::text("at once")])).await;
    let started = std::time::Instant::now();
    let late = async {
        let answer = send(&server, Ask::main("first")).await;
        (answer.said(), started.elapsed())
    };
    let early = async {
        // The first request takes the first turn: it must be there before this one.
        while server.request_count() == 0 {
            tokio::task::yield_now().await;
        }
        let answer = send(&server, Ask::main("second")).await;
        (answer.said(), started.elapsed())
    };
    let ((late, after), (early, before)) = tokio::join!(late, early);
    assert_eq!((late.as_str(), early.as_str()), ("late", "at once"));
    assert!(after.as_millis() >= 300, "{after:?}");
    assert!(before < after, "{before:?} {after:?}");
}
