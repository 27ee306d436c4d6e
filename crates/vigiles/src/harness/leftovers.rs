//! Processes that a run left behind.

use std::path::Path;

/// The variable that marks every process of a run: a tool of the CLI starts its children in sessions of their own, out
/// of reach of a signal to the CLI's process group, and an old CLI leaves them running when it ends.
pub(super) const MARK: &str = "VIGILES_RUN_ROOT";

/// Ends every process that still carries the mark of the run with this root.
#[cfg(target_os = "linux")]
pub(super) fn end(root: &Path) {
    use std::os::unix::ffi::OsStrExt;

    use rustix::process::{Pid, Signal, kill_process};

    let mark = [MARK.as_bytes(), b"=", root.as_os_str().as_bytes(), b"\0"].concat();
    // A process may start another while it is looked for: once more until none is found.
    for _ in 0..10 {
        let mut found = false;
        for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
            let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else { continue };
            // Those of other users cannot be read, nor be ours.
            let Ok(environ) = std::fs::read(entry.path().join("environ")) else { continue };
            if memchr::memmem::find(&environ, &mark).is_some()
                && let Some(pid) = Pid::from_raw(pid)
            {
                found |= kill_process(pid, Signal::KILL).is_ok();
            }
        }
        if !found {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
}

/// Only Linux shows the environment of processes.
#[cfg(not(target_os = "linux"))]
pub(super) fn end(_root: &Path) {}
