//! The guards of a plugin or a repository against the disaster battery.

use std::path::Path;

use napi::Result;
use napi_derive::napi;
use serde::Deserialize;
use vigiles::harness::{Sweep, load_plugin, resolve_harness, sweep_guards};
use vigiles::hook::{Cli, DisasterEvent, EventContext};

use crate::error::{Coded, from_json, to_json};
use crate::hook::hook;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Options {
    dir: String,
    event: String,
    disasters: Vec<DisasterEvent>,
    context: EventContext,
    concurrency: usize,
}

/// Sends every disaster to every hook. `like` is a hook whose command is replaced by theirs. A plugin is Claude Code's; for Codex
/// the directory is a repository.
#[napi(catch_unwind)]
pub fn sweep_plugin_guards(like: String, options: String) -> Result<String> {
    let Options { dir, event, disasters, context, concurrency } = from_json("options of a sweep", &options)?;
    let dir = Path::new(&dir);
    let mut like = hook(&like)?;
    // A confined hook needs its own files.
    like.command.confinement = like.command.confinement.map(|confinement| confinement.show(dir));
    let (hooks, plugin_root) = match like.cli {
        Cli::ClaudeCode => (load_plugin(dir).coded()?.surfaces.hooks, Some(dir)),
        Cli::Codex => (resolve_harness(dir, Cli::Codex).coded()?.hooks, None),
    };
    let sweep = Sweep { event: &event, context: &context, disasters: &disasters, like, plugin_root, concurrency };
    to_json(&sweep_guards(&hooks, &sweep).coded()?)
}
