//! Which of Codex's requests is a turn of which agent.

use serde_json::Value;

use crate::model::api::Spawn;
use crate::model::http::Head;
use crate::model::received::Kind;
use crate::model::turn::Turn;

/// A child thread names its parent in a header. Version 0.171.0 asks nothing on its own account.
pub(crate) fn classify(head: &Head, _body: &Value) -> Kind {
    if head.get("x-codex-parent-thread-id").is_none() {
        return Kind::Main;
    }
    let id = head.get("thread-id").or_else(|| head.get("session-id")).unwrap_or("child");
    Kind::Subagent { id: id.to_owned() }
}

/// The name of a subagent's turns in a script: Codex has no types of agents.
const CHILD: &str = "child";

/// The calls that start a child thread.
pub(crate) fn spawns(turn: &Turn) -> Vec<Spawn> {
    let calls = turn.calls().into_iter().filter(|call| call.tool.ends_with("spawn_agent"));
    calls
        .map(|call| {
            let text = |field: &str| call.input.get(field).and_then(Value::as_str).map(str::to_owned);
            Spawn {
                name: text("agent_type").unwrap_or_else(|| CHILD.to_owned()),
                prompt: text("message").unwrap_or_default(),
            }
        })
        .collect()
}
