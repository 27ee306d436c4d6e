//! The check over subagents.

use super::super::error::EvalError;
use super::super::result::{CheckResult, Verdict, lines};
use super::super::seen::{count_of, nearest, plural, quoted, tally};
use super::super::target::Target;
use super::super::vocabulary::Check;
use super::scene::Scene;
use super::{compound, judge};

pub(super) fn passes(scene: &Scene<'_>, name: &str, checks: &[Check]) -> Result<CheckResult, EvalError> {
    let all = scene.subagents()?;
    let found: Vec<_> = all.iter().copied().filter(|agent| is_named(&agent.name, name)).collect();
    if found.is_empty() {
        let unnamed = all.iter().filter(|agent| agent.name.is_empty()).count();
        if unnamed > 0 {
            return Ok(CheckResult::unknown(
                "VIGILES_NOT_OBSERVED",
                format!(
                    "expected subagent {} to run, but the names of {unnamed} of {} were not recorded. Codex does not tell \
                     them: use toolCount(\"spawn_agent\", ...) or output instead",
                    quoted(name),
                    plural(count_of(&all), "subagent")
                ),
            ));
        }
        let seen = if all.is_empty() {
            "no subagent ran".to_owned()
        } else {
            format!("the subagents that ran are [{}]", tally(all.iter().map(|agent| &*agent.name)))
        };
        let failure = CheckResult::fails(format!("expected subagent {} to run, but {seen}", quoted(name)));
        let near = nearest(name, all.iter().map(|agent| &*agent.name));
        return Ok(scene.provisional(failure.hinted(near.map(|near| format!("did you mean {}?", quoted(near))))));
    }
    let mut results = Vec::new();
    let mut broken = String::new();
    for (index, agent) in found.iter().enumerate() {
        let of_run: Vec<CheckResult> =
            checks.iter().map(|check| judge(check, Target::Subagent(scene.trace, agent), scene.patterns)).collect();
        let not_held: Vec<&CheckResult> = of_run.iter().filter(|result| !result.pass()).collect();
        if !not_held.is_empty() && found.len() > 1 {
            let run = format!("\n  run {} of {}:", index + 1, found.len());
            broken.push_str(&run);
            broken.push_str(&lines(&not_held).replace('\n', "\n  "));
        } else {
            broken.push_str(&lines(&not_held));
        }
        results.extend(of_run);
    }
    let runs = if found.len() == 1 { String::new() } else { format!(" in each of its {} runs", found.len()) };
    if checks.is_empty() {
        return Ok(CheckResult::holds(format!("subagent {} ran ({})", quoted(name), plural(count_of(&found), "run"))));
    }
    if broken.is_empty() {
        return Ok(CheckResult::holds(format!(
            "subagent {} ran and passed {}{runs}",
            quoted(name),
            plural(count_of(checks), "check")
        )));
    }
    let message =
        format!("expected subagent {} to pass {}{runs}, but:{broken}", quoted(name), plural(count_of(checks), "check"));
    Ok(compound::decided(&results, Verdict::Fail, message))
}

/// By the whole name, or by the part after the last colon.
fn is_named(agent: &str, asked: &str) -> bool {
    agent == asked || agent.rsplit_once(':').is_some_and(|(_, name)| name == asked)
}
