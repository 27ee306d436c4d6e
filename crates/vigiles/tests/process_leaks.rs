//! No run leaves a file descriptor or a zombie behind. The only test of its binary: others at the same time would have
//! descriptors and children of their own.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{WaitOptions, wait};
use vigiles::process::{Command, run_many};

fn open_descriptors() -> usize {
    fs::read_dir("/dev/fd").unwrap().count()
}

#[test]
fn runs_leave_no_descriptor_and_no_child() {
    let sh = |script: &str| Command::shell(script).env("PATH", "/usr/bin:/bin");
    let kinds = [
        sh("cat").stdin("event"),
        sh("exit 3").stdin(vec![0; 1 << 20]),
        sh("kill -9 $$"),
        sh("sleep 100 & sleep 100").timeout(Duration::from_millis(50)),
        sh("sleep 100 & exit 0"),
        Command::argv(["/no/such/program"]).stdin(vec![0; 1 << 20]),
        sh("true").env("HUGE", "x".repeat(4 << 20)),
        sh("true").cwd("/no/such/directory"),
        sh("a\0b"),
    ];
    let commands: Vec<_> = kinds.iter().cycle().take(kinds.len() * 8).cloned().collect();

    let before = open_descriptors();
    let outcomes = run_many(&commands, 8);
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 6 * 8);
    assert_eq!(open_descriptors(), before);

    // A killed command that was slow to die is reaped in the background.
    let start = Instant::now();
    while !matches!(wait(WaitOptions::NOHANG), Err(Errno::CHILD)) {
        assert!(start.elapsed() < Duration::from_secs(20), "a child is left, or a zombie of one");
        std::thread::sleep(Duration::from_millis(5));
    }
}
