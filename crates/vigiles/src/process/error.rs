use std::io;
use std::path::PathBuf;

use super::confine::ConfineError;

/// Why a command could not be run or observed at all. What the command itself did wrong is never an error, see
/// [`Output`](super::Output).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProcessError {
    /// The shell text is blank, the argument list is empty, or the program's name is.
    #[error(
        "expected a command to run, got {seen}: give a shell text such as `./hook.sh`, or a program and its arguments"
    )]
    Empty {
        /// What was given instead.
        seen: &'static str,
    },

    /// A NUL byte where the operating system ends the string at it. Values are not shown: they may be secrets.
    #[error(
        "{place} has a NUL byte at offset {offset}, which no program can be given: remove it, or send the data on stdin"
    )]
    Nul {
        /// Which part of the command, such as ``the variable `TOKEN` ``.
        place: String,
        /// Offset of the NUL in that part, in bytes.
        offset: usize,
    },

    /// A name that no environment can hold.
    #[error(
        "expected the name of an environment variable, got {name:?}: it must not be empty and must not contain `=`"
    )]
    EnvName {
        /// The name, lossy where it is not UTF-8.
        name: String,
    },

    /// The working directory is missing, is not a directory, or may not be entered.
    #[error("cannot run in {}: {source}. Create the directory, or give another `cwd`", path.display())]
    Cwd {
        /// The directory as given.
        path: PathBuf,
        /// What the operating system said of it.
        source: io::Error,
    },

    /// The arguments and the environment are more than the operating system passes to a program.
    #[error(
        "the arguments and environment have {total_bytes} bytes, the longest string {longest_bytes}, more than the system \
         passes to a program (Linux: 131071 for one string): send the data on stdin, or write it to a file"
    )]
    TooLong {
        /// All arguments and variables together, with their terminators.
        total_bytes: usize,
        /// The longest single argument or variable.
        longest_bytes: usize,
        /// What the operating system said.
        source: io::Error,
    },

    /// The operating system could not start a process: out of memory, processes or file descriptors.
    #[error("cannot start {program}: {source}. Check the limits on processes, memory and open files")]
    Spawn {
        /// The program's path.
        program: String,
        /// What the operating system said.
        source: io::Error,
    },

    /// The command could not be confined, or what it changed could not be brought back.
    #[error(transparent)]
    Confine(#[from] ConfineError),

    /// A started command could not be observed to its end. It has been killed.
    #[error("cannot {doing}: {source}. The command was killed, and its result is unknown")]
    Observe {
        /// What failed, such as `read stdout`.
        doing: &'static str,
        /// What the operating system said.
        source: io::Error,
    },
}

impl ProcessError {
    /// The stable name of this kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Empty { .. } => "VIGILES_PROCESS_EMPTY",
            Self::Nul { .. } => "VIGILES_PROCESS_NUL",
            Self::EnvName { .. } => "VIGILES_PROCESS_ENV_NAME",
            Self::Cwd { .. } => "VIGILES_PROCESS_CWD",
            Self::TooLong { .. } => "VIGILES_PROCESS_TOO_LONG",
            Self::Spawn { .. } => "VIGILES_PROCESS_SPAWN",
            Self::Confine(error) => error.code(),
            Self::Observe { .. } => "VIGILES_PROCESS_OBSERVE",
        }
    }
}
