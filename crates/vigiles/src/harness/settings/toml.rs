//! Hooks in Codex's `config.toml`.

use std::fs;
use std::ops::Range;
use std::path::Path;

use serde_json::{Map, Value, json};
use toml_edit::{Document, Item, TableLike};

use crate::hook::Cli;

use super::{Problem, Settings, SettingsError, check_settings};

/// The key beside the events that holds what Codex trusts.
const STATE: &str = "state";

/// Reads and checks the hooks of a `config.toml`. They have the shape of those in JSON, and Codex takes both.
pub fn read_toml_hooks(path: &Path) -> Result<Settings, SettingsError> {
    let text =
        fs::read_to_string(path).map_err(|source| SettingsError::Unreadable { path: path.to_owned(), source })?;
    let place = |at: Option<Range<usize>>| position(&text, at.map_or(0, |at| at.start));
    let document = Document::parse(&*text).map_err(|error| {
        let (line, column) = place(error.span());
        let message = error.message().to_owned();
        SettingsError::Invalid {
            problems: vec![Problem { file: path.to_owned(), line, column, pointer: String::new(), message }],
        }
    })?;
    let Some(hooks) = document.get("hooks") else { return Ok(Settings::default()) };
    let events: Map<String, Value> = hooks
        .as_table_like()
        .into_iter()
        .flat_map(TableLike::iter)
        .filter(|(event, _)| *event != STATE)
        .map(|(event, groups)| (event.to_owned(), json_of(groups)))
        .collect();
    let of = |pointer: &str| place(span(document.as_item(), pointer));
    // The shape is the one of JSON, and is checked there; the places are the ones here.
    match check_settings(&json!({ "hooks": events }).to_string(), path, Cli::Codex) {
        Ok(mut settings) => {
            for hook in &mut settings.hooks {
                hook.line = of(&hook.pointer).0;
            }
            Ok(settings)
        }
        Err(SettingsError::Invalid { mut problems }) => {
            for problem in &mut problems {
                (problem.line, problem.column) = of(&problem.pointer);
            }
            Err(SettingsError::Invalid { problems })
        }
        Err(error) => Err(error),
    }
}

/// The place of what a pointer names, or of the nearest thing around it.
fn span(root: &Item, pointer: &str) -> Option<Range<usize>> {
    let mut found = None;
    let mut item = root.clone();
    for part in pointer.split('/').skip(1) {
        let index = part.parse::<usize>();
        let next = match (&item, index) {
            (Item::ArrayOfTables(tables), Ok(index)) => tables.get(index).cloned().map(Item::Table),
            (Item::Value(toml_edit::Value::Array(items)), Ok(index)) => items.get(index).cloned().map(Item::Value),
            (item, _) => item.as_table_like().and_then(|table| table.get(part)).cloned(),
        };
        let Some(next) = next else { break };
        found = next.span().or(found);
        item = next;
    }
    found
}

/// Line and column of an offset, counted from 1, the column in characters.
fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}

fn json_of(item: &Item) -> Value {
    match item {
        Item::None => Value::Null,
        Item::Value(value) => json_of_value(value),
        Item::Table(table) => Value::Object(fields(table)),
        Item::ArrayOfTables(tables) => tables.iter().map(|table| Value::Object(fields(table))).collect(),
    }
}

fn fields(table: &dyn TableLike) -> Map<String, Value> {
    table.iter().map(|(name, item)| (name.to_owned(), json_of(item))).collect()
}

fn json_of_value(value: &toml_edit::Value) -> Value {
    match value {
        toml_edit::Value::String(text) => text.value().as_str().into(),
        toml_edit::Value::Integer(number) => (*number.value()).into(),
        toml_edit::Value::Float(number) => (*number.value()).into(),
        toml_edit::Value::Boolean(flag) => (*flag.value()).into(),
        toml_edit::Value::Datetime(time) => time.value().to_string().into(),
        toml_edit::Value::Array(items) => items.iter().map(json_of_value).collect(),
        toml_edit::Value::InlineTable(table) => Value::Object(fields(table)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Settings, SettingsError> {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), text).unwrap();
        read_toml_hooks(file.path())
    }

    #[test]
    fn hooks_are_read_in_every_form_that_toml_has() {
        let tables = "model = \"x\"\n\n[[hooks.PreToolUse]]\nmatcher = \"Bash\"\n\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\ncommand = \"a\"\ntimeout = 5\n\n[hooks.state.\"k\"]\ntrusted_hash = \"sha256:0\"\n";
        let inline = "[hooks]\nPreToolUse = [\n  { matcher = \"Bash\", hooks = [\n    { type = \"command\", command = \"a\", timeout = 5 },\n  ] },\n]\n";
        for (text, line) in [(tables, 6), (inline, 4)] {
            let hooks = read(text).unwrap().hooks;
            assert_eq!(hooks.len(), 1, "{text}");
            let hook = &hooks[0];
            assert_eq!(
                (hook.event.as_str(), hook.matcher.as_deref(), hook.command()),
                ("PreToolUse", Some("Bash"), Some("a"))
            );
            assert_eq!(
                (hook.timeout, hook.pointer.as_str(), hook.line),
                (Some(5.0), "/hooks/PreToolUse/0/hooks/0", line)
            );
        }
        assert_eq!(read("model = \"x\"\n").unwrap(), Settings::default());
    }

    #[test]
    fn what_codex_would_pass_over_is_an_error_with_its_place() {
        for (text, place, problem) in [
            ("a = \n", ":1:5:", ""),
            ("\n[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\n", ":3:1:", "command"),
            ("[hooks]\nPreToolUse = \"x\"\n", ":2:14:", "PreToolUse"),
        ] {
            let error = read(text).unwrap_err();
            assert_eq!(error.code(), "VIGILES_SETTINGS_INVALID");
            let message = error.to_string();
            assert!(message.contains(place) && message.contains(problem), "{text}\n{message}");
        }
    }
}
