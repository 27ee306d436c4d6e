//! What a stub does when it is called.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::check::EcmaPatterns;

use super::calls::{StubCall, StubOutcome, read_calls};
use super::{Stub, StubAnswer, StubReply};

/// What a call comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answered {
    /// What to print, and how to end.
    Answer(StubAnswer),
    /// No rule answers it.
    Nothing,
}

pub(super) fn log(root: &Path) -> PathBuf {
    root.join("calls.jsonl")
}

pub(super) fn rules(root: &Path, name: &str) -> PathBuf {
    root.join("rules").join(format!("{name}.json"))
}

/// Answers a call of the stub `name` that was installed below `root`, and notes it.
///
/// Calls at the same time are answered one after the other, so that each answer of a list goes to one call.
pub fn answer(root: &Path, name: &str, argv: Vec<String>) -> io::Result<Answered> {
    let stub: Stub = serde_json::from_slice(&fs::read(rules(root, name))?)?;
    let mut file = File::options().append(true).open(log(root))?;
    // Until the file is closed.
    file.lock()?;
    let (outcome, answer) = decide(&stub, &argv, || read_calls(&log(root)))?;
    let call = StubCall { tool: name.to_owned(), argv, outcome };
    let mut line = serde_json::to_vec(&call)?;
    line.push(b'\n');
    file.write_all(&line)?;
    Ok(answer.map_or(Answered::Nothing, Answered::Answer))
}

fn decide(
    stub: &Stub,
    argv: &[String],
    calls: impl FnOnce() -> io::Result<Vec<StubCall>>,
) -> io::Result<(StubOutcome, Option<StubAnswer>)> {
    let patterns = EcmaPatterns::new();
    for (rule, one) in stub.rules.iter().enumerate() {
        if !one.is_match(argv, &patterns).map_err(io::Error::other)? {
            continue;
        }
        return match &one.reply {
            StubReply::Always(answer) => Ok((StubOutcome::Answered { rule, answer: 0 }, Some(answer.clone()))),
            StubReply::InOrder(answers) => {
                let earlier = calls()?;
                let answered = |call: &&StubCall| {
                    call.tool == stub.name
                        && matches!(call.outcome, StubOutcome::Answered { rule: of, .. } if of == rule)
                };
                let index = earlier.iter().filter(answered).count();
                match answers.get(index) {
                    Some(answer) => Ok((StubOutcome::Answered { rule, answer: index }, Some(answer.clone()))),
                    None => Ok((StubOutcome::Exhausted { rule }, None)),
                }
            }
        };
    }
    Ok((StubOutcome::NoRule, None))
}
