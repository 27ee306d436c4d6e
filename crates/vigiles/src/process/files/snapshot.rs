use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use foldhash::quality::RandomState;
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat, Timespec, chmodat, readlinkat, statat};
use rustix::io::Errno;

use super::tree::{open_beneath, open_directory_beneath};

const CHUNK_BYTES: usize = 64 * 1024;

/// What stands at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry {
    Directory {
        mode: Mode,
    },
    File {
        mode: Mode,
        len: u64,
        modified: Time,
        digest: u64,
    },
    Link {
        target: PathBuf,
    },
    /// A device, pipe or socket.
    Other,
}

/// A time of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Time(pub(super) Timespec);

/// Two files of the same content are the same, whenever they were written.
impl PartialEq for Time {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

impl Eq for Time {}

/// All that is in a directory, by path relative to it.
#[derive(Debug, Clone, Default)]
pub(in crate::process) struct Snapshot {
    pub(super) entries: BTreeMap<PathBuf, Entry>,
    /// Seeds the digests: only snapshots with the same one can be compared, and nobody can prepare a collision.
    seed: RandomState,
}

impl Snapshot {
    /// Counts these directories and those that they are in as there, with the rights that a mount gives them.
    pub(in crate::process) fn assume_directories<'a>(&mut self, paths: impl Iterator<Item = &'a Path>) {
        for path in paths.flat_map(Path::ancestors).filter(|path| !path.as_os_str().is_empty()) {
            self.entries.entry(path.to_owned()).or_insert(Entry::Directory { mode: Mode::from_raw_mode(0o755) });
        }
    }

    pub(super) fn like(&self) -> Self {
        Self { entries: BTreeMap::new(), seed: self.seed.clone() }
    }

    /// Reads a file to its end, gives every piece to `each`, and returns the digest of all.
    pub(super) fn read(&self, mut file: File, mut each: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<u64> {
        let mut hash = self.seed.build_hasher();
        let mut chunk = vec![0; CHUNK_BYTES];
        loop {
            // Whole pieces: the digest depends on where one write ends and the next begins.
            let mut filled = 0;
            while filled < chunk.len() {
                match file.read(&mut chunk[filled..]) {
                    Ok(0) => break,
                    Ok(count) => filled += count,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => return Err(error),
                }
            }
            hash.write(&chunk[..filled]);
            each(&chunk[..filled])?;
            if filled < chunk.len() {
                return Ok(hash.finish());
            }
        }
    }
}

/// How much a tree may hold.
#[derive(Debug, Clone, Copy)]
pub(in crate::process) struct Bounds {
    /// Bytes of all files, holes included.
    pub(in crate::process) bytes: u64,
    /// Files, directories, links and others.
    pub(in crate::process) entries: usize,
}

/// Why a tree could not be read or written whole.
#[derive(Debug)]
pub(in crate::process) enum TreeError {
    /// More bytes than the bound; what was counted.
    Bytes(u64),
    /// More entries than the bound; what was counted.
    Entries(usize),
    /// What was tried, where, and what the operating system said.
    Io(&'static str, PathBuf, io::Error),
}

impl TreeError {
    pub(super) fn at(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io(doing, path.to_owned(), source)
    }
}

/// Whether the tree is one that is thrown away: what may not be read there is then made readable first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::process) enum Access {
    AsIs,
    Forced,
}

/// All entries. Files have no digest yet.
pub(super) fn list(
    root: BorrowedFd<'_>,
    bounds: Bounds,
    skip: &[PathBuf],
    access: Access,
) -> Result<BTreeMap<PathBuf, Entry>, TreeError> {
    let mut entries = BTreeMap::new();
    let mut bytes = 0_u64;
    let mut pending = vec![PathBuf::new()];
    while let Some(directory) = pending.pop() {
        let open = || open_directory_beneath(root, &directory);
        let fd = match access {
            Access::AsIs => open(),
            Access::Forced => forced(root, &directory, Mode::RWXU, open),
        };
        let fd = fd.map_err(TreeError::at("read", &directory))?;
        for name in names(fd.as_fd()).map_err(TreeError::at("read", &directory))? {
            let path = directory.join(&name);
            if skip.contains(&path) {
                continue;
            }
            let stat = match statat(&fd, &name, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) => stat,
                // Another process of the caller's removed it just now.
                Err(Errno::NOENT) => continue,
                Err(errno) => return Err(TreeError::Io("read", path, errno.into())),
            };
            let entry = entry_of(fd.as_fd(), &name, &stat).map_err(TreeError::at("read", &path))?;
            match &entry {
                Entry::Directory { .. } => pending.push(path.clone()),
                Entry::File { len, .. } => bytes = bytes.saturating_add(*len),
                Entry::Link { .. } | Entry::Other => {}
            }
            entries.insert(path, entry);
            if bytes > bounds.bytes {
                return Err(TreeError::Bytes(bytes));
            }
            if entries.len() > bounds.entries {
                return Err(TreeError::Entries(entries.len()));
            }
        }
    }
    Ok(entries)
}

