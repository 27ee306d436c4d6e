//! Which tools a hook's `matcher` reaches, and matchers that look right but reach nothing.

use std::collections::HashSet;

use regress::Regex;
use serde::{Deserialize, Serialize};

use super::decision::Cli;
use super::events::has_tool_call;
use crate::tool::built_in;

/// How a CLI reads a matcher.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MatcherStyle {
    /// Claude Code, measured on 2.1.197 and 2.1.332: `""`, `*` and `.*` select every tool. A matcher of nothing but ASCII
    /// letters, digits, `_`, `-`, spaces, `,` and `|` is a list of names between `,` or `|`, each compared for equality
    /// (`Edit|Write` does not select `NotebookEdit`). One with any other character is a JavaScript regular expression, not
    /// anchored (`(Edit|Write)` does). `Task`, the older name of the tool `Agent`, stands for it in both forms.
    #[default]
    Exact,
    /// Codex: every matcher is a regular expression, not anchored (`ash` selects `Bash`), so `*` does not compile.
    Regex,
}

impl MatcherStyle {
    /// The style of a CLI.
    pub fn of(cli: Cli) -> Self {
        match cli {
            Cli::ClaudeCode => Self::Exact,
            Cli::Codex => Self::Regex,
        }
    }
}

/// What a matcher does with a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reach {
    /// The hook runs for this tool.
    Selects,
    /// The hook does not run for this tool.
    Misses,
    /// The matcher is no valid regular expression, so the hook never runs.
    Uncompilable,
}

impl Reach {
    /// The name used in JSON and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Selects => "selects",
            Self::Misses => "misses",
            Self::Uncompilable => "uncompilable",
        }
    }
}

/// Says whether a hook with this matcher runs for `tool`. No matcher, or an empty one, selects every tool.
pub fn reach(matcher: Option<&str>, tool: &str, style: MatcherStyle) -> Reach {
    let names: &[&str] = match (style, tool) {
        (MatcherStyle::Exact, "Agent" | "Task") => &["Agent", "Task"],
        _ => &[tool],
    };
    let selects = match Compiled::new(matcher.unwrap_or_default(), style) {
        Compiled::All => true,
        Compiled::Names(listed) => names.iter().any(|name| listed.contains(name)),
        Compiled::Pattern(regex) => names.iter().any(|name| regex.find(name).is_some()),
        Compiled::Broken(_) => return Reach::Uncompilable,
    };
    if selects { Reach::Selects } else { Reach::Misses }
}

enum Compiled<'a> {
    All,
    Names(Vec<&'a str>),
    Pattern(Box<Regex>),
    Broken(String),
}

impl<'a> Compiled<'a> {
    fn new(matcher: &'a str, style: MatcherStyle) -> Self {
        // A matcher is a tool name or a few of them. The limits keep a hostile one from exhausting the compiler's stack.
        const MAX_LENGTH: usize = 4096;
        const MAX_GROUPS: usize = 100;
        if matcher.is_empty() || (style == MatcherStyle::Exact && matches!(matcher, "*" | ".*")) {
            return Self::All;
        }
        if style == MatcherStyle::Exact && is_list(matcher) {
            return Self::Names(listed(matcher).collect());
        }
        if matcher.len() > MAX_LENGTH || matcher.matches(['(', '[']).count() > MAX_GROUPS {
            return Self::Broken("longer or deeper than any list of tools".to_owned());
        }
        match Regex::new(matcher) {
            Ok(regex) => Self::Pattern(Box::new(regex)),
            Err(error) => Self::Broken(error.to_string()),
        }
    }
}

/// Whether it holds nothing but names and what separates them.
fn is_list(matcher: &str) -> bool {
    matcher.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ' ' | ',' | '|'))
}

/// The names of a list.
fn listed(list: &str) -> impl Iterator<Item = &str> {
    list.split([',', '|']).map(str::trim).filter(|name| !name.is_empty())
}

