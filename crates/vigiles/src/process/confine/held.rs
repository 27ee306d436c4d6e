use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{Gid, Uid, fchown};

use super::layout::Role;
use super::sandbox::{Sandbox, setup};
use super::{ConfineError, ConfineLimits};
use crate::process::files::{
    Access, Bounds, Owner, Snapshot, TreeDiff, TreeError, copy_back, copy_in, open_directory, snapshot,
};

/// A directory of the caller's and its copy in the sandbox.
pub(super) struct Held {
    path: PathBuf,
    role: Role,
    /// `None` for a directory that is empty at the start.
    outside: Option<OwnedFd>,
    inside: OwnedFd,
    before: Snapshot,
    /// What is mounted in it and is not part of it.
    skip: Vec<PathBuf>,
    limits: ConfineLimits,
    /// The owner of what is copied back, where that is not the caller.
    owner: Option<Owner>,
}

/// What a command did to a directory.
#[derive(Default)]
pub(super) struct Changes {
    pub(super) diff: TreeDiff,
    pub(super) withheld: Vec<PathBuf>,
}

impl Held {
    /// Fills the copy at `path`. `mounted` are the paths of all mounts.
    pub(super) fn fill(
        sandbox: &Sandbox,
        path: &Path,
        role: Role,
        mounted: &[&Path],
        limits: ConfineLimits,
    ) -> Result<Self, ConfineError> {
        let inside = sandbox.open(path)?;
        let user = sandbox.user.map(|user| Owner { uid: Uid::from_raw(user), gid: Gid::from_raw(user) });
        if let Some(Owner { uid, gid }) = user {
            let given = fchown(&inside, Some(uid), Some(gid));
            given.map_err(|errno| setup("give the work directory to the command")(errno.into()))?;
        }
        let skip = mounted.iter().filter_map(|mount| Some(mount.strip_prefix(path).ok()?.to_owned()));
        let mut held = Self {
            path: path.to_owned(),
            role,
            outside: None,
            inside,
            before: Snapshot::default(),
            skip: skip.filter(|path| !path.as_os_str().is_empty()).collect(),
            limits,
            owner: None,
        };
        if role != Role::Empty {
            let outside = open_directory(path).map_err(|source| ConfineError::Copy {
                doing: "read",
                path: path.to_owned(),
                source,
                advice: "Nothing was run: give a directory that exists and can be read",
            })?;
            held.before = copy_in(outside.as_fd(), held.inside.as_fd(), held.bounds(), &held.skip, user)
                .map_err(|error| held.error(error, "Nothing was run"))?;
            held.before.assume_directories(held.skip.iter().filter_map(|path| path.parent()));
            if user.is_some() {
                held.owner = Some(Owner::of(&outside).map_err(setup("read the work directory"))?);
            }
            held.outside = Some(outside);
        }
        Ok(held)
    }

    /// Copies the changes back. Nothing runs in the sandbox any more.
    pub(super) fn settle(self) -> Result<Changes, ConfineError> {
        if self.role == Role::Lent {
            return Ok(Changes::default());
        }
        let advice = "The command has run; its changes were brought back in part or not at all";
        let after = snapshot(self.inside.as_fd(), self.bounds(), &self.skip, &self.before, Access::Forced);
        let after = after.map_err(|error| self.error(error, advice))?;
        let diff = TreeDiff::between(&self.before, &after);
        let Some(outside) = &self.outside else { return Ok(Changes { diff, withheld: Vec::new() }) };
        let withheld = copy_back(self.inside.as_fd(), outside.as_fd(), &self.before, &after, self.owner);
        Ok(Changes { diff, withheld: withheld.map_err(|error| self.error(error, advice))? })
    }

    fn bounds(&self) -> Bounds {
        Bounds { bytes: self.limits.work_bytes, entries: self.limits.entries }
    }

    fn error(&self, error: TreeError, advice: &'static str) -> ConfineError {
        let path = self.path.clone();
        match error {
            TreeError::Bytes(seen) => {
                ConfineError::Size { path, unit: "bytes", seen, limit: self.limits.work_bytes, option: "workBytes" }
            }
            TreeError::Entries(seen) => {
                let limit = self.limits.entries as u64;
                ConfineError::Size { path, unit: "entries", seen: seen as u64, limit, option: "entries" }
            }
            TreeError::Io(doing, relative, source) => {
                ConfineError::Copy { doing, path: path.join(relative), source, advice }
            }
        }
    }
}
