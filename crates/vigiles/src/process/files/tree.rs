use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Component, Path};

use rustix::fs::{Mode, OFlags, ResolveFlags, openat, openat2};

const BENEATH: ResolveFlags = ResolveFlags::BENEATH.union(ResolveFlags::NO_SYMLINKS);

/// Opens a directory by its path, which may have links: it is the caller's own.
pub(in crate::process) fn open_directory(path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(openat(rustix::fs::CWD, path, flags, Mode::empty())?)
}

/// Opens what is at `relative`, below `root` and through no link. The empty path is `root` itself.
pub(super) fn open_beneath(root: BorrowedFd<'_>, relative: &Path, flags: OFlags) -> io::Result<OwnedFd> {
    let relative = if relative.as_os_str().is_empty() { Path::new(".") } else { relative };
    let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat2(root, relative, flags, Mode::empty(), BENEATH)?)
}

pub(super) fn open_directory_beneath(root: BorrowedFd<'_>, relative: &Path) -> io::Result<OwnedFd> {
    open_beneath(root, relative, OFlags::RDONLY | OFlags::DIRECTORY)
}

/// Whether a link at `relative` stays within `root` wherever it is followed.
///
/// The kernel decides: it refuses an absolute link and every `..` above the root, also one behind other links. A link to
/// what does not exist has no end that the kernel could find; it counts as inside if it has no `..` by which it could leave.
pub(super) fn stays_within(root: impl AsFd, relative: &Path, target: &Path) -> bool {
    match openat2(root, relative, OFlags::PATH | OFlags::CLOEXEC, Mode::empty(), ResolveFlags::BENEATH) {
        Ok(_) => true,
        Err(rustix::io::Errno::NOENT) => {
            target.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
        }
        Err(_) => false,
    }
}