fn names(directory: BorrowedFd<'_>) -> io::Result<Vec<OsString>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(directory)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name != b"." && name != b".." {
            names.push(OsStr::from_bytes(name).to_owned());
        }
    }
    Ok(names)
}

fn entry_of(directory: BorrowedFd<'_>, name: &OsStr, stat: &Stat) -> io::Result<Entry> {
    let mode = Mode::from_raw_mode(stat.st_mode);
    Ok(match FileType::from_raw_mode(stat.st_mode) {
        FileType::Directory => Entry::Directory { mode },
        FileType::RegularFile => Entry::File {
            mode,
            len: u64::try_from(stat.st_size).unwrap_or_default(),
            modified: Time(modified(stat)),
            digest: 0,
        },
        FileType::Symlink => {
            let target = readlinkat(directory, name, Vec::new())?;
            Entry::Link { target: OsString::from_vec(target.into_bytes()).into() }
        }
        _ => Entry::Other,
    })
}

#[expect(clippy::cast_possible_wrap, reason = "nanoseconds are below a thousand million")]
fn modified(stat: &Stat) -> Timespec {
    Timespec { tv_sec: stat.st_mtime, tv_nsec: stat.st_mtime_nsec as _ }
}

/// Reads a tree whole. Digests can be compared with those of `like`.
pub(in crate::process) fn snapshot(
    root: BorrowedFd<'_>,
    bounds: Bounds,
    skip: &[PathBuf],
    like: &Snapshot,
    access: Access,
) -> Result<Snapshot, TreeError> {
    let mut snapshot = like.like();
    let mut entries = list(root, bounds, skip, access)?;
    for (path, entry) in &mut entries {
        if let Entry::File { digest, .. } = entry {
            let open = || open_file(root, path);
            let file = match access {
                Access::AsIs => open(),
                Access::Forced => forced(root, path, Mode::RUSR, open),
            };
            let file = file.map_err(TreeError::at("read", path))?;
            *digest = snapshot.read(file, |_| Ok(())).map_err(TreeError::at("read", path))?;
        }
    }
    snapshot.entries = entries;
    Ok(snapshot)
}

pub(super) fn open_file(root: BorrowedFd<'_>, path: &Path) -> io::Result<File> {
    // Not waiting: a pipe that has just taken the file's place would wait for a writer.
    open_beneath(root, path, OFlags::RDONLY | OFlags::NONBLOCK).map(File::from)
}

/// Tries again with the owner's rights where only those are missing.
fn forced<T>(root: BorrowedFd<'_>, path: &Path, rights: Mode, open: impl Fn() -> io::Result<T>) -> io::Result<T> {
    let result = open();
    match &result {
        Err(error) if error.raw_os_error() == Some(Errno::ACCESS.raw_os_error()) => {
            let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return result };
            let parent = open_directory_beneath(root, parent)?;
            let stat = statat(&parent, name, AtFlags::SYMLINK_NOFOLLOW)?;
            if FileType::from_raw_mode(stat.st_mode) == FileType::Symlink {
                return result;
            }
            match chmodat(&parent, name, Mode::from_raw_mode(stat.st_mode) | rights, AtFlags::empty()) {
                Ok(()) => open(),
                Err(_) => result,
            }
        }
        _ => result,
    }
}
