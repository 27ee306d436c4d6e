//! Traces.

use std::ffi::OsString;

use napi::bindgen_prelude::{Buffer, ObjectFinalize};
use napi::{Env, Result};
use napi_derive::napi;
use serde::Deserialize;
use vigiles::check::{Check, Target, eval_all, predicate};
use vigiles::trace::{Field, Open, ToolCall, Trace};

use crate::check::{IsMatch, V8Patterns};
use crate::error::{Coded, coded, from_json, to_json};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Options {
    session: Option<String>,
    cwd: Option<String>,
    hook_events: Option<bool>,
}

/// Reads the options of `parseTrace`.
pub(crate) fn open(options: &str) -> Result<Open> {
    let Options { session, cwd, hook_events } = from_json("options of parseTrace", options)?;
    let mut open = Open::default();
    if let Some(session) = session {
        open = open.session(session);
    }
    if let Some(cwd) = cwd {
        open = open.work_dir(cwd);
    }
    Ok(match hook_events {
        Some(recorded) => open.hook_events(recorded),
        None => open,
    })
}

/// A trace that comes in chunks, the stdout of a CLI for example. The bytes are kept once, here.
#[napi]
#[derive(Default)]
pub struct NativeTraceBuilder {
    bytes: Vec<u8>,
}

#[napi]
impl NativeTraceBuilder {
    /// Nothing so far.
    #[napi(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the next bytes; they may end anywhere.
    #[napi(catch_unwind)]
    pub fn push(&mut self, chunk: Buffer) {
        self.bytes.extend_from_slice(&chunk);
    }

    /// Reads what was pushed. After that the builder is empty.
    #[napi(catch_unwind)]
    pub fn finish(&mut self, env: Env, options: String) -> Result<NativeTrace> {
        NativeTrace::new(env, open(&options)?.read_bytes(std::mem::take(&mut self.bytes)).coded()?)
    }
}

/// A trace, kept on the native side.
#[napi(custom_finalize)]
pub struct NativeTrace {
    trace: Trace,
    /// What V8 was told it holds: without that it sees a tiny object and collects it late.
    told: i64,
}

impl NativeTrace {
    pub(crate) fn new(env: Env, trace: Trace) -> Result<Self> {
        let told = i64::try_from(trace.memory()).unwrap_or(0);
        env.adjust_external_memory(told)?;
        Ok(Self { trace, told })
    }
}

impl ObjectFinalize for NativeTrace {
    fn finalize(self, env: Env) -> Result<()> {
        env.adjust_external_memory(-self.told).map(|_| ())
    }
}

#[napi]
impl NativeTrace {
    /// Reads a file.
    #[napi(factory, catch_unwind)]
    pub fn from_path(env: Env, path: String, options: String) -> Result<Self> {
        Self::new(env, open(&options)?.read_path(path).coded()?)
    }

    /// Reads bytes. They are copied once: the Buffer stays the caller's, who may write to it.
    #[napi(factory, catch_unwind)]
    pub fn from_bytes(env: Env, bytes: Buffer, options: String) -> Result<Self> {
        Self::new(env, open(&options)?.read_bytes(bytes.to_vec()).coded()?)
    }

    /// Takes a plain object with the fields of a trace, as JSON.
    #[napi(factory, catch_unwind)]
    pub fn from_object(env: Env, json: String) -> Result<Self> {
        Self::new(env, Trace::from_json(&json).coded()?)
    }

    /// One field as JSON; null when it was not observed.
    #[napi(catch_unwind)]
    pub fn field(&self, name: String) -> Result<Option<String>> {
        let field =
            Field::from_name(&name).ok_or_else(|| coded("VIGILES_INTERNAL", format_args!("no field {name}")))?;
        self.trace.field_json(field).coded()
    }

    /// The arguments of a call, as JSON.
    #[napi(catch_unwind)]
    pub fn input(&self, index: u32) -> Result<String> {
        self.trace.input_json(self.call(index)?).coded().map(Into::into)
    }

    /// The text a call was answered with.
    #[napi(catch_unwind)]
    pub fn result_text(&self, index: u32) -> Result<Option<String>> {
        Ok(self.trace.result_text(self.call(index)?).coded()?.map(Into::into))
    }

    /// A file of the work dir.
    #[napi(catch_unwind)]
    pub fn file(&self, path: String) -> Result<Option<String>> {
        self.trace.file(&path).coded()
    }

    /// What a shell command prints over the work dir.
    #[napi(catch_unwind)]
    pub fn sh(&self, command: String, env: String) -> Result<String> {
        let env: Vec<(OsString, OsString)> = from_json::<Vec<(String, String)>>("an environment", &env)?
            .into_iter()
            .map(|(name, value)| (name.into(), value.into()))
            .collect();
        self.trace.sh(&command, env).coded()
    }

    /// Judges checks: JSON in, JSON of the results out.
    #[napi(catch_unwind)]
    pub fn eval_checks(&self, checks: String, is_match: IsMatch<'_>) -> Result<String> {
        let checks = Check::list_from_json(&checks).coded()?;
        let patterns = V8Patterns::new(is_match);
        to_json(&eval_all(&checks, &Target::Trace(&self.trace), &patterns).coded()?)
    }

    /// How often a tool was used; `name` is a string or a pattern, as JSON.
    #[napi(catch_unwind)]
    pub fn tool_count(&self, name: String, is_match: IsMatch<'_>) -> Result<u32> {
        let name = crate::check::tool_name(&name)?;
        let patterns = V8Patterns::new(is_match);
        let count = predicate::tool_count(&self.trace, &name, &patterns).coded()?;
        Ok(u32::try_from(count).unwrap_or(u32::MAX))
    }

    /// Indices of the calls of a tool, as JSON; `name` is a string or a pattern, as JSON.
    #[napi(catch_unwind)]
    pub fn calls_of(&self, name: String, is_match: IsMatch<'_>) -> Result<String> {
        let name = crate::check::tool_name(&name)?;
        let patterns = V8Patterns::new(is_match);
        to_json(&predicate::tool_call_indices(&self.trace, &name, &patterns).coded()?)
    }

    fn call(&self, index: u32) -> Result<&ToolCall> {
        let call = self.trace.tool_calls().and_then(|calls| calls.get(index as usize));
        call.ok_or_else(|| coded("VIGILES_INTERNAL", format_args!("no tool call {index}")))
    }
}
