//! What a check compares with: tool names, texts, arguments, numbers.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Number, Value};

use super::pattern::{Pattern, PatternError, PatternTester};
use super::seen::quoted;

/// Which tool names are meant.
#[derive(Debug, Clone, PartialEq)]
pub enum NameMatcher {
    /// This name. `Agent` and its older name `Task` are one tool.
    Exact(String),
    /// Names that match a pattern.
    Matches(Pattern),
}

/// Which texts are meant.
#[derive(Debug, Clone, PartialEq)]
pub enum TextMatcher {
    /// Texts that contain this one.
    Contains(String),
    /// Texts that match a pattern.
    Matches(Pattern),
}

impl TextMatcher {
    /// Whether `text` is one that is meant.
    pub fn is_match(&self, text: &str, patterns: &dyn PatternTester) -> Result<bool, PatternError> {
        match self {
            Self::Contains(part) => Ok(text.contains(part.as_str())),
            Self::Matches(pattern) => patterns.is_match(pattern, text),
        }
    }

    /// What a text is expected to do: `contain "x"`, `match /x/`.
    pub(super) fn expected(&self) -> String {
        match self {
            Self::Contains(part) => format!("contain {}", quoted(part)),
            Self::Matches(pattern) => format!("match {pattern}"),
        }
    }

    /// What a text does: `contains "x"`, `matches /x/`.
    pub(super) fn found(&self) -> String {
        match self {
            Self::Contains(part) => format!("contains {}", quoted(part)),
            Self::Matches(pattern) => format!("matches {pattern}"),
        }
    }
}

/// What one argument of a tool call must be.
#[derive(Debug, Clone, PartialEq)]
pub enum ArgValue {
    /// Exactly this text.
    Text(String),
    /// This number; `1` and `1.0` are the same.
    Number(Number),
    /// This boolean.
    Bool(bool),
    /// The value as text (JSON for arrays and objects) matches.
    Matches(Pattern),
}

/// What the arguments of a tool call must be, field by field; fields that are not named may be anything.
///
/// A name that is no field of the input is read as a path: `edits.0.old_string`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ArgMatcher(pub BTreeMap<String, ArgValue>);

impl ArgMatcher {
    /// Whether `input` has all the fields, each as it must be.
    pub fn is_match(&self, input: &Value, patterns: &dyn PatternTester) -> Result<bool, PatternError> {
        for (field, expected) in &self.0 {
            let Some(value) = field_of(input, field) else { return Ok(false) };
            let same = match expected {
                ArgValue::Text(text) => value.as_str() == Some(text),
                ArgValue::Bool(flag) => value.as_bool() == Some(*flag),
                ArgValue::Number(number) => {
                    value.as_number().is_some_and(|seen| seen == number || seen.as_f64() == number.as_f64())
                }
                ArgValue::Matches(pattern) => match value {
                    Value::String(text) => patterns.is_match(pattern, text)?,
                    other => patterns.is_match(pattern, &other.to_string())?,
                },
            };
            if !same {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The fields that this matcher names, as `input` has them.
    pub(super) fn seen_in(&self, input: &Value) -> String {
        let fields: Vec<String> = self
            .0
            .keys()
            .map(|field| match field_of(input, field) {
                Some(Value::String(text)) => format!("{field}: {}", super::seen::excerpt(text, 80)),
                Some(value) => format!("{field}: {}", super::seen::shortened(&value.to_string(), 80)),
                None => format!("{field}: absent"),
            })
            .collect();
        format!("{{{}}}", fields.join(", "))
    }
}

impl<K: Into<String>, V: Into<ArgValue>, const N: usize> From<[(K, V); N]> for ArgMatcher {
    fn from(fields: [(K, V); N]) -> Self {
        Self(fields.into_iter().map(|(field, value)| (field.into(), value.into())).collect())
    }
}

fn field_of<'v>(input: &'v Value, field: &str) -> Option<&'v Value> {
    input.get(field).or_else(|| {
        field.split('.').try_fold(input, |value, part| match value {
            Value::Array(items) => items.get(part.parse::<usize>().ok()?),
            other => other.get(part),
        })
    })
}

/// How many are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bounds {
    /// This many.
    Exactly(u64),
    /// At least `min` and at most `max`; at least one of them is given.
    Range {
        /// The least number that holds.
        min: Option<u64>,
        /// The greatest number that holds.
        max: Option<u64>,
    },
}

