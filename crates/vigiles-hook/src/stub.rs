//! Answers for a program that it stands in for.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use vigiles::stub::{Answered, StubAnswer, answer};

/// Not 127, which a script takes for "not installed".
const NO_ANSWER: u8 = 97;

pub(crate) fn run(root: &Path, name: &str, argv: &[OsString]) -> ExitCode {
    let argv = argv.iter().map(|argument| argument.to_string_lossy().into_owned()).collect();
    match answer(root, name, argv) {
        Ok(Answered::Answer(StubAnswer { stdout, stderr, exit_code })) => {
            // A reader that is gone reads nothing.
            let _ = io::stdout().write_all(stdout.as_bytes());
            let _ = io::stderr().write_all(stderr.as_bytes());
            ExitCode::from(exit_code)
        }
        Ok(Answered::Nothing) => {
            // No more: the agent must not learn how the test is made.
            crate::say(&format!("{name}: unsupported invocation (vigiles stub)"));
            ExitCode::from(NO_ANSWER)
        }
        Err(error) => {
            crate::say(&format!("{name}: the stub could not answer: {error}"));
            ExitCode::from(NO_ANSWER)
        }
    }
}
