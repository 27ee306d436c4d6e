//! The hooks of a configuration.

use std::path::PathBuf;

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::Ranged;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::hook::{Cli, EVENTS};

use super::Problem;
use super::document::{Document, below};

/// One hook as it is configured.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HookEntry {
    /// The file it stands in.
    pub file: PathBuf,
    /// The line of the handler, counted from 1.
    pub line: usize,
    /// The handler's place in the file, as a JSON pointer. With the file it names the hook.
    pub pointer: String,
    /// The event.
    pub event: String,
    /// The matcher of its group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matcher: Option<String>,
    /// The condition: `if`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// What it does.
    #[serde(flatten)]
    pub kind: HookKind,
    /// The time limit in seconds, where one is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<f64>,
    /// Whether the CLI goes on without waiting for it.
    #[serde(rename = "async", skip_serializing_if = "std::ops::Not::not")]
    pub is_async: bool,
}

impl HookEntry {
    /// The shell command, of a hook that runs one.
    pub fn command(&self) -> Option<&str> {
        match &self.kind {
            HookKind::Command(command) => Some(command),
            HookKind::Other(..) => None,
        }
    }
}

/// What a hook does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HookKind {
    /// Runs a shell command.
    Command(String),
    /// Something else, by its type (`prompt`, `agent`, `http`), and what it is given.
    Other(String, String),
}

impl HookKind {
    /// The `type` in the configuration.
    pub fn name(&self) -> &str {
        match self {
            Self::Command(_) => "command",
            Self::Other(kind, _) => kind,
        }
    }
}

impl Serialize for HookKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_map(Some(2))?;
        fields.serialize_entry("type", self.name())?;
        match self {
            Self::Command(command) => fields.serialize_entry("command", command)?,
            Self::Other(_, given) => fields.serialize_entry("given", given)?,
        }
        fields.end()
    }
}

/// Types of handlers, and the key that each needs.
const TYPES: [(&str, &str); 4] = [("command", "command"), ("prompt", "prompt"), ("agent", "prompt"), ("http", "url")];

/// Keys that a handler of some version has.
const HANDLER_KEYS: [&str; 14] = [
    "type",
    "command",
    "prompt",
    "url",
    "timeout",
    "if",
    "async",
    "asyncRewake",
    "statusMessage",
    "once",
    "model",
    "headers",
    "shell",
    "args",
];

/// Reads the object below `hooks`.
pub(crate) fn read_hooks<'t>(
    document: &Document<'t>,
    hooks: &Value<'t>,
    pointer: &str,
    cli: Cli,
    problems: &mut Vec<Problem>,
    warnings: &mut Vec<String>,
) -> Vec<HookEntry> {
    let mut reader = Reader { document, cli, problems, warnings, entries: Vec::new() };
    reader.events(hooks, pointer);
    reader.entries
}

struct Reader<'a, 't> {
    document: &'a Document<'t>,
    cli: Cli,
    problems: &'a mut Vec<Problem>,
    warnings: &'a mut Vec<String>,
    entries: Vec<HookEntry>,
}

