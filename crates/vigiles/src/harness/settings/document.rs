//! JSON that knows where its parts stand.

use std::path::Path;

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use super::Problem;

/// No settings are deeper; a file that is could exhaust the parser's stack.
const MAX_DEPTH: usize = 100;

/// A JSON file, parsed.
#[derive(Debug)]
pub(crate) struct Document<'t> {
    pub(crate) file: &'t Path,
    text: &'t str,
    root: Option<Value<'t>>,
}

impl<'t> Document<'t> {
    /// Parses strict JSON: what a CLI does not read must not look fine here.
    pub(crate) fn parse(file: &'t Path, text: &'t str) -> Result<Self, Problem> {
        let mut document = Self { file, text, root: None };
        if depth(text) > MAX_DEPTH {
            return Err(document.problem(
                0,
                "",
                format!("expected settings, but it is nested deeper than {MAX_DEPTH} levels"),
            ));
        }
        let strict = ParseOptions {
            allow_comments: false,
            allow_loose_object_property_names: false,
            allow_trailing_commas: false,
            allow_missing_commas: false,
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            ..ParseOptions::default()
        };
        match parse_to_ast(text, &CollectOptions::default(), &strict) {
            Ok(parsed) => {
                document.root = parsed.value;
                Ok(document)
            }
            Err(error) => {
                Err(document.problem(error.range().start, "", format!("expected JSON, but {}", error.kind())))
            }
        }
    }

    /// The outermost object.
    pub(crate) fn object(&self) -> Result<&Object<'t>, Problem> {
        match &self.root {
            Some(Value::Object(object)) => Ok(object),
            Some(other) => Err(self.wrong(other, "", "an object")),
            None => Err(self.problem(0, "", "expected an object, but the file is empty".to_owned())),
        }
    }

    /// A problem at a value of another kind than it should be.
    pub(crate) fn wrong(&self, value: &Value<'t>, pointer: &str, expected: &str) -> Problem {
        self.problem(value.range().start, pointer, format!("expected {expected}, but got {}", kind(value)))
    }

    /// A problem at a place in the text.
    pub(crate) fn problem(&self, offset: usize, pointer: &str, message: String) -> Problem {
        let (line, column) = self.position(offset);
        Problem { file: self.file.to_owned(), line, column, pointer: pointer.to_owned(), message }
    }

    /// Line and column, counted from 1; columns in characters.
    pub(crate) fn position(&self, offset: usize) -> (usize, usize) {
        let before = self.text.get(..offset).unwrap_or(self.text);
        let line = before.rsplit('\n').next().unwrap_or_default();
        (before.matches('\n').count() + 1, line.chars().count() + 1)
    }
}

/// The pointer of a member.
pub(crate) fn below(pointer: &str, name: &str) -> String {
    format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"))
}

fn kind(value: &Value<'_>) -> &'static str {
    match value {
        Value::StringLit(_) => "a string",
        Value::NumberLit(_) => "a number",
        Value::BooleanLit(_) => "a boolean",
        Value::Object(_) => "an object",
        Value::Array(_) => "an array",
        Value::NullKeyword(_) => "null",
    }
}

/// The deepest nesting outside of strings.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest, mut in_string, mut escaped) = (0_usize, 0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}
