//! Checks over tool calls.

use crate::hook::Cli;
use crate::tool::{built_in, current_name};
use crate::trace::ToolCall;

use super::super::error::EvalError;
use super::super::matcher::{ArgMatcher, Bounds, NameMatcher};
use super::super::predicate::{calls_of, sequence_steps};
use super::super::result::CheckResult;
use super::super::seen::{
    calls_and_refusals, count_of, in_order, list, nearest, plural, quoted, quoted_list, shortened, tally, tools_used,
};
use super::scene::Scene;

/// Calls whose arguments one message shows.
const SHOWN_CALLS: usize = 5;

pub(super) fn used(scene: &Scene<'_>, name: &NameMatcher) -> Result<CheckResult, EvalError> {
    let calls = scene.calls()?;
    let found = calls_of(calls.iter().copied(), name, scene.patterns)?;
    let actor = scene.actor();
    if found.is_empty() {
        let failure = format!("expected {actor} to use {}, but {}", a_tool(name), tools_used(&calls));
        return Ok(scene.provisional(CheckResult::fails(failure).hinted(name_hint(scene, name, &calls))));
    }
    Ok(CheckResult::holds(format!("{actor} used {} ({})", a_tool(name), calls_and_refusals(&found))))
}

pub(super) fn used_with(scene: &Scene<'_>, name: &NameMatcher, args: &ArgMatcher) -> Result<CheckResult, EvalError> {
    let calls = scene.calls()?;
    let of_tool = calls_of(calls.iter().copied(), name, scene.patterns)?;
    let actor = scene.actor();
    let mut inputs = Vec::with_capacity(of_tool.len());
    for call in &of_tool {
        let input = scene.trace.input(call)?;
        if args.is_match(&input, scene.patterns)? {
            return Ok(CheckResult::holds(format!("{actor} used {} with {args}", a_tool(name))));
        }
        inputs.push(input);
    }
    let expected = format!("expected {actor} to use {} with {args}, but", a_tool(name));
    if of_tool.is_empty() {
        let failure = CheckResult::fails(format!("{expected} {}", tools_used(&calls)));
        return Ok(scene.provisional(failure.hinted(name_hint(scene, name, &calls))));
    }
    let shown = inputs.iter().take(SHOWN_CALLS).map(|input| args.seen_in(input));
    let what = if of_tool.len() == 1 { "its only call".to_owned() } else { format!("its {} calls", of_tool.len()) };
    let failure = CheckResult::fails(format!("{expected} {what} had:{}", lines(&of_tool, shown)));
    let absent = args.0.keys().find(|field| {
        let top = field.split('.').next().unwrap_or(field);
        inputs.iter().all(|input| input.get(field.as_str()).is_none() && input.get(top).is_none())
    });
    let hint = absent.map(|field| {
        let known: Vec<&str> = inputs
            .iter()
            .filter_map(|input| input.as_object())
            .flat_map(|input| input.keys())
            .map(String::as_str)
            .collect();
        format!("no call has an argument {}; the arguments are [{}]", quoted(field), tally_names(&known))
    });
    Ok(scene.provisional(failure.hinted(hint)))
}

pub(super) fn not_used(
    scene: &Scene<'_>,
    name: &NameMatcher,
    args: Option<&ArgMatcher>,
) -> Result<CheckResult, EvalError> {
    let calls = scene.calls()?;
    let mut found = Vec::new();
    for call in calls_of(calls.iter().copied(), name, scene.patterns)? {
        let meant = match args {
            Some(args) => args.is_match(&scene.trace.input(call)?, scene.patterns)?,
            None => true,
        };
        if meant {
            found.push(call);
        }
    }
    let with = args.map(|args| format!(" with {args}")).unwrap_or_default();
    let actor = scene.actor();
    if found.is_empty() {
        let held = format!("{actor} did not use {}{with}: {}", a_tool(name), tools_used(&calls));
        return Ok(scene.provisional(CheckResult::holds(held)));
    }
    let mut shown = Vec::new();
    for call in found.iter().take(SHOWN_CALLS) {
        let input = scene.trace.read(&call.input)?;
        let refused = if call.denied == Some(true) { " (refused, but tried)" } else { "" };
        shown.push(format!("{} {}{refused}", call.name, shortened(&input, 160)));
    }
    let made = plural(count_of(&found), "call");
    let failure =
        format!("expected {actor} not to use {}{with}, but it made {made}:{}", a_tool(name), lines(&found, shown));
    Ok(CheckResult::fails(failure))
}

pub(super) fn only(scene: &Scene<'_>, allowed: &[String]) -> Result<CheckResult, EvalError> {
    let calls = scene.calls()?;
    let actor = scene.actor();
    let listed = quoted_list(allowed.iter().map(String::as_str));
    if calls.is_empty() {
        let failure = format!(
            "expected {actor} to use only {listed}, but it used no tool: a run that does nothing keeps to any list"
        );
        return Ok(scene.provisional(CheckResult::fails(failure)));
    }
    let offenders: Vec<&ToolCall> = calls
        .iter()
        .copied()
        .filter(|call| !allowed.iter().any(|allowed| current_name(base(allowed)) == current_name(base(&call.name))))
        .collect();
    if offenders.is_empty() {
        return Ok(scene.provisional(CheckResult::holds(format!("{actor} used only {listed}: {}", tools_used(&calls)))));
    }
    let names = tally(offenders.iter().map(|call| &*call.name));
    let failure = CheckResult::fails(format!("expected {actor} to use only {listed}, but it also used [{names}]"));
    let server = allowed.iter().find(|allowed| {
        let server = format!("{}__", allowed.trim_end_matches(['*', '_']));
        allowed.starts_with("mcp__") && offenders.iter().any(|call| call.name.starts_with(&server))
    });
    Ok(failure.hinted(server.map(|_| "each MCP tool is listed by its whole name, mcp__<server>__<tool>".to_owned())))
}

