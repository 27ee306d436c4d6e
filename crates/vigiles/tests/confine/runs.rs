//! A confined run is a run like any other.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::thread;
use std::time::Duration;

use vigiles::process::confine::{ConfineError, Confinement, Listen};
use vigiles::process::{Command, ProcessError};

use crate::support::{Caller, command, confined, helper, needs_confinement, processes_with, run, skip, stderr, stdout};

#[test]
fn streams_and_exit_code_are_the_commands() {
    needs_confinement!();
    let caller = Caller::new();
    let run = command("cat; echo careful >&2; exit 3").stdin("an event").confine(caller.confinement()).run().unwrap();
    assert_eq!((stdout(&run).as_str(), stderr(&run).as_str()), ("an event", "careful\n"));
    assert_eq!((run.exit_code, run.signal, run.launched, run.timed_out), (Some(3), None, true, false));
    assert_eq!(command("kill -9 $$").confine(caller.confinement()).run().unwrap().exit_code, Some(128 + 9));
}

#[test]
fn an_input_larger_than_a_pipe_arrives() {
    needs_confinement!();
    let input = "x".repeat(3_000_000);
    let output = command("wc -c").stdin(input).confine(Confinement::without_work_dir()).run().unwrap();
    assert_eq!(stdout(&output).trim(), "3000000");
}

#[test]
fn a_program_is_found_inside_or_refused_as_by_a_shell() {
    needs_confinement!();
    let caller = Caller::new();
    caller.write("script", "echo \"$1\"");
    fs::set_permissions(caller.work.path().join("script"), fs::Permissions::from_mode(0o755)).unwrap();
    caller.write("text", "no program");
    let run = |argv: &[&str]| Command::argv(argv.iter().copied()).confine(caller.confinement()).run().unwrap();
    assert_eq!(stdout(&run(&["./script", "a  b"])), "a  b\n");
    assert_eq!(stdout(&run(&["printf", "%s|", "", "$HOME", "*"])), "|$HOME|*|");
    let missing = run(&["no-such-program"]);
    assert_eq!((missing.exit_code, missing.launched), (Some(127), false), "{missing:?}");
    assert!(stderr(&missing).contains("no-such-program: command not found"), "{missing:?}");
    let closed = run(&["./text"]);
    assert_eq!((closed.exit_code, closed.launched), (Some(126), false), "{closed:?}");
    assert!(stderr(&closed).contains("chmod +x"), "{closed:?}");
}

#[test]
fn it_works_where_it_is_told() {
    needs_confinement!();
    let caller = Caller::new();
    caller.write("sub/file", "text");
    let path = caller.work.path().canonicalize().unwrap();
    assert_eq!(stdout(&caller.run("pwd")), format!("{}\n", path.display()));
    let output =
        command("pwd; cat file; echo x > new").cwd(path.join("sub")).confine(caller.confinement()).run().unwrap();
    assert_eq!(stdout(&output), format!("{}/sub\ntext", path.display()));
    assert_eq!(confined(&output).files_written, ["sub/new"]);
    // Below a directory that stands in a hidden one, and is its owner's alone.
    let deep = caller.work.path().join("a/b");
    fs::create_dir_all(&deep).unwrap();
    fs::set_permissions(deep.parent().unwrap(), fs::Permissions::from_mode(0o700)).unwrap();
    let output = run(Confinement::new(&deep), "echo x > new; pwd");
    assert_eq!(stdout(&output), format!("{}\n", deep.canonicalize().unwrap().display()), "{output:?}");
    assert!(deep.join("new").exists());
    let output = run(Confinement::without_work_dir(), "ls -A; echo x > file; echo $HOME; ls -A $HOME");
    assert_eq!(stdout(&output), "/tmp/home\n");
    assert_eq!(confined(&output).files_written, ["file"]);
}

