//! What a run changed in its work dir.

use std::path::Path;

#[cfg(target_os = "linux")]
use crate::process::files::Watch;

/// A work dir that holds more is not compared: reading it twice would cost more than the run.
#[cfg(target_os = "linux")]
const BYTES: u64 = 512 << 20;
#[cfg(target_os = "linux")]
const ENTRIES: usize = 200_000;

/// Reads the work dir. The error says why that cannot be done whole.
#[cfg(target_os = "linux")]
pub(super) fn watch(work: &Path) -> Result<Watch, String> {
    Watch::start(work, BYTES, ENTRIES)
}

#[cfg(not(target_os = "linux"))]
pub(super) struct Watch;

#[cfg(not(target_os = "linux"))]
pub(super) fn watch(_work: &Path) -> Result<Watch, String> {
    Err("directories are compared on Linux only".to_owned())
}

#[cfg(not(target_os = "linux"))]
impl Watch {
    pub(super) fn finish(&self) -> Result<crate::process::FileChanges, String> {
        Ok(crate::process::FileChanges::default())
    }
}
