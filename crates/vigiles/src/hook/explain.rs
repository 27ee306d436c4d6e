//! The sentences that tell a person what a hook's answer did and what to change.

use std::fmt::Write as _;

use super::decision::{Answer, Cli, Decision, Effect, Mechanism};

/// Says in one or two sentences what the hook answered, what the CLI does with it, and what to do when that is not a
/// block. Failure messages of checks, assertions and the guardrail report end with it.
pub fn explain(answer: &Answer<'_>, decision: &Decision) -> String {
    let mut text = seen(answer, decision);
    text.push_str(": ");
    text.push_str(&consequence(answer, decision));
    if let Some(advice) = advice(answer, decision) {
        text.push_str("; ");
        text.push_str(&advice);
    }
    text.push('.');
    if decision.unresolved
        && let Some(note) = &decision.note
    {
        text.push_str(" The hook's own code never ran (");
        text.push_str(note);
        text.push_str("): fix the command or its path before trusting this answer.");
    }
    text
}

/// What the hook did, in a few words.
fn seen(answer: &Answer<'_>, decision: &Decision) -> String {
    if !decision.ran {
        return "the hook was not launched".to_owned();
    }
    if answer.timed_out {
        return "the hook ran out of time".to_owned();
    }
    let Some(code) = answer.exit_code else {
        return match answer.signal {
            Some(signal) => format!("the hook was killed by signal {signal}"),
            None => "the hook ended without an exit code".to_owned(),
        };
    };
    let mut text = format!("exit {code}");
    match (&decision.decision, &decision.json) {
        (Some(stated), _) => {
            let _ = write!(text, " with decision {stated:?}");
        }
        (None, Some(_)) if decision.halts_turn => text.push_str(" with continue: false"),
        (None, Some(_)) => text.push_str(" with a JSON answer"),
        (None, None) => {}
    }
    if let Some(reason) = &decision.reason {
        let _ = write!(text, " ({})", first_line(reason));
    }
    text
}

fn first_line(text: &str) -> String {
    const SHOWN: usize = 160;
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{}…", &line[..cut]),
        None => line.to_owned(),
    }
}

fn consequence(answer: &Answer<'_>, decision: &Decision) -> String {
    let cli = answer.cli.name();
    let Some(effect) = decision.effect else {
        return match &decision.note {
            Some(note) if !decision.unresolved => note.clone(),
            _ => format!("what {cli} does with it at this event was not measured"),
        };
    };
    match (effect, answer.event) {
        (Effect::Prevented, "UserPromptSubmit") => {
            format!("{cli} drops the prompt, no request reaches the model")
        }
        (Effect::Prevented, "SessionStart") => format!("{cli} ends before the first request"),
        (Effect::Prevented, _) => format!("{cli} does not run the tool"),
        (Effect::Feedback, _) if answer.cli == Cli::Codex && decision.blocked => {
            "the tool has already run, Codex gives the model the reason instead of its output".to_owned()
        }
        (Effect::Feedback, _) => {
            format!("the tool has already run, {cli} gives the model the text beside its result")
        }
        (Effect::Continued, _) => format!("{cli} does not let the agent stop"),
        (Effect::Halted, _) => format!("{cli} still runs the tool and ends the turn after it"),
        (Effect::None, event) => {
            let failed = answer.timed_out || answer.exit_code != Some(0);
            let what = match event {
                "PreToolUse" => format!("{cli} runs the tool"),
                "SessionEnd" | "Notification" | "SessionStart" => {
                    format!("nothing can be held back at {event}, {cli} goes on")
                }
                _ => format!("{cli} goes on"),
            };
            if failed && event == "PreToolUse" {
                format!("a hook that fails like this blocks nothing, {what}")
            } else {
                what
            }
        }
    }
}

/// What to change when the answer looks like a block that does not block.
fn advice(answer: &Answer<'_>, decision: &Decision) -> Option<String> {
    if decision.blocked || !decision.ran {
        return (answer.event == "PreToolUse" && decision.blocked_by.contains(&Mechanism::AskDecision)).then(|| {
            "in a headless run nobody can be asked, so \"ask\" denies; say \"deny\" if that is meant".to_owned()
        });
    }
    let how = how_to_block(answer.cli, answer.event)?;
    if answer.timed_out {
        return Some(format!("make the hook answer within its timeout; to block, {how}"));
    }
    if decision.effect == Some(Effect::Halted) {
        return Some(format!("to block the call itself, {how}"));
    }
    // Without an effect the note is already the consequence, and an unresolved hook's note has its own sentence.
    if let Some(note) = decision.note.as_ref().filter(|_| decision.effect.is_some() && !decision.unresolved) {
        return Some(format!("{note}; to block, {how}"));
    }
    match answer.exit_code {
        Some(0) => {
            let hidden = decision.json.is_none()
                && (answer.stdout.contains("\"permissionDecision\"") || answer.stdout.contains("\"decision\""));
            hidden.then(|| {
                format!("stdout holds other text beside the JSON, so it is read as plain text; to block, {how}")
            })
        }
        _ => Some(format!("to block, {how}")),
    }
}

fn how_to_block(cli: Cli, event: &str) -> Option<String> {
    let reason = if cli == Cli::Codex { " with the reason on stderr" } else { "" };
    match event {
        "PreToolUse" => Some(format!(
            "exit 2{reason}, or exit 0 with hookSpecificOutput {{hookEventName: \"PreToolUse\", permissionDecision: \
             \"deny\", permissionDecisionReason}} on stdout"
        )),
        "UserPromptSubmit" | "Stop" | "SubagentStop" | "PostToolUse" => {
            Some(format!("exit 2{reason}, or exit 0 with {{\"decision\": \"block\", \"reason\": ...}} on stdout"))
        }
        _ => None,
    }
}
