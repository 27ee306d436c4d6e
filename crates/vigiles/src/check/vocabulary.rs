//! The vocabulary: every kind of check, as data.

use std::fmt;

use super::error::CheckError;
use super::matcher::{ArgMatcher, ArgValue, Bounds, NameMatcher, TextMatcher};
use super::pattern::Pattern;
use super::seen::{list, quoted, quoted_list};

/// A claim about a run that can be judged, printed and written as JSON.
///
/// Tool calls are all calls of the run, those of subagents included; inside [`Check::Subagent`] they are that
/// subagent's own.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Check {
    /// The agent used the tool.
    Tool {
        /// Which tool.
        name: NameMatcher,
    },
    /// One call of the tool had these arguments.
    ToolWith {
        /// Which tool.
        name: NameMatcher,
        /// What one and the same call must have had.
        args: ArgMatcher,
    },
    /// No call of the tool (with these arguments) was made. A call that was made and refused counts as made.
    NotTool {
        /// Which tool.
        name: NameMatcher,
        /// Which of its calls; all when `None`.
        args: Option<ArgMatcher>,
    },
    /// Every tool used is in the list, and at least one was used. Compared up to the first `(`, so that permission
    /// rules such as `Bash(git *)` can be given as they are.
    OnlyTools {
        /// The list.
        allowed: Vec<String>,
    },
    /// The tool was used so many times.
    ToolCount {
        /// Which tool.
        name: NameMatcher,
        /// How many times.
        count: Bounds,
    },
    /// The tools were used in this order; other calls may lie between.
    ToolSequence {
        /// The tools, first to last.
        names: Vec<NameMatcher>,
    },
    /// The agent used the tool of an MCP server, which is called `mcp__server__tool`.
    Mcp {
        /// The server.
        server: String,
        /// The tool.
        tool: String,
    },
    /// A `Skill` call for `id` gave no error. Also holds when the call used the bare name of `plugin:name` and the run
    /// offered exactly one skill of that name.
    Skill {
        /// The id, `name` or `plugin:name`.
        id: String,
    },
    /// The subagent ran, and each of its runs passes the nested checks.
    Subagent {
        /// Its type, whole (`plugin:reviewer`) or the part after the last colon.
        name: String,
        /// What must hold over its own tool calls and answer; may be empty.
        checks: Vec<Check>,
    },
    /// The final answer contains or matches.
    Output {
        /// What.
        matcher: TextMatcher,
    },
    /// Some model request, its system prompt or one of its messages, contains or matches.
    Received {
        /// What.
        matcher: TextMatcher,
    },
    /// Every reply of the main agent contains or matches, and there is at least one.
    EachReply {
        /// What.
        matcher: TextMatcher,
    },
    /// So many replies of the main agent contain or match.
    ReplyCount {
        /// What.
        matcher: TextMatcher,
        /// How many replies.
        count: Bounds,
    },
    /// A hook fired.
    HookFired {
        /// `Event:Matcher` as recorded, or the bare event.
        event: String,
        /// `Some(true)`: one of them blocked. `Some(false)`: none did.
        blocked: Option<bool>,
    },
    /// A hook fired and blocked.
    HookBlocked {
        /// `Event:Matcher` as recorded, or the bare event.
        event: String,
    },
    /// A hook fired and ended with an exit code other than 0.
    HookFailed {
        /// `Event:Matcher` as recorded, or the bare event.
        event: String,
    },
    /// The main agent took so many model turns.
    Turns {
        /// How many.
        count: Bounds,
    },
    /// The model was asked for at least so many turns (by any agent of the run).
    ServedTurns {
        /// How many.
        min: u64,
    },
    /// The run wrote the file.
    Wrote {
        /// Its path, relative to the working directory or absolute.
        path: String,
    },
    /// The run did not write the file.
    DidNotWrite {
        /// Its path, relative to the working directory or absolute.
        path: String,
    },
    /// No path that the run wrote contains or matches.
    NoWrite {
        /// What.
        matcher: TextMatcher,
    },
    /// Every path that the run wrote contains or matches one of these.
    WroteOnly {
        /// These; with none, the run wrote nothing at all.
        allowed: Vec<TextMatcher>,
    },
    /// Every connection out that the run tried was to one of these.
    EgressOnly {
        /// Hosts, `name` or `name:port`, as they are, or patterns of names; with none, the run tried no connection at all.
        allowed: Vec<NameMatcher>,
    },
    /// The file is there after the run.
    Created {
        /// Its path, relative to the working directory.
        path: String,
    },
    /// The file is not there after the run.
    NotCreated {
        /// Its path, relative to the working directory.
        path: String,
    },
    /// The hook blocked.
    Blocked,
    /// The hook let it happen.
    Allowed,
    /// The run cost at most so much.
    Cost {
        /// US dollars.
        max_usd: f64,
    },
    /// The run took at most so long.
    Latency {
        /// Milliseconds.
        max_ms: f64,
    },
    /// At most so many input and output tokens together.
    Tokens {
        /// How many.
        max: u64,
    },
    /// At most so many uncached input tokens.
    InputTokens {
        /// How many.
        max: u64,
    },
    /// At most so many output tokens.
    OutputTokens {
        /// How many.
        max: u64,
    },
    /// At most so many tokens written to and read from the prompt cache; at least one limit is given.
    CacheTokens {
        /// Limit of the tokens written.
        max_creation: Option<u64>,
        /// Limit of the tokens read.
        max_read: Option<u64>,
    },
    /// The check does not hold. One that cannot be judged cannot be judged negated either.
    Not {
        /// The check.
        check: Box<Check>,
    },
    /// All hold.
    All {
        /// At least one check.
        checks: Vec<Check>,
    },
    /// At least one holds.
    Any {
        /// At least one check.
        checks: Vec<Check>,
    },
}

