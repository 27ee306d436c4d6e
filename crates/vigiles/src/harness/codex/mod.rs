//! Codex.

mod calls;
mod config;
mod failure;
mod hooks;
mod toml;
mod trust;

use std::borrow::Cow;
use std::ffi::OsString;
use std::fs;
use std::sync::Arc;

use crate::model::{Api, Received};
use crate::trace::{Open, Trace};

use super::HarnessError;
use super::driver::{Driver, Ended, Launch, Refusal, Setup, UserTurn};
use super::error::Context;

pub use trust::{trust_hash, trust_key};

const CLI: &str = "Codex";

/// Drives Codex, version 0.171.0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Codex;

impl Codex {
    /// How to get the CLI.
    pub const INSTALL: &str = "Install it (`npm install @openai/codex`, at a pinned version) and name its program: the field \
                               `codex`, or the variable VIGILES_CODEX";
}

const REFUSED: &[Refusal] = &[
    Refusal::new(
        "effort",
        "no mapping to its own levels was measured, so the run would not be the one that was asked for",
    ),
    Refusal::new("tools", "its tools belong to the model and cannot be limited"),
    Refusal::new("allowedTools", "it has no list of allowed tools; the run asks for no approval"),
    Refusal::new("disallowedTools", "it has no list of denied tools; deny them with a hook"),
    Refusal::new("agents", "its child threads have no types"),
    Refusal::new("maxTurns", "it has no limit of turns"),
    Refusal::new("permissionMode", "exec never asks for approval"),
    Refusal::new("outputStyle", "it has no output styles"),
    Refusal::new("pluginDir", "its plugins were not measured"),
    Refusal::new("backgroundTasks", "it has no such switch"),
];

impl Driver for Codex {
    fn cli(&self) -> Cow<'static, str> {
        CLI.into()
    }

    fn api(&self) -> Api {
        Api::Responses
    }

    fn refuses(&self) -> &[Refusal] {
        REFUSED
    }

    fn prepare(&self, setup: &Setup<'_>) -> Result<(), HarnessError> {
        config::write(setup)
    }

    fn launch(&self, setup: &Setup<'_>, turn: &UserTurn<'_>) -> Result<Launch, HarnessError> {
        let mut argv: Vec<OsString> = vec![setup.binary.into(), "exec".into()];
        if turn.index > 0 {
            argv.push("resume".into());
        }
        argv.extend(config::FLAGS.iter().map(OsString::from));
        argv.extend(["-m".into(), config::model(setup.spec).into()]);
        argv.extend(setup.spec.args.iter().map(OsString::from));
        if turn.index > 0 {
            argv.push(thread_id(turn).into());
        }
        argv.push("-".into());
        Ok(Launch { argv, env: config::environment(setup), stdin: turn.prompt.as_bytes().to_vec() })
    }

    fn failure(&self, setup: &Setup<'_>, ended: &Ended<'_>) -> Option<HarnessError> {
        failure::of(setup, ended)
    }

    fn read(&self, setup: &Setup<'_>, requests: &[Arc<Received>]) -> Result<Trace, HarnessError> {
        let place = setup.place;
        let open = Open::default().work_dir(place.work());
        let mut trace = open.read_path(place.stdout()).map_err(|source| HarnessError::Stream {
            cli: CLI.into(),
            source,
            context: Box::new(Context { dir: place.root().to_owned(), ..Context::default() }),
        })?;
        calls::recover(&mut trace, requests)?;
        // Turns, refused calls and hooks are known here.
        trace.drop_warning("Codex prints nothing of hooks");
        if setup.helper.is_some() {
            trace.set_hooks(hooks::recorded(&hooks::log(place)));
        } else if config::has_hooks(setup)? {
            trace.warn("hooks ran unseen: the program `vigiles-hook`, which records them, is not there".to_owned());
        } else {
            trace.set_hooks(Vec::new());
        }
        if setup.spec.all_prompts().len() > 1 {
            // After a resume the CLI tells the tokens of the whole thread.
            if let Some((input, cached, output)) = last_tokens(setup) {
                trace.set_tokens(input, cached, output);
            }
        }
        Ok(trace)
    }
}

/// The token counts of the last turn that ended.
fn last_tokens(setup: &Setup<'_>) -> Option<(u64, u64, u64)> {
    let stream = fs::read_to_string(setup.place.stdout()).ok()?;
    let events = stream.lines().rev().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let mut ends = events.filter(|event| event["type"] == "turn.completed");
    let usage = ends.next()?["usage"].clone();
    Some((usage["input_tokens"].as_u64()?, usage["cached_input_tokens"].as_u64()?, usage["output_tokens"].as_u64()?))
}

/// The thread of the launches before.
fn thread_id(turn: &UserTurn<'_>) -> String {
    let stream = fs::read_to_string(turn.stdout).unwrap_or_default();
    let started = stream.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let mut ids = started.filter_map(|event| event["thread_id"].as_str().map(str::to_owned));
    ids.next().unwrap_or_default()
}
