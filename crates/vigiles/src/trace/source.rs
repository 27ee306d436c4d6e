//! Where the bytes of a trace are.

use std::borrow::Cow;
use std::fmt;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::{FileExt, FileTypeExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::error::TraceError;

/// Files up to this size are kept in memory: the later reads cost no system call, and the file may go away.
const KEEP_BELOW: u64 = 4 << 20;

/// The bytes of one file or buffer.
pub(crate) enum Source {
    Bytes { bytes: Vec<u8>, name: Option<PathBuf> },
    File(OpenFile),
}

/// A large file, read in place.
///
/// Positional reads instead of a memory map: a map of a file that somebody truncates kills the whole process
/// with SIGBUS, and that process is the user's test runner. A short read is an error that can be told.
#[derive(Debug)]
pub(crate) struct OpenFile {
    pub(crate) path: PathBuf,
    file: File,
    pub(crate) len: u64,
    modified: Option<SystemTime>,
}

/// A trace is shown when an assertion fails: nobody wants megabytes of numbers there.
impl fmt::Debug for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ({} bytes)", self.describe(), self.len())
    }
}

impl Source {
    pub(crate) fn open(path: &Path) -> Result<Self, TraceError> {
        Self::open_keeping(path, KEEP_BELOW)
    }

    /// Opens a file, and keeps its bytes if it has at most so many.
    pub(super) fn open_keeping(path: &Path, limit: u64) -> Result<Self, TraceError> {
        let unreadable = |source: io::Error| match source.kind() {
            io::ErrorKind::NotFound => TraceError::NotFound { path: path.to_owned() },
            _ => TraceError::Io { path: path.to_owned(), source },
        };
        if path.as_os_str().as_encoded_bytes().contains(&0) {
            return Err(unreadable(io::Error::new(io::ErrorKind::InvalidInput, "the path holds a NUL byte")));
        }
        // Before opening: opening a FIFO waits for a writer, perhaps for ever.
        if let Some(what) = NotRegular::of(&std::fs::metadata(path).map_err(unreadable)?) {
            return Err(TraceError::NotAFile { path: path.to_owned(), what: what.name(), hint: what.hint() });
        }
        let mut file = File::open(path).map_err(unreadable)?;
        let metadata = file.metadata().map_err(unreadable)?;
        let len = metadata.len();
        if len > limit {
            let modified = metadata.modified().ok();
            return Ok(Self::File(OpenFile { path: path.to_owned(), file, len, modified }));
        }
        let mut bytes = Vec::with_capacity(usize::try_from(len).unwrap_or(0) + 1);
        file.read_to_end(&mut bytes).map_err(unreadable)?;
        Ok(Self::Bytes { bytes, name: Some(path.to_owned()) })
    }

    pub(crate) fn bytes(bytes: Vec<u8>) -> Self {
        Self::Bytes { bytes, name: None }
    }

    /// Total size in bytes.
    pub(crate) fn len(&self) -> u64 {
        match self {
            Self::Bytes { bytes, .. } => bytes.len() as u64,
            Self::File(file) => file.len,
        }
    }

    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Bytes { name, .. } => name.as_deref(),
            Self::File(file) => Some(&file.path),
        }
    }

    /// How messages name it.
    pub(crate) fn describe(&self) -> String {
        self.path().map_or_else(|| "the buffer".to_owned(), |path| path.display().to_string())
    }

    /// The bytes of a range found earlier.
    pub(crate) fn read(&self, start: u64, len: u64) -> Result<Cow<'_, [u8]>, TraceError> {
        match self {
            Self::Bytes { bytes, .. } => {
                let range = usize::try_from(start).ok().zip(usize::try_from(start + len).ok());
                Ok(Cow::Borrowed(range.and_then(|(start, end)| bytes.get(start..end)).unwrap_or_default()))
            }
            Self::File(file) => file.read(start, len).map(Cow::Owned),
        }
    }
}

impl OpenFile {
    fn read(&self, start: u64, len: u64) -> Result<Vec<u8>, TraceError> {
        self.unchanged()?;
        let mut bytes = vec![0; usize::try_from(len).unwrap_or(0)];
        self.file.read_exact_at(&mut bytes, start).map_err(|source| self.failed(source))?;
        Ok(bytes)
    }

    /// Reads at most `buffer.len()` bytes from `start`; 0 only at the end of the file as it was when opened.
    pub(crate) fn fill(&self, buffer: &mut [u8], start: u64) -> Result<usize, TraceError> {
        let wanted = self.len.saturating_sub(start).min(buffer.len() as u64);
        let buffer = &mut buffer[..usize::try_from(wanted).unwrap_or(0)];
        loop {
            match self.file.read_at(buffer, start) {
                Ok(0) if wanted > 0 => return Err(self.changed("it became shorter")),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => return other.map_err(|source| self.failed(source)),
            }
        }
    }

    /// Growing is fine, a stream that is still written does so; everything before its end must stay.
    fn unchanged(&self) -> Result<(), TraceError> {
        let metadata = self.file.metadata().map_err(|source| self.failed(source))?;
        if metadata.len() < self.len {
            return Err(self.changed("it became shorter"));
        }
        if metadata.len() == self.len && metadata.modified().ok() != self.modified {
            return Err(self.changed("it was written to"));
        }
        Ok(())
    }

    fn failed(&self, source: io::Error) -> TraceError {
        if source.kind() == io::ErrorKind::UnexpectedEof {
            return self.changed("it became shorter");
        }
        TraceError::Io { path: self.path.clone(), source }
    }

    fn changed(&self, what: &str) -> TraceError {
        TraceError::Changed { path: self.path.clone(), what: what.to_owned() }
    }
}

/// What may stand where a regular file is expected. Opening or reading it could wait for ever, or never end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NotRegular {
    Directory,
    Fifo,
    SocketOrDevice,
}

impl NotRegular {
    /// What it is; `None` for a regular file.
    pub(super) fn of(metadata: &Metadata) -> Option<Self> {
        let kind = metadata.file_type();
        if kind.is_dir() {
            Some(Self::Directory)
        } else if kind.is_fifo() {
            Some(Self::Fifo)
        } else {
            (!kind.is_file()).then_some(Self::SocketOrDevice)
        }
    }

    /// How messages name it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Directory => "directory",
            Self::Fifo => "FIFO",
            Self::SocketOrDevice => "socket or device",
        }
    }

    /// What somebody who meant it as a trace can do.
    fn hint(self) -> &'static str {
        match self {
            Self::Directory => "Name the .jsonl file in it",
            Self::Fifo => "Give the open stream itself: from_reader in Rust, parseTraceStream in JavaScript",
            Self::SocketOrDevice => "Save the stream to a file first",
        }
    }
}
