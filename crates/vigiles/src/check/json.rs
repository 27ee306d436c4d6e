//! Checks as JSON: `{"kind": "tool", "name": "Bash"}`.
//!
//! A pattern is `{"matcher": source, "regex": true, "flags": "i"}` where the check is about one text, and
//! `{"regex": source, "flags": "i"}` where a name, an argument or a path may be a plain string too.

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

use super::error::CheckError;
use super::matcher::{ArgMatcher, ArgValue, Bounds, NameMatcher, TextMatcher};
use super::pattern::Pattern;
use super::seen::{nearest, quoted, shortened};
use super::vocabulary::Check;

/// Every kind and its keys, in the order of the documentation.
const KINDS: &[(&str, &[&str])] = &[
    ("tool", &["name"]),
    ("toolWith", &["name", "args"]),
    ("notTool", &["name", "args"]),
    ("onlyTools", &["allowed"]),
    ("toolCount", &["name", "min", "max", "exactly"]),
    ("toolSequence", &["names"]),
    ("mcp", &["server", "tool"]),
    ("skill", &["id"]),
    ("subagent", &["name", "checks"]),
    ("output", &["matcher", "regex", "flags"]),
    ("received", &["matcher", "regex", "flags"]),
    ("eachReply", &["matcher", "regex", "flags"]),
    ("replyCount", &["matcher", "regex", "flags", "min", "max", "exactly"]),
    ("hookFired", &["event", "blocked"]),
    ("hookBlocked", &["event"]),
    ("hookFailed", &["event"]),
    ("turns", &["min", "max", "exactly"]),
    ("servedTurns", &["min"]),
    ("wrote", &["path"]),
    ("didNotWrite", &["path"]),
    ("noWrite", &["matcher", "regex", "flags"]),
    ("wroteOnly", &["allowed"]),
    ("egressOnly", &["allowed"]),
    ("created", &["path"]),
    ("notCreated", &["path"]),
    ("blocked", &[]),
    ("allowed", &[]),
    ("cost", &["maxUsd"]),
    ("latency", &["maxMs"]),
    ("tokens", &["max"]),
    ("inputTokens", &["max"]),
    ("outputTokens", &["max"]),
    ("cacheTokens", &["maxCreation", "maxRead"]),
    ("not", &["check"]),
    ("all", &["checks"]),
    ("any", &["checks"]),
];

impl Check {
    /// Reads one check from JSON text.
    pub fn from_json(text: &str) -> Result<Self, CheckError> {
        Self::from_value(&serde_json::from_str(text).map_err(CheckError::Json)?, "check")
    }

    /// Reads a list of checks from JSON text. An empty list is refused.
    pub fn list_from_json(text: &str) -> Result<Vec<Self>, CheckError> {
        let value = serde_json::from_str(text).map_err(CheckError::Json)?;
        let checks = list_of(&value, "checks", "a list of checks", Self::from_value)?;
        if checks.is_empty() { Err(CheckError::NoChecks) } else { Ok(checks) }
    }

    /// Reads one check from a JSON value; `path` is where it stands, for messages.
    pub fn from_value(value: &Value, path: &str) -> Result<Self, CheckError> {
        let check = read(value, path)?;
        check.validate(path)?;
        Ok(check)
    }
}

