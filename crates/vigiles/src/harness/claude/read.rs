//! What the launches left.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;

use crate::harness::HarnessError;
use crate::harness::driver::Setup;
use crate::harness::error::Context;
use crate::harness::explain::gather;
use crate::harness::intercept;
use crate::model::Received;
use crate::trace::{Open, Trace};

use super::version::Version;
use super::{CLI, SESSION, config, hooks};

pub(super) fn trace(setup: &Setup<'_>) -> Result<Trace, HarnessError> {
    let place = setup.place;
    let session = session_file(setup);
    let mut open = Open::default().hook_events(true).work_dir(place.work());
    if session.is_file() {
        open = open.session(session);
    }
    let mut trace = open.read_path(place.stdout()).map_err(|source| HarnessError::Stream {
        cli: CLI.into(),
        source,
        context: Box::new(Context { dir: place.root().to_owned(), ..Context::default() }),
    })?;
    // The agent may have broken a settings file since: then the configuration tells nothing.
    let configured = gather(&config::sources(setup)).map(|gathered| gathered.hooks).unwrap_or_default();
    // The hook that refuses calls is the run's own, and no part of the harness under test.
    let own = intercept::command(setup)?;
    let is_own = |command: Option<&str>| own.is_some() && command == own.as_deref();
    trace.drop_hooks(crate::intercept::is_own);
    let configured: Vec<_> =
        configured.into_iter().map(|(_, _, hook)| hook).filter(|hook| !is_own(hook.command())).collect();
    let log = fs::read_to_string(config::debug_log(place)).unwrap_or_default();
    let logged: Vec<_> = hooks::logged(&log).into_iter().filter(|entry| !is_own(Some(entry.command))).collect();
    trace.complete_hooks(|fires, calls| hooks::complete(fires, calls, &logged, &configured));
    let launches = setup.spec.all_prompts().len();
    if launches > 1
        && let Some(cost) = cost_of(setup, launches)
    {
        trace.set_cost(cost);
    }
    Ok(trace)
}

/// Refuses a run whose output style no request carried: what it shows would not be the style's doing.
pub(super) fn style_reached(setup: &Setup<'_>, requests: &[Arc<Received>]) -> Result<(), HarnessError> {
    let Some(style) = &setup.spec.output_style else { return Ok(()) };
    let text = fs::read_to_string(style).map_err(|source| HarnessError::io("read the output style", style, source))?;
    let body = match text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---")) {
        Some((_, body)) => body.trim(),
        None => text.trim(),
    };
    // The CLI joins the style with texts of its own, line by line.
    let Some(line) = body.lines().map(str::trim).find(|line| !line.is_empty()) else { return Ok(()) };
    let carries = |request: &Arc<Received>| {
        let flat = request.flat();
        flat.system.contains(line) || flat.messages.iter().any(|message| message.text.contains(line))
    };
    if requests.is_empty() || requests.iter().any(carries) {
        return Ok(());
    }
    Err(HarnessError::NeverReached {
        what: format!("the output style {}", style.display()),
        context: Box::new(Context { dir: setup.place.root().to_owned(), ..Context::default() }),
    })
}

/// The cost of several launches, where each counts its own alone. `None` where the CLI adds them up itself.
fn cost_of(setup: &Setup<'_>, launches: usize) -> Option<f64> {
    let streams: Vec<Vec<u8>> =
        (0..launches).map(|launch| fs::read(setup.place.stdout_of(launch)).unwrap_or_default()).collect();
    let lines = |stream: &[u8], of: &str| -> Vec<Value> {
        let is_of = |line: &&[u8]| memchr::memmem::find(line, of.as_bytes()).is_some();
        stream.split(|byte| *byte == b'\n').filter(is_of).filter_map(|line| serde_json::from_slice(line).ok()).collect()
    };
    let init = lines(streams.first()?, r#""subtype":"init""#);
    let version = Version::parse(init.first()?["claude_code_version"].as_str()?)?;
    if version.is_at_least(Version::ADDS_UP_COST) {
        return None;
    }
    streams.iter().map(|stream| lines(stream, r#""type":"result""#).last()?["total_cost_usd"].as_f64()).sum()
}

/// Where the CLI keeps the session: the work dir's path names the directory, everything but letters and digits as `-`.
fn session_file(setup: &Setup<'_>) -> PathBuf {
    let work = setup.place.work();
    let project: String =
        work.to_string_lossy().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    config::dir(setup.place).join("projects").join(project).join(format!("{SESSION}.jsonl"))
}
