//! Names of tools: those that a script may use on every CLI, and those of Codex.

use serde_json::{Map, Value, json};

/// A call as Codex expects it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Call {
    /// A function with JSON arguments, in a namespace or none.
    Function { name: String, namespace: Option<String>, arguments: Value },
    /// A tool that takes a text.
    Custom { name: String, input: String },
}

/// Translates a scripted call.
///
/// | script | Codex |
/// |---|---|
/// | `Bash` `{command}` | `exec_command` `{cmd}` |
/// | `apply_patch` `{patch}` or `{input}` | the custom tool `apply_patch` with that text |
/// | `Agent`, `Task` `{prompt}` | `spawn_agent` `{message}` in the namespace `multi_agent_v1` |
/// | `spawn_agent`, `wait_agent`, `close_agent`, `send_input`, `resume_agent` | the same, in that namespace |
/// | `mcp__server__tool` | `tool` in the namespace `mcp__server` |
/// | any other | itself |
pub(crate) fn call(tool: &str, input: &Map<String, Value>) -> Call {
    let function = |name: &str, namespace: Option<&str>, arguments: Value| Call::Function {
        name: name.to_owned(),
        namespace: namespace.map(str::to_owned),
        arguments,
    };
    let as_given = || Value::Object(input.clone());
    match tool {
        "Bash" => {
            let mut arguments = input.clone();
            if let Some(command) = arguments.remove("command") {
                arguments.insert("cmd".to_owned(), command);
            }
            function("exec_command", None, Value::Object(arguments))
        }
        "apply_patch" => {
            let text = ["patch", "input", "command"].iter().find_map(|field| input.get(*field)?.as_str());
            Call::Custom { name: tool.to_owned(), input: text.unwrap_or_default().to_owned() }
        }
        "Agent" | "Task" => function("spawn_agent", Some(AGENTS), json!({ "message": input.get("prompt") })),
        "spawn_agent" | "wait_agent" | "close_agent" | "send_input" | "resume_agent" => {
            function(tool, Some(AGENTS), as_given())
        }
        _ => match tool.strip_prefix("mcp__").and_then(|rest| rest.rsplit_once("__")) {
            Some((server, name)) => function(name, Some(&format!("mcp__{server}")), as_given()),
            None => function(tool, None, as_given()),
        },
    }
}

/// The namespace of the tools for child threads.
const AGENTS: &str = "multi_agent_v1";
