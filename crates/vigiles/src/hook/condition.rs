//! The `if` condition of a hook: one permission rule, `Tool` or `Tool(pattern)`, that says for which calls it runs.

use std::path::{Component, Path};

use serde::Serialize;
use serde_json::Value;

use super::decision::Cli;
use super::events::has_tool_call;
use crate::tool::current_name;

mod command;
mod pattern;

use command::Commands;

/// What a condition is judged against.
#[derive(Debug, Clone, Copy, Default)]
pub struct ConditionSubject<'a> {
    /// The CLI that would run the hook.
    pub cli: Cli,
    /// The event's name; empty when the event has none.
    pub event: &'a str,
    /// `tool_name` of the event.
    pub tool: Option<&'a str>,
    /// `tool_input` of the event.
    pub input: Option<&'a Value>,
    /// `cwd` of the event: relative paths are taken from there.
    pub cwd: Option<&'a str>,
    /// The project's directory, for patterns that start with `/`; `cwd` when absent.
    pub root: Option<&'a str>,
    /// The home directory, for patterns that start with `~/`.
    pub home: Option<&'a str>,
}

/// Whether the hook runs, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConditionVerdict {
    /// The hook runs for this event.
    pub runs: bool,
    /// The reason, for messages.
    pub why: String,
    /// `false` where the condition could not be judged, and the hook runs because nothing keeps it from that.
    #[serde(skip)]
    pub judged: bool,
}

/// Says whether a hook with this `if` condition runs.
///
/// The condition only saves the start of a process, so it fails open: what cannot be judged runs. Judged are:
///
/// - **No condition**: runs. **Codex**: has no conditions, runs.
/// - **Another event than a tool event**: Claude Code never runs a hook with a condition there.
/// - **`Tool`**, `Tool()`, `Tool(*)`: the tool's name is equal (`Task` and `Agent` are one tool). In MCP names `*`
///   stands for any text, and `mcp__server` alone for all tools of the server.
/// - **`Bash(pattern)`**: the pattern is compared with each simple command: those joined by `&&`, `||`, `;`, `|`, `&` or a
///   line break, those in `( )` and `{ }`, and those inside `$(...)` and backticks. Leading assignments (`A=b git push`),
///   redirections and wrappers (`timeout 5`, `nice`, `nohup`, `time`, `stdbuf`, `xargs`) do not count. `*` stands for any
///   text, blanks included; a last ` *` or `:*` also for nothing (`git push *` and `git push:*` match `git push` and
///   `git push origin`, not `git pushx`). A pattern that says more than a command's name runs for every command with
///   `$(...)`, backticks or `$NAME`, because these may hide what it looks for. A command that cannot be taken apart
///   (open quotes, here-documents, `case`, functions) runs.
/// - **`Read(pattern)`, `Edit`, `Write`, `MultiEdit`, `NotebookEdit`, `Glob`, `Grep`, `LS`**: a path pattern as in `.gitignore`:
///   without a slash it matches a name at any depth, with one it starts at `cwd`; `/x` starts at the project's
///   directory, `~/x` at the home directory, `//x` at the root of the file system; what matches a directory matches
///   everything below. The pattern is also compared with the path as given, `*` standing for any text.
/// - **`WebFetch(domain:host)`**: the host of the URL; `*.host` for its subdomains.
/// - **`Skill(name)`**, `Skill(name *)`, **`Agent(type)`**: the skill with its arguments, the type of the subagent.
/// - Anything else, and a call without the field that is needed, cannot be judged and runs.
pub fn decide_condition(condition: Option<&str>, subject: &ConditionSubject<'_>) -> ConditionVerdict {
    let Some(condition) = condition else { return runs("no condition declared") };
    if subject.cli == Cli::Codex {
        return runs("Codex has no conditions: the hook runs for every call its matcher selects");
    }
    if !subject.event.is_empty() && !has_tool_call(subject.event) {
        return misses(format!(
            "a hook with a condition never runs at {}: conditions are judged for tool events only",
            subject.event
        ));
    }
    let Some(rule) = Rule::parse(condition) else {
        return unjudged(format!(
            "the condition {condition:?} has not the form Tool or Tool(pattern), so it cannot be judged"
        ));
    };
    let Some(tool) = subject.tool else {
        return unjudged("the event names no tool, so the condition cannot be judged");
    };
    if !rule.names(tool) {
        return misses(format!("the condition {condition:?} does not match the tool {tool:?}"));
    }
    let Some(pattern) = rule.pattern else {
        return runs(format!("the condition {condition:?} matches the tool {tool:?}"));
    };
    match judge(tool, pattern, subject) {
        Ok(true) => runs(format!("the condition {condition:?} matches the call")),
        Ok(false) => misses(format!("the condition {condition:?} does not match the call")),
        Err(why) => unjudged(format!("the condition {condition:?} cannot be judged ({why}), so the hook runs")),
    }
}

fn runs(why: impl Into<String>) -> ConditionVerdict {
    ConditionVerdict { runs: true, why: why.into(), judged: true }
}

fn unjudged(why: impl Into<String>) -> ConditionVerdict {
    ConditionVerdict { judged: false, ..runs(why) }
}

fn misses(why: String) -> ConditionVerdict {
    ConditionVerdict { runs: false, why, judged: true }
}

struct Rule<'a> {
    tool: &'a str,
    pattern: Option<&'a str>,
}

