//! Judges a recorded session by a list of checks in a file.
//!
//! ```sh
//! cargo run -p vigiles --example judge_session -- examples/fixtures/blocked-call.jsonl examples/fixtures/checks.json
//! ```
//!
//! Exit code 0: every check holds; 1: one does not, or cannot be judged; 2: the files could not be used.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program prints; the library does not")]

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use vigiles::check::{Check, EcmaPatterns, Target, eval_all, format_failures};
use vigiles::trace::Trace;

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let [session, checks] = arguments.as_slice() else {
        eprintln!("usage: judge_session SESSION.jsonl CHECKS.json");
        return ExitCode::from(2);
    };
    match judge(session, checks) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// Prints what was seen and what the checks say of it; whether all of them hold.
fn judge(session: &Path, checks: &Path) -> Result<bool, Box<dyn Error>> {
    let trace = Trace::from_path(session)?;
    let checks = Check::list_from_json(&fs::read_to_string(checks)?)?;

    println!("{}, model turns: {}", trace.kind().name(), count(trace.turns()));
    for call in trace.tool_calls().unwrap_or_default() {
        let refused = if call.denied == Some(true) { " (refused)" } else { "" };
        println!("  {}{refused} {}", call.name, trace.input_json(call)?);
    }
    for warning in trace.warnings() {
        println!("warning: {warning}");
    }

    let results = eval_all(&checks, &Target::from(&trace), &EcmaPatterns::new())?;
    for (check, result) in checks.iter().zip(&results) {
        println!("{}  {}", result.verdict.name(), check.label());
    }
    let failures = format_failures(&results);
    if let Some(failures) = &failures {
        println!("{failures}");
    }
    Ok(failures.is_none())
}

/// A number that may not have been recorded: that is not the same as 0.
fn count(number: Option<u32>) -> String {
    number.map_or_else(|| "not recorded".to_owned(), |number| number.to_string())
}
