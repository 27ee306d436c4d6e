//! Checks over what the agent said and what the model was told.

use crate::trace::{ModelRequest, RequestMessage};

use super::super::error::EvalError;
use super::super::matcher::{Bounds, TextMatcher};
use super::super::observed;
use super::super::predicate::requests_with;
use super::super::result::CheckResult;
use super::super::seen::{count_of, excerpt, plural, quoted};
use super::scene::Scene;

/// Characters of a text that a message shows.
const SHOWN: usize = 200;

pub(super) fn output(scene: &Scene<'_>, matcher: &TextMatcher) -> Result<CheckResult, EvalError> {
    let whose = match scene.agent {
        None => "the final answer".to_owned(),
        Some(_) => format!("the answer of {}", scene.actor()),
    };
    let answer = match scene.agent {
        None => scene.trace.output().map(std::borrow::Cow::Borrowed),
        Some(agent) => scene.trace.subagent_output(agent)?,
    };
    let expected = format!("expected {whose} to {}", matcher.expected());
    let Some(answer) = answer else { return no_answer(scene, &expected) };
    if matcher.is_match(&answer, scene.patterns)? {
        return Ok(CheckResult::holds(format!("{whose} {}", matcher.found())));
    }
    let failure = CheckResult::fails(format!("{expected}, but it is {}", excerpt(&answer, SHOWN)));
    Ok(scene.provisional(failure.hinted(case_hint(matcher, &answer))))
}

/// A run that its own limit ended gave no answer; of any other run nobody knows.
fn no_answer(scene: &Scene<'_>, expected: &str) -> Result<CheckResult, EvalError> {
    let limit = scene.trace.result().filter(|result| result.subtype.starts_with("error_max") && scene.agent.is_none());
    if let Some(result) = limit {
        return Ok(CheckResult::fails(format!("{expected}, but the run ended without one ({})", result.subtype)));
    }
    if let Some(unfinished) = scene.unfinished() {
        return Ok(CheckResult::unknown(unfinished.code, format!("{expected}, but there is none: {}", unfinished.why)));
    }
    if scene.agent.is_none() {
        observed::output(scene.trace)?;
    }
    Ok(CheckResult::unknown("VIGILES_NOT_OBSERVED", format!("{expected}, but its answer was not recorded")))
}

pub(super) fn received(scene: &Scene<'_>, matcher: &TextMatcher) -> Result<CheckResult, EvalError> {
    let requests = observed::model_requests(scene.trace)?;
    let mut found = requests_with(requests, matcher, scene.patterns);
    if let Some(request) = found.next().transpose()? {
        let side = if request.side_channel { " (one that is no turn of an agent)" } else { "" };
        return Ok(CheckResult::holds(format!("a model request {}{side}", matcher.found())));
    }
    let seen = match last_message(requests) {
        None if requests.is_empty() => "no request reached the model".to_owned(),
        None => format!("none of {} does, and none has a message", plural(count_of(requests), "request")),
        Some(last) => format!(
            "none of {} does; the last message sent, by {}, is {}",
            plural(count_of(requests), "request"),
            quoted(&last.role),
            excerpt(&last.text, SHOWN)
        ),
    };
    let failure = CheckResult::fails(format!("expected a model request to {}, but {seen}", matcher.expected()));
    let hint = requests.iter().find_map(|request| {
        let mut texts = std::iter::once(&request.system).chain(request.messages.iter().map(|message| &message.text));
        texts.find_map(|text| case_hint(matcher, text))
    });
    Ok(scene.provisional(failure.hinted(hint)))
}

pub(super) fn each_reply(scene: &Scene<'_>, matcher: &TextMatcher) -> Result<CheckResult, EvalError> {
    let replies = observed::replies(scene.trace)?;
    let expected = format!("expected every reply to {}", matcher.expected());
    if replies.is_empty() {
        return Ok(scene.provisional(CheckResult::fails(format!("{expected}, but there was no reply"))));
    }
    for (index, reply) in replies.iter().enumerate() {
        let reply = scene.trace.read(reply)?;
        if !matcher.is_match(&reply, scene.patterns)? {
            let failure = format!(
                "{expected}, but reply {} of {} does not: {}",
                index + 1,
                replies.len(),
                excerpt(&reply, SHOWN)
            );
            return Ok(CheckResult::fails(failure).hinted(case_hint(matcher, &reply)));
        }
    }
    let held = format!("every reply ({}) {}", replies.len(), matcher.found());
    Ok(scene.provisional(CheckResult::holds(held)))
}

pub(super) fn reply_count(scene: &Scene<'_>, matcher: &TextMatcher, bounds: Bounds) -> Result<CheckResult, EvalError> {
    let replies = observed::replies(scene.trace)?;
    let mut matching = Vec::new();
    for (index, reply) in replies.iter().enumerate() {
        if matcher.is_match(&scene.trace.read(reply)?, scene.patterns)? {
            matching.push(index + 1);
        }
    }
    let seen = count_of(&matching);
    let which = match matching.as_slice() {
        [] => String::new(),
        [number] => format!(" (number {number})"),
        numbers => {
            format!(" (numbers {})", numbers.iter().take(20).map(ToString::to_string).collect::<Vec<_>>().join(", "))
        }
    };
    let found = format!("{seen} of {}{which}", replies_counted(count_of(replies)));
    let holds = format!("{found} {}", if seen == 1 { matcher.found() } else { matcher.expected() });
    let fails = format!("expected {} to {}, but {found} did", bounds.of("reply", "replies"), matcher.expected());
    let hint = match (replies, matching.is_empty()) {
        ([.., last], true) => Some(format!("the last reply is {}", excerpt(&scene.trace.read(last)?, SHOWN))),
        _ => None,
    };
    let result = scene.within(seen, bounds, holds, fails);
    Ok(if result.pass() { result } else { result.hinted(hint) })
}

/// The last thing that was said to an agent; of another request when there is no such.
fn last_message(requests: &[ModelRequest]) -> Option<&RequestMessage> {
    let of = |side| {
        requests
            .iter()
            .rev()
            .filter(move |request| request.side_channel == side)
            .find_map(|request| request.messages.last())
    };
    of(false).or_else(|| of(true))
}

fn replies_counted(count: u64) -> String {
    if count == 1 { "1 reply".to_owned() } else { format!("{count} replies") }
}

fn case_hint(matcher: &TextMatcher, text: &str) -> Option<String> {
    let TextMatcher::Contains(part) = matcher else { return None };
    text.to_lowercase()
        .contains(&part.to_lowercase())
        .then(|| format!("{} is there in other letter case; a pattern with the flag i finds it", quoted(part)))
}
