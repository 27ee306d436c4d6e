//! Calls that leave no trace in Codex's stream.
//!
//! A call that is refused before it runs (by a hook, for a wrong name or argument, a patch that does not fit) has no item in
//! the stream; only the next request tells its answer. And no item tells which turn it belongs to. Both are known here:
//! the scripted model made the calls, and every request was kept.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;

use crate::harness::HarnessError;
use crate::model::{Received, ToolUse};
use crate::trace::{RequestKind, ResultText, Text, ToolCall, Trace};

/// A call that the model made.
struct Made {
    id: String,
    turn: u32,
    call: ToolUse,
}

pub(super) fn recover(trace: &mut Trace, requests: &[Arc<Received>]) -> Result<(), HarnessError> {
    let mut made = Vec::new();
    let mut turn = 0;
    let mut answers: HashMap<String, Value> = HashMap::new();
    for request in requests.iter().filter(|request| request.kind() == RequestKind::Main) {
        let body: Value = serde_json::from_slice(request.raw()).unwrap_or_default();
        for item in body["input"].as_array().into_iter().flatten() {
            if let Some(id) = item["call_id"].as_str().filter(|_| item.get("output").is_some()) {
                answers.insert(id.to_owned(), item["output"].clone());
            }
        }
        if let Some((answer, said)) = request.answer() {
            if said.error.is_some() || said.disconnect {
                continue;
            }
            turn += 1;
            let calls = said.calls().into_iter().enumerate();
            made.extend(calls.map(|(index, call)| Made { id: call_id(answer, index), turn, call }));
        }
    }
    let inputs = seen_inputs(trace)?;
    let seen: Vec<ToolCall> = trace.tool_calls().unwrap_or_default().to_vec();
    let pairs = pair(&made, &answers, &seen, &inputs);
    let mut taken = vec![false; seen.len()];
    let mut calls = Vec::new();
    for (made, item) in made.iter().zip(pairs) {
        calls.push(match item {
            Some(Pair { index, is_as_made }) => {
                taken[index] = true;
                let own = &seen[index];
                // The stream numbers its items; hooks and the next request name the call by the model's id.
                let (id, turn) = (made.id.as_str().into(), Some(made.turn));
                let input = if is_as_made { made.input() } else { own.input.clone() };
                ToolCall { id, input, turn, ..own.clone() }
            }
            None => unseen(made, answers.get(&made.id)),
        });
    }
    // Items that no scripted call explains keep their place at the end.
    calls.extend(seen.into_iter().zip(taken).filter(|(_, taken)| !taken).map(|(call, _)| call));
    trace.set_tool_calls(calls, turn);
    Ok(())
}

/// The item of the stream that a call became.
#[derive(Clone, Copy)]
struct Pair {
    index: usize,
    /// It ran with the arguments that the model gave.
    is_as_made: bool,
}

/// First the calls whose arguments are seen again, then those that ran with others, which a hook gave them.
fn pair(made: &[Made], answers: &HashMap<String, Value>, seen: &[ToolCall], inputs: &[Value]) -> Vec<Option<Pair>> {
    let mut pairs: Vec<Option<Pair>> = vec![None; made.len()];
    let mut taken = vec![false; seen.len()];
    for (made, pair) in made.iter().zip(&mut pairs) {
        let same = |&index: &usize| !taken[index] && is_same(&made.call, &seen[index].name, &inputs[index]);
        if let Some(index) = (0..seen.len()).find(same) {
            taken[index] = true;
            *pair = Some(Pair { index, is_as_made: is_shell(&made.call) });
        }
    }
    for (made, pair) in made.iter().zip(&mut pairs).filter(|(_, pair)| pair.is_none()) {
        let ran =
            answers.get(&made.id).and_then(Value::as_str).is_some_and(|text| text.contains("Process exited with code"));
        if !(ran && is_shell(&made.call)) {
            continue;
        }
        if let Some(index) = (0..seen.len()).find(|&index| !taken[index] && &*seen[index].name == "Bash") {
            taken[index] = true;
            *pair = Some(Pair { index, is_as_made: false });
        }
    }
    pairs
}

fn is_shell(call: &ToolUse) -> bool {
    matches!(call.tool.as_str(), "Bash" | "exec_command")
}

impl Made {
    /// The arguments under the names that hooks and traces give them.
    fn input(&self) -> Text {
        let mut input = self.call.input.clone();
        if let Some(command) = input.remove("cmd") {
            input.insert("command".to_owned(), command);
        }
        Text::Kept(Value::Object(input).to_string().into())
    }
}

fn call_id(answer: &str, index: usize) -> String {
    format!("call_{answer}_{}", index + 1)
}

fn seen_inputs(trace: &Trace) -> Result<Vec<Value>, HarnessError> {
    let inputs = trace.tool_calls().unwrap_or_default().iter().map(|call| trace.input(call));
    inputs.collect::<Result<_, _>>().map_err(|source| HarnessError::Stream {
        cli: super::CLI.into(),
        source,
        context: Box::default(),
    })
}

/// Whether an item of the stream is this call.
fn is_same(call: &ToolUse, name: &str, input: &Value) -> bool {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    match call.tool.as_str() {
        "Bash" | "exec_command" => {
            let command = call.input.get("command").or_else(|| call.input.get("cmd")).and_then(text);
            let ran = text(&input["command"]);
            name == "Bash"
                && matches!((command, ran), (Some(command), Some(ran)) if ran == command || ran.contains(&command))
        }
        "Agent" | "Task" => name == "spawn_agent",
        tool => name == tool,
    }
}

/// A call that only the next request tells of.
fn unseen(made: &Made, answer: Option<&Value>) -> ToolCall {
    let text = answer.map(|answer| match answer {
        Value::String(text) => text.clone(),
        Value::Object(fields) => fields.get("content").and_then(Value::as_str).unwrap_or_default().to_owned(),
        other => other.to_string(),
    });
    let blocked = text.as_ref().map(|text| text.contains("blocked by PreToolUse hook"));
    let name = if is_shell(&made.call) { "Bash" } else { made.call.tool.as_str() };
    ToolCall {
        id: made.id.as_str().into(),
        name: Arc::from(name),
        input: made.input(),
        is_error: text.as_ref().map(|_| true),
        result: text.map(|text| ResultText::Text(Text::Kept(text.into()))),
        denied: blocked,
        parent_id: None,
        turn: Some(made.turn),
    }
}
