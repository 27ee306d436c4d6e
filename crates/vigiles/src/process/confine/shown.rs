//! Paths of the caller's that a command is meant to see, wherever they are.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::argv::TEMPORARY;

/// What has to be mounted for a path to be seen.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Show {
    /// The command sees it anyway, or must not.
    Nothing,
    Bind,
    /// A copy: the user as which the command runs may not read the original.
    Lend,
}

/// How a path is shown. `hidden` and `copied` are absolute and resolved; `other_user`: the command runs as somebody else.
pub(super) fn show(path: &Path, hidden: &[PathBuf], copied: &[PathBuf], other_user: bool) -> Show {
    let Ok(resolved) = path.canonicalize() else { return Show::Nothing };
    let closed = || hidden.iter().map(PathBuf::as_path).chain(TEMPORARY.iter().map(|(path, _)| Path::new(*path)));
    // It would bring back what is hidden.
    if closed().any(|hidden| hidden.starts_with(&resolved)) || copied.iter().any(|copy| resolved.starts_with(copy)) {
        return Show::Nothing;
    }
    let is_hidden = closed().any(|hidden| resolved.starts_with(hidden) || path.starts_with(hidden));
    let unreadable = other_user && !may_read(&resolved, is_hidden);
    match (is_hidden, unreadable && resolved.is_dir()) {
        (_, true) if !copied.iter().any(|copy| copy.starts_with(&resolved)) => Show::Lend,
        (true, _) => Show::Bind,
        (false, _) => Show::Nothing,
    }
}

/// Whether everybody may read a file or directory. A mount stands in a directory that everybody may enter.
fn may_read(path: &Path, is_mounted: bool) -> bool {
    let allows = |path: &Path, rights: u32| {
        path.metadata().is_ok_and(|metadata| metadata.permissions().mode() & rights == rights)
    };
    let own = if path.is_dir() { 0o005 } else { 0o004 };
    allows(path, own) && (is_mounted || path.ancestors().skip(1).all(|parent| allows(parent, 0o001)))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn directory(mode: u32) -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        fs::set_permissions(directory.path(), fs::Permissions::from_mode(mode)).unwrap();
        directory
    }

    #[test]
    fn what_is_hidden_is_bound_or_copied() {
        let (open, closed) = (directory(0o755), directory(0o700));
        let show = |path: &Path, other_user| show(path, &["/home".into()], &[], other_user);
        assert_eq!([show(open.path(), false), show(open.path(), true)], [Show::Bind, Show::Bind]);
        assert_eq!([show(closed.path(), false), show(closed.path(), true)], [Show::Bind, Show::Lend]);
        assert_eq!(show(Path::new("/usr/bin"), true), Show::Nothing);
        assert_eq!(show(Path::new("/does/not/exist"), true), Show::Nothing);
    }

    #[test]
    fn nothing_hidden_comes_back_with_it() {
        let home = directory(0o755);
        let project = home.path().join("project");
        fs::create_dir(&project).unwrap();
        let hidden = [home.path().canonicalize().unwrap()];
        let none = |path: &Path| show(path, &hidden, &[], true) == Show::Nothing;
        assert!(none(home.path()) && none(Path::new("/")) && none(Path::new("/tmp")));
        assert_eq!(show(&project, &hidden, &[], true), Show::Bind);
    }

    #[test]
    fn the_copy_of_a_directory_hides_its_original() {
        let work = directory(0o755);
        let resolved = work.path().canonicalize().unwrap();
        fs::create_dir(work.path().join("sub")).unwrap();
        let show = |path: &Path, copied: &Path| show(path, &[], &[copied.to_owned()], true);
        assert_eq!(
            [show(&resolved, &resolved), show(&work.path().join("sub"), &resolved)],
            [Show::Nothing, Show::Nothing]
        );
        assert_eq!(show(&resolved, &resolved.join("sub")), Show::Bind, "around a copy it is read-only");
    }
}