#[test]
fn variables_are_those_that_it_is_given() {
    needs_confinement!();
    let confinement = Confinement::without_work_dir().env("B", "2 $x").env("C", "");
    let command = command("echo \"$A|$B|$C|$HOME\"").env("A", "1").env("B", "lost").env("HOME", "/elsewhere");
    assert_eq!(stdout(&command.confine(confinement).run().unwrap()), "1|2 $x||/elsewhere\n");
}

#[test]
fn paths_can_be_shown() {
    needs_confinement!();
    let caller = Caller::new();
    let shown = caller.write_elsewhere("hidden/tools/tool", "tool");
    let hidden = caller.elsewhere.path().join("hidden");
    let open = hidden.join("open");
    fs::create_dir(&open).unwrap();
    fs::set_permissions(&open, fs::Permissions::from_mode(0o777)).unwrap();
    fs::write(hidden.join("other"), "secret").unwrap();
    let script = format!(
        "cat {tool}; ls {hidden}; echo x > {tool}; echo written > {open}/file",
        tool = shown.display(),
        hidden = hidden.display(),
        open = open.display()
    );
    let confinement = caller.confinement().hide(&hidden).bind_ro(hidden.join("tools")).bind(&open);
    let output = run(confinement, &script);
    assert_eq!(stdout(&output), "toolopen\ntools\n", "{output:?}");
    assert_eq!(fs::read_to_string(&shown).unwrap(), "tool");
    assert_eq!(fs::read_to_string(open.join("file")).unwrap(), "written\n");
}

#[test]
fn what_is_lent_can_be_written_and_stays_as_it_is() {
    needs_confinement!();
    let caller = Caller::new();
    let plugin = tempfile::tempdir().unwrap();
    fs::write(plugin.path().join("hook"), "of the caller").unwrap();
    fs::set_permissions(plugin.path().join("hook"), fs::Permissions::from_mode(0o600)).unwrap();
    let script = format!("cd {}; cat hook; echo x > hook && echo y > new && cat new", plugin.path().display());
    let output = run(caller.confinement().lent(plugin.path()), &script);
    assert_eq!(stdout(&output), "of the callery\n", "{output:?}");
    assert_eq!(fs::read_to_string(plugin.path().join("hook")).unwrap(), "of the caller");
    assert!(!plugin.path().join("new").exists());
    assert_eq!(confined(&output).files_written, [""; 0]);
}

#[test]
fn a_project_in_a_hidden_home_is_shown_and_the_home_is_not() {
    needs_confinement!();
    let caller = Caller::new();
    for (name, mode) in [("open", 0o755), ("closed", 0o700)] {
        let file = caller.write_elsewhere(&format!("home/{name}/hook"), name);
        fs::set_permissions(file.parent().unwrap(), fs::Permissions::from_mode(mode)).unwrap();
    }
    caller.write_elsewhere("home/.netrc", "secret");
    let home = caller.elsewhere.path().join("home");
    let script =
        format!("cat {home}/open/hook {home}/closed/hook; ls -A {home}; cat {home}/.netrc", home = home.display());
    let confinement = caller.confinement().hide(&home).show(home.join("open")).show(home.join("closed")).show(&home);
    let output = run(confinement, &script);
    assert_eq!(stdout(&output), "openclosedclosed\nopen\n", "{output:?}");
}

#[test]
fn what_is_shown_in_the_work_directory_is_no_part_of_it() {
    needs_confinement!();
    let caller = Caller::new();
    caller.write("file", "text");
    caller.write("nested/shown/tool", "tool");
    fs::write(caller.work.path().join("nested/more"), "more").unwrap();
    let confinement = caller.confinement().bind_ro(caller.work.path().join("nested/shown"));
    let output = run(confinement, "cat nested/shown/tool nested/more; echo new > file");
    assert_eq!(stdout(&output), "toolmore", "{output:?}");
    assert_eq!(confined(&output).files_written, ["file"]);
    assert_eq!(confined(&output).files_deleted, [""; 0]);
    assert_eq!(caller.read("nested/shown/tool"), "tool");
}

