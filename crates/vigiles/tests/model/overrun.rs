//! A script that is used up, and one that is not.

use std::fmt::Write;

use serde_json::json;
use vigiles::model::{Script, Turn};
use vigiles::trace::RequestKind;

use super::client::{Ask, CLAUDE, send, start};

fn title(text: &str) -> Ask {
    let body = json!({
        "stream": false,
        "messages": [{ "role": "user", "content": text }],
        "output_config": { "format": { "schema": { "properties": { "title": {} } } } },
    });
    Ask::json(&body).from(CLAUDE)
}

/// What a client is told, which is also what the report says.
async fn refusal(script: Script, before: &[Ask], ask: Ask) -> String {
    let server = start(script).await;
    for ask in before {
        assert_eq!(send(&server, ask.clone()).await.status, 200);
    }
    assert_eq!(server.report().overrun, None);
    let turns = server.report().turns;
    let answer = send(&server, ask).await;
    assert_eq!(answer.status, 400);
    assert_eq!(answer.json()["error"]["type"], "invalid_request_error");
    let report = server.report();
    assert_eq!(report.turns, turns, "a refusal is no turn");
    let told = report.overrun.unwrap().to_string();
    assert_eq!(answer.said(), told);
    told
}

#[tokio::test]
async fn messages() {
    let one = || Script::new([Turn::text("1")]);
    let agent =
        || Script::new([Turn::tool("Agent", json!({ "subagent_type": "my-plugin:reviewer", "prompt": "look" }))]);
    let start = [Ask::main("start")];
    let long = "word ".repeat(100);
    let wide = "\u{1F600}".repeat(161);
    let mut text = String::new();
    for (what, told) in [
        ("an empty script", refusal(Script::default(), &[], Ask::main("Hello")).await),
        ("the main agent", refusal(one(), &start, Ask::main("a\n\n  b\tc")).await),
        ("no last message", refusal(one(), &start, Ask::json(&json!({ "messages": [] }))).await),
        ("a blank last message", refusal(one(), &start, Ask::main(" \n ")).await),
        ("a long one", refusal(one(), &start, Ask::main(&long)).await),
        ("a wide one", refusal(one(), &start, Ask::main(&wide)).await),
        ("a subagent without turns", refusal(agent(), &start, Ask::subagent("a1", "look")).await),
        (
            "a subagent with too few",
            refusal(
                agent().subagent("my-plugin:reviewer", [Turn::text("1")]),
                &[Ask::main("start"), Ask::subagent("a1", "look")],
                Ask::subagent("a1", "look again"),
            )
            .await,
        ),
        ("a subagent that nothing started", refusal(one(), &start, Ask::subagent("a9", "look")).await),
        ("a side request", refusal(one().side(RequestKind::Title, [Turn::text("t")]), &[title("1")], title("2")).await),
    ] {
        writeln!(text, "{what}:\n    {told}").unwrap();
    }
    insta::assert_snapshot!(text);
}

/// The first overrun is the cause, whatever a client does afterwards.
#[tokio::test]
async fn the_first_is_kept() {
    let server = start(Script::new([Turn::text("1")])).await;
    for text in ["1", "2", "3"] {
        send(&server, Ask::main(text)).await;
    }
    let overrun = server.report().overrun.unwrap();
    assert_eq!((overrun.scripted, overrun.request, overrun.last_message.as_str()), (1, 2, "2"));
}

#[tokio::test]
async fn side_requests_do_not_touch_the_script() {
    let server = start(Script::new([Turn::text("main")])).await;
    for _ in 0..3 {
        assert_eq!(send(&server, title("t")).await.said(), "{}");
    }
    assert_eq!(server.report().turns, 0);
    assert_eq!(send(&server, Ask::main("m")).await.said(), "main");
    let report = server.report();
    assert_eq!((report.turns, report.side_requests, report.overrun), (1, 3, None));
}

#[tokio::test]
async fn side_requests_have_turns_of_their_own() {
    let script = Script::new([Turn::text("main")]).side(RequestKind::Title, [Turn::text(r#"{"title":"T"}"#)]);
    let server = start(script).await;
    assert_eq!(send(&server, title("t")).await.said(), r#"{"title":"T"}"#);
    assert_eq!(send(&server, Ask::main("m")).await.said(), "main");
}

#[tokio::test]
async fn what_nobody_asked_for() {
    let script = Script::new([Turn::text("1"), Turn::text("2"), Turn::text("3")])
        .subagent("b", [Turn::text("1")])
        .subagent("a", [Turn::text("1")])
        .side(RequestKind::Other, [Turn::text("1")])
        .side(RequestKind::Title, [Turn::text("1"), Turn::text("2")]);
    let server = start(script).await;
    send(&server, Ask::main("m")).await;
    send(&server, title("t")).await;
    let unused: Vec<String> = server.report().unused.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(unused.join("\n"));
}
