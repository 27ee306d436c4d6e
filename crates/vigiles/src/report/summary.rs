//! What happened in a run, for a person.

use std::fmt::Write;

use serde_json::Value;

use crate::hook::Effect;
use crate::trace::{HookFire, Subagent, ToolCall, Trace, TraceError, Usage};

use super::text::{columns, duration, excerpt, one_line, plural, printable};

/// The longest argument, command or reason on one line, in characters.
const LINE: usize = 100;

/// What of the final answer is shown.
const ANSWER_LINES: usize = 20;
const ANSWER_CHARACTERS: usize = 1500;

/// Lines that could not be read, of which this many are listed.
const PARSE_ERRORS: usize = 10;

/// What happened in a run as text of a few dozen lines: what ran, the tools with their errors, every hook, skills,
/// subagents, denials, cost, and what the reader should know about the recording.
///
/// What was not recorded is said to be so. Control characters are escaped: the text is safe to print on a terminal.
pub fn summarize(trace: &Trace) -> Result<String, TraceError> {
    let mut text = String::new();
    text.push_str(&head(trace));
    for section in [
        Some(tools(trace)),
        Some(hooks(trace)),
        skills(trace)?,
        subagents(trace)?,
        denials(trace)?,
        servers(trace),
        warnings(trace),
        parse_errors(trace),
        Some(answer(trace)),
    ]
    .into_iter()
    .flatten()
    {
        text.push('\n');
        text.push_str(&section);
    }
    Ok(text)
}

fn head(trace: &Trace) -> String {
    let mut rows = vec![row("format", trace.kind().name().to_owned())];
    let mut add = |label: &str, value: Option<String>| rows.extend(value.map(|value| row(label, value)));
    add("model", trace.model().map(|model| one_line(model, LINE)));
    add("session", trace.session_id().map(|id| one_line(id, LINE)));
    add("directory", trace.cwd().map(|cwd| printable(cwd).into_owned()));
    add("prompt", trace.prompt().map(|prompt| one_line(prompt, LINE)));
    add("result", Some(result(trace)));
    add("turns", trace.turns().map(|turns| turns_told(trace, turns)));
    add("cost", trace.usage().and_then(|usage| usage.cost_usd).map(|dollars| format!("${dollars:.4}")));
    add("time", trace.usage().and_then(|usage| usage.duration_ms).map(duration));
    add("tokens", trace.usage().and_then(tokens));
    // Not indented: nothing stands above it.
    columns(&rows).lines().flat_map(|line| [line.trim_start(), "\n"]).collect()
}

fn row(label: &str, value: String) -> [String; 2] {
    [label.to_owned(), value]
}

fn result(trace: &Trace) -> String {
    let mut parts = Vec::new();
    match trace.result() {
        None => parts.push("not recorded".to_owned()),
        Some(result) => {
            parts.push(one_line(&result.subtype, LINE));
            // `success` with an error set is an API failure: the word alone would read as its opposite.
            if result.is_error {
                parts.push("failed".to_owned());
            }
            parts.extend(result.terminal_reason.as_deref().map(|reason| one_line(reason, LINE)));
            parts.extend(result.api_error_status.map(|status| format!("HTTP {status}")));
            parts.extend(result.errors.iter().map(|error| one_line(error, LINE)));
        }
    }
    if !trace.complete() {
        parts.push("the recording ends before the run does".to_owned());
    }
    parts.join(", ")
}

fn turns_told(trace: &Trace, turns: u32) -> String {
    match trace.result().and_then(|result| result.num_turns) {
        Some(own) if own != turns => format!("{turns} of the model (num_turns of the CLI: {own})"),
        _ => turns.to_string(),
    }
}

fn tokens(usage: &Usage) -> Option<String> {
    let parts = [
        (usage.input_tokens, "in"),
        (usage.output_tokens, "out"),
        (usage.cache_creation_tokens, "to cache"),
        (usage.cache_read_tokens, "from cache"),
    ];
    let told: Vec<String> =
        parts.into_iter().filter_map(|(count, what)| count.map(|count| format!("{count} {what}"))).collect();
    (!told.is_empty()).then(|| told.join(", "))
}

