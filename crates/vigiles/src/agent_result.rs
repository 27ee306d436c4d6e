//! The typed outcome of a subagent: one fenced block, `vigiles:ok` or `vigiles:err`, with a JSON object inside.
//!
//! ```
//! use vigiles::agent_result::{AgentResult, OutputContract, parse_agent_result};
//!
//! let contract = OutputContract::from_json(r#"{"ok": {"files": "string[]"}, "err": {"reason": "string"}}"#)?;
//! let answer = "Done.\n\n```vigiles:ok\n{\"files\": [\"a.ts\"]}\n```";
//! assert!(matches!(parse_agent_result(answer, Some(&contract)), AgentResult::Ok { .. }));
//! # Ok::<(), vigiles::agent_result::ContractError>(())
//! ```

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// What a subagent said came out of its work.
///
/// Its JSON form is `{kind: "ok", value}`, `{kind: "err", error}` or `{kind: "malformed", reason}`.
#[derive(Debug, Clone, PartialEq)]
pub enum AgentResult {
    /// A `vigiles:ok` block.
    Ok {
        /// Its object.
        value: Map<String, Value>,
    },
    /// A `vigiles:err` block.
    Err {
        /// Its object.
        error: Map<String, Value>,
    },
    /// No block, several, or one that is not what the contract says.
    Malformed {
        /// What was expected and what was found.
        reason: String,
    },
}

impl Serialize for AgentResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        match self {
            Self::Ok { value } => {
                map.serialize_entry("kind", "ok")?;
                map.serialize_entry("value", value)?;
            }
            Self::Err { error } => {
                map.serialize_entry("kind", "err")?;
                map.serialize_entry("error", error)?;
            }
            Self::Malformed { reason } => {
                map.serialize_entry("kind", "malformed")?;
                map.serialize_entry("reason", reason)?;
            }
        }
        map.end()
    }
}

/// The type of one field of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldType {
    /// Text.
    String,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// A list of texts.
    StringList,
    /// One of these texts; at least one.
    OneOf(Vec<String>),
}

/// The fields of a block, in the order of their declaration.
///
/// All are required. A block may have others: a model that says more than it was asked for has still answered.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Shape(pub Vec<(String, FieldType)>);

/// What the two kinds of block hold.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OutputContract {
    /// Fields of a `vigiles:ok` block.
    pub ok: Shape,
    /// Fields of a `vigiles:err` block.
    pub err: Shape,
}

/// A contract that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ContractError {
    /// Not JSON, or not of the shape `{ok: {field: type}, err: {field: type}}`.
    #[error("expected an output contract {{ok: {{field: type}}, err: {{field: type}}}}, but {0}")]
    Shape(String),
    /// A type that a block cannot have.
    #[error(
        "expected the type of {path} to be \"string\", \"number\", \"boolean\", \"string[]\" or a list of strings, but it is {seen}. \
         Nested objects and lists of objects are not supported: give their parts as fields of their own"
    )]
    FieldType {
        /// The field, such as `ok.files`.
        path: String,
        /// What was declared.
        seen: String,
    },
}

impl ContractError {
    /// The stable code of this kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Shape(_) => "VIGILES_CONTRACT_INVALID",
            Self::FieldType { .. } => "VIGILES_CONTRACT_FIELD_TYPE",
        }
    }
}

impl OutputContract {
    /// Reads a contract from JSON text: `{"ok": {"files": "string[]"}, "err": {"step": ["plan", "build"]}}`.
    ///
    /// A track that is left out has no fields. Other keys are passed over.
    pub fn from_json(text: &str) -> Result<Self, ContractError> {
        let invalid = |error: serde_json::Error| ContractError::Shape(error.to_string());
        let tracks: BTreeMap<String, &RawValue> = serde_json::from_str(text).map_err(invalid)?;
        let track = |name: &str| match tracks.get(name) {
            Some(fields) => serde_json::from_str::<Declared>(fields.get()).map_err(invalid)?.into_shape(name),
            None => Ok(Shape::default()),
        };
        Ok(Self { ok: track("ok")?, err: track("err")? })
    }
}

/// Fields as declared; a map of JSON values would lose their order.
struct Declared(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Declared {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = Declared;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object {field: type}")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Declared, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Declared(fields))
            }
        }
        deserializer.deserialize_map(Fields)
    }
}

impl Declared {
    fn into_shape(self, track: &str) -> Result<Shape, ContractError> {
        let typed = self.0.into_iter().map(|(field, declared)| match field_type(&declared) {
            Some(of_type) => Ok((field, of_type)),
            None => Err(ContractError::FieldType { path: format!("{track}.{field}"), seen: declared.to_string() }),
        });
        typed.collect::<Result<_, _>>().map(Shape)
    }
}

