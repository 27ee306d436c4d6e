use serde::Serialize;

use super::{Output, signal_name};

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
}

impl From<&Output> for ScriptRun {
    fn from(output: &Output) -> Self {
        let signal = |number| signal_name(number).map_or_else(|| format!("signal {number}"), str::to_owned);
        Self {
            exit_code: output.exit_code,
            signal: output.signal.map(signal),
            stdout: output.stdout.text_lossy().into_owned(),
            stderr: output.stderr.text_lossy().into_owned(),
            stdout_omitted_bytes: output.stdout.omitted(),
            stderr_omitted_bytes: output.stderr.omitted(),
            timed_out: output.timed_out,
            duration_ms: output.duration.as_secs_f64() * 1000.0,
        }
    }
}
