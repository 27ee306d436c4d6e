//! Walking the notes of a scanned document.

use std::borrow::Cow;

use super::decode;
use super::tape::{Cell, Kind, Tape};

/// One value of a scanned document.
#[derive(Clone, Copy)]
pub(crate) struct Node<'a> {
    bytes: &'a [u8],
    cells: &'a [Cell],
    index: usize,
}

impl<'a> Node<'a> {
    /// The document itself; `tape` must be the notes of `bytes`.
    pub(crate) fn root(bytes: &'a [u8], tape: &'a Tape) -> Self {
        Self { bytes, cells: &tape.cells, index: 0 }
    }

    fn cell(self) -> Cell {
        self.cells[self.index]
    }

    pub(crate) fn kind(self) -> Kind {
        self.cell().kind
    }

    pub(crate) fn is_object(self) -> bool {
        self.kind() == Kind::Object
    }

    pub(crate) fn is_string(self) -> bool {
        matches!(self.kind(), Kind::Plain | Kind::Escaped)
    }

    /// The bytes of the value as written, a string with its quotes; offsets are within the document.
    pub(crate) fn range(self) -> std::ops::Range<usize> {
        let Cell { start, end, .. } = self.cell();
        let quote = usize::from(self.is_string());
        start as usize - quote..end as usize + quote
    }

    pub(crate) fn raw(self) -> &'a [u8] {
        &self.bytes[self.range()]
    }

    /// The member of an object; of equal keys the last, as `JSON.parse` does.
    pub(crate) fn get(self, key: &str) -> Option<Node<'a>> {
        let mut found = None;
        for (name, value) in self.members() {
            if name.is(key) {
                found = Some(value);
            }
        }
        found
    }

    /// The bytes of a key, decoded.
    pub(crate) fn key(self) -> Cow<'a, [u8]> {
        let Cell { start, end, kind, .. } = self.cell();
        let bytes = &self.bytes[start as usize..end as usize];
        match kind {
            Kind::Escaped => Cow::Owned(decode::string(bytes).into_owned().into_bytes()),
            _ => Cow::Borrowed(bytes),
        }
    }

    /// Members of an object as (key, value); nothing for other values.
    pub(crate) fn members(self) -> impl Iterator<Item = (Node<'a>, Node<'a>)> {
        let mut children = self.children(Kind::Object);
        std::iter::from_fn(move || Some((children.next()?, children.next()?)))
    }

    /// Items of an array; nothing for other values.
    pub(crate) fn items(self) -> impl Iterator<Item = Node<'a>> {
        self.children(Kind::Array)
    }

    fn children(self, of: Kind) -> impl Iterator<Item = Node<'a>> {
        let Cell { next: end, kind, .. } = self.cell();
        let mut index = self.index + 1;
        let end = if kind == of { end as usize } else { 0 };
        std::iter::from_fn(move || {
            let node = (index < end).then_some(Node { index, ..self })?;
            index = node.cell().next as usize;
            Some(node)
        })
    }

    /// Whether this is the string `text`.
    #[inline]
    pub(crate) fn is(self, text: &str) -> bool {
        let Cell { start, end, kind, .. } = self.cell();
        let bytes = &self.bytes[start as usize..end as usize];
        match kind {
            Kind::Plain => bytes == text.as_bytes(),
            Kind::Escaped => decode::string(bytes) == text,
            _ => false,
        }
    }

    /// The decoded text of a string.
    pub(crate) fn str(self) -> Option<Cow<'a, str>> {
        let Cell { start, end, .. } = self.cell();
        self.is_string().then(|| decode::string(&self.bytes[start as usize..end as usize]))
    }

    pub(crate) fn bool(self) -> Option<bool> {
        match self.kind() {
            Kind::True => Some(true),
            Kind::False => Some(false),
            _ => None,
        }
    }

    pub(crate) fn number<T: std::str::FromStr>(self) -> Option<T> {
        (self.kind() == Kind::Number).then(|| std::str::from_utf8(self.raw()).ok()?.parse().ok()).flatten()
    }
}

/// Binds members of an object by their keys, in one walk; of equal keys the last, `None` for those that are not there.
///
/// `pick!(node => kind: b"type", id: b"id")` makes `kind` and `id`. A match on literals is a comparison of lengths and
/// words; a loop over keys would be a call for each of them on each member, and every line has a dozen members.
macro_rules! pick {
    ($node:expr => $($name:ident: $key:literal),+ $(,)?) => {
        $(let mut $name = None;)+
        for (key, value) in $node.members() {
            match &*key.key() {
                $($key => $name = Some(value),)+
                _ => {}
            }
        }
    };
}
pub(crate) use pick;