impl<'a> Rule<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        let text = text.trim();
        let (tool, pattern) = match text.split_once('(') {
            Some((tool, rest)) => (tool, Some(rest.strip_suffix(')')?)),
            None => (text, None),
        };
        let named =
            !tool.is_empty() && tool.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '*' | '.' | ':'));
        let pattern = pattern.map(str::trim).filter(|pattern| !matches!(*pattern, "" | "*"));
        named.then_some(Self { tool, pattern })
    }

    fn names(&self, tool: &str) -> bool {
        if self.tool.starts_with("mcp__") {
            let whole_server = !self.tool["mcp__".len()..].contains("__")
                && tool.strip_prefix(self.tool).is_some_and(|rest| rest.starts_with("__"));
            return whole_server || pattern::wildcard(self.tool, tool);
        }
        current_name(self.tool) == current_name(tool)
    }
}

/// `Err` says why the pattern cannot be judged.
fn judge(tool: &str, pattern: &str, subject: &ConditionSubject<'_>) -> Result<bool, String> {
    let text = |name: &str| {
        subject.input.and_then(|input| input.get(name)?.as_str()).ok_or_else(|| format!("the call has no {name}"))
    };
    match current_name(tool) {
        "Bash" => bash(pattern, text("command")?),
        "Read" | "Edit" | "Write" | "MultiEdit" => path(pattern, text("file_path")?, subject),
        "NotebookEdit" | "NotebookRead" => path(pattern, text("notebook_path")?, subject),
        "Glob" | "Grep" | "LS" => path(pattern, text("path")?, subject),
        "WebFetch" => domain(pattern, text("url")?),
        "Skill" => {
            let skill = text("skill")?;
            let call = match text("args") {
                Ok(arguments) => format!("{skill} {arguments}"),
                Err(_) => skill.to_owned(),
            };
            Ok(pattern::wildcard(pattern, skill) || pattern::command(pattern, &call))
        }
        "Agent" => Ok(pattern::wildcard(pattern, text("subagent_type")?)),
        other => Err(format!("patterns for the tool {other:?} are not known")),
    }
}

fn bash(pattern: &str, command: &str) -> Result<bool, String> {
    let Commands { commands, expansions } = command::split(command)?;
    if commands.iter().any(|command| command.spellings().iter().any(|text| pattern::command(pattern, text))) {
        return Ok(true);
    }
    if expansions && pattern::says_more_than_name(pattern) {
        return Err("the command holds $(...), backticks or a variable".to_owned());
    }
    if commands.iter().any(command::Simple::has_dynamic_name) {
        return Err("the name of a command is computed".to_owned());
    }
    Ok(false)
}

fn path(pattern: &str, given: &str, subject: &ConditionSubject<'_>) -> Result<bool, String> {
    if pattern::wildcard(pattern, given) {
        return Ok(true);
    }
    let given = given.replace('\\', "/");
    let absolute = if given.starts_with('/') || has_drive(&given) {
        clean(&given)
    } else if let Some(below_home) = given.strip_prefix("~/") {
        let home = subject.home.ok_or("the home directory is not known")?;
        clean(&format!("{home}/{below_home}"))
    } else {
        match subject.cwd {
            Some(cwd) => clean(&format!("{cwd}/{given}")),
            None => clean(&given),
        }
    };
    let (base, rest) = if let Some(rest) = pattern.strip_prefix("//") {
        (Some(String::new()), rest)
    } else if let Some(rest) = pattern.strip_prefix("~/") {
        (Some(clean(subject.home.ok_or("the home directory is not known")?)), rest)
    } else if let Some(rest) = pattern.strip_prefix('/') {
        (Some(clean(subject.root.or(subject.cwd).ok_or("the project's directory is not known")?)), rest)
    } else {
        let rest = pattern.strip_prefix("./").unwrap_or(pattern);
        // Without a slash the pattern is about a name anywhere; no base is needed for that.
        let anywhere = !rest.trim_end_matches('/').contains('/') && !pattern.starts_with("./");
        if anywhere {
            return Ok(absolute.split('/').any(|name| pattern::wildcard(rest.trim_end_matches('/'), name)));
        }
        (subject.cwd.map(clean), rest)
    };
    let below = match &base {
        Some(base) => match absolute.strip_prefix(base.as_str()).map(|below| below.strip_prefix('/')) {
            Some(Some(below)) => below,
            _ => return Ok(false),
        },
        None if absolute.starts_with('/') => {
            return Err("the working directory is not known".to_owned());
        }
        None => absolute.as_str(),
    };
    Ok(pattern::below(rest, below))
}

fn has_drive(path: &str) -> bool {
    let bytes = path.as_bytes();
    bytes.len() > 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' && bytes[2] == b'/'
}

/// Removes `.`, `..` and doubled slashes without looking at the file system, and the last slash: `/` becomes empty.
fn clean(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let absolute = path.starts_with('/');
    for component in Path::new(path).components() {
        match component {
            Component::ParentDir if parts.last().is_some_and(|last| *last != "..") => {
                parts.truncate(parts.len() - 1);
            }
            Component::ParentDir if absolute => {}
            Component::ParentDir => parts.push(".."),
            Component::Normal(name) => parts.extend(name.to_str()),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    let joined = parts.join("/");
    if absolute && !joined.is_empty() { format!("/{joined}") } else { joined }
}

fn domain(pattern: &str, url: &str) -> Result<bool, String> {
    let wanted = pattern.strip_prefix("domain:").ok_or("WebFetch patterns have the form domain:host")?;
    let after_scheme = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = after_scheme.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let host = host.split(':').next().unwrap_or_default().to_ascii_lowercase();
    if host.is_empty() {
        return Err("the URL has no host".to_owned());
    }
    Ok(pattern::wildcard(&wanted.trim().to_ascii_lowercase(), &host))
}
