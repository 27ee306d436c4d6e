//! Runs of a harness.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use napi::Env;
use napi::bindgen_prelude::{Buffer, Result};
use napi_derive::napi;
use serde::Deserialize;
use serde_json::json;
use vigiles::harness::{self, ClaudeCode, Codex, Driver, HarnessRun, Spec, Surroundings, find_program};
use vigiles::stub::Stub;
use vigiles::trace::Trace;

use crate::adapter::{About, CallDriver, JsDriver};
use crate::error::{Coded, coded, from_json, to_json};
use crate::model::{MakeTurn, script};
use crate::trace::NativeTrace;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Options {
    harness: String,
    /// A harness that is not built in.
    adapter: Option<About>,
    temp_dir: String,
    path: String,
    /// What a confined run does not see, and what it sees all the same.
    #[serde(default)]
    hidden: Vec<PathBuf>,
    #[serde(default)]
    shown: Vec<PathBuf>,
    /// The program `vigiles-hook`.
    hook_program: Option<String>,
}

/// A run that ended. Its directories are removed with it.
#[napi]
pub struct NativeHarnessRun {
    run: HarnessRun,
    /// Taken by the first who asks for it.
    trace: Option<Trace>,
}

#[napi]
impl NativeHarnessRun {
    /// The trace; it can be taken once.
    #[napi(catch_unwind)]
    pub fn trace(&mut self, env: Env) -> Result<NativeTrace> {
        let trace = self.trace.take().ok_or_else(|| coded("VIGILES_INTERNAL", "the trace was taken before"))?;
        NativeTrace::new(env, trace)
    }

    /// How it ended, as JSON.
    #[napi(catch_unwind)]
    pub fn facts(&self) -> Result<String> {
        let HarnessRun { exit_code, stderr, argv, duration, report, confined, files, place, .. } = &self.run;
        to_json(&json!({
            "exitCode": exit_code,
            "stderr": stderr,
            "argv": argv.iter().map(|argument| argument.to_string_lossy()).collect::<Vec<_>>(),
            "durationMs": duration.as_secs_f64() * 1000.0,
            "servedTurns": report.turns,
            "sideRequests": report.side_requests,
            "confined": confined,
            "filesChanged": files.as_ref().map(|files| &files.changed),
            "filesDeleted": files.as_ref().map(|files| &files.deleted),
            "cwd": place.work(),
            "home": place.home(),
            "root": place.root(),
            "stdoutFile": place.stdout(),
        }))
    }

    /// The calls of stubs, as JSON.
    #[napi(catch_unwind)]
    pub fn stub_calls(&self) -> Result<String> {
        to_json(&self.run.stub_calls)
    }

    /// A request's body as it was sent.
    #[napi(catch_unwind)]
    pub fn request_body(&self, index: u32) -> Option<Buffer> {
        self.run.requests.get(index as usize).map(|request| request.raw().to_vec().into())
    }

    /// Removes the directories.
    #[napi(catch_unwind)]
    pub fn remove(&self) -> Result<()> {
        self.run.place.remove().map_err(|error| coded("VIGILES_HARNESS_IO", error))
    }
}

/// Runs a harness in a CLI. `call_driver` is given for a harness whose driver is written in JavaScript.
#[napi]
pub async fn run_harness(
    spec_json: String,
    script_json: String,
    options: String,
    make_turn: MakeTurn,
    call_driver: Option<CallDriver>,
) -> Result<NativeHarnessRun> {
    let Options { harness, adapter, temp_dir, path, hidden, shown, hook_program } =
        from_json("options of runHarnessTest", &options)?;
    let script = script(&script_json, make_turn)?;
    let spec = Spec::from_json(&spec_json).coded()?;
    let surroundings = Surroundings {
        temp_dir: temp_dir.into(),
        path: path.into(),
        helper: hook_program.map(Into::into),
        hidden,
        shown,
    };
    let (driver, binary): (Arc<dyn Driver>, _) = match adapter.zip(call_driver) {
        Some((about, call)) => {
            let given = spec.binary.as_deref();
            let (title, hint) = (about.title.clone(), about.install.clone());
            let binary = find_program(title, &about.program, given, &surroundings.path, hint).coded()?;
            (JsDriver::new(about, call)?, binary)
        }
        None => built_in(&harness, spec.binary.as_deref(), &surroundings)?,
    };
    let mut run = harness::run(driver, binary, spec, script, &surroundings).await.coded()?;
    let trace = run.trace.take();
    Ok(NativeHarnessRun { run, trace })
}

/// What the built-in harnesses refuse of a spec, as JSON: `[{field, reason}]`.
#[napi(catch_unwind)]
pub fn harness_refuses(name: String) -> Result<String> {
    match name.as_str() {
        "claude-code" => to_json(ClaudeCode.refuses()),
        "codex" => to_json(Codex.refuses()),
        other => Err(unknown(other)),
    }
}

/// Refuses stubs that cannot be used.
#[napi(catch_unwind)]
pub fn check_stubs(stubs: String, place: String) -> Result<()> {
    Stub::list_from_json(&stubs, &place).coded().map(drop)
}

fn unknown(name: &str) -> napi::Error {
    let problem = format!("no harness named {name} is built in. An adapter of another one has a `driver`");
    coded("VIGILES_INVALID_ARGUMENT", problem)
}

fn built_in(name: &str, binary: Option<&Path>, surroundings: &Surroundings) -> Result<(Arc<dyn Driver>, PathBuf)> {
    match name {
        "claude-code" => {
            let found =
                find_program("Claude Code", "claude", binary, &surroundings.path, ClaudeCode::INSTALL).coded()?;
            Ok((Arc::new(ClaudeCode), found))
        }
        "codex" => {
            let found = find_program("Codex", "codex", binary, &surroundings.path, Codex::INSTALL).coded()?;
            Ok((Arc::new(Codex), found))
        }
        other => Err(unknown(other)),
    }
}
