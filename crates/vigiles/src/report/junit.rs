//! Results as the XML of `JUnit`, which CI systems read.

use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use serde::Deserialize;

/// A group of results: one run of test scripts, the checks of one session.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Suite {
    /// What the results are of.
    pub name: String,
    /// The results.
    pub cases: Vec<Case>,
}

/// One result.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Case {
    /// What was tested.
    pub name: String,
    /// The group that the case is listed in by readers of the file; the format calls it the class.
    pub class_name: String,
    /// How it went.
    pub outcome: Outcome,
    /// Why, for an outcome other than [`Outcome::Passed`]: its first line is the message, all of it the body.
    #[serde(default)]
    pub message: String,
    /// Wall time in milliseconds.
    pub duration_ms: Option<f64>,
    /// What the test printed.
    #[serde(default)]
    pub output: String,
}

/// How a case went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It holds: a bare `<testcase>`.
    Passed,
    /// It does not hold: `<failure>`.
    Failed,
    /// Nobody can tell: `<error>`.
    Error,
    /// It was not tested: `<skipped>`.
    Skipped,
}

/// A report could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// The writer of XML refused.
    #[error("expected to write the results as JUnit XML, but {0}")]
    Junit(#[source] quick_junit::SerializeError),
}

impl ReportError {
    /// Stable; meant for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Junit(_) => "VIGILES_REPORT_JUNIT",
        }
    }
}

/// Results as the XML of `JUnit`.
///
/// Characters that XML cannot hold, and the escape sequences of terminals, are left out.
pub fn junit(name: &str, suites: &[Suite]) -> Result<String, ReportError> {
    let mut report = Report::new(name);
    report.add_test_suites(suites.iter().map(suite_of));
    report.to_string().map_err(ReportError::Junit)
}

fn suite_of(suite: &Suite) -> TestSuite {
    let mut made = TestSuite::new(suite.name.as_str());
    made.add_test_cases(suite.cases.iter().map(case_of));
    if suite.cases.iter().any(|case| case.duration_ms.is_some()) {
        made.set_time(suite.cases.iter().filter_map(duration_of).sum());
    }
    made
}

fn case_of(case: &Case) -> TestCase {
    let mut status = match case.outcome {
        Outcome::Passed => TestCaseStatus::success(),
        Outcome::Failed => TestCaseStatus::non_success(NonSuccessKind::Failure),
        Outcome::Error => TestCaseStatus::non_success(NonSuccessKind::Error),
        Outcome::Skipped => TestCaseStatus::skipped(),
    };
    if case.outcome != Outcome::Passed && !case.message.is_empty() {
        status.set_message(case.message.lines().next().unwrap_or_default());
        status.set_description(case.message.as_str());
    }
    let mut made = TestCase::new(case.name.as_str(), status);
    made.set_classname(case.class_name.as_str());
    if let Some(duration) = duration_of(case) {
        made.set_time(duration);
    }
    if !case.output.is_empty() {
        made.set_system_out(case.output.as_str());
    }
    made
}

fn duration_of(case: &Case) -> Option<Duration> {
    // A negative time, or one that is no number, is no time.
    Duration::try_from_secs_f64(case.duration_ms? / 1000.0).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(name: &str, outcome: Outcome, message: &str) -> Case {
        Case {
            name: name.to_owned(),
            class_name: "guard".to_owned(),
            outcome,
            message: message.to_owned(),
            duration_ms: Some(1500.0),
            output: String::new(),
        }
    }

    #[test]
    fn each_outcome_has_its_element() {
        let suite = Suite {
            name: "scripts".to_owned(),
            cases: vec![
                Case { output: "said \u{1b}[31m<b>\u{1b}[0m\0".to_owned(), ..case("a", Outcome::Passed, "") },
                case("b", Outcome::Failed, "expected \"x\" & y\nseen z"),
                case("c", Outcome::Error, "timed out"),
                Case { duration_ms: None, ..case("d", Outcome::Skipped, "no docker") },
            ],
        };
        let xml = junit("vigiles test", &[suite]).unwrap();
        let read = Report::deserialize_from_str(&xml).unwrap();
        assert_eq!((read.tests, read.failures, read.errors), (4, 1, 1));
        insta::assert_snapshot!(xml);
    }

    #[test]
    fn a_time_that_is_none_is_left_out() {
        let suite = |time| Suite {
            name: "s".to_owned(),
            cases: vec![Case { duration_ms: Some(time), ..case("a", Outcome::Passed, "") }],
        };
        for time in [-1.0, f64::NAN, f64::INFINITY] {
            let xml = junit("r", &[suite(time)]).unwrap();
            assert!(!xml.contains("<testcase name=\"a\" classname=\"guard\" time"), "{xml}");
        }
    }
}
