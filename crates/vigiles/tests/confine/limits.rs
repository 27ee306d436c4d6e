//! Processes and bytes.

use std::fs;
use std::time::{Duration, Instant};

use vigiles::process::Command;
use vigiles::process::confine::ConfineLimits;

use crate::support::{Caller, confined, needs_confinement, processes_with, run, stderr, stdout, unconfined};

const SMALL: u64 = 4 << 20;

fn small() -> ConfineLimits {
    ConfineLimits { processes: 40, work_bytes: SMALL, temp_bytes: SMALL, ..ConfineLimits::default() }
}

#[test]
fn processes_are_bounded() {
    needs_confinement!();
    let script = "i=0; while [ $i -lt 200 ]; do sleep 98771.5 & i=$((i+1)); echo $i; done";
    let output = run(Caller::new().confinement().limits(small()), script);
    let started: u32 = stdout(&output).lines().last().unwrap().parse().unwrap();
    assert!((20..=40).contains(&started), "{started}");
    assert!(stderr(&output).to_lowercase().contains("fork"), "{output:?}");
    assert_eq!(processes_with("98771.5"), 0);
    let free = unconfined("i=0; while [ $i -lt 60 ]; do sleep 0.5 & i=$((i+1)); done; echo $i");
    assert_eq!(stdout(&free), "60\n", "unconfined more than the limit start");
}

#[test]
fn a_fork_bomb_is_over_with_the_timeout() {
    needs_confinement!();
    let start = Instant::now();
    let bomb = Command::shell("bomb() { bomb | bomb & }; bomb; sleep 98772.5").timeout(Duration::from_secs(2));
    let output = bomb.confine(Caller::new().confinement().limits(small())).run().unwrap();
    assert!(output.timed_out || output.exit_code != Some(0), "{output:?}");
    assert!(start.elapsed() < Duration::from_secs(30));
    assert_eq!(processes_with("98772.5"), 0);
    // The machine still starts processes.
    assert!(Command::shell("exit 0").run().unwrap().success());
}

#[test]
fn every_run_has_its_own_count() {
    needs_confinement!();
    let caller = Caller::new();
    let script = "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do sleep 2 & done; sleep 1; echo fine";
    let one = || Command::shell(script).timeout(Duration::from_secs(60)).confine(caller.confinement().limits(small()));
    for output in vigiles::process::run_many(&[one(), one(), one()], 3) {
        assert_eq!(stdout(&output.unwrap()), "fine\n");
    }
}

#[test]
fn the_disk_cannot_be_filled() {
    needs_confinement!();
    let caller = Caller::new();
    let script = "for dir in . /tmp /var/tmp \"$HOME\" /dev/shm; do
        for i in 1 2 3; do head -c 3000000 /dev/zero > \"$dir/fill$i\" || echo \"$dir full\"; done
      done 2>/dev/null
      for dir in /dev /root /home /run; do
        { head -c 1000 /dev/zero > $dir/fill; } 2>/dev/null || echo \"$dir closed\"
      done";
    let output = run(caller.confinement().limits(small()), script);
    let seen = stdout(&output);
    for place in [". full", "/tmp full", "/var/tmp full", "/tmp/home full", "/dev/shm full"] {
        assert!(seen.contains(place), "{place}: {output:?}");
    }
    for place in ["/dev closed", "/root closed", "/home closed", "/run closed"] {
        assert!(seen.contains(place), "{place}: {output:?}");
    }
    let free = format!("cd {}; head -c 5000000 /dev/zero > fill; echo $?", caller.elsewhere.path().display());
    assert_eq!(stdout(&unconfined(&free)), "0\n", "unconfined more than the limit fits");
    let entries = fs::read_dir(caller.work.path()).unwrap();
    let bytes: u64 = entries.map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
    assert!(bytes <= SMALL && confined(&output).files_written.len() == 3, "{bytes}");
}

#[test]
fn output_to_a_file_is_bounded_too() {
    needs_confinement!();
    let caller = Caller::new();
    let file = caller.elsewhere.path().join("stdout");
    let command = Command::shell("cat /dev/zero").stdout_file(&file).timeout(Duration::from_secs(60));
    let output = command.confine(caller.confinement().limits(small())).run().unwrap();
    assert!(!output.timed_out && output.exit_code != Some(0), "{output:?}");
    assert_eq!(file.metadata().unwrap().len(), SMALL);
}
