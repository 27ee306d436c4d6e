use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, PipeReader, PipeWriter, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command as StdCommand, Stdio};
use std::thread;
use std::time::Duration;

use rustix::fs::Access;
use rustix::io::Errno;

use super::{Command, ProcessError, Program};

pub(super) const SHELL: &str = "/bin/sh";

/// Where a program is looked up if the child's environment has no `PATH`.
const DEFAULT_PATH: &str = "/usr/bin:/bin";

/// Exit codes by which shells report that they started no program.
const NOT_FOUND: i32 = 127;
const NOT_EXECUTABLE: i32 = 126;

pub(super) enum Launch {
    Started(Started),
    Refused(Refusal),
}

pub(super) struct Started {
    pub(super) child: Child,
    /// `None` if all of the input already waits in the pipe.
    pub(super) stdin: Option<PendingStdin>,
}

/// No program to run, told the way a shell does.
pub(super) struct Refusal {
    pub(super) exit_code: i32,
    pub(super) reason: String,
}

/// Input that did not fit into the pipe before the child ran.
pub(super) struct PendingStdin {
    writer: PipeWriter,
    written: usize,
    /// As long as somebody can read, a write can neither fail with `EPIPE` nor raise `SIGPIPE`, which in a host that
    /// does not ignore it would end the whole process. A child that closes its stdin just leaves the pipe full.
    _reader: PipeReader,
}

impl PendingStdin {
    pub(super) fn writer(&self) -> &PipeWriter {
        &self.writer
    }

    /// Writes what the pipe takes now. True once all of `input` is written.
    pub(super) fn write(&mut self, input: &[u8]) -> io::Result<bool> {
        self.written += write_available(&self.writer, &input[self.written..])?;
        Ok(self.written == input.len())
    }
}

/// What the child reads on stdin, in a pipe.
pub(super) struct Input {
    reader: PipeReader,
    /// `None` if all of it fits.
    rest: Option<(PipeWriter, usize)>,
}

impl Input {
    /// Filled before the start: most inputs fit into the pipe, and then there is nothing left to do while the child runs.
    pub(super) fn fill(bytes: &[u8]) -> io::Result<Self> {
        let (reader, writer) = io::pipe()?;
        rustix::io::ioctl_fionbio(&writer, true)?;
        let written = write_available(&writer, bytes)?;
        Ok(Self { reader, rest: (written < bytes.len()).then_some((writer, written)) })
    }

    /// The child's end.
    pub(super) fn stdio(&self) -> io::Result<Stdio> {
        Ok(Stdio::from(self.reader.try_clone()?))
    }

    pub(super) fn pending(self) -> Option<PendingStdin> {
        let (writer, written) = self.rest?;
        Some(PendingStdin { writer, written, _reader: self.reader })
    }
}

/// Where the child's stdout goes.
pub(super) struct OutputTarget(Option<File>);

impl OutputTarget {
    pub(super) fn of(command: &Command) -> io::Result<Self> {
        command.stdout_file.as_ref().map(File::create).transpose().map(Self)
    }

    pub(super) fn stdio(&self) -> io::Result<Stdio> {
        Ok(match &self.0 {
            Some(file) => Stdio::from(file.try_clone()?),
            None => Stdio::piped(),
        })
    }
}

