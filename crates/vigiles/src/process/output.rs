use std::time::Duration;

use super::Captured;
use super::confine::ConfinedRun;
use super::launch::Refusal;

/// How a command ended and what it said.
///
/// `exit_code` and `signal` exclude each other. Both are `None` only if the command could not even be killed, as it
/// happens to one that runs as another user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// False if no program ran: it was not found (exit code 127) or may not be executed (126). The reason is in `stderr`.
    /// A shell text always launches, so a missing command inside it is an exit code 127 of the shell's.
    pub launched: bool,
    /// What the command returned.
    pub exit_code: Option<i32>,
    /// The signal that ended the command. [`signal_name`](super::signal_name) names it.
    pub signal: Option<i32>,
    /// What it wrote to stdout.
    pub stdout: Captured,
    /// What it wrote to stderr.
    pub stderr: Captured,
    /// The timeout passed, and the process group was killed.
    pub timed_out: bool,
    /// Another process still held stdout or stderr when reading stopped, so more might have come.
    pub streams_left_open: bool,
    /// From before the start to the command's exit, or to the kill after a timeout. Without the grace for open streams.
    pub duration: Duration,
    /// What confinement saw; `None` if the command ran unconfined.
    pub confined: Option<ConfinedRun>,
}

impl Output {
    /// The command ran to its end by itself and returned 0.
    pub fn success(&self) -> bool {
        self.launched && !self.timed_out && self.exit_code == Some(0)
    }

    pub(super) fn not_launched(refusal: &Refusal, duration: Duration) -> Self {
        Self {
            launched: false,
            exit_code: Some(refusal.exit_code),
            signal: None,
            stdout: Captured::default(),
            stderr: Captured::whole(format!("{}\n", refusal.reason).into_bytes()),
            timed_out: false,
            streams_left_open: false,
            duration,
            confined: None,
        }
    }
}
