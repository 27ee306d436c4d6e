//! What a confined command tries and must not get done. Each try is shown to work unconfined where that is harmless.

use std::fs::{self, File};
use std::io::Read;
use std::net::TcpListener;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::process::{Command as StdCommand, Stdio};

use rustix::io::FdFlags;

use crate::support::{Caller, confined, needs_confinement, run, stderr, stdout, unconfined};

const SECRET: &str = "sk-do-not-tell-8d1f";

#[test]
fn the_callers_home_cannot_be_read() {
    needs_confinement!();
    let caller = Caller::new();
    let key = caller.write_elsewhere("home/.ssh/id_ed25519", SECRET);
    let home = caller.elsewhere.path().join("home");
    let script = format!("cat {}; ls -A {}", key.display(), home.display());
    assert!(stdout(&unconfined(&script)).contains(SECRET));
    let output = run(caller.confinement().hide(&home), &script);
    assert_eq!(stdout(&output), "");
    assert!(stderr(&output).contains("No such file"), "{output:?}");
}

#[test]
fn homes_and_temporary_files_of_everybody_are_hidden() {
    needs_confinement!();
    let caller = Caller::new();
    let own = caller.work.path().file_name().unwrap().to_str().unwrap().to_owned();
    let output =
        caller.run("for dir in /root /home /run /mnt /media /var/tmp /tmp /dev/shm \"$HOME\"; do ls -A \"$dir\"; done");
    let seen = stdout(&output);
    // The work directory stands in `/tmp`.
    let others: Vec<&str> = seen.lines().filter(|name| *name != own && *name != "home").collect();
    assert!(others.is_empty(), "{others:?}");
}

#[test]
fn the_callers_environment_cannot_be_read() {
    needs_confinement!();
    let mut other = StdCommand::new("sleep").arg("100").env("API_KEY", SECRET).stdin(Stdio::null()).spawn().unwrap();
    let script = "cat /proc/*/environ | tr '\\0' '\\n'";
    let seen = stdout(&unconfined(script));
    let output = Caller::new().run(&format!("{script}; env"));
    other.kill().unwrap();
    other.wait().unwrap();
    assert!(seen.contains(SECRET), "the caller sees it");
    let confined = stdout(&output);
    assert!(!confined.contains(SECRET), "{confined}");
    let known = ["PATH", "HOME", "TMPDIR", "PWD", "OLDPWD", "_", "SHLVL"];
    let unknown = confined.lines().filter_map(|line| line.split_once('=')).find(|(name, _)| !known.contains(name));
    assert_eq!(unknown, None, "{confined}");
}

#[test]
fn nothing_can_be_written_outside() {
    needs_confinement!();
    let caller = Caller::new();
    let file = caller.write_elsewhere("file", "before");
    let new = caller.elsewhere.path().join("new");
    let script = format!(
        "echo after > {}; touch {} /etc/vigiles-test /usr/vigiles-test /vigiles-test /dev/vigiles-test; rm {}",
        file.display(),
        new.display(),
        file.display()
    );
    let output = caller.run(&script);
    assert_ne!(output.exit_code, Some(0));
    assert_eq!(fs::read_to_string(&file).unwrap(), "before");
    let harmless = format!("echo after > {}; touch {}", file.display(), new.display());
    unconfined(&harmless);
    assert!(fs::read_to_string(&file).unwrap() == "after\n" && new.exists(), "the caller may");
    fs::remove_file(&new).unwrap();
    assert!(stderr(&output).contains("Read-only file system"), "{output:?}");
    for path in [new.to_str().unwrap(), "/etc/vigiles-test", "/usr/vigiles-test", "/vigiles-test", "/dev/vigiles-test"]
    {
        assert!(fs::symlink_metadata(path).is_err(), "{path}");
    }
}

#[test]
fn temporary_files_are_gone_afterwards() {
    needs_confinement!();
    let name = "vigiles-confined-temporary";
    let output =
        Caller::new().run(&format!("for dir in /tmp /var/tmp /dev/shm $HOME; do echo x > $dir/{name} || exit; done"));
    assert_eq!(output.exit_code, Some(0), "{output:?}");
    for directory in ["/tmp", "/var/tmp", "/dev/shm"] {
        assert!(fs::symlink_metadata(format!("{directory}/{name}")).is_err(), "{directory}");
    }
}

#[test]
fn no_connection_goes_out() {
    needs_confinement!();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let script = format!("exec bash -c 'exec 3<>/dev/tcp/127.0.0.1/{port} && echo connected'");
    assert_eq!(stdout(&unconfined(&script)), "connected\n");
    listener.accept().unwrap();
    let output = Caller::new().run(&script);
    assert_eq!(stdout(&output), "");
    assert!(stderr(&output).contains("Connection refused"), "{output:?}");
    assert!(listener.accept().is_err());
}

