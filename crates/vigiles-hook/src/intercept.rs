//! Refuses the tool calls that a test wants noted and not run.

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::ExitCode;

use vigiles::intercept::intercept_event;

pub(crate) fn run(rules: &Path) -> ExitCode {
    let mut event = String::new();
    let answer = io::stdin().read_to_string(&mut event).and_then(|_| intercept_event(rules, &event));
    match answer {
        Ok(answer) => {
            let _ = io::stdout().write_all(answer.as_bytes());
            ExitCode::SUCCESS
        }
        Err(error) => {
            // A call that was to be refused must not run because its rule could not be read.
            crate::say(&format!("the call could not be judged, so it is refused: {error}"));
            ExitCode::from(2)
        }
    }
}
