//! Stubs as JSON: `{name, rules: [{argv, contains?, reply}]}`. A pattern is `{regex, flags?}`, "more may follow" is
//! `{rest: true}` at the end of `argv`. A reply is `{kind: "always", stdout?, stderr?, exitCode?}` or
//! `{kind: "inOrder", answers: [{stdout?, stderr?, exitCode?}]}`.

use serde::de::Error as _;
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::check::{EcmaPatterns, Pattern};

use super::{Stub, StubAnswer, StubError, StubReply, StubRule, Token};

impl Stub {
    /// Reads a list of stubs, and refuses what could not be served. `place` is its name in messages: `stubs`.
    pub fn list_from_json(text: &str, place: &str) -> Result<Vec<Self>, StubError> {
        let wrong = |place: String, problem: String| StubError { place, problem };
        let value: Vec<Value> =
            serde_json::from_str(text).map_err(|error| wrong(place.to_owned(), format!("expected a list: {error}")))?;
        let patterns = EcmaPatterns::new();
        let mut stubs: Vec<Self> = Vec::with_capacity(value.len());
        for (index, value) in value.into_iter().enumerate() {
            let at = format!("{place}[{index}]");
            if let (Some(name), None) = (value.get("name").and_then(Value::as_str), value.get("rules")) {
                let problem = format!(
                    "it has no `rules`. One answer for every call is written experimental_stub({name:?}, [{{ argv: \
                     [experimental_stub.rest], reply: {{ kind: \"always\", stdout: \"...\" }} }}]); better are rules for the calls you expect"
                );
                return Err(wrong(at, problem));
            }
            let stub: Self = serde_path_to_error::deserialize(value).map_err(|error| {
                let path = error.path().to_string();
                let path = if path == "." { String::new() } else { format!(".{path}") };
                wrong(format!("{at}{path}"), error.inner().to_string())
            })?;
            stub.validate(&at, &patterns)?;
            if stubs.iter().any(|other| other.name == stub.name) {
                return Err(wrong(
                    format!("{at}.name"),
                    format!("there are two stubs named {:?}. Put their rules into one", stub.name),
                ));
            }
            stubs.push(stub);
        }
        Ok(stubs)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StubJson {
    name: String,
    rules: Vec<StubRule>,
}

impl<'de> Deserialize<'de> for Stub {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        StubJson::deserialize(from).map(|StubJson { name, rules }| Self { name, rules })
    }
}

impl Serialize for Stub {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        StubJson { name: self.name.clone(), rules: self.rules.clone() }.serialize(to)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleJson {
    argv: Argv,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    contains: Vec<Token>,
    reply: ReplyJson,
}

impl<'de> Deserialize<'de> for StubRule {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let RuleJson { argv, contains, reply } = RuleJson::deserialize(from)?;
        let reply = match reply {
            ReplyJson::Always(answer) => StubReply::Always(answer),
            ReplyJson::InOrder { answers } => StubReply::InOrder(answers),
        };
        Ok(Self { argv: argv.tokens, rest: argv.rest, contains, reply })
    }
}

impl Serialize for StubRule {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let reply = match self.reply.clone() {
            StubReply::Always(answer) => ReplyJson::Always(answer),
            StubReply::InOrder(answers) => ReplyJson::InOrder { answers },
        };
        let argv = Argv { tokens: self.argv.clone(), rest: self.rest };
        RuleJson { argv, contains: self.contains.clone(), reply }.serialize(to)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", deny_unknown_fields)]
enum ReplyJson {
    Always(StubAnswer),
    InOrder { answers: Vec<StubAnswer> },
}

struct Argv {
    tokens: Vec<Token>,
    rest: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RestJson {
    rest: bool,
}

impl<'de> Deserialize<'de> for Argv {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut values = Vec::<Value>::deserialize(from)?;
        let is_rest = |value: &Value| value.get("rest") == Some(&Value::Bool(true));
        let rest = values.pop_if(|last| is_rest(last)).is_some();
        if values.iter().any(is_rest) {
            return Err(D::Error::custom("`rest` stands for all arguments that follow, so it can only be the last"));
        }
        let tokens = values.into_iter().map(|value| token(value).map_err(D::Error::custom));
        Ok(Self { tokens: tokens.collect::<Result<_, _>>()?, rest })
    }
}

impl Serialize for Argv {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut list = to.serialize_seq(None)?;
        for token in &self.tokens {
            list.serialize_element(token)?;
        }
        if self.rest {
            list.serialize_element(&RestJson { rest: true })?;
        }
        list.end()
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PatternJson {
    regex: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    flags: String,
}

fn token(value: Value) -> Result<Token, String> {
    match value {
        Value::String(text) => Ok(Token::Text(text)),
        value => match serde_json::from_value::<PatternJson>(value.clone()) {
            Ok(PatternJson { regex, flags }) => Ok(Token::Matches(Pattern::new(regex, flags))),
            Err(_) => Err(format!("expected an argument (a string) or a pattern (a RegExp), but got {value}")),
        },
    }
}

impl<'de> Deserialize<'de> for Token {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        token(Value::deserialize(from)?).map_err(D::Error::custom)
    }
}

impl Serialize for Token {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => text.serialize(to),
            Self::Matches(Pattern { source, flags }) => {
                PatternJson { regex: source.clone(), flags: flags.clone() }.serialize(to)
            }
        }
    }
}
