//! Settings of a harness: strict where a CLI is silent, and with the place of every hook.
//!
//! A CLI ignores a settings file that it cannot read, or that has a wrong shape, without a word: every guard in it is
//! then off. Here that is an error with file, line and column.

mod document;
mod hooks;
mod rest;
mod toml;

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::hook::Cli;

pub(crate) use document::Document;
pub(crate) use hooks::read_hooks;
pub use hooks::{HookEntry, HookKind};
pub use toml::read_toml_hooks;

/// Something wrong in a settings file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file.
    pub file: PathBuf,
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1, in characters.
    pub column: usize,
    /// Where in the document, as a JSON pointer.
    pub pointer: String,
    /// Expected, seen, and what follows.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}:{}: {}", self.file.display(), self.line, self.column, self.message)?;
        if self.pointer.is_empty() { Ok(()) } else { write!(out, " (at {})", self.pointer) }
    }
}

/// Why settings cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// The file could not be read.
    #[error("the settings file {} could not be read: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The file is not what the CLI reads. The CLI would ignore all of it without a word.
    #[error(
        "the CLI would ignore these settings without a word:\n{}",
        problems.iter().map(|problem| format!("  {problem}")).collect::<Vec<_>>().join("\n")
    )]
    Invalid {
        /// All that is wrong.
        problems: Vec<Problem>,
    },
}

impl SettingsError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } => "VIGILES_SETTINGS_UNREADABLE",
            Self::Invalid { .. } => "VIGILES_SETTINGS_INVALID",
        }
    }
}

/// What is used of a settings file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Settings {
    /// Its hooks, in the order they stand in.
    pub hooks: Vec<HookEntry>,
    /// `disableAllHooks`.
    pub disable_all_hooks: bool,
    /// Keys that nobody knows, with the nearest known one: a newer CLI may read them.
    pub warnings: Vec<String>,
}

/// Reads and checks a settings file.
pub fn read_settings(path: &Path, cli: Cli) -> Result<Settings, SettingsError> {
    let text =
        fs::read_to_string(path).map_err(|source| SettingsError::Unreadable { path: path.to_owned(), source })?;
    check_settings(&text, path, cli)
}

/// Checks the text of settings. `file` names it in messages and in the ids of hooks.
pub fn check_settings(text: &str, file: &Path, cli: Cli) -> Result<Settings, SettingsError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let document = Document::parse(file, text).map_err(|problem| SettingsError::Invalid { problems: vec![problem] })?;
    let root = document.object().map_err(|problem| SettingsError::Invalid { problems: vec![problem] })?;
    let mut settings = Settings::default();
    let mut problems = Vec::new();
    rest::check(&document, root, &mut settings, &mut problems);
    if let Some(hooks) = root.get("hooks") {
        settings.hooks = read_hooks(&document, &hooks.value, "/hooks", cli, &mut problems, &mut settings.warnings);
    }
    if problems.is_empty() { Ok(settings) } else { Err(SettingsError::Invalid { problems }) }
}
