//! What a confined command did to its work directory, and how that comes back.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

use vigiles::process::confine::{ConfineError, ConfineLimits};
use vigiles::process::{ProcessError, run_many};

use crate::support::{Caller, command, confined, needs_confinement, run, stdout};

#[test]
fn changes_are_told_and_brought_back() {
    needs_confinement!();
    let caller = Caller::new();
    for name in ["same", "rewritten", "changed", "removed", "deep/er/removed", "moved"] {
        caller.write(name, "old\n");
    }
    let output = caller.run(
        "echo old > rewritten; touch same; echo new >> changed; rm removed; rm -r deep; mv moved renamed
         mkdir -p made/empty; echo new > made/file; echo gone > tried; rm tried",
    );
    assert_eq!(output.exit_code, Some(0), "{output:?}");
    let confined = confined(&output);
    assert_eq!(confined.files_written, ["changed", "made/file", "renamed"]);
    assert_eq!(confined.files_changed, ["changed"]);
    assert_eq!(confined.files_deleted, ["deep/er/removed", "moved", "removed"]);
    assert_eq!(confined.files_withheld, [""; 0]);
    assert_eq!((confined.egress.as_ref(), confined.egress_dropped), (None, None));
    assert_eq!(caller.read("changed"), "old\nnew\n");
    assert_eq!((caller.read("made/file"), caller.read("renamed")), ("new\n".into(), "old\n".into()));
    assert!(caller.work.path().join("made/empty").is_dir());
    for name in ["removed", "deep", "moved", "tried"] {
        assert!(!caller.has(name), "{name}");
    }
}

#[test]
fn a_command_that_writes_nothing_wrote_nothing() {
    needs_confinement!();
    let caller = Caller::new();
    let path = caller.write("file", "text");
    let before = path.metadata().unwrap();
    let output = caller.run("cat file");
    assert_eq!(stdout(&output), "text");
    assert_eq!(confined(&output).files_written, [""; 0]);
    assert_eq!(path.metadata().unwrap().ino(), before.ino(), "it was not replaced");
    assert_eq!(command("true").run().unwrap().confined, None, "unconfined, nothing is recorded");
}

#[test]
fn modes_and_times_come_in_and_back() {
    needs_confinement!();
    let caller = Caller::new();
    let tool = caller.write("tool.sh", "echo ran\n");
    fs::set_permissions(&tool, fs::Permissions::from_mode(0o744)).unwrap();
    let seconds = tool.metadata().unwrap().mtime();
    let output = caller.run(
        "./tool.sh; stat -c '%a %Y' tool.sh; chmod 600 tool.sh; echo x > new; touch -d @1000000000 new
         echo x > locked; chmod 0 locked; mkdir closed; echo x > closed/file; chmod 0 closed",
    );
    assert_eq!(stdout(&output), format!("ran\n744 {seconds}\n"), "{output:?}");
    assert_eq!(confined(&output).files_written, ["closed/file", "locked", "new"], "a mode is no content");
    let mode = |name: &str| caller.work.path().join(name).metadata().unwrap().permissions().mode() & 0o7777;
    assert_eq!((mode("tool.sh"), mode("locked"), mode("closed")), (0o600, 0, 0));
    assert_eq!(caller.work.path().join("new").metadata().unwrap().mtime(), 1_000_000_000);
    fs::set_permissions(caller.work.path().join("closed"), fs::Permissions::from_mode(0o755)).unwrap();
    assert!(caller.has("closed/file"));
}

#[test]
fn what_comes_back_belongs_to_the_caller() {
    needs_confinement!();
    let caller = Caller::new();
    caller.run("echo x > file; mkdir directory; ln -s file link");
    let owner = |name: &str| {
        let metadata = caller.work.path().join(name).symlink_metadata().unwrap();
        (metadata.uid(), metadata.gid())
    };
    let own = caller.work.path().metadata().unwrap();
    for name in ["file", "directory", "link"] {
        assert_eq!(owner(name), (own.uid(), own.gid()), "{name}");
    }
}

