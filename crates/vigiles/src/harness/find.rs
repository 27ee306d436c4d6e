//! Finding a CLI.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use rustix::fs::Access;

use super::HarnessError;

/// The program of a CLI: the given one, or the first with its name in a `PATH`.
pub fn find_program(
    cli: impl Into<Cow<'static, str>>,
    name: &str,
    given: Option<&Path>,
    path: &OsStr,
    hint: impl Into<Cow<'static, str>>,
) -> Result<PathBuf, HarnessError> {
    let (cli, hint) = (cli.into(), hint.into());
    let runs = |file: &Path| file.is_file() && rustix::fs::access(file, Access::EXEC_OK).is_ok();
    // A bare name is looked up like the usual one.
    let name = given.and_then(Path::to_str).filter(|given| !given.contains('/')).unwrap_or(name);
    if let Some(given) = given.filter(|given| given.components().count() > 1) {
        return if runs(given) {
            Ok(given.to_owned())
        } else {
            let looked = format!("{} is not a program that can be run", given.display());
            Err(HarnessError::CliMissing { cli, looked, hint })
        };
    }
    std::env::split_paths(path).map(|dir| dir.join(name)).find(|file| runs(file)).ok_or_else(|| {
        HarnessError::CliMissing { cli, looked: format!("no `{name}` in PATH={}", path.display()), hint }
    })
}
