//! Ends that leave nothing to judge.

use std::fs;

use crate::harness::HarnessError;
use crate::harness::driver::{Ended, Setup};

use super::CLI;

pub(super) fn of(setup: &Setup<'_>, ended: &Ended<'_>) -> Option<HarnessError> {
    let output = ended.output;
    let stderr = output.stderr.text_lossy();
    let context = || Box::new(ended.context(setup.place));
    if output.timed_out {
        return Some(ended.timed_out(CLI, setup));
    }
    let stream = fs::read_to_string(ended.stdout).unwrap_or_default();
    let ends = [r#""type":"turn.completed""#, r#""type":"turn.failed""#];
    if ends.iter().any(|end| stream.contains(end)) {
        return None;
    }
    if let Some(line) = stderr.lines().find(|line| line.contains("unexpected argument")) {
        let what = line.split('\'').nth(1).unwrap_or("an option").to_owned();
        return Some(HarnessError::Refused { cli: CLI.into(), what, said: line.into(), context: context() });
    }
    Some(ended.without_result(CLI, setup.place))
}
