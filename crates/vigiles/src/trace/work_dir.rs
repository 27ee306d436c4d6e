//! Looking at the files a run left behind.

use std::io;
use std::path::{Component, Path, PathBuf};

use super::error::TraceError;
use super::Trace;

/// The directory a run worked in.
#[derive(Debug, Clone)]
pub(crate) struct WorkDir {
    root: PathBuf,
}

impl WorkDir {
    pub(crate) fn new(root: PathBuf) -> Self {
        Self { root }
    }
}

const NOT_OBSERVED: TraceError = TraceError::NotObserved {
    what: "the file system after the run",
    hint: "Give the directory the run worked in (`cwd` of parseTrace, `Open::work_dir` in Rust)",
};

impl Trace {
    /// The directory the run worked in, if it is known.
    pub fn work_dir(&self) -> Option<&Path> {
        self.work_dir.as_ref().map(|dir| &*dir.root)
    }

    /// The text of a file as the run left it, bytes that are not UTF-8 as U+FFFD; `None` when there is none.
    ///
    /// A relative path starts at the work dir.
    pub fn file(&self, path: &str) -> Result<Option<String>, TraceError> {
        let root = self.work_dir().ok_or(NOT_OBSERVED)?;
        let path = root.join(normal(path));
        match std::fs::read(&path) {
            Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
            Err(source) => Err(TraceError::Io { path, source }),
        }
    }

    /// Whether a file or directory is there after the run.
    pub fn exists(&self, path: &str) -> Result<bool, TraceError> {
        let root = self.work_dir().ok_or(NOT_OBSERVED)?;
        Ok(root.join(normal(path)).symlink_metadata().is_ok())
    }
}

/// Without `.` parts, so that messages show the path a person would write.
fn normal(path: &str) -> PathBuf {
    Path::new(path).components().filter(|part| !matches!(part, Component::CurDir)).collect()
}
