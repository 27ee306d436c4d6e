//! Subagents that an answer starts.

use crate::model::api::Spawn;
use crate::model::turn::Turn;

/// The type that Claude Code takes when a call names none.
const DEFAULT_TYPE: &str = "general-purpose";

/// The calls of `Agent`, which older versions name `Task`.
pub(crate) fn spawns(turn: &Turn) -> Vec<Spawn> {
    let calls = turn.calls().into_iter().filter(|call| matches!(call.tool.as_str(), "Agent" | "Task"));
    calls
        .map(|call| {
            let text = |field: &str| call.input.get(field).and_then(|value| value.as_str()).map(str::to_owned);
            Spawn {
                name: text("subagent_type").unwrap_or_else(|| DEFAULT_TYPE.to_owned()),
                prompt: text("prompt").unwrap_or_default(),
            }
        })
        .collect()
}
