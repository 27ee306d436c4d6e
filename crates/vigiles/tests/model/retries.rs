//! Which requests are a turn of their own.

use serde_json::{Value, json};
use vigiles::model::{Script, Turn};

use super::client::{Ask, CLAUDE, conversation, send, start};

/// Tries of one question, as Claude Code 2.1.332 changes them after status 400: betas go, marks move, reminders change.
fn tries() -> Vec<Ask> {
    let body = |content: Value| json!({ "messages": [{ "role": "user", "content": content }], "stream": true, "tools": [{ "name": "Bash" }] });
    let text = |text: &str| json!({ "type": "text", "text": text });
    let marked = json!({ "type": "text", "text": "Do it", "cache_control": { "type": "ephemeral" } });
    vec![
        Ask::json(&body(json!([text("<system-reminder>one</system-reminder>"), marked.clone()])))
            .header("anthropic-beta", "a,b,c"),
        Ask::json(&body(json!([text("<system-reminder>one</system-reminder>"), marked])))
            .header("anthropic-beta", "a,b"),
        Ask::json(&body(json!([text("<system-reminder>another</system-reminder>"), text("Do it")])))
            .header("anthropic-beta", "a"),
        Ask::json(&body(json!([text("Do it")]))),
        Ask::json(&body(json!("Do it"))),
        Ask::json(&json!({ "messages": [{ "role": "user", "content": "Do it" }], "tools": [{ "name": "Bash" }] })),
    ]
}

#[tokio::test]
async fn a_final_error_that_is_asked_about_again_is_one_turn() {
    for status in [400, 403, 404, 413, 422] {
        let server = start(Script::new([Turn::error(status), Turn::text("recovered")])).await;
        for ask in tries() {
            assert_eq!(send(&server, ask.from(CLAUDE)).await.status, status);
        }
        assert_eq!(server.report().turns, 1, "status {status}");
        assert_eq!(server.request_count(), 6);
        assert_eq!(send(&server, Ask::main("Something else")).await.said(), "recovered");
        assert_eq!(server.report().unused, []);
    }
}

#[tokio::test]
async fn an_error_that_may_pass_is_a_turn_each_time() {
    for status in [401, 408, 429, 500, 503, 529] {
        let server = start(Script::new([Turn::error(status), Turn::error(status), Turn::text("recovered")])).await;
        assert_eq!(send(&server, Ask::main("Do it")).await.status, status);
        assert_eq!(send(&server, Ask::main("Do it")).await.status, status);
        assert_eq!(send(&server, Ask::main("Do it")).await.said(), "recovered", "status {status}");
        assert_eq!(server.report().turns, 3);
    }
}

/// The same text in answer to another call is another question.
#[tokio::test]
async fn results_of_tools_tell_questions_apart() {
    let ask = |call: &str| {
        let mut body = conversation("Do it");
        let call_block = json!({ "type": "tool_use", "id": call, "name": "Bash", "input": {} });
        let result = json!({ "type": "tool_result", "tool_use_id": call, "content": "same" });
        body["messages"].as_array_mut().unwrap().extend([
            json!({ "role": "assistant", "content": [call_block] }),
            json!({ "role": "user", "content": [result] }),
        ]);
        Ask::json(&body).from(CLAUDE)
    };
    let server = start(Script::new([Turn::error(400), Turn::text("next")])).await;
    assert_eq!(send(&server, ask("toolu_1")).await.status, 400);
    assert_eq!(send(&server, ask("toolu_1")).await.status, 400);
    assert_eq!(send(&server, ask("toolu_2")).await.said(), "next");
}

/// One agent's refused question is nothing to another.
#[tokio::test]
async fn each_agent_has_its_own_tries() {
    let agent = Turn::tool("Agent", json!({ "subagent_type": "Explore", "prompt": "Do it" }));
    let script = Script::new([agent, Turn::error(400)]).subagent("Explore", [Turn::text("explored")]);
    let server = start(script).await;
    send(&server, Ask::main("start")).await;
    assert_eq!(send(&server, Ask::main("Do it")).await.status, 400);
    assert_eq!(send(&server, Ask::subagent("a1", "Do it")).await.said(), "explored");
    assert_eq!(send(&server, Ask::main("Do it")).await.status, 400);
    assert_eq!(server.report().turns, 2);
}
