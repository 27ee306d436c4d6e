//! Running and judging hooks.

use std::path::PathBuf;

use napi::Result;
use napi::bindgen_prelude::Buffer;
use napi_derive::napi;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use vigiles::hook::{
    Answer, Cli, ConditionSubject, DISASTER_CATALOG, DisasterEvent, EventContext, FileToolEventOptions,
    GuardrailResult, Hook, HookRun, MatcherEntry, MatcherStyle, decide, decide_condition, explain, file_tool_events,
    format_guardrail_report, guardrail_failure, matcher_issues, project_root, reach, run_hooks, verify_guardrail,
};

use crate::error::{Coded, coded, from_json, to_json};
use crate::process::{CommandSpec, in_background};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct HookSpec {
    command: CommandSpec,
    cli: Option<String>,
    condition: Option<String>,
    project_dir: Option<PathBuf>,
}

pub(crate) fn hook(spec: &str) -> Result<Hook> {
    let HookSpec { command, cli, condition, project_dir } = from_json("a hook", spec)?;
    Ok(Hook { command: command.into_command(Vec::new())?, cli: cli_named(cli.as_deref())?, condition, project_dir })
}

/// The CLI by its name, Claude Code when none is given.
fn cli_named(name: Option<&str>) -> Result<Cli> {
    match name {
        None | Some("claude-code") => Ok(Cli::ClaudeCode),
        Some("codex") => Ok(Cli::Codex),
        Some(other) => Err(coded(
            "VIGILES_INVALID_ARGUMENT",
            format_args!("expected the CLI to be \"claude-code\" or \"codex\", but got {other:?}"),
        )),
    }
}

/// One run of a hook.
#[napi]
pub struct NativeHookRun {
    run: HookRun,
}

#[napi]
impl NativeHookRun {
    /// Everything but the raw bytes, as JSON.
    #[napi(catch_unwind)]
    pub fn json(&self) -> Result<String> {
        to_json(&self.run)
    }

    /// Standard output as it was written.
    #[napi(catch_unwind)]
    pub fn stdout_bytes(&self) -> Buffer {
        self.run.output.as_ref().map_or_else(Vec::new, |output| output.stdout.bytes().into_owned()).into()
    }

    /// Standard error as it was written.
    #[napi(catch_unwind)]
    pub fn stderr_bytes(&self) -> Buffer {
        self.run.output.as_ref().map_or_else(Vec::new, |output| output.stderr.bytes().into_owned()).into()
    }
}

/// Runs a hook with one event and waits for it.
#[napi(catch_unwind)]
pub fn run_hook(spec: String, event: String) -> Result<NativeHookRun> {
    Ok(NativeHookRun { run: hook(&spec)?.run(&event).coded()? })
}

/// Runs a hook with one event beside the event loop.
#[napi]
pub async fn run_hook_async(spec: String, event: String) -> Result<NativeHookRun> {
    in_background(move || run_hook(spec, event)).await
}

