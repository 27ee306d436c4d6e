//! Checks over the hooks of a run.

use crate::trace::HookFire;

use super::super::error::EvalError;
use super::super::observed;
use super::super::predicate::firings;
use super::super::result::CheckResult;
use super::super::seen::{count_of, hooks_fired, list, nearest, plural, quoted};
use super::scene::Scene;

pub(super) fn fired(scene: &Scene<'_>, name: &str, blocked: Option<bool>) -> Result<CheckResult, EvalError> {
    let hooks = observed::hooks(scene.trace)?;
    let found: Vec<&HookFire> = firings(hooks, name).collect();
    Ok(match blocked {
        _ if found.is_empty() => not_fired(scene, hooks, name, "to fire"),
        None => CheckResult::holds(format!("hook {} fired ({})", quoted(name), outcomes(&found))),
        Some(true) => blocked_among(scene, name, &found),
        Some(false) => none_blocked(scene, name, &found),
    })
}

pub(super) fn blocked(scene: &Scene<'_>, name: &str) -> Result<CheckResult, EvalError> {
    let hooks = observed::hooks(scene.trace)?;
    let found: Vec<&HookFire> = firings(hooks, name).collect();
    Ok(if found.is_empty() {
        not_fired(scene, hooks, name, "to fire and block")
    } else {
        blocked_among(scene, name, &found)
    })
}

fn none_blocked(scene: &Scene<'_>, name: &str, found: &[&HookFire]) -> CheckResult {
    let blocked = found.iter().filter(|hook| hook.blocked == Some(true)).count();
    let unknown = found.iter().filter(|hook| hook.blocked.is_none()).count();
    if blocked == 0 && unknown > 0 {
        return CheckResult::unknown(
            "VIGILES_NOT_OBSERVED",
            format!(
                "expected hook {} to fire and block nothing, but the end of {unknown} of {} was not recorded ({}). Record the run to its end",
                quoted(name),
                plural(count_of(found), "firing"),
                outcomes(found)
            ),
        );
    }
    if blocked == 0 {
        let held = format!("hook {} fired and blocked nothing ({})", quoted(name), outcomes(found));
        return provisional(scene, CheckResult::holds(held));
    }
    CheckResult::fails(format!(
        "expected hook {} to fire and block nothing, but {blocked} of {} blocked: {}",
        quoted(name),
        plural(count_of(found), "firing"),
        outcomes(found)
    ))
}

fn blocked_among(scene: &Scene<'_>, name: &str, found: &[&HookFire]) -> CheckResult {
    if let Some(hook) = found.iter().find(|hook| hook.blocked == Some(true)) {
        let effect = hook.effect.map(|effect| format!(", effect {}", effect.name())).unwrap_or_default();
        return CheckResult::holds(format!("hook {} blocked ({}{effect})", quoted(name), outcome(hook)));
    }
    if found.iter().any(|hook| hook.blocked.is_none()) {
        return CheckResult::unknown(
            "VIGILES_NOT_OBSERVED",
            format!(
                "expected hook {} to block, but its end was not recorded for every firing ({}). Record the run to its end",
                quoted(name),
                outcomes(found)
            ),
        );
    }
    let failure = CheckResult::fails(format!(
        "expected hook {} to block, but {} did not: {}",
        quoted(name),
        if found.len() == 1 { "its only firing".to_owned() } else { format!("its {} firings", found.len()) },
        outcomes(found)
    ));
    let other_exit = found.iter().filter_map(|hook| hook.exit_code).find(|code| *code != 0);
    let hint = match other_exit {
        Some(code) => format!(
            "exit {code} fails the hook and blocks nothing: the run goes on. Exit 2, or JSON with a deny or block decision, blocks"
        ),
        None if found.iter().any(|hook| hook.timed_out == Some(true)) => {
            "a hook that runs out of time blocks nothing".to_owned()
        }
        None => "exit 2, or exit 0 and JSON with a deny or block decision on stdout, blocks".to_owned(),
    };
    provisional(scene, failure.hinted(Some(hint)))
}

pub(super) fn failed(scene: &Scene<'_>, name: &str) -> Result<CheckResult, EvalError> {
    let hooks = observed::hooks(scene.trace)?;
    let found: Vec<&HookFire> = firings(hooks, name).collect();
    if found.is_empty() {
        return Ok(not_fired(scene, hooks, name, "to fire and fail"));
    }
    if let Some(code) = found.iter().filter_map(|hook| hook.exit_code).find(|code| *code != 0) {
        let effect =
            if code == 2 { "exit 2 also blocks where the event can be blocked" } else { "this blocks nothing" };
        return Ok(CheckResult::holds(format!("hook {} failed with exit {code}; {effect}", quoted(name))));
    }
    let failure = format!(
        "expected hook {} to fail (an exit code other than 0), but it did not: {}",
        quoted(name),
        outcomes(&found)
    );
    if found.iter().any(|hook| hook.exit_code.is_none()) {
        return Ok(CheckResult::unknown(
            "VIGILES_NOT_OBSERVED",
            format!("{failure}, as far as exit codes were recorded"),
        ));
    }
    Ok(provisional(scene, CheckResult::fails(failure)))
}

fn not_fired(scene: &Scene<'_>, hooks: &[HookFire], name: &str, expected: &str) -> CheckResult {
    let failure = CheckResult::fails(format!("expected hook {} {expected}, but {}", quoted(name), hooks_fired(hooks)));
    // Two events that look alike are no slip of the keys.
    let known = crate::hook::events::facts(name).is_some();
    let labels = hooks.iter().flat_map(|hook| [&*hook.name, &*hook.event]);
    let event = name.split_once(':').map(|(event, _)| event);
    let hint = match (nearest(name, labels), event) {
        (Some(near), _) if !known => Some(format!("did you mean {}?", quoted(near))),
        (_, Some(event)) if hooks.iter().any(|hook| &*hook.event == event) => {
            Some(format!("hooks of {event} fired for something else; {} asks for any of them", quoted(event)))
        }
        _ if hooks.is_empty() => {
            Some("a hook fires only when its settings are loaded and its matcher selects the tool: run the hook itself with runHook to test it alone".to_owned())
        }
        _ => None,
    };
    provisional(scene, failure.hinted(hint))
}

/// A verdict that a firing that was not recorded could overturn.
fn provisional(scene: &Scene<'_>, result: CheckResult) -> CheckResult {
    if scene.trace.hooks_partial() {
        let so_far = if result.pass() { "so far " } else { "" };
        return CheckResult::unknown(
            "VIGILES_NOT_OBSERVED",
            format!("{so_far}{}\nunknown: {}", result.message, observed::hooks_missing(scene.trace)),
        );
    }
    scene.provisional(result)
}

fn outcomes(hooks: &[&HookFire]) -> String {
    let mut counted: Vec<(String, usize)> = Vec::new();
    for hook in hooks {
        let outcome = outcome(hook);
        match counted.iter_mut().find(|(known, _)| *known == outcome) {
            Some((_, count)) => *count += 1,
            None => counted.push((outcome, 1)),
        }
    }
    list(counted.into_iter().map(|(outcome, count)| if count == 1 { outcome } else { format!("{outcome} ×{count}") }))
}

/// `PreToolUse:Bash exit 2 blocked`.
fn outcome(hook: &HookFire) -> String {
    let end = match (hook.timed_out, hook.exit_code) {
        (Some(true), _) => " timed out".to_owned(),
        (_, Some(code)) => format!(" exit {code}"),
        (_, None) => String::new(),
    };
    format!("{}{end}{}", hook.name, if hook.blocked == Some(true) { " blocked" } else { "" })
}