/// One `matcher` of a hook configuration and the event it stands under.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct MatcherEntry {
    /// The event, such as `PreToolUse`.
    pub event: String,
    /// The matcher, `None` when the entry has none.
    pub matcher: Option<String>,
}

/// What is wrong with a matcher.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IssueKind {
    /// It does not compile, so its hooks never run.
    InvalidRegex,
    /// A bare name that is no built-in tool but nearly one, or a list of tools that is read as one name.
    ToolTypo,
    /// It is meant for MCP tools but has not the form `mcp__server__tool`, so it reaches none.
    McpForm,
    /// It is meant for the tools of every MCP server but misses server names that hold `_` or `-`.
    McpNarrow,
    /// It names an MCP server that is not declared.
    McpUndeclared,
}

impl IssueKind {
    /// The name used in JSON and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::InvalidRegex => "invalid-regex",
            Self::ToolTypo => "tool-typo",
            Self::McpForm => "mcp-form",
            Self::McpNarrow => "mcp-narrow",
            Self::McpUndeclared => "mcp-undeclared",
        }
    }
}

/// A matcher that does not do what it looks like.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MatcherIssue {
    /// The matcher as written.
    pub matcher: String,
    /// The kind of trouble.
    pub kind: IssueKind,
    /// A matcher that has no issue itself, when one can be recovered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    /// Expected, seen, and what to write instead.
    pub message: String,
}

/// Finds matchers that cannot do what they look like. One finding at most per matcher text.
///
/// Only matchers of tool events are compared with tool names; those of other events (where a matcher selects a source, a
/// trigger, an agent) are checked for being compilable. Match-all spellings and alternations in a regular expression are taken as meant.
/// `declared_servers` are the MCP servers of the configuration; with none declared, no server is reported as undeclared.
/// Every suggestion, fed back, has no issue.
pub fn matcher_issues(entries: &[MatcherEntry], declared_servers: &[&str], cli: Cli) -> Vec<MatcherIssue> {
    let mut seen = HashSet::new();
    let checker = Checker { style: MatcherStyle::of(cli), tools: built_in(cli), servers: declared_servers };
    entries
        .iter()
        .filter_map(|entry| Some((entry.event.as_str(), entry.matcher.as_deref()?)))
        .filter_map(|(event, matcher)| {
            let issue = checker.issue(matcher, has_tool_call(event))?;
            seen.insert(matcher).then_some(issue)
        })
        .collect()
}

/// Kind, suggestion, message.
type Finding = (IssueKind, Option<String>, String);

struct Checker<'a> {
    style: MatcherStyle,
    tools: &'static [&'static str],
    servers: &'a [&'a str],
}

