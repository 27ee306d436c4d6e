//! `vigiles::process` on real commands.
//!
//! Time limits in here only tell "at once" from "never": they hold on a loaded machine too.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use vigiles::process::{Command, Output, ProcessError, run_many, signal_name};

const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// Far below the `sleep 100` of the scripts, far above what a run takes on a slow machine.
const SOON: Duration = Duration::from_secs(20);

fn sh(script: &str) -> Command {
    Command::shell(script).env("PATH", PATH).timeout(Duration::from_secs(60))
}

fn argv(argv: &[&str]) -> Command {
    Command::argv(argv.iter().copied()).env("PATH", PATH).timeout(Duration::from_secs(60))
}

fn stdout(command: &Command) -> String {
    let output = command.run().unwrap();
    assert_eq!(output.exit_code, Some(0), "{output:?}");
    output.stdout.text_lossy().into_owned()
}

fn write_file(directory: &Path, name: &str, content: &[u8], mode: u32) -> String {
    let path = directory.join(name);
    fs::write(&path, content).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Whether a process still runs; a zombie that waits for its new parent does not.
fn is_running(pid: &str) -> bool {
    let output = std::process::Command::new("ps").args(["-o", "stat=", "-p", pid]).output().unwrap();
    let state = String::from_utf8(output.stdout).unwrap();
    !state.trim().is_empty() && !state.trim().starts_with('Z')
}

#[track_caller]
fn assert_gone(pid: &str) {
    assert!(pid.parse::<u32>().is_ok(), "expected a process number, got {pid:?}");
    let start = Instant::now();
    while is_running(pid) {
        assert!(start.elapsed() < SOON, "process {pid} still runs");
        std::thread::sleep(Duration::from_millis(10));
    }
}

mod outcome {
    use super::*;

    #[test]
    fn both_streams_the_input_and_the_exit_code_arrive() {
        let output = sh("cat; echo careful >&2; exit 2").stdin("an event").run().unwrap();
        assert_eq!(output.stdout.text_lossy(), "an event");
        assert_eq!(output.stderr.text_lossy(), "careful\n");
        assert_eq!((output.exit_code, output.signal), (Some(2), None));
        assert!(output.launched && !output.timed_out && !output.streams_left_open && !output.success());
    }

    #[test]
    fn death_by_a_signal_has_no_exit_code() {
        for (name, number) in [("KILL", 9), ("TERM", 15), ("SEGV", 11)] {
            let output = sh(&format!("kill -{name} $$")).run().unwrap();
            assert_eq!((output.exit_code, output.signal), (None, Some(number)), "{output:?}");
            assert_eq!(signal_name(number), Some(format!("SIG{name}").as_str()));
            assert!(!output.timed_out && !output.success());
        }
    }

    #[test]
    fn output_that_is_not_utf8_is_kept() {
        let output = sh(r"printf 'a\377b'").run().unwrap();
        assert_eq!(output.stdout.bytes(), &b"a\xFFb"[..]);
        assert_eq!(output.stdout.text_lossy(), "a\u{FFFD}b");
    }

    #[test]
    fn the_duration_is_that_of_the_command() {
        let start = Instant::now();
        let output = sh("sleep 0.3").run().unwrap();
        assert!(output.duration >= Duration::from_millis(300), "{output:?}");
        assert!(output.duration <= start.elapsed(), "{output:?}");
    }

    #[test]
    fn a_timeout_beyond_the_clock_is_none() {
        assert_eq!(sh("exit 4").timeout(Duration::MAX).run().unwrap().exit_code, Some(4));
    }
}

mod surroundings {
    use super::*;

    #[test]
    fn the_environment_is_exactly_the_given_one() {
        let command = Command::argv(["/usr/bin/env"]).env("A", "1").env("B", "x=y").env("A", "2");
        let text = stdout(&command);
        let mut lines: Vec<_> = text.lines().collect();
        lines.sort_unstable();
        assert_eq!(lines, ["A=2", "B=x=y"]);
    }

    #[test]
    fn the_working_directory_is_the_given_one() {
        let directory = TempDir::new().unwrap();
        let expected = directory.path().canonicalize().unwrap();
        assert_eq!(stdout(&sh("pwd -P").cwd(directory.path())).trim_end(), expected.to_str().unwrap());
    }

    #[test]
    fn arguments_pass_without_a_shell() {
        let command = argv(&["printf", "[%s]", "a b", "*", "$HOME", "", "'"]);
        assert_eq!(stdout(&command), "[a b][*][$HOME][][']");
    }

    #[test]
    fn the_program_keeps_the_name_it_was_called_by() {
        assert_eq!(stdout(&argv(&["sh", "-c", "echo $0"])), "sh\n");
    }

    #[test]
    fn stdin_is_a_pipe_that_can_be_opened_by_its_name() {
        assert_eq!(stdout(&sh("[ -p /dev/stdin ] && cat /dev/stdin").stdin("event")), "event");
    }

    #[test]
    fn a_child_dies_of_a_broken_pipe_though_the_host_ignores_the_signal() {
        // Rust programs ignore SIGPIPE, as Node does; an inherited `ignore` would let `yes` write for ever or complain.
        let output = sh("yes | head -1").run().unwrap();
        assert_eq!((output.stdout.text_lossy(), output.exit_code), ("y\n".into(), Some(0)));
        assert!(output.stderr.is_empty(), "{output:?}");
        assert!(output.duration < SOON);

        let output = sh("kill -PIPE $$").run().unwrap();
        assert_eq!(output.signal.and_then(signal_name), Some("SIGPIPE"));
    }
}

mod lookup {
    use super::*;

    #[test]
    fn the_path_is_that_of_the_given_environment() {
        let directory = TempDir::new().unwrap();
        write_file(directory.path(), "vigiles-tool", b"#!/bin/sh\necho found\n", 0o755);
        let command = Command::argv(["vigiles-tool"]);
        assert_eq!(stdout(&command.clone().env("PATH", directory.path())), "found\n");

        let output = command.clone().env("PATH", "/nowhere:/usr/bin").run().unwrap();
        assert_refused(&output, 127, "vigiles-tool: command not found in PATH=/nowhere:/usr/bin\n");
        // Without a PATH, the system's directories: `sh` is there, our tool is not.
        assert_refused(&command.run().unwrap(), 127, "vigiles-tool: command not found in PATH=/usr/bin:/bin\n");
        assert_eq!(stdout(&Command::argv(["sh", "-c", "echo ok"])), "ok\n");
    }

    #[test]
    fn relative_entries_and_programs_start_at_the_working_directory() {
        let directory = TempDir::new().unwrap();
        fs::create_dir(directory.path().join("bin")).unwrap();
        write_file(directory.path(), "here", b"#!/bin/sh\necho here\n", 0o755);
        write_file(&directory.path().join("bin"), "there", b"#!/bin/sh\necho there\n", 0o755);
        let run = |name: &str, path: &str| stdout(&Command::argv([name]).env("PATH", path).cwd(directory.path()));
        assert_eq!(run("there", "bin"), "there\n");
        assert_eq!(run("here", "/nowhere:"), "here\n");
        assert_eq!(run("./here", ""), "here\n");
        assert_eq!(run("bin/there", ""), "there\n");
    }

    #[test]
    fn an_executable_further_on_beats_a_file_that_is_not() {
        let (first, second) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        let plain = write_file(first.path(), "tool", b"#!/bin/sh\necho first\n", 0o644);
        fs::create_dir(second.path().join("directory")).unwrap();
        write_file(second.path(), "tool", b"#!/bin/sh\necho second\n", 0o755);
        let path = |directories: [&Path; 2]| std::env::join_paths(directories).unwrap();

        let both = Command::argv(["tool"]).env("PATH", path([first.path(), second.path()]));
        assert_eq!(stdout(&both), "second\n");
        let only = Command::argv(["tool"]).env("PATH", path([first.path(), Path::new("/nowhere")]));
        assert_refused(&only.run().unwrap(), 126, &format!("{plain}: not executable (try `chmod +x`)\n"));
        let no_file = Command::argv(["directory"]).env("PATH", second.path());
        assert_eq!(no_file.run().unwrap().exit_code, Some(127));
    }

    #[test]
    fn what_cannot_be_executed_is_told_as_a_shell_tells_it() {
        let directory = TempDir::new().unwrap();
        let at = directory.path();
        let cases = [
            (at.join("missing").to_str().unwrap().to_owned(), 127, "no such file"),
            (write_file(at, "file", b"", 0o644) + "/x", 127, "no such file"),
            (at.to_str().unwrap().to_owned(), 126, "is a directory"),
            (write_file(at, "plain", b"echo hi", 0o644), 126, "not executable (try `chmod +x`)"),
            (write_file(at, "binary", b"\x01\0\x02", 0o755), 126, "not a program for this machine"),
            (
                write_file(at, "crlf", b"#!/bin/sh\r\necho hi\r\n", 0o755),
                127,
                "the interpreter in its first line is missing: #!/bin/sh\\r",
            ),
        ];
        for (program, exit_code, reason) in cases {
            let output = argv(&[&program]).stdin(vec![b'x'; 1 << 20]).run().unwrap();
            assert_refused(&output, exit_code, &format!("{program}: {reason}\n"));
        }
    }

    #[test]
    fn a_command_missing_inside_a_shell_text_is_the_shells_outcome() {
        let output = sh("vigiles-no-such-tool").run().unwrap();
        assert_eq!((output.launched, output.exit_code), (true, Some(127)));
    }

    #[test]
    fn a_text_without_a_first_line_is_run_by_the_shell() {
        let directory = TempDir::new().unwrap();
        let script = write_file(directory.path(), "script", b"echo $0 $1; cat; exit 3\n", 0o755);
        let output = argv(&[&script, "one"]).stdin("event").run().unwrap();
        assert_eq!(output.stdout.text_lossy(), format!("{script} one\nevent"));
        assert_eq!((output.launched, output.exit_code), (true, Some(3)));
    }

    #[track_caller]
    fn assert_refused(output: &Output, exit_code: i32, stderr: &str) {
        assert_eq!((output.launched, output.exit_code), (false, Some(exit_code)), "{output:?}");
        assert_eq!(output.stderr.text_lossy(), stderr);
        assert!(output.stdout.is_empty() && !output.success());
    }
}

mod errors {
    use super::*;

    #[track_caller]
    fn error(command: &Command) -> ProcessError {
        command.run().expect_err("expected an error")
    }

    #[test]
    fn commands_that_cannot_exist_have_codes() {
        let cases = [
            (Command::shell(""), "VIGILES_PROCESS_EMPTY", "a blank shell text"),
            (Command::shell(" \t\n"), "VIGILES_PROCESS_EMPTY", "a blank shell text"),
            (Command::argv([""; 0]), "VIGILES_PROCESS_EMPTY", "an empty argument list"),
            (Command::argv(["", "x"]), "VIGILES_PROCESS_EMPTY", "an empty program name"),
            (sh("echo a\0b"), "VIGILES_PROCESS_NUL", "the shell text has a NUL byte at offset 6"),
            (argv(&["echo", "a\0"]), "VIGILES_PROCESS_NUL", "argument 1 has a NUL byte at offset 1"),
            (sh("true").cwd("/tmp\0"), "VIGILES_PROCESS_NUL", "the working directory has"),
            (sh("true").env("A\0", "1"), "VIGILES_PROCESS_NUL", r#"the variable name "A\0" has"#),
            (sh("true").env("TOKEN", "secret\0"), "VIGILES_PROCESS_NUL", "the variable `TOKEN` has"),
            (sh("true").env("", "1"), "VIGILES_PROCESS_ENV_NAME", r#"got """#),
            (sh("true").env("A=B", "1"), "VIGILES_PROCESS_ENV_NAME", r#"got "A=B""#),
        ];
        for (command, code, message) in cases {
            let error = error(&command);
            assert_eq!(error.code(), code, "{command:?}");
            assert!(error.to_string().contains(message), "expected {message:?} in: {error}");
            assert!(!error.to_string().contains("secret"), "{error}");
        }
    }

    #[test]
    fn a_missing_working_directory_is_not_a_missing_program() {
        let directory = TempDir::new().unwrap();
        let file = write_file(directory.path(), "file", b"", 0o644);
        let missing = directory.path().join("gone").to_str().unwrap().to_owned();
        for (cwd, reason) in [(missing, "No such file"), (file, "Not a directory")] {
            for command in [sh("true"), argv(&["true"]), argv(&["vigiles-no-such-tool"])] {
                let error = error(&command.cwd(&cwd));
                assert_eq!(error.code(), "VIGILES_PROCESS_CWD");
                let message = error.to_string();
                assert!(message.contains(&cwd) && message.contains(reason), "{message}");
            }
        }
    }

    #[test]
    fn too_long_arguments_are_told_with_their_length() {
        let huge = "x".repeat(4 << 20);
        for command in [sh(&format!(": {huge}")), argv(&["true", &huge]), sh("true").env("HUGE", &huge)] {
            let error = error(&command);
            assert_eq!(error.code(), "VIGILES_PROCESS_TOO_LONG");
            let ProcessError::TooLong { total_bytes, longest_bytes, .. } = error else { unreachable!() };
            assert!(longest_bytes > huge.len() && total_bytes > longest_bytes);
        }
    }
}

mod input {
    use super::*;

    /// More than any pipe holds.
    const BYTES: usize = 10_000_000;

    fn input() -> Vec<u8> {
        (0..BYTES).map(|index| u8::try_from(index % 251).unwrap()).collect()
    }

    #[test]
    fn large_input_and_output_flow_at_the_same_time() {
        let output = sh("cat").stdin(input()).run().unwrap();
        assert!(output.stdout.bytes() == input(), "{} bytes came back", output.stdout.len());
    }

    #[test]
    fn a_child_may_write_much_before_it_reads() {
        let script = format!("head -c {BYTES} /dev/zero; cat | wc -c >&2");
        let output = sh(&script).stdin(input()).run().unwrap();
        assert_eq!(output.stdout.len(), BYTES as u64);
        assert_eq!(output.stderr.text_lossy().trim(), BYTES.to_string());
    }

    #[test]
    fn a_child_that_reads_nothing_or_not_all_is_fine() {
        for (script, seen) in [
            ("echo done", "done\n"),
            ("exec <&-; sleep 0.2; echo done", "done\n"),
            ("head -c 3; exec <&-; sleep 0.2", "\0\u{1}\u{2}"),
        ] {
            let output = sh(script).stdin(input()).run().unwrap();
            assert_eq!((output.exit_code, output.stdout.text_lossy()), (Some(0), seen.into()), "{script}");
            assert!(output.duration < SOON, "{script}: {:?}", output.duration);
        }
    }

    #[test]
    fn no_input_is_an_immediate_end_of_file() {
        assert_eq!(stdout(&sh("cat; echo end")), "end\n");
    }
}

mod output_limit {
    use super::*;

    #[test]
    fn a_flood_keeps_its_beginning_and_its_end() {
        let script = "echo first; yes | head -c 300000000; echo last";
        let output = sh(script).max_output_bytes(1000).run().unwrap();
        assert_eq!(output.exit_code, Some(0));
        assert_eq!(output.stdout.len(), 300_000_011);
        assert_eq!(output.stdout.omitted(), 300_000_011 - 1000);
        assert!(output.stdout.head().starts_with(b"first\ny\n") && output.stdout.tail().ends_with(b"y\nlast\n"));
        assert!(output.stdout.text_lossy().contains("\n[... 299999011 bytes omitted ...]\n"));
    }

    #[test]
    fn the_limit_is_for_each_stream_and_has_a_default() {
        let output = sh("head -c 3000 /dev/zero; echo short >&2").max_output_bytes(100).run().unwrap();
        assert_eq!((output.stdout.omitted(), output.stderr.text_lossy()), (2900, "short\n".into()));

        let output = sh("head -c 16777216 /dev/zero; head -c 16777217 /dev/zero >&2").run().unwrap();
        assert_eq!((output.stdout.omitted(), output.stderr.omitted()), (0, 1));
    }

    #[test]
    fn output_without_end_is_cut_by_the_timeout() {
        let output = sh("yes").max_output_bytes(1000).timeout(Duration::from_millis(300)).run().unwrap();
        assert!(output.timed_out && output.stdout.is_truncated());
        assert!(output.duration < SOON);
    }
}

mod leftovers {
    use super::*;

    /// The process number that a script printed on its first line.
    fn printed_pid(output: &Output) -> String {
        output.stdout.text_lossy().lines().next().unwrap_or_default().to_owned()
    }

    #[test]
    fn a_timeout_kills_the_whole_group() {
        let start = Instant::now();
        let output = sh("sleep 100 & echo $!; sleep 100").timeout(Duration::from_millis(300)).run().unwrap();
        assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
        assert!(output.timed_out);
        assert_eq!((output.exit_code, output.signal), (None, Some(9)));
        assert!(output.duration >= Duration::from_millis(300), "{output:?}");
        assert_gone(&printed_pid(&output));
    }

    #[test]
    fn a_timeout_of_zero_still_starts_and_kills() {
        let output = sh("sleep 100").timeout(Duration::ZERO).run().unwrap();
        assert!(output.launched && output.timed_out, "{output:?}");
    }

    #[test]
    fn a_child_that_ignores_polite_signals_is_killed_too() {
        let output =
            sh("trap '' TERM INT HUP; sleep 100; sleep 100").timeout(Duration::from_millis(200)).run().unwrap();
        assert_eq!((output.timed_out, output.signal), (true, Some(9)));
    }

    #[test]
    fn a_background_process_that_holds_a_stream_ends_with_the_command() {
        let start = Instant::now();
        let output = sh("sleep 100 & echo $!").run().unwrap();
        assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
        assert_eq!((output.exit_code, output.timed_out, output.streams_left_open), (Some(0), false, true));
        assert_gone(&printed_pid(&output));
    }

    #[test]
    fn a_background_process_that_holds_no_stream_ends_with_the_command() {
        let output = sh("sleep 100 >/dev/null 2>&1 & echo $!").run().unwrap();
        assert_eq!((output.exit_code, output.streams_left_open), (Some(0), false));
        assert_gone(&printed_pid(&output));
    }

    #[test]
    fn closed_streams_are_not_an_exit() {
        let output = sh("exec >&- 2>&-; sleep 0.3; exit 5").run().unwrap();
        assert_eq!(output.exit_code, Some(5));
        assert!(output.duration >= Duration::from_millis(300), "{output:?}");
    }

    /// `setsid` is a Linux tool.
    #[cfg(target_os = "linux")]
    mod outside_the_group {
        use super::*;

        fn end(pid: &str) {
            assert!(is_running(pid), "expected {pid} to have left the group and to live on");
            assert!(std::process::Command::new("kill").args(["-9", pid]).status().unwrap().success());
            assert_gone(pid);
        }

        #[test]
        fn a_process_that_holds_a_stream_does_not_hang_a_finished_command() {
            let start = Instant::now();
            // The shell waits for the number, and so until the session is new: a kill before that would still hit it.
            let script = "exec 3>&1; echo $(setsid sh -c 'echo $$; exec sleep 100 >&3' &)";
            let output = sh(script).run().unwrap();
            assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
            assert_eq!((output.exit_code, output.streams_left_open), (Some(0), true));
            end(&printed_pid(&output));
        }

        #[test]
        fn a_process_that_holds_a_stream_does_not_hang_a_timeout() {
            let start = Instant::now();
            let script = "setsid sh -c 'echo $$; exec sleep 100' & sleep 100";
            let output = sh(script).timeout(Duration::from_secs(2)).run().unwrap();
            assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
            assert!(output.timed_out && output.streams_left_open, "{output:?}");
            end(&printed_pid(&output));
        }
    }
}

mod many {
    use super::*;

    #[test]
    fn results_keep_their_order_and_are_never_mixed() {
        let script = "read id; i=0; while [ $i -lt 200 ]; do echo out$id; echo err$id >&2; i=$((i+1)); done; exit $id";
        let commands: Vec<_> = (0..64).map(|id| sh(script).stdin(format!("{id}\n"))).collect();
        let outcomes = run_many(&commands, 8);
        assert_eq!(outcomes.len(), 64);
        for (id, outcome) in outcomes.into_iter().enumerate() {
            let output = outcome.unwrap();
            assert_eq!(output.exit_code, i32::try_from(id).ok());
            assert_eq!(output.stdout.text_lossy(), format!("out{id}\n").repeat(200));
            assert_eq!(output.stderr.text_lossy(), format!("err{id}\n").repeat(200));
        }
    }

    #[test]
    fn an_error_stays_in_its_place() {
        let outcomes = run_many(&[sh("exit 1"), Command::shell(""), sh("exit 3")], 2);
        assert_eq!(outcomes[0].as_ref().unwrap().exit_code, Some(1));
        assert_eq!(outcomes[1].as_ref().unwrap_err().code(), "VIGILES_PROCESS_EMPTY");
        assert_eq!(outcomes[2].as_ref().unwrap().exit_code, Some(3));
    }

    #[test]
    fn runs_in_parallel_up_to_the_concurrency_and_no_further() {
        // Each command leaves a file while it runs and counts those it sees.
        let directory = TempDir::new().unwrap();
        let script = "touch $$; sleep 0.2; ls | wc -l; sleep 0.2; rm $$";
        let most = |concurrency| {
            let commands = vec![sh(script).cwd(directory.path()); 6];
            let seen = run_many(&commands, concurrency)
                .into_iter()
                .map(|outcome| outcome.unwrap().stdout.text_lossy().trim().parse::<usize>().unwrap());
            seen.max().unwrap()
        };
        assert_eq!(most(0), 1);
        assert_eq!(most(1), 1);
        let at_three = most(3);
        assert!((2..=3).contains(&at_three), "{at_three}");
    }

    #[test]
    fn nothing_to_run_is_nothing() {
        assert!(run_many(&[], 4).is_empty());
    }
}
