//! Running scripts.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use napi::Result;
use napi::bindgen_prelude::{Buffer, spawn_blocking};
use napi_derive::napi;
use serde::Deserialize;
use vigiles::process::confine::{SandboxOptions, confinement_available};
use vigiles::process::{Command, DEFAULT_TIMEOUT, Output, Program, ScriptRun};

use crate::error::{Coded, coded, from_json, to_json};

/// A command as it crosses: `shell` or `argv`, and everything else that a child needs.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct CommandSpec {
    shell: Option<String>,
    argv: Option<Vec<String>>,
    cwd: Option<String>,
    env: Vec<(String, String)>,
    /// Null waits for ever.
    #[serde(default = "default_timeout_ms")]
    timeout_ms: Option<f64>,
    max_output_bytes: Option<u64>,
    sandbox: Option<SandboxSpec>,
}

/// What a command is if it runs confined.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SandboxSpec {
    options: SandboxOptions,
    /// The variables of a confined command: those that were given, without those of the process.
    env: Vec<(String, String)>,
    work_dir: Option<String>,
}

#[expect(clippy::unnecessary_wraps, reason = "the default of an optional field")]
fn default_timeout_ms() -> Option<f64> {
    Some(DEFAULT_TIMEOUT.as_secs_f64() * 1000.0)
}

impl CommandSpec {
    pub(crate) fn into_command(self, stdin: Vec<u8>) -> Result<Command> {
        let program = match (self.shell, self.argv) {
            (Some(text), _) => Program::Shell(text),
            (None, argv) => Program::Argv(argv.unwrap_or_default().into_iter().map(OsString::from).collect()),
        };
        let confinement = match &self.sandbox {
            Some(SandboxSpec { options, work_dir, .. }) => {
                options.confinement(work_dir.as_deref().map(Path::new), confinement_available).coded()?
            }
            None => None,
        };
        // A confined command starts in its work directory.
        let (cwd, env) = match self.sandbox {
            Some(sandbox) if confinement.is_some() => (None, sandbox.env),
            _ => (self.cwd, self.env),
        };
        let timeout = self.timeout_ms.map(|ms| Duration::try_from_secs_f64(ms / 1000.0)).transpose();
        let timeout = timeout.map_err(|error| {
            coded("VIGILES_INVALID_ARGUMENT", format_args!("expected a time limit in milliseconds, but {error}"))
        })?;
        Ok(Command {
            program,
            cwd: cwd.map(Into::into),
            env: env.into_iter().map(|(name, value)| (name.into(), value.into())).collect(),
            stdin,
            timeout,
            max_output_bytes: self.max_output_bytes,
            stdout_file: None,
            confinement,
        })
    }
}

/// One run of a script.
#[napi]
pub struct NativeRun {
    output: Output,
}

#[napi]
impl NativeRun {
    /// Everything but the raw bytes, as JSON.
    #[napi(catch_unwind)]
    pub fn json(&self) -> Result<String> {
        to_json(&ScriptRun::from(&self.output))
    }

    /// Standard output as it was written.
    #[napi(catch_unwind)]
    pub fn stdout_bytes(&self) -> Buffer {
        self.output.stdout.bytes().into_owned().into()
    }

    /// Standard error as it was written.
    #[napi(catch_unwind)]
    pub fn stderr_bytes(&self) -> Buffer {
        self.output.stderr.bytes().into_owned().into()
    }
}

/// Runs a script and waits for it.
#[napi(catch_unwind)]
pub fn run_script(spec: String, stdin: String) -> Result<NativeRun> {
    let command = from_json::<CommandSpec>("a command", &spec)?.into_command(stdin.into_bytes())?;
    Ok(NativeRun { output: command.run().coded()? })
}

/// Runs a script beside the event loop.
#[napi]
pub async fn run_script_async(spec: String, stdin: String) -> Result<NativeRun> {
    in_background(move || run_script(spec, stdin)).await
}

/// Runs blocking work on a thread of its own.
pub(crate) async fn in_background<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    spawn_blocking(work)
        .await
        .map_err(|error| coded("VIGILES_INTERNAL", format_args!("a native thread ended: {error}")))?
}
