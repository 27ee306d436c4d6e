//! Which hooks would run for an event, and why the others would not.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::hook::{Cli, ConditionSubject, MatcherStyle, Reach, decide_condition, events, reach};

use super::codex::{trust_hash, trust_key};
use super::settings::{HookEntry, Settings, SettingsError, read_settings, read_toml_hooks};
use super::surfaces::{SurfaceError, load_plugin};

/// Where settings come from. A CLI adds the hooks of all layers up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Layer {
    /// The user's own configuration.
    User,
    /// The project's, shared.
    Project,
    /// The project's, of this user alone.
    Local,
    /// A plugin.
    Plugin,
    /// An option of the command line.
    Flag,
}

impl Layer {
    /// The name in JSON and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
            Self::Plugin => "plugin",
            Self::Flag => "flag",
        }
    }
}

/// What a CLI would be started with.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Sources {
    /// The CLI.
    pub cli: Cli,
    /// The project's directory.
    pub project: PathBuf,
    /// The CLI's configuration directory of the user: `~/.claude`, `~/.codex`. `None` looks at no user's settings.
    pub config_dir: Option<PathBuf>,
    /// Plugins (`--plugin-dir`).
    pub plugins: Vec<PathBuf>,
    /// A settings file given as an option (`--settings`).
    pub flag: Option<PathBuf>,
    /// The layers that `--setting-sources` leaves in; `None` is all.
    pub setting_sources: Option<Vec<Layer>>,
    /// `--bare`.
    pub bare: bool,
    /// Codex: whether the project is trusted. Untrusted, its own hooks are not read.
    pub project_trusted: bool,
}

/// The event that is asked about.
#[derive(Debug, Clone, Copy, Default)]
pub struct Asked<'a> {
    /// `PreToolUse`, ...
    pub event: &'a str,
    /// The tool of a tool event.
    pub tool: Option<&'a str>,
    /// Its arguments.
    pub input: Option<&'a Value>,
    /// What the matcher of another event is compared with: the source of a session's start, a trigger, an agent's type.
    pub subject: Option<&'a str>,
}

/// Whether a hook would run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WouldRun {
    /// It would.
    Yes,
    /// It would not.
    No,
    /// Nobody measured it.
    Unknown,
}

impl WouldRun {
    /// The name in JSON and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Unknown => "unknown",
        }
    }
}

/// Whether Codex trusts a hook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "lowercase")]
pub enum Trust {
    /// Its hash stands in the configuration.
    Trusted,
    /// Another hash stands there: the hook was changed since.
    Changed,
    /// Nothing stands there.
    Untrusted {
        /// What would have to stand there.
        key: String,
        /// Its value.
        hash: String,
    },
}

impl Trust {
    /// The name in JSON and messages.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Trusted => "trusted",
            Self::Changed => "changed",
            Self::Untrusted { .. } => "untrusted",
        }
    }
}

/// One hook and what would become of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Explained {
    /// The layer it stands in.
    pub layer: Layer,
    /// The plugin it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plugin: Option<String>,
    /// The hook.
    pub hook: HookEntry,
    /// What its matcher does with the tool or subject; `None` where that was not asked or is never compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matcher: Option<Reach>,
    /// What its condition says; `None` where it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// Codex: whether it is trusted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trust: Option<Trust>,
    /// Whether it would run.
    pub would_run: WouldRun,
    /// Why.
    pub reason: String,
}

/// Every hook of every layer that is registered for the event, in the order of the layers.
pub fn explain_hooks(sources: &Sources, asked: &Asked<'_>) -> Result<Vec<Explained>, SurfaceError> {
    let Gathered { hooks, off } = gather(sources)?;
    let hashes = match (sources.cli, &sources.config_dir) {
        (Cli::Codex, Some(dir)) => trusted_hashes(&dir.join("config.toml"))?,
        _ => HashMap::new(),
    };
    let judge = Judge { sources, asked, off, hashes };
    let hooks = hooks.into_iter().filter(|(_, _, hook)| hook.event == asked.event);
    Ok(hooks.map(|(layer, plugin, hook)| judge.explain(layer, plugin, hook)).collect())
}

/// The hooks of all layers.
pub(super) struct Gathered {
    pub(super) hooks: Vec<(Layer, Option<String>, HookEntry)>,
    /// Why no hook at all would run.
    pub(super) off: Option<String>,
}

