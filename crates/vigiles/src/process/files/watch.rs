use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use super::diff::{TreeDiff, shown};
use super::snapshot::{Access, Bounds, Snapshot, TreeError, snapshot};
use super::tree::open_directory;
use crate::process::FileChanges;

/// Compares a directory with what it was, by content.
#[derive(Debug)]
pub(crate) struct Watch {
    directory: OwnedFd,
    before: Snapshot,
    bounds: Bounds,
}

impl Watch {
    /// Reads the directory. The error says why that cannot be done whole.
    pub(crate) fn start(path: &Path, bytes: u64, entries: usize) -> Result<Self, String> {
        let bounds = Bounds { bytes, entries };
        let directory = open_directory(path).map_err(|error| error.to_string())?;
        let before = snapshot(directory.as_fd(), bounds, &[], &Snapshot::default(), Access::AsIs);
        Ok(Self { before: before.map_err(|error| reason(&error))?, directory, bounds })
    }

    /// Reads it again.
    pub(crate) fn finish(&self) -> Result<FileChanges, String> {
        let after = snapshot(self.directory.as_fd(), self.bounds, &[], &self.before, Access::AsIs);
        let TreeDiff { written, changed, deleted } =
            TreeDiff::between(&self.before, &after.map_err(|error| reason(&error))?);
        let shown = |paths: Vec<PathBuf>| paths.iter().map(|path| shown(path)).collect();
        Ok(FileChanges { written: shown(written), changed: shown(changed), deleted: shown(deleted) })
    }
}

fn reason(error: &TreeError) -> String {
    match error {
        TreeError::Bytes(seen) => format!("it has more than {seen} bytes"),
        TreeError::Entries(seen) => format!("it has more than {seen} entries"),
        TreeError::Io(doing, path, error) => format!("cannot {doing} {}: {error}", path.display()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn content_counts_and_time_does_not() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        for name in ["same", "changed", "removed"] {
            fs::write(path(name), "old").unwrap();
        }
        symlink("same", path("link")).unwrap();
        let watch = Watch::start(directory.path(), 1000, 100).unwrap();
        fs::write(path("same"), "old").unwrap();
        fs::write(path("changed"), "new").unwrap();
        fs::remove_file(path("removed")).unwrap();
        fs::remove_file(path("link")).unwrap();
        symlink("changed", path("link")).unwrap();
        fs::create_dir_all(path("made/empty")).unwrap();
        fs::write(path("made/file"), "").unwrap();
        let changes = watch.finish().unwrap();
        assert_eq!(changes.written, ["changed", "link", "made/file"]);
        assert_eq!(changes.changed, ["changed", "link"]);
        assert_eq!(changes.deleted, ["removed"]);
    }

    #[test]
    fn what_is_too_much_is_told() {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("a"), "0123456789").unwrap();
        assert!(Watch::start(directory.path(), 9, 100).unwrap_err().contains("bytes"));
        let watch = Watch::start(directory.path(), 10, 1).unwrap();
        fs::write(directory.path().join("b"), "").unwrap();
        assert!(watch.finish().unwrap_err().contains("entries"));
        assert!(Watch::start(Path::new("/does/not/exist"), 1, 1).is_err());
    }
}