impl Bounds {
    /// `min` or more.
    pub fn at_least(min: u64) -> Self {
        Self::Range { min: Some(min), max: None }
    }

    /// `max` or fewer.
    pub fn at_most(max: u64) -> Self {
        Self::Range { min: None, max: Some(max) }
    }

    /// The least number that holds.
    pub fn min(self) -> u64 {
        match self {
            Self::Exactly(n) => n,
            Self::Range { min, .. } => min.unwrap_or(0),
        }
    }

    /// The greatest number that holds; `None` when there is no limit.
    pub fn max(self) -> Option<u64> {
        match self {
            Self::Exactly(n) => Some(n),
            Self::Range { max, .. } => max,
        }
    }

    /// Whether `n` is within.
    pub fn contains(self, n: u64) -> bool {
        self.min() <= n && self.max().is_none_or(|max| n <= max)
    }

    /// `exactly 2 calls`, `at most 1 call`, `between 1 and 3 calls`.
    pub(super) fn of(self, one: &str, many: &str) -> String {
        let last = self.max().unwrap_or_else(|| self.min());
        format!("{self} {}", if last == 1 { one } else { many })
    }

    /// What is wrong with the bounds, in words that fit after "expected ..., but".
    pub(super) fn problem(self) -> Option<String> {
        match self {
            Self::Range { min: None, max: None } => Some("none of min, max and exactly is given".to_owned()),
            Self::Range { min: Some(0), max: None } => Some("min 0 holds for every run".to_owned()),
            Self::Range { min: Some(min), max: Some(max) } if min > max => {
                Some(format!("min {min} is greater than max {max}"))
            }
            Self::Exactly(_) | Self::Range { .. } => None,
        }
    }
}

/// `exactly 2`, `at least 1`, `at most 3`, `between 1 and 3`.
impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Exactly(n) => write!(f, "exactly {n}"),
            Self::Range { min: Some(min), max: Some(max) } => write!(f, "between {min} and {max}"),
            Self::Range { min, max: None } => write!(f, "at least {}", min.unwrap_or(0)),
            Self::Range { min: None, max: Some(max) } => write!(f, "at most {max}"),
        }
    }
}

impl fmt::Display for NameMatcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(name) => f.write_str(&quoted(name)),
            Self::Matches(pattern) => pattern.fmt(f),
        }
    }
}

impl fmt::Display for TextMatcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Contains(text) => f.write_str(&quoted(text)),
            Self::Matches(pattern) => pattern.fmt(f),
        }
    }
}

impl fmt::Display for ArgValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(&quoted(text)),
            Self::Number(number) => number.fmt(f),
            Self::Bool(flag) => flag.fmt(f),
            Self::Matches(pattern) => pattern.fmt(f),
        }
    }
}

/// `{file_path: "src/a.ts", replace_all: true}`.
impl fmt::Display for ArgMatcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields: Vec<String> = self.0.iter().map(|(field, value)| format!("{field}: {value}")).collect();
        write!(f, "{{{}}}", fields.join(", "))
    }
}

macro_rules! from_text_and_pattern {
    ($($matcher:ident :: $literal:ident),*) => {$(
        impl From<&str> for $matcher {
            fn from(text: &str) -> Self {
                Self::$literal(text.to_owned())
            }
        }
        impl From<String> for $matcher {
            fn from(text: String) -> Self {
                Self::$literal(text)
            }
        }
        impl From<Pattern> for $matcher {
            fn from(pattern: Pattern) -> Self {
                Self::Matches(pattern)
            }
        }
    )*};
}
from_text_and_pattern!(NameMatcher::Exact, TextMatcher::Contains, ArgValue::Text);
