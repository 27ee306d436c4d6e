use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::confine::{self, Confinement};
use super::launch::{Launch, launch};
use super::observe::{Limits, observe};
use super::{Output, ProcessError};

/// What each stream keeps at most when [`Command::max_output_bytes`] is `None`: 16 MiB.
pub const DEFAULT_MAX_OUTPUT_BYTES: u64 = 16 * 1024 * 1024;

/// How long a command may run unless it is given another limit: 10 seconds, far more than a hook should take.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

/// What to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Program {
    /// A text for `/bin/sh -c`.
    Shell(String),
    /// A program and its arguments, without a shell. A name without `/` is looked up in the `PATH` of [`Command::env`]
    /// (`/usr/bin:/bin` if it has none), relative paths start at [`Command::cwd`]. A text file without a `#!` line is run
    /// by `/bin/sh`, as `execvp` does.
    Argv(Vec<OsString>),
}

/// A command, its surroundings and its limits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// What to run.
    pub program: Program,
    /// The working directory. `None` is that of the calling process.
    pub cwd: Option<PathBuf>,
    /// The child's complete environment. The last value of a repeated name counts.
    pub env: Vec<(OsString, OsString)>,
    /// What the child reads on stdin, followed by end of file. A child that does not read it, or not all, is fine.
    pub stdin: Vec<u8>,
    /// Kills the command's process group after this long. `None` waits for ever;
    /// the constructors set [`DEFAULT_TIMEOUT`].
    pub timeout: Option<Duration>,
    /// What is kept of each stream: the first and the last half of this many bytes. `None` is
    /// [`DEFAULT_MAX_OUTPUT_BYTES`].
    pub max_output_bytes: Option<u64>,
    /// Writes stdout to this file, which is made or emptied, instead of keeping it: [`Output::stdout`] is then empty. A
    /// program that loses output when nobody reads fast enough loses none to a file.
    pub stdout_file: Option<PathBuf>,
    /// Where the command can do no harm, and what it changes is told. `None` runs it as the caller.
    pub confinement: Option<Confinement>,
}

impl Command {
    /// A shell text with an empty environment, an empty stdin and [`DEFAULT_TIMEOUT`].
    pub fn shell(text: impl Into<String>) -> Self {
        Self::new(Program::Shell(text.into()))
    }

    /// A program and its arguments with an empty environment, an empty stdin and [`DEFAULT_TIMEOUT`].
    pub fn argv<A: Into<OsString>>(argv: impl IntoIterator<Item = A>) -> Self {
        Self::new(Program::Argv(argv.into_iter().map(Into::into).collect()))
    }

    fn new(program: Program) -> Self {
        Self {
            program,
            cwd: None,
            env: Vec::new(),
            stdin: Vec::new(),
            timeout: Some(DEFAULT_TIMEOUT),
            max_output_bytes: None,
            stdout_file: None,
            confinement: None,
        }
    }

    /// Sets the working directory.
    #[must_use]
    pub fn cwd(mut self, path: impl Into<PathBuf>) -> Self {
        self.cwd = Some(path.into());
        self
    }

    /// Adds one variable to the child's environment.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }

    /// Sets what the child reads on stdin.
    #[must_use]
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    /// Sets the time after which the process group is killed.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Waits for ever.
    #[must_use]
    pub fn without_timeout(mut self) -> Self {
        self.timeout = None;
        self
    }

    /// Sets what is kept of each stream.
    #[must_use]
    pub fn max_output_bytes(mut self, bytes: u64) -> Self {
        self.max_output_bytes = Some(bytes);
        self
    }

    /// Writes stdout to a file instead of keeping it.
    #[must_use]
    pub fn stdout_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.stdout_file = Some(path.into());
        self
    }

    /// Confines the command, or, given `None`, does not.
    #[must_use]
    pub fn confine(mut self, confinement: impl Into<Option<Confinement>>) -> Self {
        self.confinement = confinement.into();
        self
    }

    /// Runs the command to its end on the calling thread. See the [module](super) for when that is.
    pub fn run(&self) -> Result<Output, ProcessError> {
        self.validate()?;
        if let Some(confinement) = &self.confinement {
            return confine::run(self, confinement);
        }
        let start = Instant::now();
        match launch(self)? {
            Launch::Refused(refusal) => Ok(Output::not_launched(&refusal, start.elapsed())),
            Launch::Started(started) => observe(started, &self.stdin, &self.limits(start)),
        }
    }

    pub(super) fn limits(&self, start: Instant) -> Limits {
        Limits {
            start,
            // A timeout beyond the clock's range is no timeout.
            deadline: self.timeout.and_then(|timeout| start.checked_add(timeout)),
            max_output_bytes: self.max_output_bytes.unwrap_or(DEFAULT_MAX_OUTPUT_BYTES),
        }
    }

    fn validate(&self) -> Result<(), ProcessError> {
        match &self.program {
            Program::Shell(text) => {
                if text.trim().is_empty() {
                    return Err(ProcessError::Empty { seen: "a blank shell text" });
                }
                reject_nul(OsStr::new(text), || "the shell text".to_owned())?;
            }
            Program::Argv(argv) => {
                let name = argv.first().ok_or(ProcessError::Empty { seen: "an empty argument list" })?;
                if name.is_empty() {
                    return Err(ProcessError::Empty { seen: "an empty program name" });
                }
                for (index, argument) in argv.iter().enumerate() {
                    reject_nul(argument, || format!("argument {index}"))?;
                }
            }
        }
        if let Some(cwd) = &self.cwd {
            reject_nul(cwd.as_os_str(), || "the working directory".to_owned())?;
        }
        for (name, value) in &self.env {
            let display = || name.to_string_lossy().into_owned();
            reject_nul(name, || format!("the variable name {:?}", display()))?;
            if name.is_empty() || name.as_bytes().contains(&b'=') {
                return Err(ProcessError::EnvName { name: display() });
            }
            reject_nul(value, || format!("the variable `{}`", display()))?;
        }
        Ok(())
    }
}

fn reject_nul(text: &OsStr, place: impl FnOnce() -> String) -> Result<(), ProcessError> {
    match memchr::memchr(0, text.as_bytes()) {
        Some(offset) => Err(ProcessError::Nul { place: place(), offset }),
        None => Ok(()),
    }
}
