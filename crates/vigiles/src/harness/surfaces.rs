//! What a plugin or a repository gives to an agent.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

use crate::hook::Cli;

use super::settings::{HookEntry, Settings, SettingsError, check_settings, read_settings, read_toml_hooks};

/// A skill: a directory with a `SKILL.md`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Skill {
    /// The name it is called by, without the plugin's.
    pub name: String,
    /// When to use it; a skill without a description is never chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Tools it may use without a question; `None` where it does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed_tools: Option<Vec<String>>,
    /// Its `SKILL.md`.
    pub file: PathBuf,
}

/// An agent or a command: one Markdown file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    /// The name it is called by, without the plugin's.
    pub name: String,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The file.
    pub file: PathBuf,
}

/// What a plugin or a repository gives to an agent.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Surfaces {
    /// The hooks, in the order they stand in.
    pub hooks: Vec<HookEntry>,
    /// The skills, by name.
    pub skills: Vec<Skill>,
    /// The subagents, by name.
    pub agents: Vec<Document>,
    /// The slash commands, by name.
    pub commands: Vec<Document>,
    /// The MCP servers by name, as configured.
    pub mcp_servers: Map<String, Value>,
    /// The instruction files that a session in the directory reads.
    pub instructions: Vec<PathBuf>,
    /// What a run will not exercise, or may not do what it looks like.
    pub warnings: Vec<String>,
}

/// A plugin of Claude Code.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Plugin {
    /// Its directory.
    pub dir: PathBuf,
    /// Its name: the namespace of its skills, agents and commands.
    pub name: String,
    /// Its version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// What it gives.
    #[serde(flatten)]
    pub surfaces: Surfaces,
}

/// Why a plugin or a repository could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SurfaceError {
    /// There is no such directory.
    #[error("expected a {what}, but {} is no directory", dir.display())]
    NoDirectory {
        /// What was looked for.
        what: &'static str,
        /// The directory.
        dir: PathBuf,
    },
    /// A directory without anything that makes it a plugin.
    #[error(
        "expected a plugin, but {} has no .claude-plugin/plugin.json and none of hooks/hooks.json, skills/, agents/, \
         commands/, .mcp.json. For loose skills give their directory as `skillsDir`",
        dir.display()
    )]
    NoPlugin {
        /// The directory.
        dir: PathBuf,
    },
    /// A file that the CLI would ignore without a word.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A file of the plugin that is not what it should be.
    #[error("{}: {problem}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        problem: String,
    },
}

impl SurfaceError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoDirectory { .. } | Self::NoPlugin { .. } => "VIGILES_PLUGIN_MISSING",
            Self::Settings(error) => error.code(),
            Self::File { .. } => "VIGILES_PLUGIN_INVALID",
        }
    }
}

/// The manifest of a plugin, as far as it redirects.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Manifest {
    name: Option<String>,
    version: Option<String>,
    hooks: Option<Value>,
    commands: Option<Value>,
    agents: Option<Value>,
    skills: Option<Value>,
    mcp_servers: Option<Value>,
    output_styles: Option<Value>,
    lsp_servers: Option<Value>,
}

/// Reads a plugin as Claude Code does, and refuses what Claude Code would pass over in silence.
pub fn load_plugin(dir: &Path) -> Result<Plugin, SurfaceError> {
    if !dir.is_dir() {
        return Err(SurfaceError::NoDirectory { what: "plugin", dir: dir.to_owned() });
    }
    let manifest_file = dir.join(".claude-plugin/plugin.json");
    let manifest: Manifest = match read(&manifest_file)? {
        Some(text) => parse(&manifest_file, &text)?,
        None => Manifest::default(),
    };
    let parts = ["hooks/hooks.json", "skills", "agents", "commands", ".mcp.json", "output-styles"];
    if !manifest_file.is_file() && !parts.iter().any(|part| dir.join(part).exists()) {
        return Err(SurfaceError::NoPlugin { dir: dir.to_owned() });
    }
    let folder = dir.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut surfaces = Surfaces::default();
    plugin_hooks(dir, &manifest, &manifest_file, &mut surfaces)?;
    for place in places(dir, "skills", manifest.skills.as_ref()) {
        surfaces.skills.extend(skills_in(&place, &mut surfaces.warnings)?);
    }
    for place in places(dir, "agents", manifest.agents.as_ref()) {
        surfaces.agents.extend(documents_in(&place)?);
    }
    for place in places(dir, "commands", manifest.commands.as_ref()) {
        surfaces.commands.extend(documents_in(&place)?);
    }
    match &manifest.mcp_servers {
        Some(Value::Object(servers)) => surfaces.mcp_servers.extend(servers.clone()),
        Some(Value::String(path)) => surfaces.mcp_servers.extend(mcp_file(&dir.join(path), true)?),
        _ => {}
    }
    surfaces.mcp_servers.extend(mcp_file(&dir.join(".mcp.json"), false)?);
    if dir.join("settings.json").is_file() {
        read_settings(&dir.join("settings.json"), Cli::ClaudeCode)?;
        surfaces.warnings.push(
            "settings.json of a plugin: only `agent` is read by the CLI, its hooks and permissions are not".to_owned(),
        );
    }
    unexercised(dir, &manifest, &mut surfaces);
    Ok(Plugin { dir: dir.to_owned(), name: manifest.name.unwrap_or(folder), version: manifest.version, surfaces })
}