/// The tools of the main agent; those of subagents are told with them.
fn tools(trace: &Trace) -> String {
    let Some(calls) = trace.tool_calls() else {
        return "tools: not recorded\n".to_owned();
    };
    let own: Vec<&ToolCall> = calls.iter().filter(|call| call.parent_id.is_none()).collect();
    if own.is_empty() {
        return "tools: none\n".to_owned();
    }
    let rows: Vec<[String; 2]> =
        by_tool(&own).into_iter().map(|(name, calls)| [one_line(name, LINE), counts(&calls)]).collect();
    format!("tools: {}\n{}", counts(&own), columns(&rows))
}

/// Calls by the tool's name, names in order of their first call.
fn by_tool<'c>(calls: &[&'c ToolCall]) -> Vec<(&'c str, Vec<&'c ToolCall>)> {
    let mut groups: Vec<(&str, Vec<&ToolCall>)> = Vec::new();
    for &call in calls {
        match groups.iter_mut().find(|(name, _)| *name == &*call.name) {
            Some((_, group)) => group.push(call),
            None => groups.push((&call.name, vec![call])),
        }
    }
    groups
}

/// `3 calls, 1 denied, 1 error, 1 without an answer`; a denied call is not counted as an error again.
fn counts(calls: &[&ToolCall]) -> String {
    let count = |is: fn(&ToolCall) -> bool| calls.iter().filter(|call| is(call)).count();
    let denied = count(|call| call.denied == Some(true));
    let errors = count(|call| call.is_error == Some(true) && call.denied != Some(true));
    let open = count(|call| call.is_error.is_none());
    let mut text = plural(calls.len(), "call");
    if denied > 0 {
        let _ = write!(text, ", {denied} denied");
    }
    if errors > 0 {
        let _ = write!(text, ", {}", plural(errors, "error"));
    }
    if open > 0 {
        let _ = write!(text, ", {open} without an answer");
    }
    text
}

/// Every hook that fired; firings that went the same way share a line.
fn hooks(trace: &Trace) -> String {
    let Some(hooks) = trace.hooks() else {
        return "hooks: not recorded\n".to_owned();
    };
    let partial = if trace.hooks_partial() { " (not all are recorded)" } else { "" };
    if hooks.is_empty() {
        return format!("hooks: none{partial}\n");
    }
    let mut groups: Vec<(&HookFire, usize, Option<f64>)> = Vec::new();
    for fire in hooks {
        match groups.iter_mut().find(|(known, ..)| went_alike(known, fire)) {
            Some((_, count, longest)) => {
                *count += 1;
                *longest = (*longest).into_iter().chain(fire.duration_ms).reduce(f64::max);
            }
            None => groups.push((fire, 1, fire.duration_ms)),
        }
    }
    let rows: Vec<[String; 5]> = groups
        .into_iter()
        .map(|(fire, count, longest)| {
            let times = if count == 1 { String::new() } else { format!(" ×{count}") };
            [
                format!("{}{times}", one_line(label(fire), LINE)),
                exit(fire),
                blocked(fire).to_owned(),
                effect(fire),
                command(fire, longest),
            ]
        })
        .collect();
    format!("hooks: {}{partial}\n{}", plural(hooks.len(), "firing"), columns(&rows))
}

fn blocked(fire: &HookFire) -> &'static str {
    match fire.blocked {
        Some(true) => "blocked",
        Some(false) => "did not block",
        None => "end not recorded",
    }
}

fn label(fire: &HookFire) -> &str {
    if fire.name.is_empty() { &fire.event } else { &fire.name }
}

fn went_alike(a: &HookFire, b: &HookFire) -> bool {
    let key = |fire: &HookFire| (fire.exit_code, fire.blocked, fire.effect, fire.timed_out);
    label(a) == label(b) && key(a) == key(b) && a.outcome == b.outcome && a.command == b.command
}

fn exit(fire: &HookFire) -> String {
    match (fire.timed_out, fire.exit_code, fire.outcome.as_deref()) {
        (Some(true), ..) => "timed out".to_owned(),
        (_, Some(code), _) => format!("exit {code}"),
        (_, None, Some(outcome)) => one_line(outcome, LINE),
        (_, None, None) => "exit not recorded".to_owned(),
    }
}

