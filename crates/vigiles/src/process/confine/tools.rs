use std::path::{Path, PathBuf};

use rustix::fs::Access;

use super::ConfineError;

/// Where the system's own programs are. The command's `PATH` is not asked: it may name directories that the command can
/// write to.
const DIRECTORIES: &[&str] = &[
    "/usr/local/bin",
    "/usr/bin",
    "/bin",
    "/usr/local/sbin",
    "/usr/sbin",
    "/sbin",
    "/run/wrappers/bin",
    "/run/current-system/sw/bin",
];

/// The path of a program, or which one is missing and where it comes from.
pub(in crate::process) fn find(name: &'static str, package: &'static str) -> Result<PathBuf, String> {
    let is_program = |path: &Path| path.is_file() && rustix::fs::access(path, Access::EXEC_OK).is_ok();
    DIRECTORIES
        .iter()
        .map(|directory| Path::new(directory).join(name))
        .find(|path| is_program(path))
        .ok_or_else(|| format!("`{name}` is not installed (package {package})"))
}

/// What confines.
#[derive(Debug, Clone)]
pub(super) struct Tools {
    pub(super) bwrap: PathBuf,
    pub(super) prlimit: PathBuf,
    /// Only root needs it.
    pub(super) setpriv: Option<PathBuf>,
    pub(super) can_disable_userns: bool,
}

impl Tools {
    pub(super) fn find(is_root: bool) -> Result<Self, ConfineError> {
        let find = |name, package| find(name, package).map_err(|reason| ConfineError::Unavailable { reason });
        Ok(Self {
            bwrap: find("bwrap", "bubblewrap")?,
            prlimit: find("prlimit", "util-linux")?,
            setpriv: if is_root { Some(find("setpriv", "util-linux")?) } else { None },
            can_disable_userns: true,
        })
    }
}