fn read(value: &Value, path: &str) -> Result<Check, CheckError> {
    let Some(object) = value.as_object() else { return Err(wrong(path, "a check, an object with a kind", value)) };
    let fields = Fields::new(object, path)?;
    Ok(match fields.kind {
        "tool" => Check::Tool { name: fields.name()? },
        "toolWith" => {
            Check::ToolWith { name: fields.name()?, args: fields.required("args", "an object of arguments", args)? }
        }
        "notTool" => Check::NotTool { name: fields.name()?, args: fields.optional("args", args)? },
        "onlyTools" => Check::OnlyTools { allowed: fields.list("allowed", "a list of tool names", string)? },
        "toolCount" => Check::ToolCount { name: fields.name()?, count: fields.bounds()? },
        "toolSequence" => Check::ToolSequence { names: fields.list("names", "a list of tool names", name)? },
        "mcp" => Check::Mcp { server: fields.string("server")?, tool: fields.string("tool")? },
        "skill" => Check::Skill { id: fields.string("id")? },
        "subagent" => Check::Subagent {
            name: fields.string("name")?,
            checks: fields
                .optional("checks", |value, path| list_of(value, path, "a list of checks", read))?
                .unwrap_or_default(),
        },
        "output" => Check::Output { matcher: fields.matcher()? },
        "received" => Check::Received { matcher: fields.matcher()? },
        "eachReply" => Check::EachReply { matcher: fields.matcher()? },
        "replyCount" => Check::ReplyCount { matcher: fields.matcher()?, count: fields.bounds()? },
        "hookFired" => {
            Check::HookFired { event: fields.string("event")?, blocked: fields.optional("blocked", boolean)? }
        }
        "hookBlocked" => Check::HookBlocked { event: fields.string("event")? },
        "hookFailed" => Check::HookFailed { event: fields.string("event")? },
        "turns" => Check::Turns { count: fields.bounds()? },
        "servedTurns" => Check::ServedTurns { min: fields.whole("min")? },
        "wrote" => Check::Wrote { path: fields.string("path")? },
        "didNotWrite" => Check::DidNotWrite { path: fields.string("path")? },
        "noWrite" => Check::NoWrite { matcher: fields.matcher()? },
        "wroteOnly" => Check::WroteOnly { allowed: fields.list("allowed", "a list of paths", text)? },
        "egressOnly" => Check::EgressOnly { allowed: fields.list("allowed", "a list of hosts", name)? },
        "created" => Check::Created { path: fields.string("path")? },
        "notCreated" => Check::NotCreated { path: fields.string("path")? },
        "blocked" => Check::Blocked,
        "allowed" => Check::Allowed,
        "cost" => Check::Cost { max_usd: fields.number("maxUsd")? },
        "latency" => Check::Latency { max_ms: fields.number("maxMs")? },
        "tokens" => Check::Tokens { max: fields.whole("max")? },
        "inputTokens" => Check::InputTokens { max: fields.whole("max")? },
        "outputTokens" => Check::OutputTokens { max: fields.whole("max")? },
        "cacheTokens" => Check::CacheTokens {
            max_creation: fields.optional("maxCreation", whole)?,
            max_read: fields.optional("maxRead", whole)?,
        },
        "not" => Check::Not { check: Box::new(fields.required("check", "a check", read)?) },
        "all" => Check::All { checks: fields.list("checks", "a list of checks", read)? },
        "any" => Check::Any { checks: fields.list("checks", "a list of checks", read)? },
        other => return Err(unknown_kind(path, other)),
    })
}

/// The keys of one check, known to belong to its kind.
struct Fields<'v> {
    kind: &'static str,
    path: &'v str,
    object: &'v Map<String, Value>,
}

impl<'v> Fields<'v> {
    fn new(object: &'v Map<String, Value>, path: &'v str) -> Result<Self, CheckError> {
        let Some(given) = object.get("kind") else {
            let seen = format!("its keys are [{}]", object.keys().map(String::as_str).collect::<Vec<_>>().join(", "));
            return Err(CheckError::Invalid {
                path: path.to_owned(),
                expected: "a check with a kind".to_owned(),
                seen,
            });
        };
        let Some(given) = given.as_str() else {
            return Err(wrong(&format!("{path}.kind"), "the name of a kind", given));
        };
        let kind = given.strip_prefix("experimental_").unwrap_or(given);
        let Some(&(kind, keys)) = KINDS.iter().find(|(known, _)| *known == kind) else {
            return Err(unknown_kind(path, given));
        };
        match object.keys().find(|key| *key != "kind" && !keys.contains(&key.as_str())) {
            None => Ok(Self { kind, path, object }),
            Some(key) => Err(CheckError::UnknownKey {
                path: format!("{path}.{key}"),
                kind: kind.to_owned(),
                nearest: nearest(key, keys.iter().copied()).map(str::to_owned),
                known: if keys.is_empty() { "nothing but kind".to_owned() } else { keys.join(", ") },
            }),
        }
    }

