//! Checks over the run as a whole: turns, cost, time, tokens.

use super::super::error::EvalError;
use super::super::matcher::Bounds;
use super::super::observed;
use super::super::result::{CheckResult, Verdict};
use super::super::seen::{count_of, plural};
use super::scene::Scene;

pub(super) fn turns(scene: &Scene<'_>, bounds: Bounds) -> Result<CheckResult, EvalError> {
    let seen = observed::turns(scene.trace)?;
    let holds = format!("the agent took {}", plural(seen, "turn"));
    let fails = format!("expected the agent to take {}, but it took {seen}", bounds.of("turn", "turns"));
    Ok(scene.within(seen, bounds, holds, fails))
}

pub(super) fn served_turns(scene: &Scene<'_>, min: u64) -> Result<CheckResult, EvalError> {
    let served = match scene.trace.model_requests() {
        Some(requests) => count_of(&requests.iter().filter(|request| !request.side_channel).collect::<Vec<_>>()),
        None => observed::turns(scene.trace)?,
    };
    let holds = format!("the model was asked for {}", plural(served, "turn"));
    let fails =
        format!("expected the model to be asked for at least {}, but it was asked for {served}", plural(min, "turn"));
    Ok(scene.within(served, Bounds::at_least(min), holds, fails))
}

pub(super) fn cost(scene: &Scene<'_>, max: f64) -> Result<CheckResult, EvalError> {
    let cost = observed::usage(scene.trace, "the cost of the run", |usage| usage.cost_usd)?;
    Ok(Limit { verb: ["cost", "cost"], unit: "" }.judge(scene, cost, max, |usd| format!("${usd}")))
}

pub(super) fn latency(scene: &Scene<'_>, max: f64) -> Result<CheckResult, EvalError> {
    let time = observed::usage(scene.trace, "the duration of the run", |usage| usage.duration_ms)?;
    Ok(Limit { verb: ["take", "took"], unit: "" }.judge(scene, time, max, |ms| format!("{ms} ms")))
}

pub(super) fn tokens(scene: &Scene<'_>, max: u64) -> Result<CheckResult, EvalError> {
    let input = observed::usage(scene.trace, "the number of input tokens", |usage| usage.input_tokens)?;
    let output = observed::usage(scene.trace, "the number of output tokens", |usage| usage.output_tokens)?;
    let limit = Limit { verb: ["use", "used"], unit: " input and output tokens" };
    Ok(limit.judge(scene, input.saturating_add(output), max, |count| count.to_string()))
}

pub(super) fn input_tokens(scene: &Scene<'_>, max: u64) -> Result<CheckResult, EvalError> {
    let seen = observed::usage(scene.trace, "the number of input tokens", |usage| usage.input_tokens)?;
    Ok(Limit { verb: ["use", "used"], unit: " input tokens" }.judge(scene, seen, max, |count| count.to_string()))
}

pub(super) fn output_tokens(scene: &Scene<'_>, max: u64) -> Result<CheckResult, EvalError> {
    let seen = observed::usage(scene.trace, "the number of output tokens", |usage| usage.output_tokens)?;
    Ok(Limit { verb: ["use", "used"], unit: " output tokens" }.judge(scene, seen, max, |count| count.to_string()))
}

pub(super) fn cache_tokens(
    scene: &Scene<'_>,
    max_creation: Option<u64>,
    max_read: Option<u64>,
) -> Result<CheckResult, EvalError> {
    let mut held = Vec::new();
    if let Some(max) = max_creation {
        let seen = observed::usage(scene.trace, "the number of tokens written to the cache", |usage| {
            usage.cache_creation_tokens
        })?;
        let limit = Limit { verb: ["write", "wrote"], unit: " tokens to the cache" };
        held.push(limit.judge(scene, seen, max, |count| count.to_string()));
    }
    if let Some(max) = max_read {
        let seen =
            observed::usage(scene.trace, "the number of tokens read from the cache", |usage| usage.cache_read_tokens)?;
        let limit = Limit { verb: ["read", "read"], unit: " tokens from the cache" };
        held.push(limit.judge(scene, seen, max, |count| count.to_string()));
    }
    // A limit that is exceeded decides, whatever the other says.
    if let Some(failed) = held.iter().position(|result| result.verdict == Verdict::Fail) {
        return Ok(held.swap_remove(failed));
    }
    if let Some(open) = held.iter().position(|result| !result.pass()) {
        return Ok(held.swap_remove(open));
    }
    let messages: Vec<String> = held.into_iter().map(|result| result.message).collect();
    Ok(CheckResult::holds(messages.join("; ")))
}

/// How to word a limit: the verb, as expected and as seen, and what follows the limit.
struct Limit {
    verb: [&'static str; 2],
    unit: &'static str,
}

impl Limit {
    fn judge<T: PartialOrd + Copy>(
        &self,
        scene: &Scene<'_>,
        seen: T,
        max: T,
        show: impl Fn(T) -> String,
    ) -> CheckResult {
        let Self { verb: [expected, was], unit } = self;
        let (seen_text, max_text) = (show(seen), show(max));
        if seen <= max {
            scene.provisional(CheckResult::holds(format!("the run {was} {seen_text}{unit} (limit {max_text})")))
        } else {
            CheckResult::fails(format!(
                "expected the run to {expected} at most {max_text}{unit}, but it {was} {seen_text}"
            ))
        }
    }
}