fn field_type(declared: &Value) -> Option<FieldType> {
    match declared {
        Value::String(name) => match name.as_str() {
            "string" => Some(FieldType::String),
            "number" => Some(FieldType::Number),
            "boolean" => Some(FieldType::Boolean),
            "string[]" => Some(FieldType::StringList),
            _ => None,
        },
        Value::Array(options) if !options.is_empty() => {
            options.iter().map(|option| option.as_str().map(str::to_owned)).collect::<Option<_>>().map(FieldType::OneOf)
        }
        _ => None,
    }
}

/// Reads the outcome from a subagent's answer.
///
/// The answer must hold exactly one fenced block of the two kinds, as `CommonMark` sees it: a fence inside another fence
/// is text. Text around the block is passed over. Without a contract any JSON object is accepted.
pub fn parse_agent_result(answer: &str, contract: Option<&OutputContract>) -> AgentResult {
    match parse(answer, contract) {
        Ok(result) => result,
        Err(reason) => AgentResult::Malformed { reason },
    }
}

fn parse(answer: &str, contract: Option<&OutputContract>) -> Result<AgentResult, String> {
    let blocks = fenced_blocks(answer);
    let ours: Vec<&Block<'_>> = blocks.iter().filter(|block| Track::of(block.info).is_some()).collect();
    let block = match ours.as_slice() {
        [block] => *block,
        [] => return Err(no_block(&blocks)),
        several => {
            let infos: Vec<&str> = several.iter().map(|block| block.info).collect();
            return Err(format!(
                "expected exactly one vigiles block, but there are {}: {}",
                several.len(),
                infos.join(", ")
            ));
        }
    };
    let Some(track) = Track::of(block.info) else { return Err(no_block(&blocks)) };
    if !block.closed {
        return Err(format!("the {} block is never closed: the answer was cut, or its fence is missing", block.info));
    }
    let object = match serde_json::from_str(&block.body) {
        Ok(Value::Object(object)) => object,
        Ok(other) => {
            return Err(format!("expected a JSON object in the {} block, but it is {}", block.info, kind_of(&other)));
        }
        Err(error) => {
            return Err(format!("expected a JSON object in the {} block, but it is no JSON: {error}", block.info));
        }
    };
    match track {
        Track::Ok => {
            fits(&object, contract.map(|contract| &contract.ok), block.info)?;
            Ok(AgentResult::Ok { value: object })
        }
        Track::Err => {
            fits(&object, contract.map(|contract| &contract.err), block.info)?;
            Ok(AgentResult::Err { error: object })
        }
    }
}

#[derive(Clone, Copy)]
enum Track {
    Ok,
    Err,
}

impl Track {
    fn of(info: &str) -> Option<Self> {
        match info {
            "vigiles:ok" => Some(Self::Ok),
            "vigiles:err" => Some(Self::Err),
            _ => None,
        }
    }
}

fn no_block(blocks: &[Block<'_>]) -> String {
    let near = blocks.iter().find(|block| block.info.contains("vigiles"));
    match near {
        Some(near) => format!(
            "no vigiles:ok or vigiles:err block: there is one marked `{}`, and what follows the fence must be exactly one of the two",
            near.info
        ),
        None if blocks.is_empty() => "no vigiles:ok or vigiles:err block: the answer has no fenced block".to_owned(),
        None => {
            let infos: Vec<String> = blocks
                .iter()
                .map(|block| if block.info.is_empty() { "unmarked".to_owned() } else { format!("`{}`", block.info) })
                .collect();
            format!("no vigiles:ok or vigiles:err block: the fenced blocks are {}", infos.join(", "))
        }
    }
}

fn fits(object: &Map<String, Value>, shape: Option<&Shape>, info: &str) -> Result<(), String> {
    let fields = shape.map(|shape| shape.0.as_slice()).unwrap_or_default();
    for (field, of_type) in fields {
        let wrong = |path: String, expected: &str, seen: &Value| {
            Err(format!("expected {expected} at {path} of the {info} block, but it is {}", kind_of(seen)))
        };
        let Some(value) = object.get(field) else {
            let keys: Vec<&str> = object.keys().map(String::as_str).collect();
            return Err(format!(
                "expected {of_type} at {field} of the {info} block, but it is missing; its fields are [{}]",
                keys.join(", ")
            ));
        };
        match (of_type, value) {
            (FieldType::String, Value::String(_))
            | (FieldType::Number, Value::Number(_))
            | (FieldType::Boolean, Value::Bool(_)) => {}
            (FieldType::OneOf(options), Value::String(text)) if options.contains(text) => {}
            (FieldType::StringList, Value::Array(items)) => {
                if let Some((index, item)) = items.iter().enumerate().find(|(_, item)| !item.is_string()) {
                    return wrong(format!("{field}[{index}]"), "a string", item);
                }
            }
            _ => return wrong(field.clone(), &of_type.to_string(), value),
        }
    }
    Ok(())
}

/// `a string`, `a list of strings`, `one of "a", "b"`.
impl fmt::Display for FieldType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::String => f.write_str("a string"),
            Self::Number => f.write_str("a number"),
            Self::Boolean => f.write_str("true or false"),
            Self::StringList => f.write_str("a list of strings"),
            Self::OneOf(options) => write!(f, "one of {}", alternatives(options, ", ")),
        }
    }
}

