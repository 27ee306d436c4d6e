//! A recorded hook does what it would have done alone.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn record(log: &Path, command: &str, event: &[u8]) -> Output {
    run(Command::new(env!("CARGO_BIN_EXE_vigiles-hook")).arg("record").arg(log).args(["/bin/sh", command]), event)
}

fn alone(command: &str, event: &[u8]) -> Output {
    run(Command::new("/bin/sh").args(["-c", command]), event)
}

fn run(command: &mut Command, event: &[u8]) -> Output {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A command that reads nothing closes the pipe.
    let _ = child.stdin.take().unwrap().write_all(event);
    child.wait_with_output().unwrap()
}

fn lines(log: &Path) -> Vec<Value> {
    fs::read_to_string(log).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn streams_input_and_exit_code_are_those_of_the_command() {
    let dir = tempfile::tempdir().unwrap();
    // More than a pipe holds.
    let long = vec![b'x'; 300_000];
    for (command, event) in [
        ("cat", "an event".as_bytes()),
        ("cat >&2; exit 2", b"no"),
        ("exit 1", b""),
        ("printf '\\377\\376'", b""),
        ("no-such-command", b""),
        ("head -c 3000000 /dev/zero", b""),
        ("exec <&-; echo closed", &long),
    ] {
        let (seen, expected) = (record(&dir.path().join("log"), command, event), alone(command, event));
        assert_eq!(seen.status.code(), expected.status.code(), "{command}");
        assert_eq!((seen.stdout, seen.stderr), (expected.stdout, expected.stderr), "{command}");
    }
}

#[test]
fn a_signal_is_told_as_a_shell_tells_it() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("log");
    assert_eq!(record(&log, "kill -9 $$", b"").status.code(), Some(137));
    assert_eq!(lines(&log)[1]["signal"], 9);
}

#[test]
fn the_log_tells_what_happened() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("log");
    record(&log, "echo out; echo err >&2; exit 3", b"{\"tool_name\":\"Bash\"}");
    let [start, end] = lines(&log).try_into().unwrap();
    assert_eq!(start["command"], "echo out; echo err >&2; exit 3");
    assert_eq!(start["event"], "{\"tool_name\":\"Bash\"}");
    assert_eq!((&start["id"], &end["exitCode"]), (&end["id"], &3.into()));
    assert_eq!((&end["stdout"], &end["stderr"]), (&"out\n".into(), &"err\n".into()));
    assert!(end["durationMs"].as_f64().unwrap() > 0.0);
}

#[test]
fn many_at_once_do_not_mix() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("log");
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| record(&log, "head -c 20000 /dev/zero | tr '\\0' x", b"{}"));
        }
    });
    assert_eq!(lines(&log).len(), 32);
}

#[test]
fn a_log_that_cannot_be_written_changes_nothing() {
    let seen = record(Path::new("/no/such/directory/log"), "cat; exit 2", b"an event");
    assert_eq!((seen.status.code(), seen.stdout.as_slice()), (Some(2), b"an event".as_slice()));
}

#[test]
fn wrong_arguments_are_no_refusal_of_a_hook() {
    let output = run(&mut Command::new(env!("CARGO_BIN_EXE_vigiles-hook")), b"");
    assert_eq!(output.status.code(), Some(64));
}
