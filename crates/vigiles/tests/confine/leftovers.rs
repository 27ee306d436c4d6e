//! What a command leaves in its work directory to do harm later, and processes that it leaves.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::time::{Duration, Instant};

use vigiles::process::Command;

use crate::support::{
    Caller, confined, end_processes_with, needs_confinement, processes_with, run, stderr, stdout, unconfined,
};

#[test]
fn no_grandchild_survives() {
    needs_confinement!();
    unconfined("setsid sleep 98760.5 >/dev/null 2>&1 </dev/null & sleep 0.2");
    assert_eq!(processes_with("98760.5"), 1, "unconfined one does");
    end_processes_with("98760.5");
    let start = Instant::now();
    let output = Caller::new().run(
        "setsid sleep 98761.5 &
         (setsid nohup sh -c 'sleep 98762.5 & sleep 98763.5' >/dev/null 2>&1 &)
         (trap '' TERM HUP INT; exec sleep 98764.5 </dev/null >/dev/null 2>&1) &
         sleep 0.2; ps ax 2>/dev/null | grep -c '[9]876'; echo done",
    );
    assert_eq!(output.exit_code, Some(0), "{output:?}");
    assert!(stdout(&output).ends_with("done\n"));
    assert!(start.elapsed() < Duration::from_secs(30), "{output:?}");
    for word in ["98761.5", "98762.5", "98763.5", "98764.5"] {
        assert_eq!(processes_with(word), 0, "{word}");
    }
}

#[test]
fn a_timeout_ends_all_of_it() {
    needs_confinement!();
    let command = Command::shell("echo started; setsid sleep 98765.5 & trap '' TERM; sleep 98766.5")
        .timeout(Duration::from_secs(1));
    let output = command.confine(Caller::new().confinement()).run().unwrap();
    assert!(output.timed_out);
    assert_eq!(stdout(&output), "started\n");
    assert_eq!(processes_with("98765.5") + processes_with("98766.5"), 0);
}

#[test]
fn links_out_are_not_brought_back() {
    needs_confinement!();
    let caller = Caller::new();
    let secret = caller.write_elsewhere("secret", "secret");
    let output = caller.run(&format!(
        "mkdir -p sub; echo inner > sub/file
         ln -s {secret} absolute; ln -s ../../../../etc/passwd up; ln -s . here; ln -s here/here/../.. winding
         ln -s /proc/self/root/etc magic; ln -s absolute chained; ln -s ../nowhere dangling-up
         ln -s sub/file inside; ln -s nowhere dangling; ln -s ../sub sub/back",
        secret = secret.display()
    ));
    let confined = confined(&output);
    let out = ["absolute", "chained", "dangling-up", "magic", "up", "winding"];
    assert_eq!(confined.files_withheld, out, "{output:?}");
    unconfined(&format!("cd {}; ln -s /etc/passwd left", caller.work.path().display()));
    assert!(caller.has("left"), "unconfined it stays");
    for name in out {
        assert!(!caller.has(name), "{name}");
        assert!(confined.files_written.iter().any(|written| written == name), "told all the same: {name}");
    }
    assert_eq!(caller.read("inside"), "inner\n");
    assert_eq!(caller.read("sub/back/file"), "inner\n");
    assert_eq!(fs::read_link(caller.work.path().join("dangling")).unwrap().to_str(), Some("nowhere"));
}

#[test]
fn nothing_is_written_through_a_link_of_the_callers() {
    needs_confinement!();
    let caller = Caller::new();
    let outside = caller.write_elsewhere("outside", "before");
    symlink(&outside, caller.work.path().join("soft")).unwrap();
    symlink(&outside, caller.work.path().join("replaced")).unwrap();
    symlink(caller.elsewhere.path(), caller.work.path().join("directory")).unwrap();
    // A hard link needs the same file system.
    let hard = tempfile::tempdir().unwrap();
    fs::write(hard.path().join("linked"), "before").unwrap();
    fs::hard_link(hard.path().join("linked"), caller.work.path().join("hard")).unwrap();

    let output = caller.run(
        "echo pwned > soft; echo pwned > directory/new
         rm replaced; echo mine > replaced
         echo mine > hard
         rm directory; mkdir directory; echo mine > directory/outside",
    );
    assert_eq!(fs::read_to_string(&outside).unwrap(), "before", "{output:?}");
    assert_eq!(fs::read_to_string(hard.path().join("linked")).unwrap(), "before");
    assert!(!caller.elsewhere.path().join("new").exists());
    assert_eq!((caller.read("replaced"), caller.read("hard")), ("mine\n".into(), "mine\n".into()));
    assert_eq!(caller.read("directory/outside"), "mine\n");
    assert!(caller.work.path().join("soft").is_symlink());
    assert_eq!(confined(&output).files_written, ["directory/outside", "hard", "replaced"]);
    assert_eq!(confined(&output).files_deleted, ["directory"], "a link was there, a directory is");
    unconfined(&format!("cd {}; echo pwned > soft", caller.work.path().display()));
    assert_eq!(fs::read_to_string(&outside).unwrap(), "pwned\n", "unconfined it is");
}

#[test]
fn a_directory_that_becomes_a_link_is_not_followed() {
    needs_confinement!();
    let caller = Caller::new();
    caller.write("sub/file", "old");
    let outside = caller.write_elsewhere("file", "before");
    let output = caller.run(&format!("rm -r sub; ln -s {} sub", caller.elsewhere.path().display()));
    assert_eq!(confined(&output).files_withheld, ["sub"]);
    assert_eq!(confined(&output).files_deleted, ["sub/file"]);
    assert!(!caller.has("sub"));
    assert_eq!(fs::read_to_string(outside).unwrap(), "before");
}

#[test]
fn nothing_is_read_through_a_link() {
    needs_confinement!();
    let caller = Caller::new();
    let secret = caller.write_elsewhere("home/key", "secret");
    symlink(&secret, caller.work.path().join("key")).unwrap();
    let output = run(caller.confinement().hide(caller.elsewhere.path().join("home")), "cat key; ln /etc/passwd hard");
    assert_eq!(stdout(&output), "");
    let free =
        format!("cd {}; cat key; ln {} hard", caller.work.path().display(), caller.work.path().join("own").display());
    caller.write("own", "own");
    assert_eq!(stdout(&unconfined(&free)), "secret", "the caller may");
    fs::remove_file(caller.work.path().join("hard")).unwrap();
    let said = stderr(&output);
    assert!(
        said.contains("No such file") && (said.contains("cross-device") || said.contains("not permitted")),
        "{said}"
    );
    assert!(!caller.has("hard"));
}

#[test]
fn what_is_no_file_stays_behind() {
    needs_confinement!();
    let caller = Caller::new();
    let output =
        caller.run("mkfifo pipe; echo '#!/bin/sh' > tool; chmod 6755 tool; mknod device c 1 3 2>/dev/null; true");
    assert_eq!(confined(&output).files_withheld, ["pipe"]);
    assert!(!caller.has("pipe") && !caller.has("device"));
    let mode = caller.work.path().join("tool").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o7777, 0o755, "without set-user-ID");
}