impl Checker<'_> {
    fn issue(&self, matcher: &str, tool_event: bool) -> Option<MatcherIssue> {
        let (kind, suggestion, message) = self.finding(matcher, tool_event)?;
        // A suggestion that is itself an issue would send the reader in circles.
        let suggestion = suggestion.filter(|candidate| self.finding(candidate, tool_event).is_none());
        let message = match &suggestion {
            Some(suggestion) => format!("{message}; write {suggestion:?}"),
            None => message,
        };
        Some(MatcherIssue { matcher: matcher.to_owned(), kind, suggestion, message })
    }

    fn finding(&self, matcher: &str, tool_event: bool) -> Option<Finding> {
        let compiled = match Compiled::new(matcher, self.style) {
            Compiled::All => return None,
            Compiled::Broken(why) => {
                let message = format!(
                    "expected a regular expression, but the matcher {matcher:?} does not compile ({why}), so its hooks \
                     never run"
                );
                return Some((IssueKind::InvalidRegex, self.read_as_glob(matcher), message));
            }
            compiled => compiled,
        };
        if !tool_event || matcher == ".*" {
            return None;
        }
        if let Compiled::Names(names) = &compiled {
            return names.iter().find_map(|name| self.name_finding(matcher, name));
        }
        if matcher.contains('|') {
            return None;
        }
        let bare = matcher.strip_prefix('^').unwrap_or(matcher);
        if let Some(rest) = strip_mcp(bare) {
            return self.mcp_finding(matcher, bare, rest);
        }
        match &compiled {
            Compiled::Pattern(regex) if bare.contains("mcp") => narrow_finding(matcher, regex),
            Compiled::Pattern(regex)
                if !is_word(matcher) || self.tools.iter().any(|tool| regex.find(tool).is_some()) =>
            {
                None
            }
            _ => self.typo(matcher),
        }
    }

    /// What is wrong with one name of a list. The suggestion is the list with the name corrected.
    fn name_finding(&self, list: &str, name: &str) -> Option<Finding> {
        let (kind, suggestion, message) = match strip_mcp(name) {
            Some(rest) => self.mcp_finding(name, name, rest)?,
            None => self.typo(name)?,
        };
        Some((kind, suggestion.map(|better| list.replacen(name, &better, 1)), message))
    }

    fn typo(&self, name: &str) -> Option<Finding> {
        if self.tools.contains(&name) {
            return None;
        }
        if let Some(finding) = self.spaced(name) {
            return Some(finding);
        }
        let nearest = nearest(name, self.tools.iter().copied())?;
        let message = format!(
            "expected the name of a tool, but no built-in tool is called {name:?} (names are compared exactly), so its \
             hooks never run"
        );
        Some((IssueKind::ToolTypo, Some(nearest.to_owned()), message))
    }

    /// A list of tools with spaces alone between them, which is one name.
    fn spaced(&self, name: &str) -> Option<Finding> {
        let names: Vec<&str> = name.split([' ', ',']).filter(|name| !name.is_empty()).collect();
        if names.len() < 2 || !names.iter().all(|name| self.tools.contains(name)) {
            return None;
        }
        let message =
            format!("expected `|` or `,` between tools, but {name:?} is read as a single name, so its hooks never run");
        Some((IssueKind::ToolTypo, Some(names.join("|")), message))
    }

    fn mcp_finding(&self, matcher: &str, bare: &str, rest: &str) -> Option<Finding> {
        if !self.reaches_mcp(bare) {
            let suggestion = self.recover_server(rest).map(|server| format!("mcp__{server}__.*"));
            let message = format!(
                "expected the form mcp__<server>__<tool>, but no MCP tool name can match {matcher:?}, so its hooks never run"
            );
            return Some((IssueKind::McpForm, suggestion, message));
        }
        if let Some(server) = pinned_server(bare) {
            return self.undeclared(matcher, server);
        }
        let Compiled::Pattern(regex) = Compiled::new(matcher, self.style) else { return None };
        narrow_finding(matcher, &regex)
    }

    /// Whether some name `mcp__server__tool` can match.
    fn reaches_mcp(&self, bare: &str) -> bool {
        let literal = bare.strip_suffix('$').unwrap_or(bare);
        let ends_there = literal.len() < bare.len() || self.style == MatcherStyle::Exact;
        if is_list(literal) && ends_there {
            // The whole name is given.
            return is_word(literal)
                && literal.strip_prefix("mcp__").is_some_and(|name| {
                    name.split_once("__").is_some_and(|(server, tool)| !server.is_empty() && !tool.is_empty())
                });
        }
        // The literal start must agree with "mcp__" as far as it goes, and a server's name must follow.
        let start = literal_start(bare);
        match start.strip_prefix("mcp__") {
            Some(server) => !server.starts_with('_'),
            None => "mcp__".starts_with(start),
        }
    }

    fn recover_server(&self, rest: &str) -> Option<String> {
        let rest = rest.trim_start_matches(['_', '-']);
        let by_declaration = self.servers.iter().find(|server| rest.starts_with(&normalized(server)));
        if let Some(server) = by_declaration {
            return Some(normalized(server));
        }
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_')).unwrap_or(rest.len());
        let name = &rest[..end];
        let server = match name.split_once("__") {
            Some((server, _)) => server,
            // Single underscores do not say where the server's name ends: the first word is the best guess.
            None => name.split('_').next().unwrap_or(name),
        };
        let server = server.trim_end_matches('-');
        (!server.is_empty()).then(|| server.to_owned())
    }

    fn undeclared(&self, matcher: &str, server: &str) -> Option<Finding> {
        /// Servers Claude Code brings along.
        const BUILT_IN: [&str; 3] = ["ide", "claude-in-chrome", "computer-use"];
        let declared: Vec<String> = self.servers.iter().map(|server| normalized(server)).collect();
        let known = declared.iter().any(|name| name == server)
            || BUILT_IN.contains(&server)
            // A plugin's servers are declared in the plugin and named `plugin_<plugin>_<server>`.
            || server.starts_with("plugin_");
        if declared.is_empty() || known {
            return None;
        }
        let suggestion = nearest(server, declared.iter().map(String::as_str))
            .map(|near| matcher.replacen(&format!("mcp__{server}__"), &format!("mcp__{near}__"), 1));
        let message = format!(
            "expected a declared MCP server ({}), but the matcher {matcher:?} names {server:?}",
            declared.join(", ")
        );
        Some((IssueKind::McpUndeclared, suggestion, message))
    }

    /// Reads the matcher as a file glob, where `*` stands for any text.
    fn read_as_glob(&self, matcher: &str) -> Option<String> {
        let plain = matcher.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '*'));
        if !plain {
            return None;
        }
        let mut pattern = String::new();
        for c in matcher.chars() {
            match c {
                '*' if pattern.ends_with(".*") => {}
                '*' => pattern.push_str(".*"),
                c => pattern.push(c),
            }
        }
        let everything = pattern == ".*" && self.style == MatcherStyle::Exact;
        Some(if everything { "*".to_owned() } else { pattern })
    }
}

