//! Subagents that an answer starts.

use crate::model::api::Spawn;
use crate::model::turn::Turn;

/// The type that Claude Code takes when a call names none.
const DEFAULT_TYPE: &str = "general-purpose";

/// The calls of `Agent`, which older versions name `Task`.
pub(crate) fn spawns(turn: &Turn) -> Vec<Spawn> {
    let calls = turn.each_call().filter(|(tool, _)| matches!(*tool, "Agent" | "Task"));
    calls
        .map(|(_, input)| {
            let text = |field: &str| input?.get(field)?.as_str().map(str::to_owned);
            Spawn {
                name: text("subagent_type").unwrap_or_else(|| DEFAULT_TYPE.to_owned()),
                prompt: text("prompt").unwrap_or_default(),
            }
        })
        .collect()
}
