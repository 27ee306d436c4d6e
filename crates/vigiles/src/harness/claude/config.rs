//! Files that the CLI reads before it starts.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use crate::harness::driver::Setup;
use crate::harness::explain::{Layer, Sources};
use crate::harness::intercept;
use crate::harness::settings::check_settings;
use crate::harness::surfaces::{SurfaceError, skills_in};
use crate::harness::{HarnessError, Place};
use crate::hook::Cli;

/// The CLI's configuration directory.
pub(super) fn dir(place: &Place) -> PathBuf {
    place.home().join(".claude")
}

/// Where the CLI writes its debug log, that of all launches.
pub(super) fn debug_log(place: &Place) -> PathBuf {
    place.io().join("debug.log")
}

/// Files of ours that an option names, as far as the spec asks for them.
pub(super) fn option_files(setup: &Setup<'_>) -> Vec<(&'static str, PathBuf)> {
    let (spec, io) = (setup.spec, setup.place.io());
    let files = [
        (has_own_settings(setup), "--settings", "settings.json"),
        (!spec.mcp_servers.is_empty(), "--mcp-config", "mcp.json"),
    ];
    files.into_iter().filter(|(asked, ..)| *asked).map(|(_, option, name)| (option, io.join(name))).collect()
}

/// The directory and name of the plugin that loose skills are packaged into.
const LOOSE_SKILLS: &str = "vigiles-loose-skills";

fn has_own_settings(setup: &Setup<'_>) -> bool {
    let spec = setup.spec;
    spec.settings.is_some() || spec.output_style.is_some() || spec.plugin.is_some() || !spec.intercept_tools.is_empty()
}

/// The settings of the spec, with the hooks of a copied plugin and the choice of an output style.
fn own_settings(setup: &Setup<'_>) -> Result<Value, HarnessError> {
    let spec = setup.spec;
    let work = setup.place.work();
    let work = work.to_string_lossy();
    let mut settings = spec.settings.clone().unwrap_or_else(|| json!({}));
    replace_cwd(&mut settings, &work);
    if !settings.is_object() {
        return Err(HarnessError::Spec {
            field: "settings".to_owned(),
            problem: format!("expected an object, but got {settings}"),
        });
    }
    let hooks = setup.place.work().join("hooks/hooks.json");
    if spec.plugin.is_some() && hooks.is_file() {
        let text = fs::read_to_string(&hooks).map_err(|source| HarnessError::io("read", &hooks, source))?;
        check_settings(&text, &hooks, Cli::ClaudeCode).map_err(SurfaceError::from)?;
        // The CLI fills this in for installed plugins alone.
        let text = text.replace("${CLAUDE_PLUGIN_ROOT}", &work);
        add_hooks(&mut settings, serde_json::from_str(&text).unwrap_or_default());
    }
    if let Some(command) = intercept::install(setup, true)? {
        let group = json!({ "hooks": [{ "type": "command", "command": command }] });
        add_hooks(&mut settings, json!({ "hooks": { "PreToolUse": [group] } }));
    }
    if let Some(style) = &spec.output_style {
        settings["outputStyle"] = install_style(setup, style)?.into();
    }
    Ok(settings)
}

/// Adds the hooks of `more` behind those that are there.
fn add_hooks(settings: &mut Value, mut more: Value) {
    let Some(events) = more["hooks"].as_object_mut() else { return };
    for (event, groups) in std::mem::take(events) {
        let Value::Array(groups) = groups else { continue };
        if let Value::Array(there) = &mut settings["hooks"][&event] {
            there.extend(groups);
        } else {
            settings["hooks"][&event] = Value::Array(groups);
        }
    }
}

/// Puts an output style where the CLI finds it, and gives its name.
fn install_style(setup: &Setup<'_>, style: &Path) -> Result<String, HarnessError> {
    let text = fs::read_to_string(style).map_err(|source| HarnessError::io("read the output style", style, source))?;
    let stem = style.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    Place::write(&dir(setup.place).join("output-styles").join(format!("{stem}.md")), text.as_bytes())?;
    let head = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---")).map(|(head, _)| head);
    let name = head.unwrap_or_default().lines().find_map(|line| line.strip_prefix("name:"));
    Ok(name.map_or(stem, |name| name.trim().trim_matches(['"', '\'']).to_owned()))
}

/// Makes a plugin of loose skills: the CLI installs plugins, not directories of skills.
fn package_skills(from: &Path, to: &Path) -> Result<(), HarnessError> {
    if skills_in(from, &mut Vec::new())?.is_empty() {
        return Err(HarnessError::Spec {
            field: "skillsDir".to_owned(),
            problem: format!("{} holds no `<name>/SKILL.md`", from.display()),
        });
    }
    let manifest = json!({ "name": LOOSE_SKILLS, "version": "0.0.0" });
    Place::write(&to.join(".claude-plugin/plugin.json"), manifest.to_string().as_bytes())?;
    Place::copy_tree(from, &to.join("skills"))
}

/// The plugin that loose skills are packaged into.
pub(super) fn packaged_skills(setup: &Setup<'_>) -> Option<PathBuf> {
    setup.spec.skills_dir.as_ref().map(|_| setup.place.io().join(LOOSE_SKILLS))
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
    if has_own_settings(setup) {
        json(io.join("settings.json"), &own_settings(setup)?)?;
    }
    if let Some(skills) = &spec.skills_dir {
        package_skills(skills, &io.join(LOOSE_SKILLS))?;
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
        flag: has_own_settings(setup).then(|| setup.place.io().join("settings.json")),
        setting_sources: option("--setting-sources").map(|names| names.split(',').filter_map(layer).collect()),
        bare: spec.args.iter().any(|argument| argument == "--bare"),
        project_trusted: true,
    }
}

/// A file of the user's home that the spec wrote before.
fn read_object(path: &Path) -> Result<Option<Map<String, Value>>, HarnessError> {
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