struct Judge<'a> {
    sources: &'a Sources,
    asked: &'a Asked<'a>,
    off: Option<String>,
    /// Codex: trusted hashes by the key of a hook.
    hashes: HashMap<String, String>,
}

pub(super) fn gather(sources: &Sources) -> Result<Gathered, SurfaceError> {
    let mut gathered = Gathered { hooks: Vec::new(), off: None };
    if sources.bare {
        gathered.off = Some("--bare runs no hook, not even those of --settings".to_owned());
    }
    let files: Vec<(Layer, PathBuf)> = match sources.cli {
        Cli::ClaudeCode => [
            sources.config_dir.as_ref().map(|dir| (Layer::User, dir.join("settings.json"))),
            Some((Layer::Project, sources.project.join(".claude/settings.json"))),
            Some((Layer::Local, sources.project.join(".claude/settings.local.json"))),
            sources.flag.as_ref().map(|file| (Layer::Flag, file.clone())),
        ]
        .into_iter()
        .flatten()
        .collect(),
        Cli::Codex => [
            sources.config_dir.as_ref().map(|dir| (Layer::User, dir.join("hooks.json"))),
            sources.config_dir.as_ref().map(|dir| (Layer::User, dir.join("config.toml"))),
            Some((Layer::Project, sources.project.join(".codex/hooks.json"))),
            Some((Layer::Project, sources.project.join(".codex/config.toml"))),
        ]
        .into_iter()
        .flatten()
        .collect(),
    };
    for (layer, file) in files {
        if !file.is_file() {
            continue;
        }
        let is_toml = file.extension().is_some_and(|extension| extension == "toml");
        let settings = if is_toml { read_toml_hooks(&file)? } else { read_settings(&file, sources.cli)? };
        let Settings { hooks, disable_all_hooks, .. } = settings;
        if disable_all_hooks && reads(sources, layer) {
            gathered.off.get_or_insert_with(|| format!("`disableAllHooks` in {}", file.display()));
        }
        gathered.hooks.extend(hooks.into_iter().map(|hook| (layer, None, hook)));
    }
    for dir in &sources.plugins {
        let plugin = load_plugin(dir)?;
        let hooks = plugin.surfaces.hooks.into_iter();
        gathered.hooks.extend(hooks.map(|hook| (Layer::Plugin, Some(plugin.name.clone()), hook)));
    }
    gathered.hooks.sort_by_key(|(layer, ..)| *layer);
    Ok(gathered)
}

/// Whether the layer is read at all.
fn reads(sources: &Sources, layer: Layer) -> bool {
    match &sources.setting_sources {
        Some(kept) if matches!(layer, Layer::User | Layer::Project | Layer::Local) => kept.contains(&layer),
        _ => true,
    }
}

impl Judge<'_> {
    fn explain(&self, layer: Layer, plugin: Option<String>, hook: HookEntry) -> Explained {
        let mut explained = Explained {
            layer,
            plugin,
            matcher: None,
            condition: None,
            trust: None,
            would_run: WouldRun::Yes,
            reason: String::new(),
            hook,
        };
        (explained.would_run, explained.reason) = self.judge(&mut explained);
        explained
    }

    fn judge(&self, explained: &mut Explained) -> (WouldRun, String) {
        let Self { sources, asked, .. } = *self;
        let hook = &explained.hook;
        // All verdicts are filled in, so that a reader sees each of them; the first that says no decides.
        let mut verdicts: Vec<(WouldRun, String)> = Vec::new();
        if let Some(off) = &self.off {
            verdicts.push((WouldRun::No, off.clone()));
        }
        if !reads(sources, explained.layer) {
            verdicts
                .push((WouldRun::No, format!("--setting-sources leaves out the {} settings", explained.layer.name())));
        }
        if sources.cli == Cli::Codex {
            if explained.layer == Layer::Project && !sources.project_trusted {
                verdicts.push((WouldRun::No, "the project is not trusted, so its hooks are not read".to_owned()));
            }
            let trust = trust_of(hook, &self.hashes);
            match &trust {
                Some(Trust::Trusted) | None => {}
                Some(Trust::Changed) => {
                    verdicts.push((
                        WouldRun::No,
                        "present but changed since it was trusted: Codex skips it without a word".to_owned(),
                    ));
                }
                Some(Trust::Untrusted { .. }) => {
                    verdicts.push((WouldRun::No, "present but not trusted: Codex skips it without a word".to_owned()));
                }
            }
            explained.trust = trust;
        }
        matcher_verdict(sources.cli, asked, hook, &mut explained.matcher, &mut verdicts);
        if let Some(condition) = &hook.condition {
            let project = sources.project.to_string_lossy();
            let verdict = decide_condition(
                Some(condition),
                &ConditionSubject {
                    cli: sources.cli,
                    event: asked.event,
                    tool: asked.tool,
                    input: asked.input,
                    cwd: Some(&project),
                    root: Some(&project),
                    home: None,
                },
            );
            let would_run = if !verdict.judged {
                WouldRun::Unknown
            } else if verdict.runs {
                WouldRun::Yes
            } else {
                WouldRun::No
            };
            verdicts.push((would_run, verdict.why.clone()));
            explained.condition = Some(verdict.why);
        }
        if !matches!(hook.kind.name(), "command" | "prompt")
            || (sources.cli == Cli::Codex && hook.kind.name() != "command")
        {
            verdicts.push((WouldRun::Unknown, format!("hooks of the type {:?} were not measured", hook.kind.name())));
        }
        let decisive = [WouldRun::No, WouldRun::Unknown]
            .into_iter()
            .find_map(|wanted| verdicts.iter().find(|(would_run, _)| *would_run == wanted).cloned());
        decisive.unwrap_or_else(|| {
            let reasons: Vec<String> = verdicts.into_iter().map(|(_, why)| why).collect();
            (
                WouldRun::Yes,
                if reasons.is_empty() {
                    "it is registered for every such event".to_owned()
                } else {
                    reasons.join("; ")
                },
            )
        })
    }
}

