use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::argv::{HIDDEN, HOME, Layout, TEMPORARY, variable};
use super::settings::Bind;
use super::shown::{Show, show};
use super::tools::Tools;
use super::{ConfineError, Confinement};
use crate::process::Command;
use crate::process::egress::{EgressMode, proxy_variables};

/// The work directory of a command that was given none.
const EMPTY_WORK_DIR: &str = "/tmp/work";

/// Where commands are looked up unless they are told.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

pub(super) struct Plan {
    pub(super) layout: Layout,
    pub(super) environment: Vec<(OsString, OsString)>,
    /// Why each directory of `layout.copied` is there, in the same order; the first is the work directory.
    pub(super) roles: Vec<Role>,
}

/// What a copied directory has to do with the caller's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Filled from it, and copied back.
    Copied,
    /// Filled from it, and thrown away.
    Lent,
    /// Empty at first, and thrown away.
    Empty,
}

impl Plan {
    pub(super) fn new(tools: &Tools, command: &Command, confinement: &Confinement) -> Result<Self, ConfineError> {
        let resolve = |path: &PathBuf| resolve("copy", path);
        let work_dir = confinement.work_dir.as_ref().map(resolve).transpose()?;
        let has_work_dir = work_dir.is_some();
        let work_dir = work_dir.unwrap_or_else(|| EMPTY_WORK_DIR.into());
        let mut copied = vec![work_dir.clone()];
        let mut roles = vec![if has_work_dir { Role::Copied } else { Role::Empty }];
        for directory in &confinement.copied {
            copied.push(resolve(&directory.path)?);
            roles.push(if directory.back { Role::Copied } else { Role::Lent });
        }
        let hidden = hidden(&confinement.hidden)?;
        let mut binds = confinement.binds.clone();
        for path in &confinement.shown {
            match show(path, &hidden, &copied, tools.setpriv.is_some()) {
                Show::Nothing => {}
                Show::Bind => binds.extend(names(path).map(|path| Bind { path, writable: false })),
                Show::Lend => {
                    copied.push(resolve(path)?);
                    roles.push(Role::Lent);
                }
            }
        }
        check_copied(&copied, &hidden, has_work_dir)?;
        let hidden = uncovered(&hidden);
        for bind in &binds {
            let reason = if !bind.path.is_absolute() {
                "it is not absolute".to_owned()
            } else if let Err(error) = bind.path.metadata() {
                error.to_string()
            } else {
                continue;
            };
            return Err(ConfineError::Path { doing: "show", path: bind.path.clone(), reason });
        }
        let cwd = match &command.cwd {
            Some(cwd) => cwd.canonicalize().map_err(|error| path_error("start in", cwd, error.to_string()))?,
            None => work_dir,
        };
        let layout = Layout {
            hidden,
            temporary: temporary(),
            copied,
            binds,
            cwd,
            limits: confinement.limits,
            can_disable_userns: tools.can_disable_userns,
        };
        Ok(Self { layout, environment: environment(command, confinement), roles })
    }

    /// Everything that is mounted.
    pub(super) fn mounted(&self) -> Vec<&Path> {
        let Layout { hidden, temporary, copied, binds, .. } = &self.layout;
        let paths = hidden.iter().chain(copied).map(PathBuf::as_path);
        paths
            .chain(temporary.iter().map(|(path, _)| path.as_path()))
            .chain(binds.iter().map(|bind| bind.path.as_path()))
            .collect()
    }
}

/// A path as it is given, and without links if that is another one.
fn names(path: &Path) -> impl Iterator<Item = PathBuf> {
    let resolved = path.canonicalize().ok().filter(|resolved| resolved != path);
    std::iter::once(path.to_owned()).chain(resolved)
}

fn path_error(doing: &'static str, path: &Path, reason: String) -> ConfineError {
    ConfineError::Path { doing, path: path.to_owned(), reason }
}

/// An absolute path without links, as mounts need it.
fn resolve(doing: &'static str, path: &Path) -> Result<PathBuf, ConfineError> {
    if !path.is_absolute() {
        return Err(path_error(doing, path, "it is not absolute".to_owned()));
    }
    let resolved = path.canonicalize().map_err(|error| path_error(doing, path, error.to_string()))?;
    if resolved.is_dir() { Ok(resolved) } else { Err(path_error(doing, path, "it is not a directory".to_owned())) }
}

