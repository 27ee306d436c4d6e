//! Text of a trace that is read only when somebody asks for it.

use std::borrow::Cow;

use super::json::{Node, decode};
use super::lines::Place;

/// A piece of text that is either kept, or left where it is in the source.
///
/// Resolve it with [`super::Trace::read`].
#[derive(Debug, Clone, PartialEq)]
pub enum Text {
    /// Kept: short texts, and all texts of a plain object.
    Kept(Box<str>),
    /// The raw bytes of a JSON value in the source: a string with its quotes (decoded when read), or any other value.
    At(Span),
    /// The raw bytes of a JSON value, read as they are written.
    Raw(Span),
    /// Several pieces, read one after the other.
    Joined(Vec<Text>),
}

/// A range of bytes in the source of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Which source: 0 is the stream, others are session files.
    pub source: u32,
    /// Offset of the first byte.
    pub start: u64,
    /// Number of bytes.
    pub len: u64,
}

/// Values up to this many bytes are kept: `""`, `{}`, and others that need no look at the source.
const KEEP_UP_TO: usize = 2;

impl Text {
    /// Notes a value; a short one is kept decoded (a string) or as JSON text (any other value).
    pub(crate) fn of(node: Node<'_>, place: Place) -> Self {
        let range = node.range();
        if range.len() > KEEP_UP_TO {
            return Self::At(place.span(range));
        }
        let text = node.str().unwrap_or_else(|| String::from_utf8_lossy(node.raw()));
        Self::Kept(text.into())
    }

    /// Notes a value as JSON text: a string keeps its quotes and escapes.
    pub(crate) fn raw(node: Node<'_>, place: Place) -> Self {
        let range = node.range();
        if range.len() > KEEP_UP_TO {
            return Self::Raw(place.span(range));
        }
        Self::Kept(String::from_utf8_lossy(node.raw()).into())
    }

    /// The text of raw bytes that were found at a [`Span`].
    pub(crate) fn decode(raw: &[u8]) -> Cow<'_, str> {
        match raw {
            [b'"', inner @ .., b'"'] => decode::string(inner),
            other => String::from_utf8_lossy(other),
        }
    }
}
