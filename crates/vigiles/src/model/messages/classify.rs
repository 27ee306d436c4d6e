//! Which of Claude Code's requests is a turn of an agent.

use serde_json::Value;

use crate::model::body::RequestBody;
use crate::model::http::Head;
use crate::model::received::Kind;
use crate::trace::RequestKind;

/// Tells the requests of Claude Code apart. Those of any other program are all turns of its agent.
///
/// The rule held in every run of the versions 2.1.197 and 2.1.332 that was recorded: a subagent names itself in a header;
/// the main loop offers at least one tool of the client's; everything else the CLI asks on its own account. The main loop
/// streams, but for a second try after status 404. With `--tools ""` it offers no tool: then it is the streaming request
/// that may think and asks for no format.
pub(crate) fn classify(head: &Head, body: &RequestBody) -> Kind {
    if let Some(id) = head.get("x-claude-code-agent-id") {
        return Kind::Subagent { id: id.to_owned() };
    }
    if !head.get("user-agent").is_some_and(|agent| agent.starts_with("claude-cli/")) {
        return Kind::Main;
    }
    let outline = body.outline();
    let tools = outline["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
    let streams = outline["stream"] == Value::Bool(true);
    let asks_for_format = !outline["output_config"]["format"].is_null();
    let own_tool = |tool: &Value| tool.get("type").is_none_or(|kind| kind.is_null() || kind == "custom");
    if tools.iter().any(own_tool) {
        return Kind::Main;
    }
    if streams && tools.is_empty() && outline["thinking"]["type"] != "disabled" && !asks_for_format {
        return Kind::Main;
    }
    Kind::Side(side(body.whole(), tools, asks_for_format))
}

fn side(body: &Value, tools: &[Value], asks_for_format: bool) -> RequestKind {
    let system = body["system"].to_string();
    if tools.iter().any(|tool| tool["type"].as_str().is_some_and(|kind| kind.starts_with("web_search"))) {
        RequestKind::WebSearch
    } else if system.contains("You are evaluating a hook") {
        RequestKind::PromptHook
    } else if system.contains("You are a security monitor") {
        RequestKind::Classifier
    } else if asks_for_format && !body["output_config"]["format"]["schema"]["properties"]["title"].is_null() {
        RequestKind::Title
    } else {
        RequestKind::Other
    }
}
