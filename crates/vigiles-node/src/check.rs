//! Checks.

use napi::Result;
use napi::bindgen_prelude::{FnArgs, Function};
use napi_derive::napi;
use serde::Deserialize;
use vigiles::check::{
    Check, CheckResult, NameMatcher, Pattern, PatternError, PatternTester, RunFacts, Target, Verdict, eval_all,
    format_failures,
};

use crate::error::{Coded, coded, from_json, to_json};

/// The caller's `(source, flags, text) => boolean`: patterns are JavaScript's, so JavaScript tests them.
pub(crate) type IsMatch<'a> = Function<'a, FnArgs<(String, String, String)>, bool>;

/// Patterns tested by V8.
pub(crate) struct V8Patterns<'a>(IsMatch<'a>);

impl<'a> V8Patterns<'a> {
    pub(crate) fn new(is_match: IsMatch<'a>) -> Self {
        Self(is_match)
    }
}

impl PatternTester for V8Patterns<'_> {
    fn is_match(&self, pattern: &Pattern, text: &str) -> std::result::Result<bool, PatternError> {
        let arguments = (pattern.source.clone(), pattern.flags.clone(), text.to_owned()).into();
        self.0
            .call(arguments)
            .map_err(|error| PatternError::Invalid { pattern: pattern.clone(), reason: error.reason.clone() })
    }
}

/// Judges checks over one run of a hook or script, given as JSON.
#[napi(catch_unwind)]
pub fn eval_run_checks(run: String, checks: String, is_match: IsMatch<'_>) -> Result<String> {
    let run: RunFacts = from_json("the result of runHook or runScript", &run)?;
    let checks = Check::list_from_json(&checks).coded()?;
    to_json(&eval_all(&checks, &Target::Run(&run), &V8Patterns::new(is_match)).coded()?)
}

/// Validates checks and gives them in their canonical JSON form, each with its `label`.
#[napi(catch_unwind)]
pub fn describe_checks(checks: String) -> Result<String> {
    let checks = Check::list_from_json(&checks).coded()?;
    let labels: Vec<String> = checks.iter().map(Check::label).collect();
    to_json(&serde_json::json!({ "checks": checks, "labels": labels }))
}

#[derive(Deserialize)]
struct ResultForm {
    verdict: Option<String>,
    pass: bool,
    #[serde(default)]
    message: String,
}

/// The message of `assertChecks`; null when all results are passes.
#[napi(catch_unwind)]
pub fn format_check_failures(results: String) -> Result<Option<String>> {
    let results = from_json::<Vec<ResultForm>>("results of checks", &results)?;
    let result = |form: ResultForm| CheckResult {
        verdict: match form.verdict.as_deref() {
            Some("error") => Verdict::Error,
            _ if form.pass => Verdict::Pass,
            _ => Verdict::Fail,
        },
        score: f64::from(u8::from(form.pass)),
        message: form.message,
        code: None,
    };
    Ok(format_failures(&results.into_iter().map(result).collect::<Vec<_>>()))
}

/// A tool's name: a string or `{regex, flags}`.
pub(crate) fn tool_name(json: &str) -> Result<NameMatcher> {
    match Check::from_json(&format!(r#"{{"kind":"tool","name":{json}}}"#)).coded()? {
        Check::Tool { name } => Ok(name),
        other => Err(coded("VIGILES_INTERNAL", format_args!("read a tool name as {other}"))),
    }
}
