//! Runs a hook's command as the CLI would have, and writes down what it did.
//!
//! The log has two lines for each firing, one when it starts and one when it ends: a hook that the CLI ended at its time
//! limit has the first alone. Stdin, both streams and the exit code pass through unchanged.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::thread;
use std::time::Instant;

use serde::Serialize;

/// One line of the log.
#[derive(Debug, Serialize)]
#[serde(tag = "phase", rename_all = "lowercase")]
enum Line<'a> {
    #[serde(rename_all = "camelCase")]
    Start { id: u32, command: &'a str, event: &'a str },
    #[serde(rename_all = "camelCase")]
    End { id: u32, exit_code: Option<i32>, signal: Option<i32>, stdout: &'a str, stderr: &'a str, duration_ms: f64 },
}

pub(crate) fn run(log: &Path, shell: &OsStr, command: &OsStr) -> ExitCode {
    let mut event = Vec::new();
    // A CLI that gives nothing, or closes early, gives what it gave.
    let _ = io::stdin().read_to_end(&mut event);
    let id = std::process::id();
    note(log, &Line::Start { id, command: &command.to_string_lossy(), event: &String::from_utf8_lossy(&event) });
    let start = Instant::now();
    let child = Command::new(shell)
        .arg("-c")
        .arg(command)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let (status, stdout, stderr) = match child.and_then(|child| finish(child, event)) {
        Ok(ended) => ended,
        Err(error) => {
            crate::say(&format!("{}: {error}", shell.display()));
            // What a shell says when it cannot start a program.
            return ExitCode::from(126);
        }
    };
    let duration_ms = start.elapsed().as_secs_f64() * 1000.0;
    note(
        log,
        &Line::End {
            id,
            exit_code: status.code(),
            signal: status.signal(),
            stdout: &String::from_utf8_lossy(&stdout),
            stderr: &String::from_utf8_lossy(&stderr),
            duration_ms,
        },
    );
    code_of(status)
}

/// Feeds the child, passes its streams on as they come, and keeps them.
fn finish(mut child: Child, event: Vec<u8>) -> io::Result<(ExitStatus, Vec<u8>, Vec<u8>)> {
    let stdin = child.stdin.take();
    let feed = thread::spawn(move || {
        if let Some(mut stdin) = stdin {
            // A hook need not read its event.
            let _ = stdin.write_all(&event);
        }
    });
    let stdout = child.stdout.take();
    let stderr = child.stderr.take();
    let out = thread::spawn(move || pass_on(stdout, io::stdout()));
    let err = pass_on(stderr, io::stderr());
    let status = child.wait()?;
    let out = out.join().unwrap_or_default();
    drop(feed);
    Ok((status, out, err))
}

fn pass_on(from: Option<impl Read>, mut to: impl Write) -> Vec<u8> {
    let mut kept = Vec::new();
    let Some(mut from) = from else { return kept };
    let mut chunk = [0; 16 * 1024];
    while let Ok(count @ 1..) = from.read(&mut chunk) {
        kept.extend_from_slice(&chunk[..count]);
        // The CLI may have stopped reading: the hook goes on as it would have with a full pipe.
        let _ = to.write_all(&chunk[..count]).and_then(|()| to.flush());
    }
    kept
}

/// Appends one line in one write, so that hooks that run at the same time do not mix. What cannot be noted is lost: the
/// hook matters more than its record.
fn note(log: &Path, line: &Line<'_>) {
    if let Ok(mut text) = serde_json::to_vec(line) {
        text.push(b'\n');
        let _ = File::options().append(true).create(true).open(log).and_then(|mut file| file.write_all(&text));
    }
}

/// As a shell reports it: a signal is 128 and its number.
fn code_of(status: ExitStatus) -> ExitCode {
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}
