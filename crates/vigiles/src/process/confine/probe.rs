use std::fs;
use std::sync::OnceLock;
use std::time::Duration;

use super::tools::Tools;
use super::{ConfineError, Confinement, run};
use crate::process::Command;

const TIMEOUT: Duration = Duration::from_secs(10);

/// Whether commands can be confined here, and why not. A confined command is tried once in a process; what came of it holds
/// from then on.
pub fn confinement_available() -> Result<(), ConfineError> {
    tools().map(drop)
}

pub(super) fn tools() -> Result<&'static Tools, ConfineError> {
    static FOUND: OnceLock<Result<Tools, String>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let reason = |error| match error {
            ConfineError::Unavailable { reason } => reason,
            other => other.to_string(),
        };
        probe().map_err(reason)
    });
    found.as_ref().map_err(|reason| ConfineError::Unavailable { reason: reason.clone() })
}

fn probe() -> Result<Tools, ConfineError> {
    let tools = Tools::find(is_root())?;
    let older = Tools { can_disable_userns: false, ..tools.clone() };
    works(&tools).map(|()| tools).or_else(|error| works(&older).map(|()| older).map_err(|_| error))
}

fn works(tools: &Tools) -> Result<(), ConfineError> {
    let command = Command::shell("exit 0").timeout(TIMEOUT);
    let failed =
        |said: String| ConfineError::Unavailable { reason: format!("a trial run of bubblewrap failed ({said})") };
    match run::run_with(tools, &command, &Confinement::without_work_dir()) {
        Ok(output) if output.success() => Ok(()),
        Ok(output) => Err(failed(output.stderr.text_lossy().trim().to_owned())),
        Err(error) => Err(failed(error.to_string())),
    }
}

/// Root of the machine, for whom limits of processes do not hold and nearly every file is open. Root of a user namespace is
/// somebody else outside.
pub(super) fn is_root() -> bool {
    let is_everybody = |map: String| map.split_ascii_whitespace().eq(["0", "0", "4294967295"]);
    rustix::process::geteuid().is_root() && fs::read_to_string("/proc/self/uid_map").is_ok_and(is_everybody)
}
