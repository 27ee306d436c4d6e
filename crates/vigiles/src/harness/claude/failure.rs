//! Ends that leave nothing to judge.

use std::fs;

use serde_json::Value;

use crate::harness::HarnessError;
use crate::harness::driver::{Ended, Setup};

use super::CLI;

pub(super) fn of(setup: &Setup<'_>, ended: &Ended<'_>) -> Option<HarnessError> {
    let output = ended.output;
    let stderr = output.stderr.text_lossy();
    let context = || Box::new(ended.context(setup.place));
    // The CLI warns and goes on with its default: the run would not be the one that was asked for.
    if let Some(line) = stderr.lines().find(|line| line.contains("Unknown --effort value")) {
        return Some(HarnessError::Refused {
            cli: CLI.into(),
            what: "effort".into(),
            said: line.into(),
            context: context(),
        });
    }
    if output.timed_out {
        return Some(ended.timed_out(CLI, setup));
    }
    if let Some(result) = last_result(ended) {
        let said = result["result"].as_str().unwrap_or_default();
        let login = said.contains("/login") || said.contains("Invalid API key");
        if result["is_error"] == true && ended.requests == 0 && login {
            return Some(HarnessError::Unauthenticated { cli: CLI.into(), said: said.into(), context: context() });
        }
        return None;
    }
    if let Some(line) = stderr.lines().find(|line| line.contains("unknown option")) {
        let what = line.split('\'').nth(1).unwrap_or("an option").to_owned();
        return Some(HarnessError::Refused { cli: CLI.into(), what, said: line.into(), context: context() });
    }
    Some(ended.without_result(CLI, setup.place))
}

/// The result event of a launch. A last line that was cut has none.
fn last_result(ended: &Ended<'_>) -> Option<Value> {
    let stream = fs::read(ended.stdout).ok()?;
    stream
        .split(|byte| *byte == b'\n')
        .rev()
        .filter(|line| memchr::memmem::find(line, br#""type":"result""#).is_some())
        .find_map(|line| serde_json::from_slice::<Value>(line).ok().filter(|event| event["type"] == "result"))
}
