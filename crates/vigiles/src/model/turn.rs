//! What a scripted model says in one turn.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::ModelError;

/// One answer of a scripted model.
///
/// The fields combine: a text and tool calls are one message. `error` and `disconnect` stand for the whole answer and
/// combine with `delay_ms` alone.
///
/// ```
/// use vigiles::model::Turn;
///
/// let turn: Turn = serde_json::from_str(r#"{"text": "On it.", "tool": "Bash", "input": {"command": "ls"}}"#)?;
/// assert_eq!(turn.calls().len(), 1);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Turn {
    /// What the model thinks before it speaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking: Option<String>,
    /// What it says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// One tool that it calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The arguments of `tool`; none is an empty object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<Map<String, Value>>,
    /// Several tools that it calls at once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolUse>,
    /// Why it stopped, where that is not the end of its turn or a tool call: `max_tokens`, `refusal`, ...
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<String>,
    /// An HTTP error in place of an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ApiError>,
    /// Milliseconds before the answer begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delay_ms: Option<u64>,
    /// Cuts the connection in the middle of the answer.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub disconnect: bool,
    /// The token counts of the answer; what is not given has the default of [`TokenUse`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<TokenUse>,
}

/// One tool call of a turn that makes several.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ToolUse {
    /// The tool's name.
    pub tool: String,
    /// Its arguments; none is an empty object.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub input: Map<String, Value>,
}

/// An HTTP error of the API.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApiError {
    /// The HTTP status, 400 to 599.
    pub status: u16,
    /// The API's name of the error; none is the usual one of the status, such as `rate_limit_error` of 429.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The text of the error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Seconds of the `retry-after` header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
}

/// Token counts of one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct TokenUse {
    /// Uncached input tokens; default 10.
    pub input_tokens: u64,
    /// Output tokens; default 5.
    pub output_tokens: u64,
    /// Tokens written to the cache; default 0.
    pub cache_creation_tokens: u64,
    /// Tokens read from the cache; default 0.
    pub cache_read_tokens: u64,
}

impl Default for TokenUse {
    fn default() -> Self {
        Self { input_tokens: 10, output_tokens: 5, cache_creation_tokens: 0, cache_read_tokens: 0 }
    }
}

impl Turn {
    /// A turn that says a text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..Self::default() }
    }

    /// A turn that calls one tool. An `input` that is no object is none.
    pub fn tool(name: impl Into<String>, input: Value) -> Self {
        let input = if let Value::Object(input) = input { input } else { Map::new() };
        Self { tool: Some(name.into()), input: Some(input), ..Self::default() }
    }

    /// A turn that is an HTTP error.
    pub fn error(status: u16) -> Self {
        Self { error: Some(ApiError { status, ..ApiError::default() }), ..Self::default() }
    }

    /// All its tool calls.
    pub fn calls(&self) -> Vec<ToolUse> {
        let owned = |(tool, input): (&str, Option<&Map<String, Value>>)| ToolUse {
            tool: tool.to_owned(),
            input: input.cloned().unwrap_or_default(),
        };
        self.each_call().map(owned).collect()
    }

    /// Name and arguments of all its tool calls.
    pub(crate) fn each_call(&self) -> impl Iterator<Item = (&str, Option<&Map<String, Value>>)> {
        let one = self.tool.iter().map(|tool| (tool.as_str(), self.input.as_ref()));
        one.chain(self.tools.iter().map(|call| (call.tool.as_str(), Some(&call.input))))
    }

    /// The token counts of the answer.
    pub fn token_use(&self) -> TokenUse {
        self.usage.unwrap_or_default()
    }

    /// Refuses a turn that means nothing, or two things at once. `place` names the turn in the message.
    pub(crate) fn validate(&self, place: &str) -> Result<(), ModelError> {
        let wrong = |problem: String| Err(ModelError::Turn { place: place.to_owned(), problem });
        let speaks = self.thinking.is_some() || self.text.is_some() || self.tool.is_some() || !self.tools.is_empty();
        if self.input.is_some() && self.tool.is_none() {
            return wrong(
                "it has `input` and no `tool`. Name the tool, or put the input into an entry of `tools`".into(),
            );
        }
        if self.each_call().any(|(tool, _)| tool.trim().is_empty()) {
            return wrong("it calls a tool without a name".into());
        }
        if let Some(error) = &self.error {
            if !(400..=599).contains(&error.status) {
                return wrong(format!("its error has status {}; an HTTP error is 400 to 599", error.status));
            }
            if speaks || self.stop.is_some() || self.disconnect || self.usage.is_some() {
                return wrong(
                    "it has `error` beside an answer. An error is the whole answer; make two turns of it".into(),
                );
            }
        }
        if !speaks && self.error.is_none() && !self.disconnect && self.stop.is_none() && self.usage.is_none() {
            return wrong(
                "it says nothing. Give `text`, `tool`, `tools`, `thinking`, `error`, `stop` or `disconnect`".into(),
            );
        }
        Ok(())
    }
}
