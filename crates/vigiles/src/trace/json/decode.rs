//! From the bytes of a JSON value to text and values.

use std::borrow::Cow;

use memchr::memmem;
use serde_json::{Map, Number, Value};

use super::node::Node;
use super::tape::{Kind, Tape, hex4, is_surrogate, scan};

/// The text of a string, given the bytes between its quotes.
///
/// Lone surrogate escapes and bytes that are not UTF-8 become U+FFFD.
pub(crate) fn string(bytes: &[u8]) -> Cow<'_, str> {
    let Some(first) = memchr::memchr(b'\\', bytes) else {
        return match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => String::from_utf8_lossy(bytes),
        };
    };
    let mut text = String::with_capacity(bytes.len());
    let mut rest = bytes;
    let mut next = Some(first);
    while let Some(at) = next {
        push_lossy(&mut text, &rest[..at]);
        let (character, length) = escape(&rest[at..]);
        text.push(character);
        rest = &rest[at + length..];
        next = memchr::memchr(b'\\', rest);
    }
    push_lossy(&mut text, rest);
    Cow::Owned(text)
}

fn push_lossy(text: &mut String, bytes: &[u8]) {
    text.push_str(&String::from_utf8_lossy(bytes));
}

/// The character of one escape and its length in bytes.
fn escape(bytes: &[u8]) -> (char, usize) {
    let simple = |character| (character, 2);
    match bytes.get(1) {
        Some(b'b') => simple('\u{8}'),
        Some(b'f') => simple('\u{c}'),
        Some(b'n') => simple('\n'),
        Some(b'r') => simple('\r'),
        Some(b't') => simple('\t'),
        Some(b'u') => unicode(bytes),
        Some(&byte) => simple(char::from(byte)),
        None => (char::REPLACEMENT_CHARACTER, bytes.len()),
    }
}

fn unicode(bytes: &[u8]) -> (char, usize) {
    let Some(unit) = hex4(bytes, 2) else {
        return (char::REPLACEMENT_CHARACTER, 2);
    };
    if !is_surrogate(unit) {
        return (char::from_u32(u32::from(unit)).unwrap_or(char::REPLACEMENT_CHARACTER), 6);
    }
    let low = if bytes[6..].starts_with(b"\\u") { hex4(bytes, 8) } else { None };
    match low.and_then(|low| char::decode_utf16([unit, low]).next()) {
        Some(Ok(character)) => (character, 12),
        _ => (char::REPLACEMENT_CHARACTER, 6),
    }
}

/// JSON text with lone surrogate escapes replaced by that of U+FFFD: text for readers that refuse them.
pub(crate) fn mended(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    if memmem::find(bytes, b"\\ud").or_else(|| memmem::find(bytes, b"\\uD")).is_none() {
        return Cow::Borrowed(text);
    }
    let unit = |at: usize| bytes.get(at..)?.starts_with(b"\\u").then(|| hex4(bytes, at + 2)).flatten();
    let mut mended = String::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr::memchr(b'\\', rest)) {
        at += found;
        match (unit(at), unit(at + 6)) {
            (Some(0xD800..0xDC00), Some(0xDC00..0xE000)) => at += 12,
            (Some(0xD800..0xE000), _) => {
                mended.push_str(&text[copied..at]);
                mended.push_str("\\ufffd");
                at += 6;
                copied = at;
            }
            _ => at += 2,
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    mended.push_str(&text[copied..]);
    Cow::Owned(mended)
}

/// The value of JSON text that was read before; text that is no JSON gives null.
pub(crate) fn value_of(bytes: &[u8]) -> Value {
    let mut tape = Tape::default();
    match scan(bytes, &mut tape) {
        Ok(()) => value(Node::root(bytes, &tape)),
        Err(_) => Value::Null,
    }
}

/// Deeper values are cut off (null): a `Value` is dropped by recursion, and the stack must hold.
const MAX_DEPTH: usize = 512;

/// A value, decoded.
pub(crate) fn value(node: Node<'_>) -> Value {
    value_at(node, 0)
}

fn value_at(node: Node<'_>, depth: usize) -> Value {
    if depth == MAX_DEPTH {
        return Value::Null;
    }
    match node.kind() {
        Kind::Object => {
            let member =
                |(key, value): (Node<'_>, Node<'_>)| Some((key.str()?.into_owned(), value_at(value, depth + 1)));
            Value::Object(node.members().filter_map(member).collect::<Map<_, _>>())
        }
        Kind::Array => Value::Array(node.items().map(|item| value_at(item, depth + 1)).collect()),
        Kind::Plain | Kind::Escaped => Value::String(node.str().unwrap_or_default().into_owned()),
        Kind::Number => number(node),
        Kind::True => Value::Bool(true),
        Kind::False => Value::Bool(false),
        Kind::Null => Value::Null,
    }
}

fn number(node: Node<'_>) -> Value {
    let text = std::str::from_utf8(node.raw()).unwrap_or_default();
    // serde_json refuses what overflows a double; JSON.parse gives infinity, which JSON cannot say.
    text.parse::<Number>().map_or(Value::Null, Value::Number)
}
