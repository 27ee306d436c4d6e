//! Looking at the files a run left behind.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use crate::process::{Command, ProcessError};

use super::Trace;
use super::error::TraceError;
use super::source::NotRegular;

/// Where the files of a run can be looked at.
#[derive(Debug, Clone)]
pub(crate) enum WorkDir {
    /// The directory it worked in.
    Directory(PathBuf),
    /// Some files, told one by one: contents, or `None` for a file that is not there.
    Told(HashMap<Box<str>, Option<String>>),
}

const NOT_OBSERVED: TraceError = TraceError::NotObserved {
    what: "the file system after the run",
    hint: "Give the directory the run worked in (`cwd` of parseTrace, `Open::work_dir` in Rust)",
};

impl Trace {
    /// The directory the run worked in, if it is known.
    pub fn work_dir(&self) -> Option<&Path> {
        match &self.work_dir {
            Some(WorkDir::Directory(root)) => Some(root),
            _ => None,
        }
    }

    /// The same trace, with the directory the run worked in.
    #[must_use]
    pub fn in_dir(mut self, dir: impl Into<PathBuf>) -> Self {
        self.work_dir = Some(WorkDir::Directory(dir.into()));
        self
    }

    /// Whether [`Trace::file`] and [`Trace::exists`] can answer.
    pub fn files_observed(&self) -> bool {
        self.work_dir.is_some()
    }

    /// The text of a file as the run left it, bytes that are not UTF-8 as U+FFFD; `None` when there is none.
    ///
    /// A relative path starts at the work dir. Only regular files are read: for anything else, a FIFO for example, the
    /// answer is an error at once.
    pub fn file(&self, path: &str) -> Result<Option<String>, TraceError> {
        let root = match &self.work_dir {
            Some(WorkDir::Directory(root)) => root,
            Some(WorkDir::Told(files)) => return files.get(path).cloned().ok_or(NOT_OBSERVED),
            None => return Err(NOT_OBSERVED),
        };
        let path = root.join(normal(path));
        // Before opening: a FIFO waits for a writer, a device may never end.
        let read = std::fs::metadata(&path).and_then(|metadata| match NotRegular::of(&metadata) {
            Some(what) => Ok(Err(what)),
            None => std::fs::read(&path).map(Ok),
        });
        match read {
            Ok(Ok(bytes)) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
            Ok(Err(what)) => Err(TraceError::NotAFile { path, what: what.name(), hint: FILES_ONLY }),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
            Err(source) => Err(TraceError::FileUnreadable { path, source }),
        }
    }

    /// Whether a file or directory is there after the run.
    pub fn exists(&self, path: &str) -> Result<bool, TraceError> {
        match &self.work_dir {
            Some(WorkDir::Directory(root)) => Ok(root.join(normal(path)).symlink_metadata().is_ok()),
            Some(WorkDir::Told(files)) => files.get(path).map(Option::is_some).ok_or(NOT_OBSERVED),
            None => Err(NOT_OBSERVED),
        }
    }

    /// Runs a shell command in the work dir, after the run; gives its standard output without white space around it.
    ///
    /// A command that fails gives what it printed all the same: a question such as `grep -c` answers by printing.
    /// `env` is the whole environment of the command. Time limit: 60 s.
    pub fn sh(&self, command: &str, env: Vec<(OsString, OsString)>) -> Result<String, ShError> {
        let root = self.work_dir().ok_or(NOT_OBSERVED)?;
        let mut process = Command::shell(command).cwd(root).timeout(SH_TIMEOUT);
        process.env = env;
        let output = process.run()?;
        if output.timed_out {
            return Err(ShError::TimedOut { command: command.to_owned() });
        }
        Ok(output.stdout.text_lossy().trim().to_owned())
    }
}

const FILES_ONLY: &str = "Only regular files have a text to look at; a command given to `sh` can look at anything else";

const SH_TIMEOUT: Duration = Duration::from_secs(60);

/// A command over the files of a run could not be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShError {
    /// There is no work dir.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// It could not be started.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// It did not end.
    #[error("expected `{command}` to end within 60 s, but it was still running and was killed")]
    TimedOut {
        /// The command.
        command: String,
    },
}

impl ShError {
    /// The stable code of this kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Trace(error) => error.code(),
            Self::Process(error) => error.code(),
            Self::TimedOut { .. } => "VIGILES_PROCESS_TIMED_OUT",
        }
    }
}

/// Without `.` parts, so that messages show the path a person would write.
fn normal(path: &str) -> PathBuf {
    Path::new(path).components().filter(|part| !matches!(part, Component::CurDir)).collect()
}
