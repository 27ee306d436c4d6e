//! Ids and names as they are while a trace is put together.

use std::borrow::{Borrow, Cow};
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use smallvec::SmallVec;

/// The text of an id or a name. Those of the CLIs (`toolu_...`, UUIDs, names of tools) fit without an allocation of
/// their own: there are several on every line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Id(SmallVec<[u8; 40]>);

/// Maps keyed by ids. The hash is fast and keyed at random, so that a hostile file cannot make it slow.
pub(crate) type IdMap<K, V> = HashMap<K, V, foldhash::fast::RandomState>;

impl From<&str> for Id {
    fn from(text: &str) -> Self {
        Self(SmallVec::from_slice(text.as_bytes()))
    }
}

impl From<Cow<'_, str>> for Id {
    fn from(text: Cow<'_, str>) -> Self {
        Self::from(&*text)
    }
}

impl Hash for Id {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // As a str, so that maps can be asked with one.
        (**self).hash(state);
    }
}

impl Borrow<str> for Id {
    fn borrow(&self) -> &str {
        self
    }
}

impl Deref for Id {
    type Target = str;

    fn deref(&self) -> &str {
        // Made of a str, and nothing changes it.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl From<&Id> for Box<str> {
    fn from(id: &Id) -> Self {
        Self::from(&**id)
    }
}

/// Names that occur over and over, each kept once.
#[derive(Debug, Default)]
pub(crate) struct Names(IdMap<Id, Arc<str>>);

impl Names {
    pub(crate) fn get(&mut self, name: Id) -> Arc<str> {
        Arc::clone(self.0.entry(name).or_insert_with_key(|name| Arc::from(&**name)))
    }
}