impl<'t> Reader<'_, 't> {
    fn events(&mut self, hooks: &Value<'t>, pointer: &str) {
        let Value::Object(events) = hooks else {
            self.problems.push(self.document.wrong(hooks, pointer, "an object with events as keys"));
            return;
        };
        for property in &events.properties {
            let event = property.name.as_str();
            let pointer = below(pointer, event);
            self.check_event(event, property.range().start, &pointer);
            let Value::Array(groups) = &property.value else {
                self.problems.push(self.document.wrong(&property.value, &pointer, "an array of `{ matcher?, hooks }`"));
                continue;
            };
            for (index, group) in groups.elements.iter().enumerate() {
                self.group(event, group, &format!("{pointer}/{index}"));
            }
        }
    }

    fn check_event(&mut self, event: &str, offset: usize, pointer: &str) {
        let known = EVENTS.iter().find(|(cli, _)| *cli == self.cli).map(|(_, events)| *events).unwrap_or_default();
        if known.contains(&event) {
            return;
        }
        let near = known.iter().min_by_key(|known| strsim::levenshtein(&known.to_lowercase(), &event.to_lowercase()));
        let near = near.filter(|near| strsim::levenshtein(&near.to_lowercase(), &event.to_lowercase()) <= 3);
        if let Some(near) = near {
            let message =
                format!("expected the name of an event, but {event:?} is none, so its hooks never run; write {near:?}");
            self.problems.push(self.document.problem(offset, pointer, message));
        } else {
            let (line, _) = self.document.position(offset);
            let file = self.document.file.display();
            self.warnings.push(format!("{file}:{line}: the event {event:?} is not known: its hooks may never run"));
        }
    }

    fn group(&mut self, event: &str, group: &Value<'t>, pointer: &str) {
        let Value::Object(group) = group else {
            self.problems.push(self.document.wrong(group, pointer, "an object `{ matcher?, hooks }`"));
            return;
        };
        let matcher = self.text(group, "matcher", pointer);
        let Some(handlers) = group.get("hooks") else {
            let offset = group.range().start;
            let message = "expected `hooks`, a list of handlers, beside the matcher, but there is none".to_owned();
            self.problems.push(self.document.problem(offset, pointer, message));
            return;
        };
        let Value::Array(handlers) = &handlers.value else {
            self.problems.push(self.document.wrong(&handlers.value, &below(pointer, "hooks"), "an array of handlers"));
            return;
        };
        for (index, handler) in handlers.elements.iter().enumerate() {
            self.handler(event, matcher.as_deref(), handler, &format!("{pointer}/hooks/{index}"));
        }
    }

    fn handler(&mut self, event: &str, matcher: Option<&str>, handler: &Value<'t>, pointer: &str) {
        let Value::Object(handler) = handler else {
            self.problems.push(self.document.wrong(handler, pointer, "a handler, `{ type, command }`"));
            return;
        };
        let offset = handler.range().start;
        let (line, _) = self.document.position(offset);
        for property in &handler.properties {
            let name = property.name.as_str();
            if !HANDLER_KEYS.contains(&name) {
                let file = self.document.file.display();
                self.warnings.push(format!("{file}:{line}: a handler has no key {name:?} that is known"));
            }
        }
        let Some(kind) = self.kind(handler, offset, pointer) else { return };
        let entry = HookEntry {
            file: self.document.file.to_owned(),
            line,
            pointer: pointer.to_owned(),
            event: event.to_owned(),
            matcher: matcher.map(str::to_owned),
            condition: self.text(handler, "if", pointer),
            kind,
            timeout: self.timeout(handler, pointer),
            is_async: self.flag(handler, "async", pointer),
        };
        self.entries.push(entry);
    }

    fn kind(&mut self, handler: &Object<'t>, offset: usize, pointer: &str) -> Option<HookKind> {
        let Some(kind) = self.text(handler, "type", pointer) else {
            if handler.get("type").is_none() {
                let message = "expected a `type`, such as \"command\", but there is none".to_owned();
                self.problems.push(self.document.problem(offset, pointer, message));
            }
            return None;
        };
        let Some((_, key)) = TYPES.iter().find(|(name, _)| *name == kind) else {
            let names: Vec<&str> = TYPES.iter().map(|(name, _)| *name).collect();
            let message = format!("expected a type of hook ({}), but got {kind:?}", names.join(", "));
            self.problems.push(self.document.problem(offset, &below(pointer, "type"), message));
            return None;
        };
        let Some(given) = self.text(handler, key, pointer) else {
            if handler.get(key).is_none() {
                let message = format!("expected `{key}` in a hook of the type {kind:?}, but there is none");
                self.problems.push(self.document.problem(offset, pointer, message));
            }
            return None;
        };
        Some(if kind == "command" { HookKind::Command(given) } else { HookKind::Other(kind, given) })
    }

    /// A text; something else in its place is a problem.
    fn text(&mut self, object: &Object<'t>, name: &str, pointer: &str) -> Option<String> {
        match &object.get(name)?.value {
            Value::StringLit(text) => Some(text.value.clone().into_owned()),
            other => {
                self.problems.push(self.document.wrong(other, &below(pointer, name), "a string"));
                None
            }
        }
    }

    fn flag(&mut self, object: &Object<'t>, name: &str, pointer: &str) -> bool {
        match object.get(name).map(|property| &property.value) {
            None => false,
            Some(Value::BooleanLit(flag)) => flag.value,
            Some(other) => {
                self.problems.push(self.document.wrong(other, &below(pointer, name), "true or false"));
                false
            }
        }
    }

    fn timeout(&mut self, object: &Object<'t>, pointer: &str) -> Option<f64> {
        let value = &object.get("timeout")?.value;
        let seconds = match value {
            Value::NumberLit(number) => number.value.parse().ok().filter(|seconds: &f64| *seconds > 0.0),
            _ => None,
        };
        if seconds.is_none() {
            self.problems.push(self.document.wrong(value, &below(pointer, "timeout"), "a number of seconds above 0"));
        }
        seconds
    }
}
