//! What to run.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::intercept::Intercept;
use crate::stub::Stub;

use super::HarnessError;
use crate::process::confine::{ConfineLimits, SandboxMode};

/// How long one launch of a CLI may take unless told otherwise: a minute. A scripted turn takes less than a second.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

/// Tools that are allowed without asking unless told otherwise.
pub const DEFAULT_ALLOWED_TOOLS: [&str; 4] = ["Read", "Edit", "Write", "Bash"];

/// A harness, and what the user says to it. Fields that a CLI has nothing for are refused by its driver.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Spec {
    /// What the user says. Neither this nor `prompts` is `go`.
    pub prompt: Option<String>,
    /// What the user says, one after the other in one session.
    pub prompts: Vec<String>,
    /// Files of the work dir: relative path to text.
    pub files: BTreeMap<String, String>,
    /// Files of the home directory: relative path to text.
    pub home: BTreeMap<String, String>,
    /// Settings that are added to those in `files`. `{cwd}` in its texts is the work dir.
    pub settings: Option<Value>,
    /// A repository or plugin whose files are copied into the work dir. Skills of a plugin are not registered by that.
    pub plugin: Option<PathBuf>,
    /// Plugins to install for the run.
    pub plugin_dir: OneOrMany,
    /// A directory of loose skills.
    pub skills_dir: Option<PathBuf>,
    /// Tools that may run without a question; [`DEFAULT_ALLOWED_TOOLS`] if not given. Permission rules are fine.
    pub allowed_tools: Option<Vec<String>>,
    /// Tools that may not run. Permission rules are fine.
    pub disallowed_tools: Vec<String>,
    /// Tools that exist; all if not given.
    pub tools: Option<Vec<String>>,
    /// MCP servers by name, as in `.mcp.json`.
    pub mcp_servers: Map<String, Value>,
    /// Subagents by name: `{description, prompt, tools?, model?}`.
    pub agents: Map<String, Value>,
    /// Variables that are added to the CLI's clean environment, and so to that of hooks and tools.
    pub env: BTreeMap<String, String>,
    /// Programs that stand in for real ones, wherever the run looks them up.
    #[serde(deserialize_with = "stubs_from_json")]
    pub stubs: Vec<Stub>,
    /// Tool calls that are refused instead of run.
    pub intercept_tools: Vec<Intercept>,
    /// The most model turns of one launch.
    pub max_turns: Option<u32>,
    /// The CLI's permission mode.
    pub permission_mode: Option<String>,
    /// The reasoning effort.
    pub effort: Option<Effort>,
    /// The name of the model that the CLI is told to use.
    pub model_name: Option<String>,
    /// An output style's file.
    pub output_style: Option<PathBuf>,
    /// Lets subagents and commands run in the background. Otherwise they run in the foreground, in a fixed order.
    pub background_tasks: bool,
    /// Further arguments for the CLI, before the prompt.
    pub args: Vec<String>,
    /// The CLI's program.
    pub binary: Option<PathBuf>,
    /// When the run is confined.
    pub sandbox: SandboxMode,
    /// Whether everything in it is trusted. If not given, a run with `plugin` or `plugin_dir` is not.
    pub trusted: Option<bool>,
    /// What a confined run may use.
    pub sandbox_limits: ConfineLimits,
    /// Milliseconds that one launch may take.
    pub timeout_ms: Option<f64>,
    /// Whether turns of the script that nobody asked for fail the run.
    pub strict_script: bool,
    /// Keeps the directories of the run.
    pub keep: bool,
}

/// A list that says itself what is wrong, and where.
fn stubs_from_json<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Stub>, D::Error> {
    let list = Value::deserialize(from)?;
    Stub::list_from_json(&list.to_string(), "stubs").map_err(D::Error::custom)
}

/// A path, or several.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(untagged)]
pub enum OneOrMany {
    /// None.
    #[default]
    None,
    /// One.
    One(PathBuf),
    /// Several.
    Many(Vec<PathBuf>),
}

impl OneOrMany {
    /// All of them.
    pub fn paths(&self) -> &[PathBuf] {
        match self {
            Self::None => &[],
            Self::One(path) => std::slice::from_ref(path),
            Self::Many(paths) => paths,
        }
    }
}

/// A reasoning effort: a level's name, or a number where the CLI takes one.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Effort {
    /// `low`, `medium`, `high`, ...
    Level(String),
    /// A number.
    Number(u32),
}

impl std::fmt::Display for Effort {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Level(level) => out.write_str(level),
            Self::Number(number) => number.fmt(out),
        }
    }
}

impl Spec {
    /// Reads a spec from JSON. Unknown fields are refused.
    pub fn from_json(text: &str) -> Result<Self, HarnessError> {
        let json = &mut serde_json::Deserializer::from_str(text);
        serde_path_to_error::deserialize(json)
            .map_err(|error| HarnessError::Spec { field: error.path().to_string(), problem: error.inner().to_string() })
    }

