use std::fmt::Write as _;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Stub, StubReply};

/// A call of a stub.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StubCall {
    /// The program's name.
    pub tool: String,
    /// Its arguments; bytes that are not UTF-8 as U+FFFD.
    pub argv: Vec<String>,
    /// What became of it.
    pub outcome: StubOutcome,
}

/// What became of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum StubOutcome {
    /// It was answered.
    Answered {
        /// By which rule, counted from 0.
        rule: usize,
        /// With which answer of the rule, counted from 0.
        answer: usize,
    },
    /// No rule matches it.
    NoRule,
    /// A rule matches it whose answers were used up.
    Exhausted {
        /// Which rule, counted from 0.
        rule: usize,
    },
}

pub(super) fn read_calls(log: &Path) -> io::Result<Vec<StubCall>> {
    let text = std::fs::read_to_string(log)?;
    text.lines().map(|line| serde_json::from_str(line).map_err(io::Error::from)).collect()
}

/// What to tell the author of the rules about calls that were not answered; `None` if all were.
pub fn unanswered(stubs: &[Stub], calls: &[StubCall]) -> Option<String> {
    let open: Vec<&StubCall> =
        calls.iter().filter(|call| !matches!(call.outcome, StubOutcome::Answered { .. })).collect();
    if open.is_empty() {
        return None;
    }
    let mut message = match open.len() {
        1 => "expected a rule for every call of a stub, but 1 call had no answer".to_owned(),
        count => format!("expected a rule for every call of a stub, but {count} calls had no answer"),
    };
    for stub in stubs {
        let own: Vec<&&StubCall> = open.iter().filter(|call| call.tool == stub.name).collect();
        let mut shown: Vec<&StubCall> = Vec::new();
        for call in own.iter().copied() {
            if shown.iter().any(|seen| seen.argv == call.argv && seen.outcome == call.outcome) {
                continue;
            }
            let times = own.iter().filter(|other| other.argv == call.argv && other.outcome == call.outcome).count();
            let _ = write!(message, "\n  {} (x{times}): {}", command(call), why(stub, call));
            shown.push(call);
        }
        let Some(first) = shown.first() else { continue };
        let _ = write!(message, "\n  rules of {}:", stub.name);
        for (index, rule) in stub.rules.iter().enumerate() {
            let _ = write!(message, "\n    {}. {rule}", index + 1);
        }
        let argv: Vec<String> = first.argv.iter().map(|argument| format!("{argument:?}")).collect();
        let _ = write!(
            message,
            "\n  one for it: {{ argv: [{}], reply: {{ kind: \"always\", stdout: \"...\" }} }}",
            argv.join(", ")
        );
    }
    message.push_str(
        "\nAnswer what the real program answers: an invented answer tests a program that does not exist. Do not add a rule for \
         everything: it would hide the next call that nobody thought of.",
    );
    Some(message)
}

fn command(call: &StubCall) -> String {
    let words = call
        .argv
        .iter()
        .map(|argument| if argument.contains(' ') { format!("{argument:?}") } else { argument.clone() });
    std::iter::once(call.tool.clone()).chain(words).collect::<Vec<_>>().join(" ")
}

fn why(stub: &Stub, call: &StubCall) -> String {
    match call.outcome {
        StubOutcome::Exhausted { rule } => {
            let answers = match stub.rules.get(rule).map(|rule| &rule.reply) {
                Some(StubReply::InOrder(answers)) => answers.len(),
                _ => 0,
            };
            format!("rule {} had {answers} answer(s), all given by then", rule + 1)
        }
        StubOutcome::NoRule | StubOutcome::Answered { .. } => "no rule matches it".to_owned(),
    }
}