impl Check {
    /// The name of its kind, as in JSON.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Tool { .. } => "tool",
            Self::ToolWith { .. } => "toolWith",
            Self::NotTool { .. } => "notTool",
            Self::OnlyTools { .. } => "onlyTools",
            Self::ToolCount { .. } => "toolCount",
            Self::ToolSequence { .. } => "toolSequence",
            Self::Mcp { .. } => "mcp",
            Self::Skill { .. } => "skill",
            Self::Subagent { .. } => "subagent",
            Self::Output { .. } => "output",
            Self::Received { .. } => "received",
            Self::EachReply { .. } => "eachReply",
            Self::ReplyCount { .. } => "replyCount",
            Self::HookFired { .. } => "hookFired",
            Self::HookBlocked { .. } => "hookBlocked",
            Self::HookFailed { .. } => "hookFailed",
            Self::Turns { .. } => "turns",
            Self::ServedTurns { .. } => "servedTurns",
            Self::Wrote { .. } => "wrote",
            Self::DidNotWrite { .. } => "didNotWrite",
            Self::NoWrite { .. } => "noWrite",
            Self::WroteOnly { .. } => "wroteOnly",
            Self::EgressOnly { .. } => "egressOnly",
            Self::Created { .. } => "created",
            Self::NotCreated { .. } => "notCreated",
            Self::Blocked => "blocked",
            Self::Allowed => "allowed",
            Self::Cost { .. } => "cost",
            Self::Latency { .. } => "latency",
            Self::Tokens { .. } => "tokens",
            Self::InputTokens { .. } => "inputTokens",
            Self::OutputTokens { .. } => "outputTokens",
            Self::CacheTokens { .. } => "cacheTokens",
            Self::Not { .. } => "not",
            Self::All { .. } => "all",
            Self::Any { .. } => "any",
        }
    }

    /// A short name for reports: `tool(Bash)`, `output(/done/i)`, `turns`.
    pub fn label(&self) -> String {
        let name_of = |name: &NameMatcher| match name {
            NameMatcher::Exact(name) => name.clone(),
            NameMatcher::Matches(pattern) => pattern.to_string(),
        };
        let text_of = |text: &TextMatcher| match text {
            TextMatcher::Contains(text) => text.clone(),
            TextMatcher::Matches(pattern) => pattern.to_string(),
        };
        let argument = match self {
            Self::Tool { name }
            | Self::ToolWith { name, .. }
            | Self::NotTool { name, .. }
            | Self::ToolCount { name, .. } => name_of(name),
            Self::Subagent { name, .. } => name.clone(),
            Self::Skill { id } => id.clone(),
            Self::HookFired { event, .. } | Self::HookBlocked { event } | Self::HookFailed { event } => event.clone(),
            Self::Wrote { path } | Self::DidNotWrite { path } | Self::Created { path } | Self::NotCreated { path } => {
                path.clone()
            }
            Self::Output { matcher }
            | Self::Received { matcher }
            | Self::EachReply { matcher }
            | Self::ReplyCount { matcher, .. }
            | Self::NoWrite { matcher } => text_of(matcher),
            _ => return self.kind().to_owned(),
        };
        format!("{}({argument})", self.kind())
    }

    /// Checks that the check says something: it has a limit, a name, a nested check, valid flags.
    ///
    /// `path` is where it stands, for the message: `checks[2]`.
    pub fn validate(&self, path: &str) -> Result<(), CheckError> {
        let at = At(path);
        match self {
            Self::Tool { name } => at.name("name", name),
            Self::ToolWith { name, args } => at.name("name", name).and_then(|()| at.args(args)),
            Self::NotTool { name, args } => {
                at.name("name", name)?;
                args.as_ref().map_or(Ok(()), |args| at.args(args))
            }
            Self::OnlyTools { allowed } if allowed.is_empty() => at.refuse(
                "allowed",
                "at least one tool",
                "the list is empty, and a run without any tool call does not pass onlyTools either: use toolCount with max 0",
            ),
            Self::OnlyTools { allowed } => at.each("allowed", allowed, |path, name| At(&path).text("", name)),
            Self::ToolCount { name, count } => at.name("name", name).and_then(|()| at.bounds(*count)),
            Self::ToolSequence { names } if names.is_empty() => {
                at.refuse("names", "at least one tool", "the list is empty: it would pass on every run")
            }
            Self::ToolSequence { names } => at.each("names", names, |path, name| At(&path).name("", name)),
            Self::Mcp { server, tool } => at.text("server", server).and_then(|()| at.text("tool", tool)),
            Self::Skill { id } => at.text("id", id),
            Self::Subagent { name, checks } => {
                at.text("name", name)?;
                at.each("checks", checks, |path, check| check.validate(&path))
            }
            Self::Output { matcher }
            | Self::Received { matcher }
            | Self::EachReply { matcher }
            | Self::NoWrite { matcher } => at.matcher(matcher),
            Self::ReplyCount { matcher, count } => at.matcher(matcher).and_then(|()| at.bounds(*count)),
            Self::HookFired { event, .. } | Self::HookBlocked { event } | Self::HookFailed { event } => {
                at.text("event", event)
            }
            Self::Turns { count } => at.bounds(*count),
            Self::ServedTurns { min: 0 } => at.refuse("min", "a number above 0", "min 0 holds for every run"),
            Self::Wrote { path } | Self::DidNotWrite { path } | Self::Created { path } | Self::NotCreated { path } => {
                at.text("path", path)
            }
            Self::WroteOnly { allowed } => at.each("allowed", allowed, |path, matcher| At(&path).matcher_at("", matcher)),
            Self::EgressOnly { allowed } => at.each("allowed", allowed, |path, name| At(&path).name("", name)),
            Self::Cost { max_usd } => at.limit("maxUsd", *max_usd),
            Self::Latency { max_ms } => at.limit("maxMs", *max_ms),
            Self::CacheTokens { max_creation: None, max_read: None } => {
                at.refuse("", "maxCreation, maxRead or both", "none is given: it would pass on every run")
            }
            Self::Not { check } => check.validate(&at.key("check")),
            Self::All { checks } | Self::Any { checks } if checks.is_empty() => {
                at.refuse("checks", "at least one check", "the list is empty")
            }
            Self::All { checks } | Self::Any { checks } => at.each("checks", checks, |path, check| check.validate(&path)),
            Self::ServedTurns { .. }
            | Self::Blocked
            | Self::Allowed
            | Self::Tokens { .. }
            | Self::InputTokens { .. }
            | Self::OutputTokens { .. }
            | Self::CacheTokens { .. } => Ok(()),
        }
    }
}

