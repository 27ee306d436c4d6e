use serde::Serialize;

use super::confine::ConfinedRun;
use super::{EgressAttempt, EgressDropped, Output, signal_name};

/// What a script did, as plain data: the JSON form of an [`Output`].
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ScriptRun {
    /// The exit code; `None` (null in JSON) when a signal ended the process.
    pub exit_code: Option<i32>,
    /// The signal that ended the process, such as `SIGKILL`; `signal 99` when it has no name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signal: Option<String>,
    /// What it wrote to stdout, with U+FFFD where that is not UTF-8.
    pub stdout: String,
    /// What it wrote to stderr, likewise.
    pub stderr: String,
    /// Bytes left out of the middle of stdout because of the command's limit.
    pub stdout_omitted_bytes: u64,
    /// Bytes left out of the middle of stderr.
    pub stderr_omitted_bytes: u64,
    /// It was still running when its time was up, and was killed.
    pub timed_out: bool,
    /// Time to the end of the process, in milliseconds.
    pub duration_ms: f64,
    /// What a confined command wrote: files and links that are new or have another content, relative to its work directory,
    /// sorted. `None` (absent in JSON) when it ran unconfined: nobody looked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files_written: Option<Vec<String>>,
    /// Those of `files_written` that were there before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files_changed: Option<Vec<String>>,
    /// What was there before and is not any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files_deleted: Option<Vec<String>>,
    /// Those of `files_written` that were not brought back: links out of the work directory, pipes, sockets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files_withheld: Option<Vec<String>>,
    /// Connections out. `None` when they were not recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub egress: Option<Vec<EgressAttempt>>,
    /// What an allow-list kept from going out. `None` without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub egress_dropped: Option<EgressDropped>,
}

impl From<&Output> for ScriptRun {
    fn from(output: &Output) -> Self {
        let signal = |number| signal_name(number).map_or_else(|| format!("signal {number}"), str::to_owned);
        let confined = output.confined.clone();
        let files = |of: fn(&ConfinedRun) -> &Vec<String>| confined.as_ref().map(|run| of(run).clone());
        Self {
            exit_code: output.exit_code,
            signal: output.signal.map(signal),
            stdout: output.stdout.text_lossy().into_owned(),
            stderr: output.stderr.text_lossy().into_owned(),
            stdout_omitted_bytes: output.stdout.omitted(),
            stderr_omitted_bytes: output.stderr.omitted(),
            timed_out: output.timed_out,
            duration_ms: output.duration.as_secs_f64() * 1000.0,
            files_written: files(|run| &run.files_written),
            files_changed: files(|run| &run.files_changed),
            files_deleted: files(|run| &run.files_deleted),
            files_withheld: files(|run| &run.files_withheld),
            egress: confined.as_ref().and_then(|run| run.egress.clone()),
            egress_dropped: confined.as_ref().and_then(|run| run.egress_dropped),
        }
    }
}
