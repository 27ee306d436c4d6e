//! Subagents get the turns of their type.

use serde_json::json;
use vigiles::model::{Script, ToolUse, Turn};

use super::client::{Ask, send, start};

fn spawn(kind: Option<&str>, prompt: &str) -> ToolUse {
    let Some(input) = json!({ "subagent_type": kind, "prompt": prompt, "description": "x" }).as_object().cloned()
    else {
        unreachable!("an object")
    };
    ToolUse { tool: "Agent".to_owned(), input }
}

fn spawns(calls: impl IntoIterator<Item = ToolUse>) -> Turn {
    Turn { tools: calls.into_iter().collect(), ..Turn::default() }
}

fn texts(of: &str, count: usize) -> Vec<Turn> {
    (1..=count).map(|index| Turn::text(format!("{of} {index}"))).collect()
}

#[tokio::test]
async fn two_agents_of_one_type_share_its_turns() {
    let main = [spawns([spawn(Some("Explore"), "find a"), spawn(Some("Explore"), "find b")]), Turn::text("end")];
    let server = start(Script::new(main).subagent("Explore", texts("explore", 4))).await;
    send(&server, Ask::main("start")).await;
    let mut said = Vec::new();
    for (id, prompt) in [("a1", "find a"), ("a2", "find b"), ("a1", "more of a"), ("a2", "more of b")] {
        said.push(send(&server, Ask::subagent(id, prompt)).await.said());
    }
    assert_eq!(said, ["explore 1", "explore 2", "explore 3", "explore 4"]);
    assert_eq!(send(&server, Ask::main("go on")).await.said(), "end");
    let flat = server.request(1).unwrap().flat();
    assert_eq!((flat.agent.as_deref(), flat.agent_id.as_deref()), (Some("Explore"), Some("a1")));
}

/// In whatever order they ask, and where one prompt is a part of the other.
#[tokio::test]
async fn two_types_are_told_apart_by_their_prompts() {
    for order in [["a1", "b1"], ["b1", "a1"]] {
        let main = spawns([spawn(Some("Explore"), "check"), spawn(Some("reviewer"), "check the tests ")]);
        let script =
            Script::new([main]).subagent("Explore", texts("explore", 1)).subagent("reviewer", texts("review", 1));
        let server = start(script).await;
        send(&server, Ask::main("start")).await;
        for id in order {
            let (prompt, expected) = if id == "a1" { ("check", "explore 1") } else { ("check the tests", "review 1") };
            let context = format!("<system-reminder>rules</system-reminder>\n{prompt}");
            assert_eq!(send(&server, Ask::subagent(id, &context)).await.said(), expected, "{order:?}");
        }
        assert_eq!(server.report().unused, []);
        assert_eq!(server.report().failure, None);
    }
}

#[tokio::test]
async fn a_prompt_that_a_hook_changed_is_no_matter_with_one_type() {
    let main = spawns([spawn(Some("Explore"), "find a"), spawn(Some("Explore"), "find b")]);
    let server = start(Script::new([main]).subagent("Explore", texts("explore", 1))).await;
    send(&server, Ask::main("start")).await;
    assert_eq!(send(&server, Ask::subagent("a1", "find nothing")).await.said(), "explore 1");
}

#[tokio::test]
async fn types_that_cannot_be_told_apart_are_a_failure() {
    for (first, second, asked) in [("same", "same", "same"), ("find a", "find b", "changed by a hook")] {
        let main = spawns([spawn(Some("Explore"), first), spawn(Some("reviewer"), second)]);
        let script =
            Script::new([main]).subagent("Explore", texts("explore", 1)).subagent("reviewer", texts("review", 1));
        let server = start(script).await;
        send(&server, Ask::main("start")).await;
        let answer = send(&server, Ask::subagent("a1", asked)).await;
        assert_eq!(answer.status, 400);
        let failure = server.report().failure.unwrap();
        assert_eq!(answer.said(), failure);
        assert!(failure.contains("may be Explore or reviewer"), "{failure}");
        assert_eq!(server.report().unused.len(), 2);
    }
}

#[tokio::test]
async fn a_call_without_a_type_starts_a_general_purpose_agent() {
    let task = Turn::tool("Task", json!({ "prompt": "do" }));
    let server = start(Script::new([task]).subagent("general-purpose", texts("general", 1))).await;
    send(&server, Ask::main("start")).await;
    assert_eq!(send(&server, Ask::subagent("a1", "do")).await.said(), "general 1");
}

#[tokio::test]
async fn an_agent_of_an_agent() {
    let outer = spawns([spawn(Some("outer"), "first")]);
    let inner = spawns([spawn(Some("inner"), "second")]);
    let script = Script::new([outer, Turn::text("end")])
        .subagent("outer", [inner, Turn::text("outer end")])
        .subagent("inner", [Turn::text("inner end")]);
    let server = start(script).await;
    send(&server, Ask::main("start")).await;
    send(&server, Ask::subagent("o", "first")).await;
    assert_eq!(send(&server, Ask::subagent("i", "second")).await.said(), "inner end");
    assert_eq!(send(&server, Ask::subagent("o", "first, go on")).await.said(), "outer end");
    assert_eq!(send(&server, Ask::main("go on")).await.said(), "end");
    assert_eq!(server.report().unused, []);
}

/// Made by a function, a turn starts agents all the same.
#[tokio::test]
async fn a_computed_turn_starts_agents() {
    let mut script = Script::default().subagent("Explore", texts("explore", 1));
    let turn = spawns([spawn(Some("Explore"), "find")]);
    script.turns.push(super::compute::step(move |_| Ok(turn.clone())));
    let server = start(script).await;
    send(&server, Ask::main("start")).await;
    assert_eq!(send(&server, Ask::subagent("a1", "find")).await.said(), "explore 1");
}