fn alternatives(options: &[String], separator: &str) -> String {
    options.iter().map(|option| Value::from(option.as_str()).to_string()).collect::<Vec<_>>().join(separator)
}

fn kind_of(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::String(text) => match text.char_indices().nth(60) {
            Some((end, _)) => format!("the string {}…", Value::from(&text[..end])),
            None => format!("the string {value}"),
        },
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

/// A fenced code block of `CommonMark`.
struct Block<'t> {
    /// What follows the opening fence, trimmed.
    info: &'t str,
    body: String,
    /// Whether its closing fence is there.
    closed: bool,
}

fn fenced_blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut open: Option<Fence<'_>> = None;
    for line in text.lines() {
        match open {
            None => {
                open = Fence::opened_by(line);
                if let Some(fence) = open {
                    blocks.push(Block { info: fence.info, body: String::new(), closed: false });
                }
            }
            Some(fence) => {
                let Some(block) = blocks.last_mut() else { continue };
                if fence.is_closed_by(line) {
                    block.closed = true;
                    open = None;
                } else {
                    let indent = line.len() - line.trim_start_matches(' ').len();
                    block.body.push_str(&line[indent.min(fence.indent)..]);
                    block.body.push('\n');
                }
            }
        }
    }
    blocks
}

/// The line that opens a fenced block.
#[derive(Clone, Copy)]
struct Fence<'t> {
    mark: char,
    length: usize,
    indent: usize,
    info: &'t str,
}

impl<'t> Fence<'t> {
    /// At most three spaces, three or more marks of one kind, then the info string; backticks not in one of their own.
    fn opened_by(line: &'t str) -> Option<Self> {
        let rest = line.trim_start_matches(' ');
        let indent = line.len() - rest.len();
        let mark = rest.chars().next().filter(|mark| ['`', '~'].contains(mark))?;
        let info = rest.trim_start_matches(mark);
        let length = rest.len() - info.len();
        let fits = indent <= 3 && length >= 3 && !(mark == '`' && info.contains('`'));
        fits.then(|| Self { mark, length, indent, info: info.trim() })
    }

    /// At most three spaces, as many marks or more, nothing else.
    fn is_closed_by(&self, line: &str) -> bool {
        let rest = line.trim_start_matches(' ');
        let after = rest.trim_start_matches(self.mark);
        line.len() - rest.len() <= 3 && rest.len() - after.len() >= self.length && after.trim().is_empty()
    }
}

/// The section of a subagent's instructions that asks for the contract.
pub fn render_contract(contract: &OutputContract) -> String {
    format!(
        "## Output contract\n\n\
         End your turn with exactly one fenced block: `vigiles:ok` when the task is done, `vigiles:err` when it is not. \
         Its body is one JSON object with these fields:\n\n\
         ```vigiles:ok\n{}\n```\n\n\
         ```vigiles:err\n{}\n```\n",
        schema(&contract.ok),
        schema(&contract.err)
    )
}

fn schema(shape: &Shape) -> String {
    if shape.0.is_empty() {
        return "{}".to_owned();
    }
    let fields: Vec<String> = shape
        .0
        .iter()
        .map(|(field, of_type)| {
            let name = match of_type {
                FieldType::String => "string".to_owned(),
                FieldType::Number => "number".to_owned(),
                FieldType::Boolean => "boolean".to_owned(),
                FieldType::StringList => "string[]".to_owned(),
                FieldType::OneOf(options) => alternatives(options, " | "),
            };
            format!("{}: {name}", Value::from(field.as_str()))
        })
        .collect();
    format!("{{ {} }}", fields.join(", "))
}
