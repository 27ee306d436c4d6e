//! The command line.

use std::ffi::OsString;

use crate::harness::DEFAULT_ALLOWED_TOOLS;
use crate::harness::driver::{Setup, UserTurn};

use super::version::Version;
use super::{SESSION, config};

/// A model of the current generation whose name every version sends as it is.
const MODEL: &str = "claude-sonnet-4-5";

pub(super) fn of(setup: &Setup<'_>, turn: &UserTurn<'_>) -> Vec<OsString> {
    let spec = setup.spec;
    let mut argv: Vec<OsString> = vec![setup.binary.into()];
    let mut add = |arguments: &[&str]| argv.extend(arguments.iter().map(OsString::from));
    // Without `--verbose` the stream is refused; without hook events only those of SessionStart are in it.
    add(&["-p", "--output-format", "stream-json", "--verbose", "--include-hook-events"]);
    add(&[if turn.index == 0 { "--session-id" } else { "--resume" }, SESSION]);
    add(&["--model", spec.model_name.as_deref().unwrap_or(MODEL)]);
    if let Some(tools) = &spec.tools {
        let mut names: Vec<&str> = tools.iter().map(|tool| tool.trim()).filter(|tool| !tool.is_empty()).collect();
        names.dedup();
        add(&["--tools", &names.join(",")]);
    }
    let allowed: Vec<&str> = match &spec.allowed_tools {
        Some(tools) => tools.iter().map(String::as_str).collect(),
        None => DEFAULT_ALLOWED_TOOLS.to_vec(),
    };
    if !allowed.is_empty() {
        add(&["--allowed-tools", &allowed.join(",")]);
    }
    if !spec.disallowed_tools.is_empty() {
        add(&["--disallowed-tools", &spec.disallowed_tools.join(",")]);
    }
    if let Some(turns) = spec.max_turns {
        add(&["--max-turns", &turns.to_string()]);
    }
    if let Some(mode) = &spec.permission_mode {
        add(&["--permission-mode", mode]);
    }
    if let Some(effort) = &spec.effort {
        add(&["--effort", &effort.to_string()]);
    }
    if !spec.agents.is_empty() {
        // As text: version 2.1.197 takes no file here.
        add(&["--agents", &serde_json::Value::Object(spec.agents.clone()).to_string()]);
    }
    for dir in spec.plugin_dir.paths().iter().cloned().chain(config::packaged_skills(setup)) {
        argv.extend([OsString::from("--plugin-dir"), dir.into()]);
    }
    for (option, file) in config::option_files(setup) {
        argv.extend([OsString::from(option), file.into()]);
    }
    if Version::of(setup.binary).is_some_and(|version| version.is_at_least(Version::TELLS_HOOKS_IN_DEBUG_LOG)) {
        // It costs this version no measurable time. Older ones it slows by a quarter, and they tell nothing in it.
        argv.extend([OsString::from("--debug-file"), config::debug_log(setup.place).into()]);
    }
    argv.extend(spec.args.iter().map(OsString::from));
    argv
}
