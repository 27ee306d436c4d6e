//! Files that the CLI reads before it starts.

use std::fs;
use std::path::PathBuf;

use serde_json::{Map, Value, json};

use crate::harness::driver::Setup;
use crate::harness::explain::{Layer, Sources};
use crate::harness::{HarnessError, Place};
use crate::hook::Cli;

/// The CLI's configuration directory.
pub(super) fn dir(place: &Place) -> PathBuf {
    place.home().join(".claude")
}

/// Files of ours that an option names, as far as the spec asks for them.
pub(super) fn option_files(setup: &Setup<'_>) -> Vec<(&'static str, PathBuf)> {
    let (spec, io) = (setup.spec, setup.place.io());
    let files = [
        (spec.settings.is_some(), "--settings", "settings.json"),
        (!spec.mcp_servers.is_empty(), "--mcp-config", "mcp.json"),
    ];
    files.into_iter().filter(|(asked, ..)| *asked).map(|(_, option, name)| (option, io.join(name))).collect()
}

/// The plugin that loose skills are packaged into.
pub(super) fn packaged_skills(setup: &Setup<'_>) -> Option<PathBuf> {
    setup.spec.skills_dir.as_ref().map(|_| setup.place.io().join("loose-skills"))
}

pub(super) fn write(setup: &Setup<'_>) -> Result<(), HarnessError> {
    let (spec, place) = (setup.spec, setup.place);
    let json = |path: PathBuf, value: &Value| Place::write(&path, format!("{value:#}\n").as_bytes());
    let work = place.work();
    let work_text = work.to_string_lossy();

    // A user has trusted the folder: without that the project's own `permissions.allow` would be ignored.
    let mut user = json!({
        "hasCompletedOnboarding": true,
        "projects": { (&*work_text): { "hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true } },
    });
    let path = dir(place).join(".claude.json");
    if let Some(own) = read_object(&path)? {
        merge(&mut user, own);
    }
    json(path, &user)?;

    let io = place.io();
    if let Some(settings) = &spec.settings {
        let mut settings = settings.clone();
        replace_cwd(&mut settings, &work_text);
        json(io.join("settings.json"), &settings)?;
    }
    if !spec.mcp_servers.is_empty() {
        let mut servers = Value::Object(spec.mcp_servers.clone());
        replace_cwd(&mut servers, &work_text);
        json(io.join("mcp.json"), &json!({ "mcpServers": servers }))?;
    }
    Ok(())
}

/// Where this run's hooks stand.
pub(super) fn sources(setup: &Setup<'_>) -> Sources {
    let spec = setup.spec;
    let option = |name: &str| {
        let at = spec.args.iter().position(|argument| argument == name)?;
        spec.args.get(at + 1).cloned()
    };
    let layer = |name: &str| match name.trim() {
        "user" => Some(Layer::User),
        "project" => Some(Layer::Project),
        "local" => Some(Layer::Local),
        _ => None,
    };
    Sources {
        cli: Cli::ClaudeCode,
        project: setup.place.work(),
        config_dir: Some(dir(setup.place)),
        plugins: spec.plugin_dir.paths().to_vec(),
        flag: spec.settings.is_some().then(|| setup.place.io().join("settings.json")),
        setting_sources: option("--setting-sources").map(|names| names.split(',').filter_map(layer).collect()),
        bare: spec.args.iter().any(|argument| argument == "--bare"),
        project_trusted: true,
    }
}

/// A file of the user's home that the spec wrote before.
fn read_object(path: &std::path::Path) -> Result<Option<Map<String, Value>>, HarnessError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(HarnessError::io("read", path, error)),
    };
    serde_json::from_str(&text).map(Some).map_err(|error| HarnessError::Spec {
        field: "home".to_owned(),
        problem: format!("`.claude/.claude.json` is not a JSON object: {error}"),
    })
}

/// Lays `own` over `base`, object by object.
fn merge(base: &mut Value, own: Map<String, Value>) {
    let Value::Object(base) = base else { return };
    for (name, value) in own {
        match (base.get_mut(&name), value) {
            (Some(old @ Value::Object(_)), Value::Object(value)) => merge(old, value),
            (_, value) => {
                base.insert(name, value);
            }
        }
    }
}

/// Puts the work dir in place of `{cwd}` in every text.
fn replace_cwd(value: &mut Value, cwd: &str) {
    match value {
        Value::String(text) if text.contains("{cwd}") => *text = text.replace("{cwd}", cwd),
        Value::Array(items) => items.iter_mut().for_each(|item| replace_cwd(item, cwd)),
        Value::Object(fields) => fields.values_mut().for_each(|field| replace_cwd(field, cwd)),
        _ => {}
    }
}