/// A place in a list of checks, for messages.
struct At<'p>(&'p str);

impl At<'_> {
    fn key(&self, key: &str) -> String {
        if key.is_empty() { self.0.to_owned() } else { format!("{}.{key}", self.0) }
    }

    fn refuse(&self, key: &str, expected: &str, seen: impl Into<String>) -> Result<(), CheckError> {
        Err(CheckError::Invalid { path: self.key(key), expected: expected.to_owned(), seen: seen.into() })
    }

    fn each<T>(
        &self,
        key: &str,
        items: &[T],
        validate: impl Fn(String, &T) -> Result<(), CheckError>,
    ) -> Result<(), CheckError> {
        let list = self.key(key);
        items.iter().enumerate().try_for_each(|(index, item)| validate(format!("{list}[{index}]"), item))
    }

    fn text(&self, key: &str, text: &str) -> Result<(), CheckError> {
        if text.trim().is_empty() {
            self.refuse(key, "a text that is not blank", format!("it is {}", quoted(text)))
        } else {
            Ok(())
        }
    }

    fn name(&self, key: &str, name: &NameMatcher) -> Result<(), CheckError> {
        match name {
            NameMatcher::Exact(name) => self.text(key, name),
            NameMatcher::Matches(pattern) => At(&self.key(key)).pattern(pattern),
        }
    }

    fn matcher(&self, matcher: &TextMatcher) -> Result<(), CheckError> {
        match matcher {
            TextMatcher::Contains(_) => self.matcher_at("matcher", matcher),
            TextMatcher::Matches(_) => self.matcher_at("", matcher),
        }
    }

    fn matcher_at(&self, key: &str, matcher: &TextMatcher) -> Result<(), CheckError> {
        match matcher {
            TextMatcher::Contains(text) if text.is_empty() => {
                self.refuse(key, "a text", "it is empty, and every text contains the empty one")
            }
            TextMatcher::Contains(_) => Ok(()),
            TextMatcher::Matches(pattern) => At(&self.key(key)).pattern(pattern),
        }
    }

    fn args(&self, args: &ArgMatcher) -> Result<(), CheckError> {
        if args.0.is_empty() {
            return self.refuse("args", "at least one argument", "there is none, and every call would match");
        }
        args.0.iter().try_for_each(|(field, value)| match value {
            ArgValue::Matches(pattern) => At(&format!("{}.{field}", self.key("args"))).pattern(pattern),
            ArgValue::Text(_) | ArgValue::Number(_) | ArgValue::Bool(_) => Ok(()),
        })
    }

    fn pattern(&self, pattern: &Pattern) -> Result<(), CheckError> {
        match pattern.flag_problem() {
            Some(problem) => self.refuse("flags", "regular expression flags", problem),
            None => Ok(()),
        }
    }

    fn bounds(&self, bounds: Bounds) -> Result<(), CheckError> {
        bounds.problem().map_or(Ok(()), |problem| self.refuse("", "a number of times (min, max or exactly)", problem))
    }

    fn limit(&self, key: &str, limit: f64) -> Result<(), CheckError> {
        if limit.is_finite() && limit >= 0.0 {
            Ok(())
        } else {
            self.refuse(key, "a number, 0 or more", format!("it is {limit}"))
        }
    }
}

