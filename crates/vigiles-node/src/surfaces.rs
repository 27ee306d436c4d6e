//! What plugins and repositories give to an agent, and which of their hooks would run.

use std::path::Path;

use napi::Result;
use napi_derive::napi;
use serde::Deserialize;
use serde_json::Value;
use vigiles::harness::{self, Asked, Sources};
use vigiles::hook::Cli;

use crate::error::{Coded, from_json, to_json};

/// Reads a plugin, as JSON.
#[napi(catch_unwind)]
pub fn load_plugin(dir: String) -> Result<String> {
    to_json(&harness::load_plugin(Path::new(&dir)).coded()?)
}

/// Reads the harness of a repository, as JSON.
#[napi(catch_unwind)]
pub fn resolve_harness(dir: String, cli: String) -> Result<String> {
    let cli = from_json::<Cli>("the CLI to be \"claude-code\" or \"codex\"", &serde_json::json!(cli).to_string())?;
    to_json(&harness::resolve_harness(Path::new(&dir), cli).coded()?)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Question {
    event: String,
    tool: Option<String>,
    input: Option<Value>,
    subject: Option<String>,
}

/// Says which hooks would run for an event: JSON in, JSON out.
#[napi(catch_unwind)]
pub fn explain_hooks(sources: String, question: String) -> Result<String> {
    let sources: Sources = from_json("sources of settings", &sources)?;
    let Question { event, tool, input, subject } = from_json("an event", &question)?;
    let asked = Asked { event: &event, tool: tool.as_deref(), input: input.as_ref(), subject: subject.as_deref() };
    to_json(&harness::explain_hooks(&sources, &asked).coded()?)
}
