//! Hooks that run seen: each command is wrapped by a recorder, and trusted.
//!
//! The files of the project stay as they are, untrusted and so skipped. Copies of all hooks stand in the user's own
//! `hooks.json`, wrapped, with the hash of what Codex sees in its configuration.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::harness::driver::Setup;
use crate::harness::settings::{HookEntry, HookKind, read_settings, read_toml_hooks};
use crate::harness::surfaces::SurfaceError;
use crate::harness::{HarnessError, Place};
use crate::hook::{Answer, Cli, decide};
use crate::trace::{HookFire, Text};

use super::{config, trust_hash, trust_key};

/// Where the recorder writes.
pub(super) fn log(place: &Place) -> PathBuf {
    place.io().join("hooks.jsonl")
}

/// The hooks of the spec, the user and the project.
pub(super) fn gather(setup: &Setup<'_>) -> Result<Vec<HookEntry>, HarnessError> {
    let place = setup.place;
    let mut hooks = config::hooks_of_spec(setup)?;
    // The first is of the spec's `home`; a run writes over it, so what stands there after that is its own.
    for dir in [config::dir(place), place.work().join(".codex")] {
        let (json, toml) = (dir.join("hooks.json"), dir.join("config.toml"));
        if json.is_file() {
            hooks.extend(read_settings(&json, Cli::Codex).map_err(SurfaceError::from)?.hooks);
        }
        if toml.is_file() {
            hooks.extend(read_toml_hooks(&toml).map_err(SurfaceError::from)?.hooks);
        }
    }
    Ok(hooks)
}

/// The text of `hooks.json`, and the hash that makes each hook trusted, by its key. `own` is a hook of the run that nobody is
/// told of.
pub(super) fn wrapped(
    place: &Place,
    hooks: &[HookEntry],
    own: Option<&str>,
    recorder: Option<&Path>,
) -> (String, Vec<(String, String)>) {
    let mut file = HooksFile { path: config::dir(place).join("hooks.json"), events: Map::new(), states: Vec::new() };
    for hook in hooks {
        let Some(command) = hook.command() else { continue };
        file.add(
            hook,
            match recorder {
                Some(recorder) => wrap(recorder, &log(place), command),
                None => command.to_owned(),
            },
        );
    }
    if let Some(command) = own {
        let hook = HookEntry {
            file: file.path.clone(),
            line: 0,
            pointer: String::new(),
            event: "PreToolUse".to_owned(),
            matcher: None,
            condition: None,
            kind: HookKind::Command(command.to_owned()),
            timeout: None,
            is_async: false,
        };
        file.add(&hook, command.to_owned());
    }
    (format!("{:#}\n", json!({ "hooks": file.events })), file.states)
}

struct HooksFile {
    path: PathBuf,
    events: Map<String, Value>,
    /// Hashes by the key of their hook.
    states: Vec<(String, String)>,
}

impl HooksFile {
    fn add(&mut self, hook: &HookEntry, command: String) {
        let mut handler = json!({ "type": "command", "command": command });
        if let Some(timeout) = hook.timeout {
            handler["timeout"] = number(timeout);
        }
        if hook.is_async {
            handler["async"] = true.into();
        }
        let mut group = json!({ "hooks": [handler] });
        if let Some(matcher) = &hook.matcher {
            group["matcher"] = matcher.as_str().into();
        }
        let groups = self.events.entry(hook.event.clone()).or_insert_with(|| json!([]));
        let Value::Array(groups) = groups else { return };
        let entry = HookEntry {
            file: self.path.clone(),
            pointer: format!("/hooks/{}/{}/hooks/0", hook.event, groups.len()),
            kind: HookKind::Command(command),
            ..hook.clone()
        };
        groups.push(group);
        self.states.extend(trust_key(&entry).zip(trust_hash(&entry, None)));
    }
}

/// Whole seconds are written without a fraction.
fn number(seconds: f64) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "checked to be whole")]
    if seconds.fract() == 0.0 { json!(seconds as i64) } else { json!(seconds) }
}

/// `"$0"` is the shell that Codex takes: the command runs in the same.
fn wrap(recorder: &Path, log: &Path, command: &str) -> String {
    let quoted = |text: &str| format!("'{}'", text.replace('\'', r"'\''"));
    format!(
        "{} record {} \"$0\" {}",
        quoted(&recorder.to_string_lossy()),
        quoted(&log.to_string_lossy()),
        quoted(command)
    )
}

#[derive(Debug, Deserialize)]
#[serde(tag = "phase", rename_all = "lowercase")]
enum Line {
    #[serde(rename_all = "camelCase")]
    Start { id: u32, command: String, event: String },
    #[serde(rename_all = "camelCase")]
    End { id: u32, exit_code: Option<i32>, signal: Option<i32>, stdout: String, stderr: String, duration_ms: f64 },
}

/// The firings in a recorder's log, in the order they started.
pub(super) fn recorded(log: &Path) -> Vec<HookFire> {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    let mut fires: Vec<(u32, HookFire)> = Vec::new();
    for line in text.lines().filter_map(|line| serde_json::from_str::<Line>(line).ok()) {
        match line {
            Line::Start { id, command, event } => fires.push((id, started(command, &event))),
            Line::End { id, exit_code, signal, stdout, stderr, duration_ms } => {
                // A process id may come again: the last one that has not ended.
                let open = fires.iter_mut().rev().find(|(of, fire)| *of == id && fire.duration_ms.is_none());
                if let Some((_, fire)) = open {
                    end(fire, exit_code, signal, stdout, stderr, duration_ms);
                }
            }
        }
    }
    fires.into_iter().map(|(_, fire)| fire).map(cut_off).collect()
}

fn started(command: String, event: &str) -> HookFire {
    let event: Value = serde_json::from_str(event).unwrap_or_default();
    let name = event["hook_event_name"].as_str().unwrap_or_default();
    let subject = event["tool_name"].as_str().or_else(|| event["source"].as_str());
    HookFire {
        name: subject.map_or_else(|| Arc::from(name), |subject| Arc::from(format!("{name}:{subject}"))),
        event: name.into(),
        command: Some(command.into()),
        tool_use_id: event["tool_use_id"].as_str().map(Into::into),
        ..HookFire::default()
    }
}

fn end(
    fire: &mut HookFire,
    exit_code: Option<i32>,
    signal: Option<i32>,
    stdout: String,
    stderr: String,
    duration_ms: f64,
) {
    let decision = decide(&Answer {
        cli: Cli::Codex,
        event: &fire.event,
        exit_code,
        signal,
        stdout: &stdout,
        stderr: &stderr,
        timed_out: false,
        started: true,
    });
    fire.exit_code = exit_code;
    fire.blocked = Some(decision.blocked);
    fire.effect = decision.effect;
    fire.duration_ms = Some(duration_ms);
    fire.timed_out = Some(false);
    fire.output = Some(Text::Kept(format!("{stdout}{stderr}").into()));
    fire.stdout = Some(Text::Kept(stdout.into()));
    fire.stderr = Some(Text::Kept(stderr.into()));
}

/// A firing without an end was ended by the CLI at its time limit, and blocks nothing.
fn cut_off(mut fire: HookFire) -> HookFire {
    if fire.duration_ms.is_none() {
        let decision = decide(&Answer {
            cli: Cli::Codex,
            event: &fire.event,
            exit_code: None,
            signal: None,
            stdout: "",
            stderr: "",
            timed_out: true,
            started: true,
        });
        fire.timed_out = Some(true);
        fire.blocked = Some(decision.blocked);
        fire.effect = decision.effect;
    }
    fire
}