/// Starts the command.
///
/// The program is found here and not by `std`: with a changed `PATH` `std` would look it up in a forked child, and a fork
/// of a large parent is many times slower than the `posix_spawn` it uses for a program given by its path.
pub(super) fn launch(command: &Command) -> Result<Launch, ProcessError> {
    let cwd = command.cwd.as_deref();
    if let Some(cwd) = cwd {
        check_directory(cwd)?;
    }
    let in_cwd = |path: &Path| cwd.map_or_else(|| path.to_owned(), |cwd| cwd.join(path));

    let shell_argv;
    let (path, argv) = match &command.program {
        Program::Shell(text) => {
            shell_argv = [SHELL.into(), "-c".into(), text.into()];
            (PathBuf::from(SHELL), &shell_argv[..])
        }
        Program::Argv(argv) => match find_program(&argv[0], &command.env, in_cwd) {
            Ok(path) => (path, &argv[..]),
            Err(refusal) => return Ok(Launch::Refused(refusal)),
        },
    };

    let spawn_error = |source| ProcessError::Spawn { program: path.display().to_string(), source };
    let input = Input::fill(&command.stdin).map_err(spawn_error)?;
    let stdout = OutputTarget::of(command).map_err(spawn_error)?;

    let spawn = |path: &Path, argv: &[OsString]| {
        let mut std_command = StdCommand::new(path);
        std_command
            .arg0(&argv[0])
            .args(&argv[1..])
            .env_clear()
            .envs(command.env.iter().map(|(name, value)| (name, value)))
            .process_group(0)
            .stdin(input.stdio()?)
            .stdout(stdout.stdio()?)
            .stderr(Stdio::piped());
        if let Some(cwd) = cwd {
            std_command.current_dir(cwd);
        }
        std_command.spawn()
    };

    let mut result = retry_while_busy(|| spawn(&path, argv));
    if errno_of(&result) == Some(Errno::NOEXEC) && is_text(&in_cwd(&path)) {
        let script: Vec<OsString> =
            [SHELL.into(), path.clone().into()].into_iter().chain(argv[1..].iter().cloned()).collect();
        result = spawn(Path::new(SHELL), &script);
    }
    match result {
        Ok(child) => Ok(Launch::Started(Started { child, stdin: input.pending() })),
        Err(source) => match errno_of_error(&source) {
            Some(Errno::TOOBIG) => Err(too_long(argv, &command.env, source)),
            Some(errno) => {
                refusal(&path, &in_cwd(&path), errno).map(Launch::Refused).ok_or_else(|| spawn_error(source))
            }
            None => Err(spawn_error(source)),
        },
    }
}

fn check_directory(path: &Path) -> Result<(), ProcessError> {
    let seen = match path.metadata() {
        Ok(metadata) if metadata.is_dir() => match rustix::fs::access(path, Access::EXEC_OK) {
            Ok(()) => return Ok(()),
            Err(errno) => errno.into(),
        },
        Ok(_) => Errno::NOTDIR.into(),
        Err(error) => error,
    };
    Err(ProcessError::Cwd { path: path.to_owned(), source: seen })
}

/// The path to execute, as seen from the child's working directory; it always has a `/`.
fn find_program(
    name: &OsStr,
    env: &[(OsString, OsString)],
    in_cwd: impl Fn(&Path) -> PathBuf,
) -> Result<PathBuf, Refusal> {
    if name.as_bytes().contains(&b'/') {
        return Ok(name.into());
    }
    let search = env.iter().rev().find(|(variable, _)| variable == "PATH").map(|(_, value)| value.as_os_str());
    let search = search.unwrap_or(OsStr::new(DEFAULT_PATH));
    let mut found = None;
    for directory in search.as_bytes().split(|byte| *byte == b':') {
        // An empty entry means the working directory.
        let directory = if directory.is_empty() { b"." } else { directory };
        let candidate = Path::new(OsStr::from_bytes(directory)).join(name);
        let probe = in_cwd(&candidate);
        if !probe.is_file() {
            continue;
        }
        if rustix::fs::access(&probe, Access::EXEC_OK).is_ok() {
            return Ok(candidate);
        }
        found.get_or_insert(candidate);
    }
    Err(match found {
        Some(path) => Refusal {
            exit_code: NOT_EXECUTABLE,
            reason: format!("{}: not executable (try `chmod +x`)", path.display()),
        },
        None => Refusal {
            exit_code: NOT_FOUND,
            reason: format!("{}: command not found in PATH={}", name.display(), search.display()),
        },
    })
}

