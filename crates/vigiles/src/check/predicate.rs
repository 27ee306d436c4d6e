//! Plain questions about a trace. Checks are made of them.
//!
//! They tell what was recorded, and refuse what was not ([`crate::trace::TraceError::NotObserved`]). Whether the
//! run was recorded to its end is not asked here: [`crate::trace::Trace::complete`] says it.

use std::collections::HashMap;

use serde_json::Value;

use crate::tool::current_name;
use crate::trace::{HookFire, ModelRequest, ToolCall, Trace};

use super::error::EvalError;
use super::matcher::{ArgMatcher, NameMatcher, TextMatcher};
use super::observed;
use super::pattern::{Pattern, PatternError, PatternTester};

/// Whether the agent used the tool.
pub fn used_tool(trace: &Trace, name: &NameMatcher, patterns: &dyn PatternTester) -> Result<bool, EvalError> {
    Ok(tool_count(trace, name, patterns)? > 0)
}

/// How many calls of the tool there were.
pub fn tool_count(trace: &Trace, name: &NameMatcher, patterns: &dyn PatternTester) -> Result<usize, EvalError> {
    Ok(calls_of(observed::tool_calls(trace)?, name, patterns)?.len())
}

/// The calls of the tool, as indices in [`Trace::tool_calls`].
pub fn tool_call_indices(
    trace: &Trace,
    name: &NameMatcher,
    patterns: &dyn PatternTester,
) -> Result<Vec<usize>, EvalError> {
    let mut test = NameTest::new(name, patterns);
    let mut indices = Vec::new();
    for (index, call) in observed::tool_calls(trace)?.iter().enumerate() {
        if test.is_match(&call.name)? {
            indices.push(index);
        }
    }
    Ok(indices)
}

/// Whether one call of the tool had these arguments.
pub fn tool_used_with(
    trace: &Trace,
    name: &NameMatcher,
    args: &ArgMatcher,
    patterns: &dyn PatternTester,
) -> Result<bool, EvalError> {
    for call in calls_of(observed::tool_calls(trace)?, name, patterns)? {
        if args.is_match(&trace.input(call)?, patterns)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the tools were used in this order; other calls may lie between, and each name needs a call of its own.
pub fn tool_sequence(trace: &Trace, names: &[NameMatcher], patterns: &dyn PatternTester) -> Result<bool, EvalError> {
    Ok(sequence_steps(observed::tool_calls(trace)?, names, patterns)?.len() == names.len())
}

/// Whether a `Skill` call for `id` gave no error.
///
/// Holds for the id as called, and for `plugin:name` when the call used the bare name and the run offered exactly
/// one skill of that name. A prompt `/name` starts a skill without a `Skill` call.
pub fn skill_resolved(trace: &Trace, id: &str) -> Result<bool, EvalError> {
    let calls = observed::tool_calls(trace)?;
    let calls = skill_calls(trace, calls)?;
    Ok(calls.iter().any(|call| is_skill(trace, &call.id, id) && call.call.is_error == Some(false)))
}

/// Whether the final answer contains or matches.
pub fn output_contains(trace: &Trace, matcher: &TextMatcher, patterns: &dyn PatternTester) -> Result<bool, EvalError> {
    Ok(matcher.is_match(observed::output(trace)?, patterns)?)
}

/// Whether some model request contains or matches, in its system prompt or in one of its messages.
pub fn request_contains(trace: &Trace, matcher: &TextMatcher, patterns: &dyn PatternTester) -> Result<bool, EvalError> {
    Ok(requests_with(observed::model_requests(trace)?, matcher, patterns).next().transpose()?.is_some())
}

/// Whether a hook fired: `Event:Matcher` as recorded, or the bare event.
pub fn hook_fired(trace: &Trace, name: &str) -> Result<bool, EvalError> {
    Ok(firings(observed::hooks(trace)?, name).next().is_some())
}

/// Whether a hook fired and blocked. Refused when none did, as far as known, and the end of one was not recorded.
pub fn hook_blocked(trace: &Trace, name: &str) -> Result<bool, EvalError> {
    let mut open = false;
    for hook in firings(observed::hooks(trace)?, name) {
        match hook.blocked {
            Some(true) => return Ok(true),
            Some(false) => {}
            None => open = true,
        }
    }
    if open { Err(observed::hook_end_missing().into()) } else { Ok(false) }
}

/// Whether a hook fired and ended with an exit code other than 0. Exit 1 fails a hook and blocks nothing.
pub fn hook_failed(trace: &Trace, name: &str) -> Result<bool, EvalError> {
    Ok(firings(observed::hooks(trace)?, name).any(|hook| hook.exit_code.is_some_and(|code| code != 0)))
}

/// Tests tool names, a pattern once for each distinct name.
struct NameTest<'m, 'n> {
    matcher: &'m NameMatcher,
    patterns: &'m dyn PatternTester,
    tested: HashMap<&'n str, bool>,
}

impl<'m, 'n> NameTest<'m, 'n> {
    fn new(matcher: &'m NameMatcher, patterns: &'m dyn PatternTester) -> Self {
        Self { matcher, patterns, tested: HashMap::new() }
    }

    fn is_match(&mut self, name: &'n str) -> Result<bool, PatternError> {
        match self.matcher {
            NameMatcher::Exact(expected) => Ok(current_name(expected) == current_name(name)),
            NameMatcher::Matches(pattern) => {
                if let Some(known) = self.tested.get(name) {
                    return Ok(*known);
                }
                let matches = self.test(pattern, name)?;
                self.tested.insert(name, matches);
                Ok(matches)
            }
        }
    }

    fn test(&self, pattern: &Pattern, name: &str) -> Result<bool, PatternError> {
        match current_name(name) {
            "Agent" => Ok(self.patterns.is_match(pattern, "Agent")? || self.patterns.is_match(pattern, "Task")?),
            _ => self.patterns.is_match(pattern, name),
        }
    }
}

/// The calls of the tool, in order.
pub(super) fn calls_of<'c>(
    calls: impl IntoIterator<Item = &'c ToolCall>,
    name: &NameMatcher,
    patterns: &dyn PatternTester,
) -> Result<Vec<&'c ToolCall>, PatternError> {
    let mut test = NameTest::new(name, patterns);
    let mut found = Vec::new();
    for call in calls {
        if test.is_match(&call.name)? {
            found.push(call);
        }
    }
    Ok(found)
}