/// The call that makes the check in a test file: `toolCount("Write", {max: 1})`.
impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.kind();
        match self {
            Self::Tool { name } | Self::NotTool { name, args: None } => write!(f, "{kind}({name})"),
            Self::ToolWith { name, args } | Self::NotTool { name, args: Some(args) } => {
                write!(f, "{kind}({name}, {args})")
            }
            Self::OnlyTools { allowed } => write!(f, "{kind}({})", quoted_list(allowed.iter().map(String::as_str))),
            Self::ToolCount { name, count } => write!(f, "{kind}({name}, {})", options(*count)),
            Self::ToolSequence { names } => write!(f, "{kind}({})", list(names)),
            Self::Mcp { server, tool } => write!(f, "{kind}({}, {})", quoted(server), quoted(tool)),
            Self::Skill { id } => write!(f, "{kind}({})", quoted(id)),
            Self::Subagent { name, checks } if checks.is_empty() => write!(f, "{kind}({})", quoted(name)),
            Self::Subagent { name, checks } => write!(f, "{kind}({}, {})", quoted(name), list(checks)),
            Self::Output { matcher }
            | Self::Received { matcher }
            | Self::EachReply { matcher }
            | Self::NoWrite { matcher } => write!(f, "{kind}({matcher})"),
            Self::ReplyCount { matcher, count } => write!(f, "{kind}({matcher}, {})", options(*count)),
            Self::HookFired { event, blocked: Some(blocked) } => {
                write!(f, "{kind}({}, {{blocked: {blocked}}})", quoted(event))
            }
            Self::HookFired { event, blocked: None } | Self::HookBlocked { event } | Self::HookFailed { event } => {
                write!(f, "{kind}({})", quoted(event))
            }
            Self::Turns { count } => write!(f, "{kind}({})", options(*count)),
            Self::ServedTurns { min } => write!(f, "{kind}({min})"),
            Self::Wrote { path } | Self::DidNotWrite { path } | Self::Created { path } | Self::NotCreated { path } => {
                write!(f, "{kind}({})", quoted(path))
            }
            Self::WroteOnly { allowed } => write!(f, "{kind}({})", list(allowed)),
            Self::EgressOnly { allowed } => write!(f, "{kind}({})", list(allowed)),
            Self::Blocked | Self::Allowed => write!(f, "{kind}()"),
            Self::Cost { max_usd } => write!(f, "{kind}({{maxUsd: {max_usd}}})"),
            Self::Latency { max_ms } => write!(f, "{kind}({{maxMs: {max_ms}}})"),
            Self::Tokens { max } | Self::InputTokens { max } | Self::OutputTokens { max } => {
                write!(f, "{kind}({{max: {max}}})")
            }
            Self::CacheTokens { max_creation, max_read } => {
                let limits = [("maxCreation", max_creation), ("maxRead", max_read)];
                let limits = limits.iter().filter_map(|(key, limit)| limit.map(|limit| format!("{key}: {limit}")));
                write!(f, "{kind}({{{}}})", limits.collect::<Vec<_>>().join(", "))
            }
            Self::Not { check } => write!(f, "{kind}({check})"),
            Self::All { checks } | Self::Any { checks } => write!(f, "{kind}({})", list(checks)),
        }
    }
}

fn options(bounds: Bounds) -> String {
    match bounds {
        Bounds::Exactly(n) => format!("{{exactly: {n}}}"),
        Bounds::Range { min, max } => {
            let limits = [("min", min), ("max", max)];
            let limits = limits.iter().filter_map(|(key, limit)| limit.map(|limit| format!("{key}: {limit}")));
            format!("{{{}}}", limits.collect::<Vec<_>>().join(", "))
        }
    }
}