    /// What the user says, in order; at least one prompt.
    pub fn all_prompts(&self) -> Vec<&str> {
        match (&self.prompt, self.prompts.as_slice()) {
            (Some(prompt), _) => vec![prompt],
            (None, []) => vec!["go"],
            (None, prompts) => prompts.iter().map(String::as_str).collect(),
        }
    }

    /// Whether a field asks for something. `field` is what specs in JSON call it; a field that there is not asks for nothing.
    pub fn asks_for(&self, field: &str) -> bool {
        match field {
            "prompt" => self.prompt.is_some(),
            "prompts" => self.prompts.len() > 1,
            "files" => !self.files.is_empty(),
            "home" => !self.home.is_empty(),
            "settings" => self.settings.is_some(),
            "plugin" => self.plugin.is_some(),
            "pluginDir" => !self.plugin_dir.paths().is_empty(),
            "skillsDir" => self.skills_dir.is_some(),
            "allowedTools" => self.allowed_tools.is_some(),
            "disallowedTools" => !self.disallowed_tools.is_empty(),
            "tools" => self.tools.is_some(),
            "mcpServers" => !self.mcp_servers.is_empty(),
            "agents" => !self.agents.is_empty(),
            "env" => !self.env.is_empty(),
            "stubs" => !self.stubs.is_empty(),
            "interceptTools" => !self.intercept_tools.is_empty(),
            "maxTurns" => self.max_turns.is_some(),
            "permissionMode" => self.permission_mode.is_some(),
            "effort" => self.effort.is_some(),
            "modelName" => self.model_name.is_some(),
            "outputStyle" => self.output_style.is_some(),
            "backgroundTasks" => self.background_tasks,
            "args" => !self.args.is_empty(),
            _ => false,
        }
    }

    /// Whether everything in the run is trusted.
    pub fn is_trusted(&self) -> bool {
        self.trusted.unwrap_or(self.plugin.is_none() && self.plugin_dir.paths().is_empty())
    }

    /// The time limit of one launch.
    pub fn timeout(&self) -> Duration {
        let given = self.timeout_ms.and_then(|ms| Duration::try_from_secs_f64(ms / 1000.0).ok());
        given.unwrap_or(DEFAULT_TIMEOUT)
    }

    pub(super) fn validate(&self) -> Result<(), HarnessError> {
        let wrong = |field: &str, problem: String| Err(HarnessError::Spec { field: field.to_owned(), problem });
        if self.prompt.is_some() && !self.prompts.is_empty() {
            return wrong("prompts", "both `prompt` and `prompts` are given; give one of them".to_owned());
        }
        if let Some(index) = self.all_prompts().iter().position(|prompt| prompt.trim().is_empty()) {
            return wrong("prompt", format!("prompt {} is blank, and no CLI starts a turn on that", index + 1));
        }
        if let Some(ms) = self.timeout_ms
            && !(ms > 0.0 && ms.is_finite())
        {
            return wrong("timeoutMs", format!("expected a number of milliseconds above 0, but got {ms}"));
        }
        for (field, files) in [("files", &self.files), ("home", &self.home)] {
            for path in files.keys() {
                if let Err(problem) = check_inside(path) {
                    return wrong(field, format!("the path {path:?} {problem}"));
                }
            }
        }
        for (index, intercept) in self.intercept_tools.iter().enumerate() {
            if let Err(problem) = intercept.validate() {
                return wrong(&format!("interceptTools[{index}]"), problem);
            }
        }
        if let Some(tools) = &self.tools {
            if tools.iter().all(|tool| tool.trim().is_empty()) {
                return wrong("tools", "no tool would exist, so no scripted tool call could be made".to_owned());
            }
            if let Some(rule) = tools.iter().find(|tool| tool.contains('(')) {
                let name = rule.split('(').next().unwrap_or_default();
                return wrong(
                    "tools",
                    format!(
                        "{rule:?} is a permission rule. Put the rule into `allowedTools`, and {name:?} into `tools`"
                    ),
                );
            }
        }
        Ok(())
    }
}

/// Whether a path stays inside the directory that it is relative to.
fn check_inside(path: &str) -> Result<(), &'static str> {
    if path.is_empty() {
        return Err("is empty");
    }
    if path.contains('\0') {
        return Err("has a NUL character");
    }
    for component in Path::new(path).components() {
        match component {
            Component::Normal(_) | Component::CurDir => {}
            Component::ParentDir => return Err("leaves the directory; use a path below it"),
            Component::RootDir | Component::Prefix(_) => return Err("is absolute; use one relative to the directory"),
        }
    }
    Ok(())
}
