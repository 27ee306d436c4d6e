//! Tool calls that are refused instead of run: a spy on what the model calls.
//!
//! A run with such calls has a hook of ours, `vigiles-hook intercept`, which is [`intercept_event`].

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::check::{ArgMatcher, ArgValue, EcmaPatterns, PatternError, PatternTester};

/// What the model is told where the spec says nothing.
pub const DEFAULT_DENY_REASON: &str =
    "This call was noted and not run: the test looks only at which tools are called. Take it as done and go on.";

/// A tool call that is refused instead of run. The trace shows it, denied.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Intercept {
    /// The tool's name.
    pub tool: String,
    /// What the arguments must be; all calls of the tool if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<ArgMatcher>,
    /// What the model is told. [`DEFAULT_DENY_REASON`] if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deny_reason: Option<String>,
}

impl Intercept {
    fn is_match(&self, tool: &str, input: &Value, patterns: &EcmaPatterns) -> Result<bool, PatternError> {
        if self.tool != tool {
            return Ok(false);
        }
        self.when.as_ref().map_or(Ok(true), |when| when.is_match(input, patterns))
    }

    /// Why a call is refused; `None` for one that is not. The first that matches decides.
    pub fn refusal<'i>(all: &'i [Self], tool: &str, input: &Value) -> Result<Option<&'i str>, PatternError> {
        let patterns = EcmaPatterns::new();
        for intercept in all {
            if intercept.is_match(tool, input, &patterns)? {
                return Ok(Some(intercept.deny_reason.as_deref().unwrap_or(DEFAULT_DENY_REASON)));
            }
        }
        Ok(None)
    }

    /// Says what is wrong with one that could not be tried on a call.
    pub fn validate(&self) -> Result<(), String> {
        if self.tool.trim().is_empty() {
            return Err("expected `tool` to name a tool, but it is blank".to_owned());
        }
        let patterns = EcmaPatterns::new();
        for value in self.when.iter().flat_map(|when| when.0.values()) {
            if let ArgValue::Matches(pattern) = value {
                patterns.is_match(pattern, "").map_err(|error| error.to_string())?;
            }
        }
        Ok(())
    }
}

/// What the hook of a run is told: a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Whether each answer says that it is ours ([`is_own`]), for a CLI that tells of every hook.
    pub mark: bool,
    /// The calls.
    pub calls: Vec<Intercept>,
}

/// The key that says that an answer is ours.
const MARK: &str = "vigilesIntercept";

/// What the hook answers to this event, a JSON text: the refusal, or nothing. `rules` is a file with [`Rules`].
pub fn intercept_event(rules: &Path, event: &str) -> io::Result<String> {
    let rules: Rules = serde_json::from_slice(&std::fs::read(rules)?)?;
    let event: Value = serde_json::from_str(event)?;
    let tool = event["tool_name"].as_str().unwrap_or_default();
    let none = json!({});
    let input = event.get("tool_input").unwrap_or(&none);
    let refusal = Intercept::refusal(&rules.calls, tool, input).map_err(io::Error::other)?;
    let mut answer = refusal.map_or_else(
        || json!({}),
        |reason| {
            json!({ "hookSpecificOutput": {
                "hookEventName": "PreToolUse",
                "permissionDecision": "deny",
                "permissionDecisionReason": reason,
            }})
        },
    );
    if rules.mark {
        answer[MARK] = true.into();
    }
    Ok(if rules.mark || refusal.is_some() { answer.to_string() } else { String::new() })
}

/// Whether a hook's standard output was written by ours.
pub fn is_own(stdout: &str) -> bool {
    serde_json::from_str::<Value>(stdout.trim()).is_ok_and(|answer| answer[MARK] == true)
}