    fn optional<T>(
        &self,
        key: &str,
        read: impl Fn(&Value, &str) -> Result<T, CheckError>,
    ) -> Result<Option<T>, CheckError> {
        match self.object.get(key) {
            // JSON.stringify keeps a null where a JavaScript caller had no value.
            None | Some(Value::Null) => Ok(None),
            Some(value) => read(value, &format!("{}.{key}", self.path)).map(Some),
        }
    }

    fn required<T>(
        &self,
        key: &str,
        expected: &str,
        read: impl Fn(&Value, &str) -> Result<T, CheckError>,
    ) -> Result<T, CheckError> {
        self.optional(key, read)?.ok_or_else(|| CheckError::Invalid {
            path: format!("{}.{key}", self.path),
            expected: expected.to_owned(),
            seen: format!("there is nothing: a {:?} check needs it", self.kind),
        })
    }

    fn list<T>(
        &self,
        key: &str,
        expected: &str,
        read: impl Fn(&Value, &str) -> Result<T, CheckError>,
    ) -> Result<Vec<T>, CheckError> {
        self.required(key, expected, |value, path| list_of(value, path, expected, &read))
    }

    fn string(&self, key: &str) -> Result<String, CheckError> {
        self.required(key, "a string", string)
    }

    fn name(&self) -> Result<NameMatcher, CheckError> {
        self.required("name", "a tool name", name)
    }

    fn number(&self, key: &str) -> Result<f64, CheckError> {
        self.required(key, "a number", |value, path| value.as_f64().ok_or_else(|| wrong(path, "a number", value)))
    }

    fn whole(&self, key: &str) -> Result<u64, CheckError> {
        self.required(key, "a whole number", whole)
    }

    fn bounds(&self) -> Result<Bounds, CheckError> {
        let (min, max) = (self.optional("min", whole)?, self.optional("max", whole)?);
        match (self.optional("exactly", whole)?, min, max) {
            (Some(n), None, None) => Ok(Bounds::Exactly(n)),
            (None, min, max) => Ok(Bounds::Range { min, max }),
            (Some(_), _, _) => Err(CheckError::Invalid {
                path: format!("{}.exactly", self.path),
                expected: "exactly alone, or min and max".to_owned(),
                seen: "both are given".to_owned(),
            }),
        }
    }

    fn matcher(&self) -> Result<TextMatcher, CheckError> {
        let source = self.string("matcher")?;
        let flags = self.optional("flags", string)?;
        if self.optional("regex", boolean)?.unwrap_or(false) {
            return Ok(TextMatcher::Matches(Pattern::new(source, flags.unwrap_or_default())));
        }
        match flags {
            None => Ok(TextMatcher::Contains(source)),
            Some(_) => Err(CheckError::Invalid {
                path: format!("{}.flags", self.path),
                expected: "no flags beside a plain text".to_owned(),
                seen: "there are some: add \"regex\": true to look for a pattern".to_owned(),
            }),
        }
    }
}

fn list_of<T>(
    value: &Value,
    path: &str,
    expected: &str,
    read: impl Fn(&Value, &str) -> Result<T, CheckError>,
) -> Result<Vec<T>, CheckError> {
    let Some(items) = value.as_array() else { return Err(wrong(path, expected, value)) };
    items.iter().enumerate().map(|(index, item)| read(item, &format!("{path}[{index}]"))).collect()
}

fn string(value: &Value, path: &str) -> Result<String, CheckError> {
    value.as_str().map(str::to_owned).ok_or_else(|| wrong(path, "a string", value))
}

fn boolean(value: &Value, path: &str) -> Result<bool, CheckError> {
    value.as_bool().ok_or_else(|| wrong(path, "true or false", value))
}

fn whole(value: &Value, path: &str) -> Result<u64, CheckError> {
    value.as_u64().ok_or_else(|| wrong(path, "a whole number, 0 or more", value))
}

fn name(value: &Value, path: &str) -> Result<NameMatcher, CheckError> {
    string_or_pattern(value, path, NameMatcher::Exact, NameMatcher::Matches)
}