fn plugin_hooks(dir: &Path, manifest: &Manifest, file: &Path, surfaces: &mut Surfaces) -> Result<(), SurfaceError> {
    let mut files = vec![(dir.join("hooks/hooks.json"), false)];
    match &manifest.hooks {
        Some(Value::String(path)) => files.push((dir.join(path), true)),
        Some(Value::Array(paths)) => {
            files.extend(paths.iter().filter_map(Value::as_str).map(|path| (dir.join(path), true)));
        }
        Some(object @ Value::Object(fields)) => {
            // Inline: either the events themselves, or the shape of hooks.json.
            let whole =
                if fields.contains_key("hooks") { object.clone() } else { serde_json::json!({ "hooks": object }) };
            let Settings { hooks, warnings, .. } = check_settings(&whole.to_string(), file, Cli::ClaudeCode)?;
            surfaces.hooks.extend(hooks);
            surfaces.warnings.extend(warnings);
        }
        _ => {}
    }
    files.dedup();
    for (file, required) in files {
        if !required && !file.is_file() {
            continue;
        }
        let Settings { hooks, warnings, .. } = read_settings(&file, Cli::ClaudeCode)?;
        surfaces.hooks.extend(hooks);
        surfaces.warnings.extend(warnings);
    }
    Ok(())
}

/// The usual place of a part and those that the manifest adds.
fn places(dir: &Path, usual: &str, more: Option<&Value>) -> Vec<PathBuf> {
    let mut places = vec![dir.join(usual)];
    match more {
        Some(Value::String(path)) => places.push(dir.join(path)),
        Some(Value::Array(paths)) => places.extend(paths.iter().filter_map(Value::as_str).map(|path| dir.join(path))),
        _ => {}
    }
    places.dedup();
    places
}

/// Says what a run with `pluginDir` does not exercise.
fn unexercised(dir: &Path, manifest: &Manifest, surfaces: &mut Surfaces) {
    let mut warn = |what: &str, why: &str| surfaces.warnings.push(format!("{what}: {why}"));
    if dir.join("CLAUDE.md").is_file() {
        warn("CLAUDE.md", "a plugin's own instruction file is not read by the CLI");
    }
    if manifest.lsp_servers.is_some() || dir.join(".lsp.json").is_file() {
        warn("LSP servers", "a run without an editor does not start them");
    }
    if manifest.output_styles.is_some() || dir.join("output-styles").is_dir() {
        warn("output styles", "none is in use unless the settings select it (`outputStyle`)");
    }
    let others: BTreeMap<&str, usize> =
        surfaces.hooks.iter().filter(|hook| hook.command().is_none()).fold(BTreeMap::new(), |mut counts, hook| {
            *counts.entry(hook.kind.name()).or_default() += 1;
            counts
        });
    let notes: Vec<String> = others
        .into_iter()
        .map(|(kind, count)| match kind {
            "prompt" | "agent" => {
                format!("{count} hook(s) of the type {kind:?}: they ask a model; give its answers as `side: {{ promptHook: [...] }}`")
            }
            kind => format!("{count} hook(s) of the type {kind:?}: a run reaches no address but its model's"),
        })
        .collect();
    surfaces.warnings.extend(notes);
}

