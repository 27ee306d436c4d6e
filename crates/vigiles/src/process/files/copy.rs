use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{
    AtFlags, Gid, Mode, OFlags, RawMode, Timespec, Timestamps, UTIME_OMIT, Uid, chownat, fchmod, fchown, fstat,
    futimens, mkdirat, openat, renameat, symlinkat, unlinkat,
};
use rustix::io::Errno;

use super::snapshot::{Access, Bounds, Entry, Snapshot, Time, TreeError, list, open_file};
use super::tree::{open_directory_beneath, stays_within};

/// How many files of other runs may stand where one is to be written.
const MAX_PENDING_NAMES: u32 = 1000;

/// Who shall own what is copied.
#[derive(Debug, Clone, Copy)]
pub(in crate::process) struct Owner {
    pub(in crate::process) uid: Uid,
    pub(in crate::process) gid: Gid,
}

impl Owner {
    /// The owner of a directory.
    pub(in crate::process) fn of(directory: impl AsFd) -> io::Result<Self> {
        let stat = fstat(directory)?;
        Ok(Self { uid: Uid::from_raw(stat.st_uid), gid: Gid::from_raw(stat.st_gid) })
    }
}

/// Copies all of `from` into `to`, which is empty, and says what was there. `owner` is `None` where the caller keeps it.
///
/// Devices, pipes and sockets are left out.
pub(in crate::process) fn copy_in(
    from: BorrowedFd<'_>,
    to: BorrowedFd<'_>,
    bounds: Bounds,
    skip: &[PathBuf],
    owner: Option<Owner>,
) -> Result<Snapshot, TreeError> {
    let mut snapshot = Snapshot::default();
    let mut entries = list(from, bounds, skip, Access::AsIs)?;
    entries.retain(|_, entry| *entry != Entry::Other);
    // Parents come before what is in them.
    for (path, entry) in &mut entries {
        let place = Place::of(to, path).map_err(TreeError::at("open the directory of", path))?;
        let made = match entry {
            Entry::Directory { .. } => place.make_directory(owner),
            Entry::Link { target } => place.make_link(place.name, target, owner),
            Entry::File { mode, modified, digest, .. } => open_file(from, path).and_then(|file| {
                let mut copy = place.create(place.name)?;
                *digest = snapshot.read(file, |bytes| copy.write_all(bytes))?;
                finish_file(&copy, *mode, *modified, owner)
            }),
            Entry::Other => Ok(()),
        };
        made.map_err(TreeError::at("copy", path))?;
    }
    set_modes(to, entries.iter())?;
    snapshot.entries = entries;
    Ok(snapshot)
}

/// Brings the changes of a tree back: `to` was like `before`, and becomes like `after`, which `from` is. Returns what was
/// withheld.
///
/// Nothing is written through what stands in `to`: a file is written beside the old one and takes its name.
pub(in crate::process) fn copy_back(
    from: BorrowedFd<'_>,
    to: BorrowedFd<'_>,
    before: &Snapshot,
    after: &Snapshot,
    owner: Option<Owner>,
) -> Result<Vec<PathBuf>, TreeError> {
    // What is in a directory comes after it, so it goes first.
    for (path, old) in before.entries.iter().rev() {
        if after.entries.get(path).is_none_or(|new| kind(old) != kind(new)) {
            remove(to, path, old).map_err(TreeError::at("remove", path))?;
        }
    }
    let mut withheld = Vec::new();
    let changed = after.entries.iter().filter(|(path, entry)| before.entries.get(*path) != Some(*entry));
    for (path, entry) in changed.clone() {
        let place = || Place::of(to, path);
        let made = match entry {
            Entry::Directory { .. } if before.entries.get(path).is_some_and(|old| kind(old) == kind(entry)) => Ok(()),
            Entry::Directory { .. } => place().and_then(|place| place.make_directory(owner)),
            Entry::File { mode, modified, .. } => place().and_then(|place| {
                place.replace(|place, name| {
                    let mut copy = place.create(name)?;
                    after.read(open_file(from, path)?, |bytes| copy.write_all(bytes))?;
                    finish_file(&copy, *mode, *modified, owner)
                })
            }),
            Entry::Link { target } if stays_within(from, path, target) => {
                place().and_then(|place| place.replace(|place, name| place.make_link(name, target, owner)))
            }
            Entry::Link { .. } | Entry::Other => {
                withheld.push(path.clone());
                Ok(())
            }
        };
        made.map_err(TreeError::at("write", path))?;
    }
    set_modes(to, changed)?;
    Ok(withheld)
}

fn kind(entry: &Entry) -> u8 {
    match entry {
        Entry::Directory { .. } => 0,
        Entry::File { .. } => 1,
        Entry::Link { .. } => 2,
        Entry::Other => 3,
    }
}