pub(super) fn count(scene: &Scene<'_>, name: &NameMatcher, bounds: Bounds) -> Result<CheckResult, EvalError> {
    let calls = scene.calls()?;
    let found = calls_of(calls.iter().copied(), name, scene.patterns)?;
    let seen = count_of(&found);
    let actor = scene.actor();
    let holds = format!("{actor} made {} of {}", plural(seen, "call"), a_tool(name));
    let fails = format!(
        "expected {actor} to make {} of {}, but it made {}; {}",
        bounds.of("call", "calls"),
        a_tool(name),
        if seen == 0 { "none".to_owned() } else { seen.to_string() },
        tools_used(&calls)
    );
    let result = scene.within(seen, bounds, holds, fails);
    let hint = if found.is_empty() && !result.pass() { name_hint(scene, name, &calls) } else { None };
    Ok(result.hinted(hint))
}

pub(super) fn sequence(scene: &Scene<'_>, names: &[NameMatcher]) -> Result<CheckResult, EvalError> {
    let calls = scene.calls()?;
    let steps = sequence_steps(calls.iter().copied(), names, scene.patterns)?;
    let actor = scene.actor();
    let Some(missing) = names.get(steps.len()) else {
        return Ok(CheckResult::holds(format!("{actor} used {} in this order", list(names))));
    };
    let order = if calls.is_empty() {
        "it used no tool".to_owned()
    } else {
        format!("the calls in order are {}", in_order(calls.iter().map(|call| &*call.name)))
    };
    let gap = match steps.last() {
        None => format!("there is no call of {missing}"),
        Some(last) => format!("after {} (step {}) there is no call of {missing}", quoted(&last.name), steps.len()),
    };
    let failure =
        CheckResult::fails(format!("expected {actor} to use {} in this order, but {gap}; {order}", list(names)));
    let earlier = !steps.is_empty() && !calls_of(calls.iter().copied(), missing, scene.patterns)?.is_empty();
    let hint =
        if earlier { Some(format!("{missing} was used, but only earlier")) } else { name_hint(scene, missing, &calls) };
    Ok(scene.provisional(failure.hinted(hint)))
}

/// `tool "Bash"`, `a tool matching /^mcp__/`.
fn a_tool(name: &NameMatcher) -> String {
    match name {
        NameMatcher::Exact(_) => format!("tool {name}"),
        NameMatcher::Matches(_) => format!("a tool matching {name}"),
    }
}

/// A permission rule without its pattern.
fn base(rule: &str) -> &str {
    rule.split_once('(').map_or(rule, |(name, _)| name).trim()
}

/// One line for each of the first calls, and how many more there are.
fn lines(calls: &[&ToolCall], shown: impl IntoIterator<Item = String>) -> String {
    let mut lines: Vec<String> = shown.into_iter().map(|call| format!("\n  {call}")).collect();
    if calls.len() > SHOWN_CALLS {
        lines.push(format!("\n  … {} more", calls.len() - SHOWN_CALLS));
    }
    lines.concat()
}

fn tally_names(names: &[&str]) -> String {
    let mut distinct: Vec<&str> = Vec::new();
    for name in names {
        if !distinct.contains(name) {
            distinct.push(name);
        }
    }
    distinct.join(", ")
}

/// What the caller may have meant by a name that no call has.
fn name_hint(scene: &Scene<'_>, name: &NameMatcher, calls: &[&ToolCall]) -> Option<String> {
    let NameMatcher::Exact(name) = name else { return None };
    let used = || calls.iter().map(|call| &*call.name);
    if let Some(call) = used().find(|used| {
        used.strip_prefix("mcp__").and_then(|rest| rest.split_once("__")).is_some_and(|(_, tool)| tool == name)
    }) {
        return Some(format!("an MCP tool is named with its server: {}", quoted(call)));
    }
    if let Some(near) = nearest(name, used()) {
        return Some(format!("did you mean {}? Names are compared as they are, letter case included", quoted(near)));
    }
    if let Some(server) = name.strip_prefix("mcp__").and_then(|rest| rest.split_once("__")).map(|(server, _)| server) {
        let down =
            scene.trace.mcp_servers()?.iter().find(|known| &*known.name == server && &*known.status != "connected")?;
        return Some(format!("the MCP server {} was {} when the run started", quoted(server), quoted(&down.status)));
    }
    if name.starts_with("mcp") || name.contains("__") {
        return Some("MCP tools are named mcp__<server>__<tool>, with two underscores before each part".to_owned());
    }
    let tools = || [Cli::ClaudeCode, Cli::Codex].into_iter().flat_map(built_in).copied();
    let known = nearest(name, tools()).filter(|_| !tools().any(|tool| tool == name))?;
    Some(format!("did you mean {}?", quoted(known)))
}