/// Runs a hook with many events beside the event loop. Results are in the order of the events.
#[napi]
pub async fn run_hooks_async(spec: String, events: Vec<String>, concurrency: u32) -> Result<Vec<NativeHookRun>> {
    in_background(move || {
        let events: Vec<&str> = events.iter().map(String::as_str).collect();
        let runs = run_hooks(&hook(&spec)?, &events, concurrency as usize);
        runs.into_iter().map(|run| Ok(NativeHookRun { run: run.coded()? })).collect()
    })
    .await
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct AnswerSpec {
    cli: Option<String>,
    #[serde(default)]
    event: String,
    exit_code: Option<i32>,
    signal: Option<i32>,
    #[serde(default)]
    stdout: String,
    #[serde(default)]
    stderr: String,
    #[serde(default)]
    timed_out: bool,
    started: Option<bool>,
}

/// What a hook's answer does, with its explanation, as JSON.
#[napi(catch_unwind)]
pub fn decide_hook(answer: String) -> Result<String> {
    let spec: AnswerSpec = from_json("the answer of a hook", &answer)?;
    let answer = Answer {
        cli: cli_named(spec.cli.as_deref())?,
        event: &spec.event,
        exit_code: spec.exit_code,
        signal: spec.signal,
        stdout: &spec.stdout,
        stderr: &spec.stderr,
        timed_out: spec.timed_out,
        started: spec.started.unwrap_or(true),
    };
    let decision = decide(&answer);
    let mut value = json!(decision);
    value["explanation"] = explain(&answer, &decision).into();
    to_json(&value)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SubjectSpec {
    cli: Option<String>,
    #[serde(default)]
    event: String,
    tool: Option<String>,
    input: Option<Value>,
    cwd: Option<String>,
    root: Option<String>,
    home: Option<String>,
}

/// Whether a condition lets a hook run, as JSON `{runs, why}`.
#[napi(catch_unwind)]
pub fn decide_hook_condition(condition: Option<String>, subject: String) -> Result<String> {
    let subject: SubjectSpec = from_json("the subject of a condition", &subject)?;
    let verdict = decide_condition(
        condition.as_deref(),
        &ConditionSubject {
            cli: cli_named(subject.cli.as_deref())?,
            event: &subject.event,
            tool: subject.tool.as_deref(),
            input: subject.input.as_ref(),
            cwd: subject.cwd.as_deref(),
            root: subject.root.as_deref(),
            home: subject.home.as_deref(),
        },
    );
    to_json(&verdict)
}

/// Whether a matcher selects a tool: `selects`, `misses`, `uncompilable`.
#[napi(catch_unwind)]
pub fn hook_matcher_reach(matcher: Option<String>, tool: String, cli: String) -> Result<String> {
    let style = MatcherStyle::of(cli_named(Some(&cli))?);
    Ok(reach(matcher.as_deref(), &tool, style).name().to_owned())
}

/// What is wrong with matchers, as JSON.
#[napi(catch_unwind)]
pub fn hook_matcher_issues(entries: String, declared_servers: Vec<String>, cli: String) -> Result<String> {
    let entries: Vec<MatcherEntry> = from_json("a list of matchers", &entries)?;
    let servers: Vec<&str> = declared_servers.iter().map(String::as_str).collect();
    let cli = cli_named(Some(&cli))?;
    to_json(&matcher_issues(&entries, &servers, cli))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct FileEventSpec {
    path: String,
    root: Option<String>,
    project_dir: Option<String>,
    cwd: String,
    event: Option<String>,
    tool: Option<String>,
    #[serde(default)]
    input: Map<String, Value>,
    #[serde(default)]
    extra: Map<String, Value>,
}

/// One edit of a file as two events, relative and absolute, as JSON.
#[napi(catch_unwind)]
pub fn build_file_tool_events(spec: String) -> Result<String> {
    let spec: FileEventSpec = from_json("options of fileToolEvents", &spec)?;
    let root = project_root(spec.root.as_deref(), spec.project_dir.as_deref(), &spec.cwd);
    let options = FileToolEventOptions {
        event: spec.event.as_deref(),
        tool: spec.tool.as_deref(),
        input: spec.input,
        extra: spec.extra,
    };
    to_json(&file_tool_events(&spec.path, root, &options))
}

/// An event of a CLI with its measured fields, as JSON. `fields` are the parameters of the builder in Rust.
#[napi(catch_unwind)]
pub fn build_hook_event(cli: String, event: String, context: String, fields: String) -> Result<String> {
    let cli = cli_named(Some(&cli))?;
    let context: EventContext = from_json("the context of an event", &context)?;
    to_json(&vigiles::hook::build_event(cli, &event, &context, &from_json("the fields of an event", &fields)?).coded()?)
}

/// The disaster catalog, as JSON.
#[napi(catch_unwind)]
pub fn disaster_catalog() -> Result<String> {
    to_json(&*DISASTER_CATALOG)
}

/// Sends disasters to a guard: results as JSON.
#[napi(catch_unwind)]
pub fn verify_guard(
    spec: String,
    event: String,
    disasters: String,
    context: String,
    concurrency: u32,
) -> Result<String> {
    let disasters: Vec<DisasterEvent> = from_json("a list of disasters", &disasters)?;
    let context: EventContext = from_json("the context of an event", &context)?;
    to_json(&verify_guardrail(&hook(&spec)?, &event, &disasters, &context, concurrency as usize).coded()?)
}

/// A table of results.
#[napi(catch_unwind)]
pub fn format_guard_report(command: String, results: String) -> Result<String> {
    Ok(format_guardrail_report(&command, &from_json::<Vec<GuardrailResult>>("results of verifyGuardrail", &results)?))
}

/// The message of a guard that does not hold; null when it does.
#[napi(catch_unwind)]
pub fn guard_failure(command: String, results: String) -> Result<Option<String>> {
    Ok(guardrail_failure(&command, &from_json::<Vec<GuardrailResult>>("results of verifyGuardrail", &results)?))
}

/// Disasters in other spellings, as JSON.
#[napi(catch_unwind)]
pub fn alternate_spellings(events: String) -> Result<String> {
    let events: Vec<DisasterEvent> = from_json("a list of disasters", &events)?;
    to_json(&vigiles::hook::alternate_spellings(&events))
}