fn matcher_verdict(
    cli: Cli,
    asked: &Asked<'_>,
    hook: &HookEntry,
    seen: &mut Option<Reach>,
    verdicts: &mut Vec<(WouldRun, String)>,
) {
    let Some(matcher) = hook.matcher.as_deref().filter(|matcher| !matcher.is_empty()) else { return };
    let is_tool_event = events::facts(asked.event).is_some_and(|facts| facts.tool_call);
    let subject = if is_tool_event { asked.tool } else { asked.subject };
    // These events have nothing that a matcher could select.
    if matches!(asked.event, "UserPromptSubmit" | "Stop") {
        verdicts.push((WouldRun::Yes, format!("{} has nothing to match, so the matcher does not count", asked.event)));
        return;
    }
    let Some(subject) = subject else {
        if matches!(matcher, "*" | ".*") {
            return;
        }
        let what = if is_tool_event { "the tool" } else { "the subject" };
        verdicts.push((WouldRun::Unknown, format!("the matcher {matcher:?} depends on {what}, which was not given")));
        return;
    };
    let reached = reach(Some(matcher), subject, MatcherStyle::of(cli));
    *seen = Some(reached);
    verdicts.push(match reached {
        Reach::Selects => (WouldRun::Yes, format!("the matcher {matcher:?} selects {subject:?}")),
        Reach::Misses => (WouldRun::No, format!("the matcher {matcher:?} does not select {subject:?}")),
        Reach::Uncompilable => {
            (WouldRun::No, format!("the matcher {matcher:?} does not compile, so it selects nothing"))
        }
    });
}

fn trust_of(hook: &HookEntry, hashes: &HashMap<String, String>) -> Option<Trust> {
    let (key, hash) = (trust_key(hook)?, trust_hash(hook, None)?);
    Some(match hashes.get(&key) {
        Some(stored) if *stored == hash => Trust::Trusted,
        Some(_) => Trust::Changed,
        None => Trust::Untrusted { key, hash },
    })
}

/// The hashes in `[hooks.state]` of Codex's configuration.
fn trusted_hashes(file: &Path) -> Result<HashMap<String, String>, SurfaceError> {
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(HashMap::new()),
        Err(source) => return Err(SettingsError::Unreadable { path: file.to_owned(), source }.into()),
    };
    let config: toml_edit::DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| SurfaceError::File {
        file: file.to_owned(),
        problem: error.to_string(),
    })?;
    let states = config.get("hooks").and_then(|hooks| hooks.get("state")).and_then(|state| state.as_table_like());
    let hash = |state: &toml_edit::Item| state.get("trusted_hash").and_then(|hash| hash.as_str()).map(str::to_owned);
    Ok(states
        .into_iter()
        .flat_map(|states| states.iter())
        .filter_map(|(key, state)| Some((key.to_owned(), hash(state)?)))
        .collect())
}
