//! What a check said.

use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::seen::plural;

/// Whether a check holds, does not, or could not be judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It holds.
    Pass,
    /// It does not hold.
    Fail,
    /// Nobody can tell: something was not recorded, the run was cut, or the check is over something else.
    Error,
}

impl Verdict {
    /// The name used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Error => "error",
        }
    }
}

/// What a check said about one target.
///
/// Its JSON form is `{pass, score, verdict, message, code?}`.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckResult {
    /// The verdict.
    pub verdict: Verdict,
    /// 1 when it holds, 0 when not.
    pub score: f64,
    /// What was expected, what was seen, and what to do next; for a pass, what was found. May have several lines.
    pub message: String,
    /// Why it could not be judged: a stable code, with [`Verdict::Error`] only.
    pub code: Option<&'static str>,
}

impl CheckResult {
    /// Whether the check holds. A check that could not be judged does not.
    pub fn pass(&self) -> bool {
        self.verdict == Verdict::Pass
    }

    pub(super) fn holds(message: impl Into<String>) -> Self {
        Self { verdict: Verdict::Pass, score: 1.0, message: message.into(), code: None }
    }

    pub(super) fn fails(message: impl Into<String>) -> Self {
        Self { verdict: Verdict::Fail, score: 0.0, message: message.into(), code: None }
    }

    pub(super) fn unknown(code: &'static str, message: impl Into<String>) -> Self {
        Self { verdict: Verdict::Error, score: 0.0, message: message.into(), code: Some(code) }
    }

    /// The same with one more line that says what to do, when there is something to say.
    pub(super) fn hinted(mut self, hint: Option<String>) -> Self {
        if let Some(hint) = hint {
            self.message.push_str("\nhint: ");
            self.message.push_str(&hint);
        }
        self
    }
}

impl Serialize for CheckResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("CheckResult", 4 + usize::from(self.code.is_some()))?;
        object.serialize_field("pass", &self.pass())?;
        object.serialize_field("score", &self.score)?;
        object.serialize_field("verdict", self.verdict.name())?;
        object.serialize_field("message", &self.message)?;
        match self.code {
            Some(code) => object.serialize_field("code", code)?,
            None => object.skip_field("code")?,
        }
        object.end()
    }
}

/// The message of a list of checks of which not all hold; `None` when all do.
///
/// One line for each that does not, `✗` when it failed and `?` when it could not be judged.
pub fn format_failures(results: &[CheckResult]) -> Option<String> {
    let not_held: Vec<&CheckResult> = results.iter().filter(|result| !result.pass()).collect();
    if not_held.is_empty() {
        return None;
    }
    let open = not_held.iter().filter(|result| result.verdict == Verdict::Error).count();
    let total = u64::try_from(results.len()).unwrap_or(u64::MAX);
    let total = plural(total, "check");
    let head = match not_held.len() - open {
        0 => format!("{open} of {total} could not be judged:"),
        failed if open == 0 => format!("{failed} of {total} failed:"),
        failed => format!("{failed} of {total} failed and {open} could not be judged:"),
    };
    Some(head + &lines(&not_held))
}

/// One marked line for each result, further lines of its message indented below it.
pub(super) fn lines(results: &[&CheckResult]) -> String {
    let mut text = String::new();
    for result in results {
        text.push_str(if result.verdict == Verdict::Error { "\n  ? " } else { "\n  ✗ " });
        text.push_str(&result.message.replace('\n', "\n    "));
    }
    text
}