fn text(value: &Value, path: &str) -> Result<TextMatcher, CheckError> {
    string_or_pattern(value, path, TextMatcher::Contains, TextMatcher::Matches)
}

fn args(value: &Value, path: &str) -> Result<ArgMatcher, CheckError> {
    let Some(object) = value.as_object() else { return Err(wrong(path, "an object of arguments", value)) };
    let fields = object.iter().map(|(field, value)| {
        let path = format!("{path}.{field}");
        let value = match value {
            Value::Number(number) => ArgValue::Number(number.clone()),
            Value::Bool(flag) => ArgValue::Bool(*flag),
            _ => string_or_pattern(value, &path, ArgValue::Text, ArgValue::Matches)?,
        };
        Ok((field.clone(), value))
    });
    fields.collect::<Result<_, CheckError>>().map(ArgMatcher)
}

fn string_or_pattern<T>(
    value: &Value,
    path: &str,
    literal: impl Fn(String) -> T,
    pattern: impl Fn(Pattern) -> T,
) -> Result<T, CheckError> {
    match value {
        Value::String(text) => Ok(literal(text.clone())),
        Value::Object(object) => {
            if let Some(key) = object.keys().find(|key| !["regex", "flags"].contains(&key.as_str())) {
                return Err(CheckError::UnknownKey {
                    path: format!("{path}.{key}"),
                    kind: "pattern".to_owned(),
                    nearest: nearest(key, ["regex", "flags"]).map(str::to_owned),
                    known: "regex, flags".to_owned(),
                });
            }
            // An empty object is what JSON.stringify makes of a RegExp.
            let source = object.get("regex").ok_or_else(|| CheckError::Invalid {
                path: path.to_owned(),
                expected: "a string or a pattern".to_owned(),
                seen: "it is an object without a regex: a RegExp is written {\"regex\": source, \"flags\": flags}"
                    .to_owned(),
            })?;
            let flags =
                object.get("flags").map_or(Ok(String::new()), |flags| string(flags, &format!("{path}.flags")))?;
            Ok(pattern(Pattern { source: string(source, &format!("{path}.regex"))?, flags }))
        }
        other => Err(wrong(path, "a string or a pattern {regex, flags}", other)),
    }
}

fn wrong(path: &str, expected: &str, value: &Value) -> CheckError {
    let seen = match value {
        Value::String(text) => format!("it is the string {}", quoted(&shortened(text, 80))),
        Value::Array(_) => "it is a list".to_owned(),
        Value::Object(_) => "it is an object".to_owned(),
        other => format!("it is {other}"),
    };
    CheckError::Invalid { path: path.to_owned(), expected: expected.to_owned(), seen }
}

fn unknown_kind(path: &str, given: &str) -> CheckError {
    CheckError::UnknownKind {
        path: format!("{path}.kind"),
        seen: given.to_owned(),
        nearest: nearest(given, KINDS.iter().map(|(kind, _)| *kind)).map(str::to_owned),
        known: KINDS.iter().map(|(kind, _)| *kind).collect::<Vec<_>>().join(", "),
    }
}