/// The directories that are hidden.
fn hidden(more: &[PathBuf]) -> Result<Vec<PathBuf>, ConfineError> {
    let mut hidden: Vec<PathBuf> = Vec::new();
    for path in HIDDEN.iter().map(Path::new).chain(more.iter().map(PathBuf::as_path)) {
        if !path.is_absolute() {
            return Err(path_error("hide", path, "it is not absolute".to_owned()));
        }
        // What does not exist, or is no directory, is hidden by not being there.
        let Ok(path) = path.canonicalize() else { continue };
        if path.parent().is_none() {
            let reason =
                "it is the root, which holds the programs; give a HOME that is a directory of its own".to_owned();
            return Err(path_error("hide", &path, reason));
        }
        if path.is_dir() {
            hidden.push(path);
        }
    }
    Ok(hidden)
}

/// Those that no other one hides.
fn uncovered(hidden: &[PathBuf]) -> Vec<PathBuf> {
    let is_covered = |path: &Path| {
        TEMPORARY.iter().any(|(other, _)| path.starts_with(other))
            || hidden.iter().any(|other| other != path && path.starts_with(other))
    };
    let mut uncovered: Vec<PathBuf> = hidden.iter().filter(|path| !is_covered(path)).cloned().collect();
    uncovered.sort();
    uncovered.dedup();
    uncovered
}

fn temporary() -> Vec<(PathBuf, &'static str)> {
    let exists = |path: &Path| path == Path::new(HOME) || path.is_dir();
    TEMPORARY.iter().map(|(path, mode)| (PathBuf::from(path), *mode)).filter(|(path, _)| exists(path)).collect()
}

/// A copied directory must not bring in what is hidden, nor be part of another.
fn check_copied(copied: &[PathBuf], hidden: &[PathBuf], has_work_dir: bool) -> Result<(), ConfineError> {
    for (index, path) in copied.iter().enumerate() {
        let is_own = index == 0 && !has_work_dir;
        let closed = hidden.iter().map(PathBuf::as_path).chain(TEMPORARY.iter().map(|(path, _)| Path::new(*path)));
        if let Some(inside) = closed.into_iter().find(|hidden| !is_own && hidden.starts_with(path)) {
            let reason = format!(
                "it holds {}, which is hidden from the command; give a project's own directory",
                inside.display()
            );
            return Err(path_error("copy", path, reason));
        }
        let overlaps = |other: &&PathBuf| path.starts_with(other) || other.starts_with(path);
        if let Some(other) = copied[..index].iter().find(overlaps) {
            return Err(path_error(
                "copy",
                path,
                format!("it overlaps with {}, which is copied, too", other.display()),
            ));
        }
    }
    Ok(())
}

fn environment(command: &Command, confinement: &Confinement) -> Vec<(OsString, OsString)> {
    let mut environment: Vec<(OsString, OsString)> = command.env.iter().chain(&confinement.env).cloned().collect();
    for (name, value) in [("PATH", PATH), ("HOME", HOME), ("TMPDIR", "/tmp")] {
        if variable(&environment, name).is_none() {
            environment.push((name.into(), value.into()));
        }
    }
    if confinement.egress == EgressMode::Record {
        environment.extend(proxy_variables().into_iter().map(|(name, value)| (name.into(), value.into())));
    }
    environment
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_below_something_hidden_needs_no_mount_of_its_own() {
        let directory = tempfile::tempdir().unwrap();
        let all =
            hidden(&[directory.path().into(), "/usr/share".into(), "/usr".into(), "/does/not/exist".into()]).unwrap();
        assert!(all.contains(&directory.path().canonicalize().unwrap()), "{all:?}");
        let seen = uncovered(&all);
        assert!(seen.contains(&"/usr".into()) && !seen.contains(&"/usr/share".into()), "{seen:?}");
        assert!(seen.iter().all(|path| !path.starts_with("/tmp") && path.exists()), "{seen:?}");
    }

    #[test]
    fn the_root_cannot_be_hidden() {
        let said = hidden(&["/".into()]).unwrap_err().to_string();
        assert!(said.contains("HOME"), "{said}");
    }

    #[test]
    fn a_home_is_no_work_directory() {
        let check = |copied: &str, hidden: &str| check_copied(&[copied.into()], &[hidden.into()], true);
        for (copied, hidden) in
            [("/data/me", "/data/me"), ("/data", "/data/me"), ("/", "/data/me"), ("/tmp", "/data/me")]
        {
            assert!(check(copied, hidden).is_err(), "{copied} {hidden}");
        }
        check("/data/me/repo", "/data/me").unwrap();
        check("/tmp/x", "/data/me").unwrap();
    }

    #[test]
    fn copies_do_not_overlap() {
        let check = |first: &str, second: &str| check_copied(&[first.into(), second.into()], &[], true);
        assert!(check("/a/b", "/a/b").is_err() && check("/a/b", "/a").is_err() && check("/a", "/a/b").is_err());
        check("/a/b", "/a/bc").unwrap();
    }
}