/// The part after `mcp` and one separator, when the matcher is meant for MCP tools.
fn strip_mcp(bare: &str) -> Option<&str> {
    let rest = bare.strip_prefix("mcp")?;
    rest.starts_with(['_', '-']).then_some(rest)
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}

/// What every match must start with: the characters before the first one with a meaning, without the last of them when
/// a quantifier makes it optional.
fn literal_start(pattern: &str) -> &str {
    let end = pattern.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))).unwrap_or(pattern.len());
    let optional = pattern[end..].starts_with(['*', '?', '{']);
    &pattern[..if optional { end.saturating_sub(1) } else { end }]
}

/// The server of `mcp__server__...` when it is written out.
fn pinned_server(bare: &str) -> Option<&str> {
    let (server, _) = bare.strip_prefix("mcp__")?.split_once("__")?;
    (is_word(server)).then_some(server)
}

/// Tool names hold a server's name with every other character replaced by `_`.
fn normalized(server: &str) -> String {
    server.chars().map(|c| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' }).collect()
}

fn narrow_finding(matcher: &str, regex: &Regex) -> Option<Finding> {
    let selects = |name: &str| regex.find(name).is_some();
    let narrow = selects("mcp__srv__tool") && !(selects("mcp__my_srv__tool") && selects("mcp__my-srv__tool"));
    narrow.then(|| {
        let message = format!(
            "expected every MCP server to be selected, but the matcher {matcher:?} selects mcp__srv__tool and misses the \
             tools of servers whose name holds \"_\" or \"-\""
        );
        (IssueKind::McpNarrow, Some("mcp__.*__.*".to_owned()), message)
    })
}

fn nearest<'n>(name: &str, candidates: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    const MAX_DISTANCE: usize = 2;
    candidates
        .map(|candidate| {
            let distance = if candidate.eq_ignore_ascii_case(name) { 0 } else { strsim::levenshtein(name, candidate) };
            (distance, candidate)
        })
        // Two edits turn any two-letter word into any other.
        .filter(|(distance, candidate)| *distance <= MAX_DISTANCE && *distance * 2 < candidate.len())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}