#[test]
fn a_unix_socket_can_be_shown() {
    needs_confinement!();
    let caller = Caller::new();
    // In a directory of its owner's, which may not be the command.
    let directory = caller.elsewhere.path().join("private/run");
    fs::create_dir_all(&directory).unwrap();
    fs::set_permissions(directory.parent().unwrap(), fs::Permissions::from_mode(0o700)).unwrap();
    let path = directory.join("server.sock");
    let listener = UnixListener::bind(&path).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).unwrap();
    let server = thread::spawn(move || listener.accept().unwrap().0.write_all(b"hello").unwrap());
    let program = std::env::current_exe().unwrap();
    let script =
        format!("VIGILES_TEST_SOCKET={} {} --exact runs::read_socket --nocapture", path.display(), program.display());
    let confinement = caller.confinement().hide(caller.elsewhere.path()).bind_ro(&program).bind(&path);
    let output = run(confinement, &script);
    assert!(stderr(&output).contains("read: hello"), "{output:?}");
    server.join().unwrap();
}

/// Not a test of its own: the part of the one above that runs confined.
#[test]
fn read_socket() {
    let Some(path) = std::env::var_os("VIGILES_TEST_SOCKET") else { return };
    let mut text = String::new();
    UnixStream::connect(path).unwrap().read_to_string(&mut text).unwrap();
    eprintln!("read: {text}");
}

#[test]
fn a_server_of_the_callers_can_stand_on_its_loopback() {
    needs_confinement!();
    let serve = Listen::new(|listener: TcpListener| {
        thread::spawn(move || listener.accept().unwrap().0.write_all(b"from outside\n").unwrap());
        Ok(())
    });
    let mut confinement = Confinement::without_work_dir().listen(8099, serve);
    if let Some(helper) = helper() {
        confinement = confinement.listen_helper(helper);
    }
    match command("exec bash -c 'cat < /dev/tcp/127.0.0.1/8099'").confine(confinement).run() {
        Ok(output) => assert_eq!(stdout(&output), "from outside\n", "{output:?}"),
        Err(error) => {
            assert!(!rustix::process::geteuid().is_root(), "{error}");
            assert_eq!(error.code(), "VIGILES_CONFINE_EGRESS_UNAVAILABLE");
            skip(&format!("only root needs no helper: {error}"), "no program is missing");
        }
    }
}

fn path_error(confinement: Confinement) -> String {
    match command("true").confine(confinement).run().unwrap_err() {
        ProcessError::Confine(error @ ConfineError::Path { .. }) => error.to_string(),
        other => unreachable!("{other:?}"),
    }
}

#[test]
fn paths_that_cannot_be_are_refused() {
    needs_confinement!();
    let caller = Caller::new();
    let work = || caller.confinement();
    for (confinement, said) in [
        (Confinement::new("relative"), "not absolute"),
        (Confinement::new("/no/such/directory"), "No such file"),
        (Confinement::new("/etc/passwd"), "not a directory"),
        (Confinement::new("/"), "which is hidden"),
        (Confinement::new("/tmp"), "which is hidden"),
        (work().hide("relative"), "not absolute"),
        (work().hide("/"), "HOME"),
        (work().hide(caller.work.path()), "which is hidden"),
        (work().bind_ro("/no/such/file"), "No such file"),
        (work().bind("relative"), "not absolute"),
        (work().copied(caller.work.path()), "overlaps"),
    ] {
        let message = path_error(confinement);
        assert!(message.contains(said) && message.ends_with("Nothing was run"), "{said}: {message}");
    }
}

#[test]
fn nothing_is_left_of_many_runs() {
    needs_confinement!();
    let caller = Caller::new();
    let descriptors = || fs::read_dir("/proc/self/fd").unwrap().count();
    caller.run("true");
    let before = descriptors();
    for _ in 0..20 {
        let command = Command::shell("sleep 98781.5 & echo x > file").timeout(Duration::from_secs(30));
        command.confine(caller.confinement()).run().unwrap();
    }
    // Other tests of this binary have files open, too, but not twenty times as many.
    assert!(descriptors() < before + 60);
    assert_eq!(processes_with("98781.5"), 0);
}
