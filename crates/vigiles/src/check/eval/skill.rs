//! The check over skills.

use crate::trace::TraceKind;

use super::super::error::EvalError;
use super::super::predicate::{SkillCall, bare_skill_name, is_skill, skill_calls};
use super::super::result::CheckResult;
use super::super::seen::{excerpt, nearest, quoted, quoted_list, tools_used};
use super::scene::Scene;

pub(super) fn resolved(scene: &Scene<'_>, id: &str) -> Result<CheckResult, EvalError> {
    let calls = scene.calls()?;
    let seen = skill_calls(scene.trace, calls.iter().copied())?;
    let (of_id, others): (Vec<SkillCall<'_>>, Vec<SkillCall<'_>>) =
        seen.into_iter().partition(|call| is_skill(scene.trace, &call.id, id));
    let expected = format!("expected skill {} to be used", quoted(id));

    if let Some(answered) = of_id.iter().find(|call| call.call.is_error == Some(false)) {
        let spelled = if answered.id == id { String::new() } else { format!(", as {}", quoted(&answered.id)) };
        return Ok(CheckResult::holds(format!("skill {} was used{spelled}", quoted(id))));
    }
    if of_id.iter().any(|call| call.call.is_error.is_none()) {
        return Ok(CheckResult::unknown(
            "VIGILES_NOT_OBSERVED",
            format!(
                "{expected}: it was called, but whether the call failed was not recorded. The run was cut before the answer; in a plain object set `isError` on the call"
            ),
        ));
    }
    if let Some(failed) = of_id.last() {
        let answer = scene.trace.result_text(failed.call)?;
        let answer = answer.map_or_else(|| "its answer was not recorded".to_owned(), |text| excerpt(&text, 200));
        return Ok(scene.provisional(CheckResult::fails(format!("{expected}, but its call failed: {answer}"))));
    }
    let failure = if others.is_empty() {
        format!("{expected}, but there is no Skill call; {}", tools_used(&calls))
    } else {
        let called = quoted_list(others.iter().map(|call| call.id.as_str()));
        format!("{expected}, but it was not called; the Skill calls are {called}")
    };
    Ok(scene.provisional(CheckResult::fails(failure).hinted(hint(scene, id, &others))))
}

fn hint(scene: &Scene<'_>, id: &str, others: &[SkillCall<'_>]) -> Option<String> {
    if let Some(command) = scene.trace.prompt().and_then(slash_command).filter(|_| scene.agent.is_none()) {
        return Some(format!(
            "the prompt was {}: a slash command puts the skill's text into the prompt and makes no Skill call. Ask in plain words to test the choice, or look for the skill's text with received or output",
            quoted(command)
        ));
    }
    if scene.trace.kind() == TraceKind::CodexExec {
        return Some("Codex has no Skill call: it reads the skill's SKILL.md with a command, so check that with toolWith(\"Bash\", {command: /SKILL\\.md/})".to_owned());
    }
    let bare = bare_skill_name(id);
    if let Some(call) = others.iter().find(|call| bare_skill_name(&call.id) == bare) {
        if call.id.contains(':') {
            return Some(format!("the call says {}: give the id as called", quoted(&call.id)));
        }
        return Some(match scene.trace.skills() {
            None => format!(
                "the call used the bare name {}, and which skills the run offered was not recorded: give the id as called",
                quoted(&call.id)
            ),
            Some(offered) => format!(
                "the call used the bare name {}, which stands for {} only when it is the one skill of that name; the run offered {}",
                quoted(&call.id),
                quoted(id),
                quoted_list(offered.iter().map(String::as_str).filter(|skill| bare_skill_name(skill) == bare))
            ),
        });
    }
    let offered = scene.trace.skills()?;
    if offered.iter().any(|skill| skill == id) {
        return None;
    }
    let listed = quoted_list(offered.iter().map(String::as_str));
    let near = offered.iter().map(String::as_str).find(|skill| bare_skill_name(skill) == bare);
    let near = near.or_else(|| nearest(id, offered.iter().map(String::as_str)));
    Some(match near {
        Some(near) => format!("the run did not offer {}; did you mean {}?", quoted(id), quoted(near)),
        None => format!("the run did not offer {}; it offered {listed}", quoted(id)),
    })
}

/// The `/name` that a prompt starts with, as typed or as a session file tags it.
fn slash_command(prompt: &str) -> Option<&str> {
    let tagged = prompt.split_once("<command-name>").and_then(|(_, rest)| rest.split_once("</command-name>"));
    let command = tagged.map_or(prompt, |(name, _)| name).split_whitespace().next()?;
    command.starts_with('/').then_some(command)
}