/// Not a test of its own: the part of the next one that runs confined.
#[test]
fn connect_to_abstract_socket() {
    let Some(name) = std::env::var_os("VIGILES_TEST_ABSTRACT") else { return };
    let address = SocketAddr::from_abstract_name(name.as_encoded_bytes()).unwrap();
    match UnixStream::connect_addr(&address) {
        Ok(_) => eprintln!("CONNECTED"),
        Err(error) => eprintln!("NOT CONNECTED: {error}"),
    }
}

#[test]
fn abstract_sockets_are_of_another_network() {
    needs_confinement!();
    let name = format!("vigiles-test-{}", std::process::id());
    let _listener = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
    let program = std::env::current_exe().unwrap();
    let script = format!(
        "VIGILES_TEST_ABSTRACT={name} {} --exact escapes::connect_to_abstract_socket --nocapture",
        program.display()
    );
    assert!(
        stderr(&unconfined(&script)).contains("\nCONNECTED") || stderr(&unconfined(&script)).starts_with("CONNECTED")
    );
    let output = run(Caller::new().confinement().bind_ro(program), &script);
    assert!(stderr(&output).contains("NOT CONNECTED"), "{output:?}");
}

#[test]
fn no_process_outside_can_be_seen_or_signalled() {
    needs_confinement!();
    let mut other = StdCommand::new("sleep").arg("100").stdin(Stdio::null()).spawn().unwrap();
    let (own, other_pid) = (std::process::id(), other.id());
    let look = "ls /proc/$pid/root >/dev/null && echo root; cat /proc/$pid/environ && echo environ; kill -CONT $pid && echo signalled";
    // What lets a process read these files lets it trace, too.
    let seen = stdout(&unconfined(&format!("pid={other_pid}; {look}")));
    assert!(["root", "environ", "signalled"].iter().all(|done| seen.contains(done)), "the caller may: {seen}");
    let output = Caller::new().run(&format!(
        "for pid in {own} {other_pid}; do
           kill -9 $pid && echo killed; kill -STOP $pid && echo stopped; head -c1 /proc/$pid/mem && echo mem; {look}
         done
         ls -d /proc/[0-9]* | wc -l
         kill -9 -1; echo alive"
    ));
    assert!(other.try_wait().unwrap().is_none(), "it still runs");
    other.kill().unwrap();
    other.wait().unwrap();
    let seen = stdout(&output);
    for done in ["killed", "stopped", "signalled", "environ", "mem", "root"] {
        assert!(!seen.contains(done), "{done}: {output:?}");
    }
    let processes: u32 = seen.lines().next().unwrap().trim().parse().unwrap();
    assert!(processes < 10, "{output:?}");
}

#[test]
fn the_first_process_of_its_namespace_holds() {
    needs_confinement!();
    let output = Caller::new().run("kill -9 1; cat /proc/1/environ; head -c1 /proc/1/mem; sleep 0.1; echo alive");
    assert_eq!(stdout(&output), "alive\n", "{output:?}");
}

#[test]
fn it_has_no_rights_and_gets_none() {
    needs_confinement!();
    let output = Caller::new().run(
        "id -u; id -g; grep -E '^(Cap(Eff|Prm|Inh|Bnd|Amb)|NoNewPrivs)' /proc/self/status
         mount -t tmpfs none /mnt 2>/dev/null && echo mounted
         unshare --user --map-root-user true 2>/dev/null && echo user-namespace
         cat /etc/shadow 2>/dev/null && echo shadow
         chroot / true 2>/dev/null && echo chroot; true",
    );
    let seen = stdout(&output);
    let mut lines = seen.lines();
    assert_eq!((lines.next(), lines.next()), (Some("1000"), Some("1000")), "{seen}");
    let rest: Vec<&str> = lines.collect();
    assert_eq!(rest.len(), 6, "{seen}");
    assert!(rest.contains(&"NoNewPrivs:\t1"), "{seen}");
    assert!(
        rest.iter().filter(|line| line.starts_with("Cap")).all(|line| line.ends_with("\t0000000000000000")),
        "{seen}"
    );
}

#[test]
fn it_inherits_no_open_file() {
    needs_confinement!();
    let caller = Caller::new();
    let path = caller.write_elsewhere("inherited", SECRET);
    let file = File::open(&path).unwrap();
    // What a shell or a test runner may have left open for its children.
    rustix::io::fcntl_setfd(&file, FdFlags::empty()).unwrap();
    let script = "ls -l /proc/self/fd; for fd in /proc/self/fd/*; do case $fd in */[012]) ;; *) cat $fd;; esac; done 2>/dev/null";
    let output = run(caller.confinement().hide(caller.elsewhere.path()), script);
    let seen = stdout(&output);
    assert!(!seen.contains("inherited") && !seen.contains(SECRET), "{seen}");
    let mut still = String::new();
    (&file).read_to_string(&mut still).unwrap();
    assert_eq!(still, SECRET, "the caller's own file stays open");
}

#[test]
fn signals_of_its_own_do_not_reach_the_caller() {
    needs_confinement!();
    let output = Caller::new().run("kill -9 0");
    assert_ne!(output.exit_code, Some(0));
    assert_eq!(confined(&output).files_written, [""; 0]);
}