/// What a shell would make of a failed `exec`; `None` if that says nothing about the program.
fn refusal(path: &Path, probe: &Path, errno: Errno) -> Option<Refusal> {
    let (exit_code, reason) = match errno {
        Errno::NOENT | Errno::NOTDIR => match first_line_of_script(probe) {
            // Escaped: a line that ends in an invisible `\r` is the usual reason.
            Some(line) => (NOT_FOUND, format!("the interpreter in its first line is missing: {}", line.escape_debug())),
            None if probe.exists() => (NOT_FOUND, "its loader or a library is missing".to_owned()),
            None => (NOT_FOUND, "no such file".to_owned()),
        },
        Errno::ACCESS if probe.is_dir() => (NOT_EXECUTABLE, "is a directory".to_owned()),
        Errno::ACCESS => (NOT_EXECUTABLE, "not executable (try `chmod +x`)".to_owned()),
        Errno::NOEXEC => (NOT_EXECUTABLE, "not a program for this machine".to_owned()),
        Errno::PERM | Errno::LOOP | Errno::NAMETOOLONG | Errno::TXTBSY | Errno::INVAL | Errno::ISDIR => {
            (NOT_EXECUTABLE, io::Error::from(errno).to_string())
        }
        _ => return None,
    };
    Some(Refusal { exit_code, reason: format!("{}: {reason}", path.display()) })
}

/// A file that another thread has just written can still be open for writing in a child between its fork and its exec,
/// and until then the system refuses to execute it. This passes within milliseconds.
fn retry_while_busy<T>(mut spawn: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    for wait in [1, 2, 4, 8, 16, 32] {
        let result = spawn();
        if errno_of(&result) != Some(Errno::TXTBSY) {
            return result;
        }
        thread::sleep(Duration::from_millis(wait));
    }
    spawn()
}

fn errno_of<T>(result: &io::Result<T>) -> Option<Errno> {
    result.as_ref().err().and_then(errno_of_error)
}

fn errno_of_error(error: &io::Error) -> Option<Errno> {
    error.raw_os_error().map(Errno::from_raw_os_error)
}

/// As shells decide it: a file with a NUL at its beginning is a program, and not a script without a `#!` line.
fn is_text(path: &Path) -> bool {
    first_bytes(path).is_some_and(|bytes| !bytes.contains(&0))
}

fn first_line_of_script(path: &Path) -> Option<String> {
    let bytes = first_bytes(path).filter(|bytes| bytes.starts_with(b"#!"))?;
    let line = bytes.split(|byte| *byte == b'\n').next()?;
    Some(String::from_utf8_lossy(line).into_owned())
}

fn first_bytes(path: &Path) -> Option<Vec<u8>> {
    // A FIFO or device would block or never end.
    if !path.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(256).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

fn too_long(argv: &[OsString], env: &[(OsString, OsString)], source: io::Error) -> ProcessError {
    let arguments = argv.iter().map(|argument| argument.len() + 1);
    let variables = env.iter().map(|(name, value)| name.len() + value.len() + 2);
    let (total_bytes, longest_bytes) =
        arguments.chain(variables).fold((0, 0), |(total, longest), len| (total + len, longest.max(len)));
    ProcessError::TooLong { total_bytes, longest_bytes, source }
}

/// Writes to a non-blocking pipe until it is full or all is written.
fn write_available(writer: &PipeWriter, bytes: &[u8]) -> io::Result<usize> {
    let mut written = 0;
    while written < bytes.len() {
        match rustix::io::write(writer, &bytes[written..]) {
            Ok(count) => written += count,
            Err(Errno::AGAIN) => break,
            Err(Errno::INTR) => {}
            Err(errno) => return Err(errno.into()),
        }
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails `times` times with `errno`. Returns the result and the number of attempts.
    fn attempt(times: u32, errno: Errno) -> (Option<Errno>, u32) {
        let mut attempts = 0;
        let result = retry_while_busy(|| {
            attempts += 1;
            if attempts <= times { Err(io::Error::from(errno)) } else { Ok(()) }
        });
        (errno_of(&result), attempts)
    }

    #[test]
    fn a_busy_file_is_tried_again_for_a_while() {
        assert_eq!(attempt(0, Errno::TXTBSY), (None, 1));
        assert_eq!(attempt(3, Errno::TXTBSY), (None, 4));
        assert_eq!(attempt(100, Errno::TXTBSY), (Some(Errno::TXTBSY), 7));
    }

    #[test]
    fn another_failure_is_not_tried_again() {
        assert_eq!(attempt(1, Errno::ACCESS), (Some(Errno::ACCESS), 1));
    }
}