/// The rights of everybody, without set-user-ID and its like.
fn plain(mode: Mode) -> Mode {
    Mode::from_raw_mode(mode.as_raw_mode() & 0o777 as RawMode)
}

/// The rights of directories, once nothing is to be made in them any more.
fn set_modes<'a>(
    root: BorrowedFd<'_>,
    entries: impl Iterator<Item = (&'a PathBuf, &'a Entry)>,
) -> Result<(), TreeError> {
    let mut directories: Vec<(&PathBuf, Mode)> = entries
        .filter_map(|(path, entry)| match entry {
            Entry::Directory { mode } => Some((path, *mode)),
            _ => None,
        })
        .collect();
    // A directory that may not be entered hides those in it.
    directories.reverse();
    for (path, mode) in directories {
        let set = open_directory_beneath(root, path).and_then(|fd| Ok(fchmod(fd, plain(mode))?));
        set.map_err(TreeError::at("set the mode of", path))?;
    }
    Ok(())
}

fn remove(root: BorrowedFd<'_>, path: &Path, entry: &Entry) -> io::Result<()> {
    let place = match Place::of(root, path) {
        Ok(place) => place,
        // Somebody else removed or replaced the directory that it was in.
        Err(error) if is_gone(&error) => return Ok(()),
        Err(error) => return Err(error),
    };
    let flags = if matches!(entry, Entry::Directory { .. }) { AtFlags::REMOVEDIR } else { AtFlags::empty() };
    match unlinkat(&place.directory, place.name, flags) {
        // The same, or somebody else put something into it.
        Ok(()) | Err(Errno::NOENT | Errno::NOTEMPTY | Errno::NOTDIR | Errno::ISDIR) => Ok(()),
        Err(errno) => Err(errno.into()),
    }
}

fn is_gone(error: &io::Error) -> bool {
    let errno = error.raw_os_error().map(Errno::from_raw_os_error);
    matches!(errno, Some(Errno::NOENT | Errno::NOTDIR | Errno::LOOP))
}

fn finish_file(file: &File, mode: Mode, modified: Time, owner: Option<Owner>) -> io::Result<()> {
    if let Some(owner) = owner {
        fchown(file, Some(owner.uid), Some(owner.gid))?;
    }
    fchmod(file, plain(mode))?;
    let unchanged = Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT as _ };
    futimens(file, &Timestamps { last_access: unchanged, last_modification: modified.0 })?;
    Ok(())
}

/// A name in a directory that is open.
struct Place<'a> {
    directory: OwnedFd,
    name: &'a OsStr,
}

impl<'a> Place<'a> {
    fn of(root: BorrowedFd<'_>, path: &'a Path) -> io::Result<Self> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let directory = open_directory_beneath(root, path.parent().unwrap_or(Path::new("")))?;
        Ok(Self { directory, name })
    }

    fn create(&self, name: &OsStr) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(openat(&self.directory, name, flags, Mode::RUSR | Mode::WUSR)?.into())
    }

    /// Only its owner can use it until [`set_modes`].
    fn make_directory(&self, owner: Option<Owner>) -> io::Result<()> {
        match mkdirat(&self.directory, self.name, Mode::RWXU) {
            // A mount made it, or another run brought it back.
            Ok(()) | Err(Errno::EXIST) => self.give(self.name, owner),
            Err(errno) => Err(errno.into()),
        }
    }

    fn make_link(&self, name: &OsStr, target: &Path, owner: Option<Owner>) -> io::Result<()> {
        symlinkat(target, &self.directory, name)?;
        self.give(name, owner)
    }

    fn give(&self, name: &OsStr, owner: Option<Owner>) -> io::Result<()> {
        if let Some(Owner { uid, gid }) = owner {
            chownat(&self.directory, name, Some(uid), Some(gid), AtFlags::SYMLINK_NOFOLLOW)?;
        }
        Ok(())
    }

    /// Makes something under another name and moves it to its own: a reader sees the old file or the new one, whole.
    fn replace(&self, make: impl Fn(&Self, &OsStr) -> io::Result<()>) -> io::Result<()> {
        let mut number = 0_u32;
        let pending = loop {
            let name = OsString::from(format!(".vigiles-{number}"));
            match make(self, &name) {
                Ok(()) => break name,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < MAX_PENDING_NAMES => number += 1,
                Err(error) => {
                    if error.kind() != io::ErrorKind::AlreadyExists {
                        let _ = unlinkat(&self.directory, &name, AtFlags::empty());
                    }
                    return Err(error);
                }
            }
        };
        renameat(&self.directory, &pending, &self.directory, self.name).map_err(|errno| {
            let _ = unlinkat(&self.directory, &pending, AtFlags::empty());
            errno.into()
        })
    }
}