/// The calls that answer the names one by one, as many as can be answered: the earliest call for each.
pub(super) fn sequence_steps<'c>(
    calls: impl IntoIterator<Item = &'c ToolCall>,
    names: &[NameMatcher],
    patterns: &dyn PatternTester,
) -> Result<Vec<&'c ToolCall>, PatternError> {
    let mut steps = Vec::new();
    let mut wanted = names.iter();
    let Some(mut test) = wanted.next().map(|name| NameTest::new(name, patterns)) else { return Ok(steps) };
    for call in calls {
        if test.is_match(&call.name)? {
            steps.push(call);
            match wanted.next() {
                Some(name) => test = NameTest::new(name, patterns),
                None => break,
            }
        }
    }
    Ok(steps)
}

/// A call of the tool `Skill`.
pub(super) struct SkillCall<'c> {
    pub(super) call: &'c ToolCall,
    /// The skill it asked for.
    pub(super) id: String,
}

pub(super) fn skill_calls<'c>(
    trace: &Trace,
    calls: impl IntoIterator<Item = &'c ToolCall>,
) -> Result<Vec<SkillCall<'c>>, EvalError> {
    let mut found = Vec::new();
    for call in calls {
        if &*call.name == "Skill"
            && let Some(Value::String(id)) = trace.input(call)?.get_mut("skill").map(Value::take)
        {
            found.push(SkillCall { call, id });
        }
    }
    Ok(found)
}

/// Whether a skill that was called as `called` is the skill `asked`.
pub(super) fn is_skill(trace: &Trace, called: &str, asked: &str) -> bool {
    if called == asked {
        return true;
    }
    if called.contains(':') || bare_skill_name(asked) != called {
        return false;
    }
    let offered = trace.skills().unwrap_or_default();
    let mut of_that_name = offered.iter().filter(|skill| bare_skill_name(skill) == called);
    of_that_name.next().is_some_and(|only| only == asked) && of_that_name.next().is_none()
}

/// The name without its plugin.
pub(super) fn bare_skill_name(id: &str) -> &str {
    id.rsplit_once(':').map_or(id, |(_, name)| name)
}

/// The requests that contain or match.
pub(super) fn requests_with<'r>(
    requests: &'r [ModelRequest],
    matcher: &'r TextMatcher,
    patterns: &'r dyn PatternTester,
) -> impl Iterator<Item = Result<&'r ModelRequest, PatternError>> {
    let in_request = move |request: &ModelRequest| {
        let texts = std::iter::once(&request.system).chain(request.messages.iter().map(|message| &message.text));
        for text in texts {
            if matcher.is_match(text, patterns)? {
                return Ok(true);
            }
        }
        Ok(false)
    };
    requests.iter().filter_map(move |request| match in_request(request) {
        Ok(true) => Some(Ok(request)),
        Ok(false) => None,
        Err(error) => Some(Err(error)),
    })
}

/// The firings of a hook that is named by its label or by its event.
pub(super) fn firings<'h>(hooks: &'h [HookFire], name: &str) -> impl Iterator<Item = &'h HookFire> {
    hooks.iter().filter(move |hook| &*hook.name == name || &*hook.event == name)
}