#[test]
fn names_may_be_anything() {
    needs_confinement!();
    let caller = Caller::new();
    caller.write("a b/ü\n'", "old");
    let output = caller.run(
        "printf x > \"$(printf 'raw\\377')\"; for file in a*/*; do echo new > \"$file\"; done; echo x > -n; echo x > .vigiles-0",
    );
    assert_eq!(confined(&output).files_written, ["-n", ".vigiles-0", "a b/ü\n'", "raw\u{fffd}"], "{output:?}");
    assert!(caller.work.path().join(OsStr::from_bytes(b"raw\xff")).exists());
    assert_eq!(caller.read(".vigiles-0"), "x\n");
    assert_eq!(fs::read_dir(caller.work.path()).unwrap().count(), 4);
}

#[test]
fn runs_at_the_same_time_see_their_own_changes_only() {
    needs_confinement!();
    let caller = Caller::new();
    caller.write("shared", "0\n");
    let one = |number: u32| {
        command(&format!("echo {number} > own-{number}; echo same > shared; sleep 0.2")).confine(caller.confinement())
    };
    let commands: Vec<_> = (0..4).map(one).collect();
    for (number, output) in run_many(&commands, 4).into_iter().enumerate() {
        let output = output.unwrap();
        assert!(confined(&output).files_written.contains(&format!("own-{number}")), "{output:?}");
        let others = (0..4).filter(|other| *other != number).map(|other| format!("own-{other}"));
        assert!(others.into_iter().all(|other| !confined(&output).files_written.contains(&other)), "{output:?}");
    }
    assert_eq!(caller.read("shared"), "same\n");
    assert_eq!(fs::read_dir(caller.work.path()).unwrap().count(), 5, "and nothing half-written");
}

fn size_error(error: &ProcessError) -> (&'static str, &'static str) {
    let ProcessError::Confine(ConfineError::Size { unit, option, .. }) = error else { unreachable!("{error:?}") };
    assert_eq!(error.code(), "VIGILES_CONFINE_SIZE");
    (unit, option)
}

#[test]
fn a_directory_that_is_too_large_is_refused_before_anything_runs() {
    needs_confinement!();
    let caller = Caller::new();
    caller.write("large", &"x".repeat(20_000));
    let limits = ConfineLimits { work_bytes: 10_000, ..ConfineLimits::default() };
    let marker = caller.elsewhere.path().join("ran");
    let script = format!("echo > {}", marker.display());
    let confinement = caller.confinement().bind(caller.elsewhere.path());
    let error = command(&script).confine(confinement.clone().limits(limits)).run().unwrap_err();
    assert_eq!(size_error(&error), ("bytes", "workBytes"));
    let limits = ConfineLimits { entries: 0, ..ConfineLimits::default() };
    let error = command(&script).confine(confinement.clone().limits(limits)).run().unwrap_err();
    assert_eq!(size_error(&error), ("entries", "entries"));
    assert!(!marker.exists());
    command(&script).confine(confinement).run().unwrap();
    assert!(marker.exists());
}

#[test]
fn what_is_left_must_fit_too() {
    needs_confinement!();
    let caller = Caller::new();
    let limits = ConfineLimits { work_bytes: 1 << 20, entries: 100, ..ConfineLimits::default() };
    let run = |script: &str| command(script).confine(caller.confinement().limits(limits)).run();
    // Holes take no space in memory, but would on the caller's disk.
    let error = run("for i in 1 2 3; do truncate -s 900000 hole$i; done").unwrap_err();
    assert_eq!(size_error(&error), ("bytes", "workBytes"));
    let error = run("i=0; while [ $i -lt 200 ]; do : > f$i; i=$((i+1)); done").unwrap_err();
    assert_eq!(size_error(&error), ("entries", "entries"));
    assert_eq!(fs::read_dir(caller.work.path()).unwrap().count(), 0);
}

#[test]
fn other_directories_are_copied_the_same_way() {
    needs_confinement!();
    let caller = Caller::new();
    let config = tempfile::tempdir().unwrap();
    fs::write(config.path().join("settings"), "a").unwrap();
    let script = format!("cd {}; cat settings; echo session > log", config.path().display());
    let output = run(caller.confinement().copied(config.path()), &script);
    assert_eq!(stdout(&output), "a");
    assert_eq!(confined(&output).files_written, [""; 0], "only the work directory is told");
    assert_eq!(fs::read_to_string(config.path().join("log")).unwrap(), "session\n");
}