/// Reads the harness of a repository.
pub fn resolve_harness(dir: &Path, cli: Cli) -> Result<Surfaces, SurfaceError> {
    if !dir.is_dir() {
        return Err(SurfaceError::NoDirectory { what: "repository", dir: dir.to_owned() });
    }
    let mut surfaces = Surfaces::default();
    match cli {
        Cli::ClaudeCode => {
            for file in ["settings.json", "settings.local.json"] {
                let file = dir.join(".claude").join(file);
                if file.is_file() {
                    let Settings { hooks, disable_all_hooks, warnings } = read_settings(&file, cli)?;
                    if disable_all_hooks {
                        surfaces.warnings.push(format!("{}: `disableAllHooks` turns every hook off", file.display()));
                    }
                    surfaces.hooks.extend(hooks);
                    surfaces.warnings.extend(warnings);
                }
            }
            surfaces.skills = skills_in(&dir.join(".claude/skills"), &mut surfaces.warnings)?;
            surfaces.agents = documents_in(&dir.join(".claude/agents"))?;
            surfaces.commands = documents_in(&dir.join(".claude/commands"))?;
            surfaces.mcp_servers = mcp_file(&dir.join(".mcp.json"), false)?;
            surfaces.instructions = existing(dir, &["CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"]);
            if surfaces.instructions.is_empty() && dir.join("AGENTS.md").is_file() {
                surfaces.instructions.push(dir.join("AGENTS.md"));
                surfaces.warnings.push(
                    "AGENTS.md: version 2.1.197 does not read it; 2.1.332 does, where there is no CLAUDE.md".to_owned(),
                );
            }
        }
        Cli::Codex => {
            let file = dir.join(".codex/hooks.json");
            if file.is_file() {
                let Settings { hooks, warnings, .. } = read_settings(&file, cli)?;
                surfaces.hooks = hooks;
                surfaces.warnings.extend(warnings);
            }
            let config = dir.join(".codex/config.toml");
            if config.is_file() {
                let Settings { hooks, warnings, .. } = read_toml_hooks(&config)?;
                surfaces.hooks.extend(hooks);
                surfaces.warnings.extend(warnings);
            }
            for place in [".agents/skills", ".codex/skills"] {
                surfaces.skills.extend(skills_in(&dir.join(place), &mut surfaces.warnings)?);
            }
            surfaces.instructions = existing(dir, &["AGENTS.override.md"]);
            if surfaces.instructions.is_empty() {
                surfaces.instructions = existing(dir, &["AGENTS.md"]);
            }
        }
    }
    Ok(surfaces)
}

fn existing(dir: &Path, names: &[&str]) -> Vec<PathBuf> {
    names.iter().map(|name| dir.join(name)).filter(|file| file.is_file()).collect()
}

/// The skills in a directory of skills, or the one skill that the directory itself is.
pub(super) fn skills_in(dir: &Path, warnings: &mut Vec<String>) -> Result<Vec<Skill>, SurfaceError> {
    if dir.join("SKILL.md").is_file() {
        return Ok(vec![skill(&dir.join("SKILL.md"), warnings)?]);
    }
    let mut skills = Vec::new();
    for entry in entries(dir)? {
        let file = entry.join("SKILL.md");
        if file.is_file() {
            skills.push(skill(&file, warnings)?);
        } else if entry.is_dir() {
            warnings.push(format!("{}: a directory without SKILL.md is no skill", entry.display()));
        }
    }
    Ok(skills)
}

fn skill(file: &Path, warnings: &mut Vec<String>) -> Result<Skill, SurfaceError> {
    let text = read(file)?.unwrap_or_default();
    let front: Frontmatter = frontmatter(file, &text)?;
    let folder = file.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    if front.description.as_deref().is_none_or(|text| text.trim().is_empty()) {
        warnings.push(format!("{}: a skill without a `description` is not chosen by the model", file.display()));
    }
    Ok(Skill {
        name: front.name.or(folder).unwrap_or_default(),
        description: front.description,
        allowed_tools: front.allowed_tools.map(Names::list),
        file: file.to_owned(),
    })
}

fn documents_in(place: &Path) -> Result<Vec<Document>, SurfaceError> {
    if place.is_file() {
        return Ok(vec![document(place, None)?]);
    }
    let mut found = Vec::new();
    walk(place, place, &mut found)?;
    Ok(found)
}

