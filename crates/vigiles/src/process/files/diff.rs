use std::path::{Path, PathBuf};

use super::snapshot::{Entry, Snapshot};

/// What a command changed in a tree. Sorted.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::process) struct TreeDiff {
    pub(in crate::process) written: Vec<PathBuf>,
    pub(in crate::process) changed: Vec<PathBuf>,
    pub(in crate::process) deleted: Vec<PathBuf>,
}

impl TreeDiff {
    /// Files and links count, directories do not: an empty one holds nothing.
    pub(in crate::process) fn between(before: &Snapshot, after: &Snapshot) -> Self {
        let mut diff = Self::default();
        for (path, entry) in &after.entries {
            let is_same = before.entries.get(path).is_some_and(|old| same_content(old, entry));
            if is_same || is_directory(entry) {
                continue;
            }
            diff.written.push(path.clone());
            if before.entries.get(path).is_some_and(|old| !is_directory(old)) {
                diff.changed.push(path.clone());
            }
        }
        for (path, entry) in &before.entries {
            let is_gone = after.entries.get(path).is_none_or(is_directory);
            if !is_directory(entry) && is_gone {
                diff.deleted.push(path.clone());
            }
        }
        diff
    }
}

fn is_directory(entry: &Entry) -> bool {
    matches!(entry, Entry::Directory { .. })
}

fn same_content(old: &Entry, new: &Entry) -> bool {
    match (old, new) {
        (Entry::File { len: old_len, digest: old, .. }, Entry::File { len, digest, .. }) => {
            old_len == len && old == digest
        }
        (Entry::Directory { .. }, Entry::Directory { .. }) => true,
        (old, new) => old == new,
    }
}

/// As results show it.
pub(in crate::process) fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