impl Serialize for Check {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("kind", self.kind())?;
        match self {
            Self::Tool { name } | Self::NotTool { name, args: None } => map.serialize_entry("name", name)?,
            Self::ToolWith { name, args } | Self::NotTool { name, args: Some(args) } => {
                map.serialize_entry("name", name)?;
                map.serialize_entry("args", args)?;
            }
            Self::OnlyTools { allowed } => map.serialize_entry("allowed", allowed)?,
            Self::ToolCount { name, count } => {
                map.serialize_entry("name", name)?;
                bounds_into::<S>(&mut map, *count)?;
            }
            Self::ToolSequence { names } => map.serialize_entry("names", names)?,
            Self::Mcp { server, tool } => {
                map.serialize_entry("server", server)?;
                map.serialize_entry("tool", tool)?;
            }
            Self::Skill { id } => map.serialize_entry("id", id)?,
            Self::Subagent { name, checks } => {
                map.serialize_entry("name", name)?;
                map.serialize_entry("checks", checks)?;
            }
            Self::Output { matcher }
            | Self::Received { matcher }
            | Self::EachReply { matcher }
            | Self::NoWrite { matcher } => matcher_into::<S>(&mut map, matcher)?,
            Self::ReplyCount { matcher, count } => {
                matcher_into::<S>(&mut map, matcher)?;
                bounds_into::<S>(&mut map, *count)?;
            }
            Self::HookFired { event, blocked } => {
                map.serialize_entry("event", event)?;
                entry_if_some::<S, _>(&mut map, "blocked", blocked.as_ref())?;
            }
            Self::HookBlocked { event } | Self::HookFailed { event } => map.serialize_entry("event", event)?,
            Self::Turns { count } => bounds_into::<S>(&mut map, *count)?,
            Self::ServedTurns { min } => map.serialize_entry("min", min)?,
            Self::Wrote { path } | Self::DidNotWrite { path } | Self::Created { path } | Self::NotCreated { path } => {
                map.serialize_entry("path", path)?;
            }
            Self::WroteOnly { allowed } => map.serialize_entry("allowed", allowed)?,
            Self::EgressOnly { allowed } => map.serialize_entry("allowed", allowed)?,
            Self::Blocked | Self::Allowed => {}
            Self::Cost { max_usd } => map.serialize_entry("maxUsd", max_usd)?,
            Self::Latency { max_ms } => map.serialize_entry("maxMs", max_ms)?,
            Self::Tokens { max } | Self::InputTokens { max } | Self::OutputTokens { max } => {
                map.serialize_entry("max", max)?;
            }
            Self::CacheTokens { max_creation, max_read } => {
                entry_if_some::<S, _>(&mut map, "maxCreation", max_creation.as_ref())?;
                entry_if_some::<S, _>(&mut map, "maxRead", max_read.as_ref())?;
            }
            Self::Not { check } => map.serialize_entry("check", check)?,
            Self::All { checks } | Self::Any { checks } => map.serialize_entry("checks", checks)?,
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Check {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Self::from_value(&value, "check").map_err(D::Error::custom)
    }
}

fn entry_if_some<S: Serializer, T: Serialize>(
    map: &mut S::SerializeMap,
    key: &'static str,
    value: Option<&T>,
) -> Result<(), S::Error> {
    value.map_or(Ok(()), |value| map.serialize_entry(key, value))
}

fn bounds_into<S: Serializer>(map: &mut S::SerializeMap, bounds: Bounds) -> Result<(), S::Error> {
    match bounds {
        Bounds::Exactly(n) => map.serialize_entry("exactly", &n),
        Bounds::Range { min, max } => {
            entry_if_some::<S, _>(map, "min", min.as_ref())?;
            entry_if_some::<S, _>(map, "max", max.as_ref())
        }
    }
}

fn matcher_into<S: Serializer>(map: &mut S::SerializeMap, matcher: &TextMatcher) -> Result<(), S::Error> {
    match matcher {
        TextMatcher::Contains(text) => {
            map.serialize_entry("matcher", text)?;
            map.serialize_entry("regex", &false)
        }
        TextMatcher::Matches(pattern) => {
            map.serialize_entry("matcher", &pattern.source)?;
            map.serialize_entry("regex", &true)?;
            if pattern.flags.is_empty() { Ok(()) } else { map.serialize_entry("flags", &pattern.flags) }
        }
    }
}

impl Serialize for Pattern {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("regex", &self.source)?;
        if !self.flags.is_empty() {
            map.serialize_entry("flags", &self.flags)?;
        }
        map.end()
    }
}

impl Serialize for NameMatcher {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Exact(name) => serializer.serialize_str(name),
            Self::Matches(pattern) => pattern.serialize(serializer),
        }
    }
}

impl Serialize for TextMatcher {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Contains(text) => serializer.serialize_str(text),
            Self::Matches(pattern) => pattern.serialize(serializer),
        }
    }
}

impl Serialize for ArgValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Number(number) => number.serialize(serializer),
            Self::Bool(flag) => serializer.serialize_bool(*flag),
            Self::Matches(pattern) => pattern.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for ArgMatcher {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        args(&Value::deserialize(from)?, "arguments").map_err(D::Error::custom)
    }
}

impl Serialize for ArgMatcher {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}
