//! Files and variables that Codex reads before it starts.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use toml_edit::{DocumentMut, Item, Table, value};

use crate::harness::driver::Setup;
use crate::harness::intercept;
use crate::harness::settings::{HookEntry, check_settings};
use crate::harness::surfaces::SurfaceError;
use crate::harness::{HarnessError, Place, Spec};
use crate::hook::Cli;

use super::{hooks, toml};

/// A model with the classic tools that this version knows: an unknown one is warned about in the stream.
const MODEL: &str = "gpt-5.5";

/// A key that opens nothing.
const KEY: &str = "sk-vigiles-scripted-model";

/// No look-up of any address but the model's, no approval that nobody can give, no try without end.
pub(super) const FLAGS: [&str; 15] = [
    "--json",
    "--skip-git-repo-check",
    "--dangerously-bypass-approvals-and-sandbox",
    "--disable",
    "plugins",
    "--disable",
    "apps",
    "--disable",
    "unbounded_connection_retries",
    "-c",
    "check_for_update_on_startup=false",
    "-c",
    "analytics.enabled=false",
    "-c",
    "skills.bundled.enabled=false",
];

pub(super) fn model(spec: &Spec) -> &str {
    spec.model_name.as_deref().unwrap_or(MODEL)
}

/// `CODEX_HOME`. Not below `TMPDIR`: there Codex makes none of the helper programs that its sandbox needs.
pub(super) fn dir(place: &Place) -> PathBuf {
    place.home().join(".codex")
}

/// What the CLI and everything that it starts find. Nothing of the caller's but `PATH`.
pub(super) fn environment(setup: &Setup<'_>) -> Vec<(OsString, OsString)> {
    let place = setup.place;
    let mut env: Vec<(OsString, OsString)> = vec![
        ("PATH".into(), setup.path.into()),
        ("HOME".into(), place.home().into()),
        ("CODEX_HOME".into(), dir(place).into()),
        ("TMPDIR".into(), place.tmp().into()),
        ("LANG".into(), "C.UTF-8".into()),
        ("TZ".into(), "UTC".into()),
        ("OPENAI_API_KEY".into(), KEY.into()),
    ];
    env.extend(setup.spec.env.iter().map(|(name, value)| (name.into(), value.into())));
    env
}

pub(super) fn write(setup: &Setup<'_>) -> Result<(), HarnessError> {
    let place = setup.place;
    let path = dir(place).join("config.toml");
    let mut config = own_config(&path)?;
    config["model"] = value(model(setup.spec));
    config["model_provider"] = value("vigiles");
    config["model_providers"]["vigiles"] = Item::Table(provider(setup));
    // A user has trusted the folder: without that its `.codex` would not be read.
    let work = place.work();
    config["projects"][&*work.to_string_lossy()]["trust_level"] = value("trusted");
    if let Some(Value::Object(settings)) = &setup.spec.settings {
        let beside: serde_json::Map<String, Value> = settings
            .iter()
            .filter(|(name, _)| *name != "hooks")
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        for (name, item) in toml::table(&beside) {
            config[&*name] = item;
        }
    }
    for (name, server) in &setup.spec.mcp_servers {
        if let Value::Object(server) = server {
            let mut table = toml::table(server);
            // Nobody could be asked: without this every call is refused.
            table.entry("default_tools_approval_mode").or_insert(value("approve"));
            config["mcp_servers"][name] = Item::Table(table);
        }
    }
    let entries = hooks::gather(setup)?;
    let own = intercept::install(setup, false)?;
    if !entries.is_empty() || own.is_some() {
        // Its hooks stand in `hooks.json` from now on, and Codex warns where a directory has both.
        if let Some(hooks) = config.get_mut("hooks").and_then(Item::as_table_like_mut) {
            let events: Vec<String> =
                hooks.iter().map(|(name, _)| name.to_owned()).filter(|name| name != "state").collect();
            for event in events {
                hooks.remove(&event);
            }
        }
        let (file, states) = hooks::wrapped(place, &entries, own.as_deref(), setup.helper);
        for (key, hash) in states {
            config["hooks"]["state"][&key]["trusted_hash"] = value(hash);
        }
        Place::write(&dir(place).join("hooks.json"), file.as_bytes())?;
    }
    if let Some(skills) = &setup.spec.skills_dir {
        Place::copy_tree(skills, &dir(place).join("skills"))?;
    }
    if !setup.spec.stubs.is_empty() {
        keep_path(setup)?;
    }
    Place::write(&path, config.to_string().as_bytes())
}

/// Sets `PATH` once more in what a login shell reads last: the system's profile sets it anew, and Codex runs every command in a
/// login shell. Then the stubs would not be found.
fn keep_path(setup: &Setup<'_>) -> Result<(), HarnessError> {
    let home = setup.place.home();
    // The first that is there is read.
    let names = [".bash_profile", ".bash_login", ".profile"];
    let path = names.iter().map(|name| home.join(name)).find(|path| path.is_file()).unwrap_or(home.join(".profile"));
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(HarnessError::io("read", &path, error)),
    };
    let quoted = setup.path.to_string_lossy().replace('\'', r"'\''");
    let text = format!("{text}\nPATH='{quoted}'\nexport PATH\n");
    Place::write(&path, text.as_bytes())
}

pub(super) fn has_hooks(setup: &Setup<'_>) -> Result<bool, HarnessError> {
    Ok(!hooks::gather(setup)?.is_empty())
}

/// The user's configuration, as far as the spec gives one.
fn own_config(path: &Path) -> Result<DocumentMut, HarnessError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(HarnessError::io("read", path, error)),
    };
    text.parse().map_err(|error: toml_edit::TomlError| {
        let problem = error.to_string();
        HarnessError::Surface(SurfaceError::File { file: path.to_owned(), problem })
    })
}

fn provider(setup: &Setup<'_>) -> Table {
    let provider = json!({
        "name": "vigiles",
        "base_url": format!("{}/v1", setup.model.url()),
        "wire_api": "responses",
        "env_key": "OPENAI_API_KEY",
        "request_max_retries": 1,
        "stream_max_retries": 1,
        "stream_idle_timeout_ms": 10_000,
    });
    provider.as_object().map(toml::table).unwrap_or_default()
}

/// The hooks of a settings object given with the spec.
pub(super) fn hooks_of_spec(setup: &Setup<'_>) -> Result<Vec<HookEntry>, HarnessError> {
    let Some(hooks) = setup.spec.settings.as_ref().and_then(|settings| settings.get("hooks")) else {
        return Ok(Vec::new());
    };
    let text = json!({ "hooks": hooks }).to_string();
    let settings = check_settings(&text, Path::new("settings"), Cli::Codex).map_err(SurfaceError::from)?;
    Ok(settings.hooks)
}