fn effect(fire: &HookFire) -> String {
    match fire.effect {
        None | Some(Effect::None) => String::new(),
        Some(effect) => format!("→ {}", effect.name()),
    }
}

fn command(fire: &HookFire, longest: Option<f64>) -> String {
    let command = fire.command.as_deref().map(|command| one_line(command, LINE));
    let time = longest.map(|longest| format!("({})", duration(longest)));
    command.into_iter().chain(time).collect::<Vec<_>>().join(" ")
}

/// The skills that were called, and how that went.
fn skills(trace: &Trace) -> Result<Option<String>, TraceError> {
    let offered = trace.skills().map(|skills| format!("{} offered", skills.len()));
    let mut rows = Vec::new();
    for call in trace.tool_calls().unwrap_or_default().iter().filter(|call| &*call.name == "Skill") {
        let input = trace.input(call)?;
        let id = input.get("skill").and_then(Value::as_str).unwrap_or("a call without the name of a skill");
        rows.push([one_line(id, LINE), answered(call).to_owned()]);
    }
    if rows.is_empty() {
        return Ok(offered.map(|offered| format!("skills: {offered}, none called\n")));
    }
    let called = format!("{} called", rows.len());
    let title = offered.into_iter().chain([called]).collect::<Vec<_>>().join(", ");
    Ok(Some(format!("skills: {title}\n{}", columns(&rows))))
}

fn answered(call: &ToolCall) -> &'static str {
    match (call.denied, call.is_error) {
        (Some(true), _) => "denied",
        (_, Some(true)) => "error",
        (_, Some(false)) => "resolved",
        (_, None) => "no answer recorded",
    }
}

fn subagents(trace: &Trace) -> Result<Option<String>, TraceError> {
    let Some(agents) = trace.subagents().filter(|agents| !agents.is_empty()) else {
        return Ok(None);
    };
    let mut text = String::from("subagents\n");
    add_subagents(&mut text, trace, agents, 1)?;
    Ok(Some(text))
}

fn add_subagents(text: &mut String, trace: &Trace, agents: &[Subagent], depth: usize) -> Result<(), TraceError> {
    let indent = "  ".repeat(depth);
    for agent in agents {
        let name = if agent.name.is_empty() { "unnamed" } else { &agent.name };
        let _ = writeln!(text, "{indent}{}: {}", one_line(name, LINE), calls_of(trace, agent));
        if let Some(output) = trace.subagent_output(agent)? {
            let _ = writeln!(text, "{indent}  answer: {}", one_line(&output, LINE));
        }
        add_subagents(text, trace, &agent.subagents, depth + 1)?;
    }
    Ok(())
}

fn calls_of(trace: &Trace, agent: &Subagent) -> String {
    let Some(indices) = &agent.calls else {
        return "tools not recorded".to_owned();
    };
    let all = trace.tool_calls().unwrap_or_default();
    let calls: Vec<&ToolCall> = indices.iter().filter_map(|&index| all.get(index)).collect();
    if calls.is_empty() {
        return "no tools".to_owned();
    }
    let tools: Vec<String> =
        by_tool(&calls).into_iter().map(|(name, calls)| format!("{} {}", one_line(name, LINE), calls.len())).collect();
    format!("{} ({})", counts(&calls), tools.join(", "))
}

fn denials(trace: &Trace) -> Result<Option<String>, TraceError> {
    let Some(denials) = trace.permission_denials().filter(|denials| !denials.is_empty()) else {
        return Ok(None);
    };
    let mut rows = Vec::with_capacity(denials.len());
    for denial in denials {
        rows.push([one_line(&denial.tool_name, LINE), one_line(&trace.read(&denial.tool_input)?, LINE)]);
    }
    Ok(Some(format!("denied: {}\n{}", plural(rows.len(), "call"), columns(&rows))))
}

fn servers(trace: &Trace) -> Option<String> {
    let servers = trace.mcp_servers().filter(|servers| !servers.is_empty())?;
    let rows: Vec<[String; 2]> =
        servers.iter().map(|server| [one_line(&server.name, LINE), one_line(&server.status, LINE)]).collect();
    Some(format!("MCP servers\n{}", columns(&rows)))
}