fn walk(root: &Path, dir: &Path, found: &mut Vec<Document>) -> Result<(), SurfaceError> {
    for entry in entries(dir)? {
        if entry.is_dir() {
            walk(root, &entry, found)?;
        } else if entry.extension().is_some_and(|extension| extension == "md") {
            let spaces = entry.parent().and_then(|parent| parent.strip_prefix(root).ok());
            found.push(document(&entry, spaces)?);
        }
    }
    Ok(())
}

fn document(file: &Path, folders: Option<&Path>) -> Result<Document, SurfaceError> {
    let text = read(file)?.unwrap_or_default();
    let front: Frontmatter = frontmatter(file, &text)?;
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let folders = folders.into_iter().flat_map(Path::components).map(|part| part.as_os_str().to_string_lossy());
    let named: Vec<String> = folders.map(std::borrow::Cow::into_owned).chain([front.name.unwrap_or(stem)]).collect();
    Ok(Document { name: named.join(":"), description: front.description, file: file.to_owned() })
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
struct Frontmatter {
    name: Option<String>,
    description: Option<String>,
    allowed_tools: Option<Names>,
}

/// A list, or names with commas between them.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Names {
    List(Vec<String>),
    Text(String),
}

impl Names {
    fn list(self) -> Vec<String> {
        match self {
            Self::List(names) => names,
            Self::Text(text) => split_rules(&text),
        }
    }
}

/// Names between commas, or blanks where there is no comma; a rule's parentheses hold both.
fn split_rules(text: &str) -> Vec<String> {
    let (mut rules, mut rule, mut depth) = (Vec::new(), String::new(), 0_usize);
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && (c == ',' || c.is_whitespace()) {
            rules.push(std::mem::take(&mut rule));
        } else {
            rule.push(c);
        }
    }
    rules.push(rule);
    rules.retain(|rule| !rule.is_empty());
    rules
}

fn frontmatter<T: Default + for<'d> Deserialize<'d>>(file: &Path, text: &str) -> Result<T, SurfaceError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Some(rest) = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n")) else {
        return Ok(T::default());
    };
    let Some(end) = rest.find("\n---") else {
        let problem = "its frontmatter begins with `---` and has no end".to_owned();
        return Err(SurfaceError::File { file: file.to_owned(), problem });
    };
    if rest[..end].trim().is_empty() {
        return Ok(T::default());
    }
    serde_saphyr::from_str(&rest[..end]).map_err(|error| SurfaceError::File {
        file: file.to_owned(),
        problem: format!("its frontmatter is not what the CLI reads: {error}"),
    })
}

fn mcp_file(file: &Path, required: bool) -> Result<Map<String, Value>, SurfaceError> {
    let Some(text) = read(file)? else {
        return if required {
            Err(SurfaceError::File {
                file: file.to_owned(),
                problem: "the manifest names it, and it is not there".to_owned(),
            })
        } else {
            Ok(Map::new())
        };
    };
    let whole: Map<String, Value> = parse(file, &text)?;
    match whole.get("mcpServers") {
        Some(Value::Object(servers)) => Ok(servers.clone()),
        Some(_) => {
            Err(SurfaceError::File { file: file.to_owned(), problem: "`mcpServers` is not an object".to_owned() })
        }
        // A plugin's file may hold the servers themselves.
        None => Ok(whole),
    }
}

/// The entries of a directory by name; of one that is not there, none.
fn entries(dir: &Path) -> Result<Vec<PathBuf>, SurfaceError> {
    let failed = |error: io::Error| SurfaceError::File { file: dir.to_owned(), problem: error.to_string() };
    let listed = match fs::read_dir(dir) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        listed => listed.map_err(failed)?,
    };
    let mut paths: Vec<PathBuf> =
        listed.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>().map_err(failed)?;
    paths.sort();
    Ok(paths)
}

fn read(file: &Path) -> Result<Option<String>, SurfaceError> {
    match fs::read_to_string(file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(SurfaceError::File { file: file.to_owned(), problem: error.to_string() }),
    }
}

fn parse<T: for<'d> Deserialize<'d>>(file: &Path, text: &str) -> Result<T, SurfaceError> {
    let json = &mut serde_json::Deserializer::from_str(text.strip_prefix('\u{feff}').unwrap_or(text));
    serde_path_to_error::deserialize(json).map_err(|error| {
        let (path, problem) = (error.path().to_string(), error.inner().to_string());
        let problem = if path == "." { problem } else { format!("`{path}`: {problem}") };
        SurfaceError::File { file: file.to_owned(), problem }
    })
}
