//! What a tool answers.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// What a tool answers: `text`, or `content`, or `structured_content` alone, which is then its own text.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Reply {
    /// One text block.
    pub text: Option<String>,
    /// Content blocks as MCP has them: `{"type": "text", "text": "..."}`, `{"type": "image", ...}`.
    pub content: Option<Vec<Box<RawValue>>>,
    /// The same as a JSON object, for clients that read it.
    pub structured_content: Option<Box<RawValue>>,
    /// Whether the tool failed.
    pub is_error: bool,
    /// Milliseconds before it answers.
    pub delay_ms: Option<u64>,
}

impl Reply {
    /// A reply of one text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..Self::default() }
    }

    /// A tool that fails with a text.
    pub fn error(text: impl Into<String>) -> Self {
        Self { is_error: true, ..Self::text(text) }
    }

    /// Reads a reply. The error says what it should be.
    pub fn from_json(json: &str) -> Result<Self, String> {
        if !json.trim_start().starts_with('{') {
            return Err(format!("expected a reply, such as {{ text: \"done\" }}, but got {}", shortened(json)));
        }
        let deserializer = &mut serde_json::Deserializer::from_str(json);
        let reply: Self = serde_path_to_error::deserialize(deserializer).map_err(|error| {
            let (path, problem) = (error.path().to_string(), error.inner().to_string());
            if path == "." { problem } else { format!("`{path}`: {problem}") }
        })?;
        reply.validate()?;
        Ok(reply)
    }

    /// Refuses a reply that says nothing, or two things at once.
    pub(super) fn validate(&self) -> Result<(), String> {
        #[derive(Deserialize)]
        struct Block {
            r#type: String,
            text: Option<String>,
        }

        if self.text.is_some() && self.content.is_some() {
            return Err("it has `text` beside `content`. Put the text into a block of `content`".to_owned());
        }
        if self.text.is_none() && self.content.is_none() && self.structured_content.is_none() {
            return Err("it says nothing. Give `text`, `content` or `structuredContent`".to_owned());
        }
        if let Some(structured) = &self.structured_content
            && !structured.get().starts_with('{')
        {
            let seen = shortened(structured.get());
            return Err(format!("`structuredContent`: expected an object, but got {seen}"));
        }
        for (index, block) in self.content.iter().flatten().enumerate() {
            let wrong = |problem: &str| {
                let seen = shortened(block.get());
                Err(format!(
                    "`content[{index}]`: expected {problem}, such as {{ type: \"text\", text: \"done\" }}, but got {seen}"
                ))
            };
            match serde_json::from_str::<Block>(block.get()) {
                Ok(Block { r#type, text: None }) if r#type == "text" => return wrong("the text of a text block"),
                Ok(_) if block.get().starts_with('{') => {}
                _ => return wrong("a content block with its type"),
            }
        }
        Ok(())
    }

    /// The result of `tools/call`.
    pub(super) fn result(&self) -> CallResult<'_> {
        let content = match (&self.text, &self.content, &self.structured_content) {
            (Some(text), ..) => Content::Text([TextBlock { r#type: "text", text }]),
            (None, Some(blocks), _) => Content::Blocks(blocks),
            // Clients that do not read structured content are to find it as text.
            (None, None, Some(structured)) => Content::Text([TextBlock { r#type: "text", text: structured.get() }]),
            (None, None, None) => Content::Blocks(&[]),
        };
        CallResult { content, structured_content: self.structured_content.as_deref(), is_error: self.is_error }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CallResult<'a> {
    content: Content<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    structured_content: Option<&'a RawValue>,
    is_error: bool,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Content<'a> {
    Text([TextBlock<'a>; 1]),
    Blocks(&'a [Box<RawValue>]),
}

#[derive(Debug, Serialize)]
struct TextBlock<'a> {
    r#type: &'static str,
    text: &'a str,
}

/// A value for a message, cut where it would drown the rest.
pub(super) fn shortened(json: &str) -> String {
    const MOST: usize = 80;
    let mut chars = json.trim().chars();
    let head: String = chars.by_ref().take(MOST).collect();
    if chars.next().is_some() { format!("{head}...") } else { head }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(json: &str) -> String {
        serde_json::to_string(&Reply::from_json(json).unwrap().result()).unwrap()
    }

    #[test]
    fn a_reply_becomes_the_result_of_a_call() {
        let cases = [
            (r#"{"text":"hi"}"#, r#"{"content":[{"type":"text","text":"hi"}],"isError":false}"#),
            (r#"{"text":"","isError":true}"#, r#"{"content":[{"type":"text","text":""}],"isError":true}"#),
            (r#"{"content":[]}"#, r#"{"content":[],"isError":false}"#),
            (
                r#"{"content":[{"type":"image","data":"AA==","mimeType":"image/png"}]}"#,
                r#"{"content":[{"type":"image","data":"AA==","mimeType":"image/png"}],"isError":false}"#,
            ),
            (
                r#"{"structuredContent":{"z":1,"a":2}}"#,
                r#"{"content":[{"type":"text","text":"{\"z\":1,\"a\":2}"}],"structuredContent":{"z":1,"a":2},"isError":false}"#,
            ),
            (
                r#"{"text":"one","structuredContent":{"n":1}}"#,
                r#"{"content":[{"type":"text","text":"one"}],"structuredContent":{"n":1},"isError":false}"#,
            ),
        ];
        for (reply, expected) in cases {
            assert_eq!(result(reply), expected);
        }
    }

    #[test]
    fn a_reply_without_one_meaning_is_refused() {
        let cases = [
            ("null", "but got null"),
            ("[]", "but got []"),
            ("\"hi\"", "but got \"hi\""),
            ("{}", "it says nothing"),
            (r#"{"isError":true}"#, "it says nothing"),
            (r#"{"text":"a","content":[]}"#, "`text` beside `content`"),
            (r#"{"txt":"a"}"#, "unknown field `txt`"),
            (r#"{"text":1}"#, "`text`: invalid type"),
            (r#"{"text":"a","delayMs":-1}"#, "`delayMs`: invalid value"),
            (r#"{"structuredContent":[1]}"#, "`structuredContent`: expected an object, but got [1]"),
            (r#"{"content":["hi"]}"#, "`content[0]`: expected a content block with its type"),
            (r#"{"content":[["text","hi"]]}"#, "`content[0]`: expected a content block with its type"),
            (r#"{"content":[{"type":"text","text":"a"},{"type":"text"}]}"#, "`content[1]`: expected the text"),
        ];
        for (reply, problem) in cases {
            let error = Reply::from_json(reply).unwrap_err();
            assert!(error.contains(problem), "{reply}: {error}");
        }
    }
}