fn warnings(trace: &Trace) -> Option<String> {
    let warnings = Some(trace.warnings()).filter(|warnings| !warnings.is_empty())?;
    let mut text = String::from("warnings\n");
    for warning in warnings {
        let _ = writeln!(text, "  {}", printable(warning).replace('\n', "\n  "));
    }
    Some(text)
}

fn parse_errors(trace: &Trace) -> Option<String> {
    let errors = Some(trace.parse_errors()).filter(|errors| !errors.is_empty())?;
    let mut text = format!("could not read {}\n", plural(errors.len(), "line"));
    for error in errors.iter().take(PARSE_ERRORS) {
        let _ = writeln!(text, "  line {}: {}", error.line, one_line(&error.reason, LINE));
    }
    if errors.len() > PARSE_ERRORS {
        let _ = writeln!(text, "  … and {} more", errors.len() - PARSE_ERRORS);
    }
    Some(text)
}

fn answer(trace: &Trace) -> String {
    match trace.output() {
        None => "answer: not recorded\n".to_owned(),
        Some(output) if output.trim().is_empty() => "answer: none\n".to_owned(),
        Some(output) => format!("answer\n{}", excerpt(output, ANSWER_LINES, ANSWER_CHARACTERS)),
    }
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::trace::Open;

    fn golden(path: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/fixtures/golden").join(path)
    }

    fn summary(path: &str) -> String {
        summarize(&Trace::from_path(golden(path)).unwrap()).unwrap()
    }

    fn of_json(json: &str) -> String {
        summarize(&Trace::from_json(json).unwrap()).unwrap()
    }

    #[test]
    fn a_stream_with_its_session_file() {
        let trace = Open::default()
            .session(golden("claude/sessions/2.1.332/f1_pretool_exit2.jsonl"))
            .read_path(golden("claude/2.1.332/f1_pretool_exit2.jsonl"))
            .unwrap();
        insta::assert_snapshot!(summarize(&trace).unwrap());
    }

    #[test]
    fn recorded_runs() {
        for name in
            ["g_all_hooks", "h3_skill_plugin", "i2_subagent_fg", "j1_mcp", "l6_500_exhaust", "n5_truncated_last_line"]
        {
            insta::assert_snapshot!(name, summary(&format!("claude/2.1.332/{name}.jsonl")));
        }
    }

    #[test]
    fn what_was_not_recorded_is_said() {
        insta::assert_snapshot!(of_json("{}"));
    }

    #[test]
    fn equal_firings_share_a_line() {
        let text = of_json(
            r#"{"hooks": [
                {"name": "PreToolUse:Bash", "event": "PreToolUse", "exitCode": 0, "blocked": false, "durationMs": 4},
                {"name": "PreToolUse:Bash", "event": "PreToolUse", "exitCode": 2, "blocked": true},
                {"name": "PreToolUse:Bash", "event": "PreToolUse", "exitCode": 0, "blocked": false, "durationMs": 9}
            ]}"#,
        );
        assert!(text.contains("  PreToolUse:Bash ×2  exit 0  did not block"), "{text}");
        assert!(text.contains("(9 ms)"), "{text}");
        assert!(text.contains("  PreToolUse:Bash     exit 2  blocked"), "{text}");
    }

    #[test]
    fn nested_subagents_are_indented() {
        let text = of_json(
            r#"{"toolCalls": [], "subagents": [{"name": "Explore", "toolCalls": [{"name": "Read"}, {"name": "Read"}],
                "output": "found", "subagents": [{"name": "Deep", "toolCalls": []}]}]}"#,
        );
        assert!(text.contains("subagents\n  Explore: 2 calls"), "{text}");
        assert!(text.contains("(Read 2)\n    answer: found\n    Deep: no tools\n"), "{text}");
    }

    #[test]
    fn escape_sequences_do_not_reach_the_terminal() {
        let text = of_json(
            r#"{"output": "\u001b[2Jgone", "toolCalls": [{"name": "\u001b]0;x"}], "model": "\u001b[31m", "warnings": ["\u001bc"]}"#,
        );
        assert!(!text.contains('\u{1b}'), "{text:?}");
    }
}
