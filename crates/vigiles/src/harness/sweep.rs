//! How the guards of a plugin or a repository fare against the disaster battery.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;

use crate::hook::{
    Cli, DisasterEvent, EventContext, GuardrailError, GuardrailOutcome, GuardrailResult, Hook, MatcherStyle, Reach,
    reach, verify_guardrail,
};
use crate::process::Program;

use super::settings::HookEntry;
use super::variables::unset_variable;

/// What to send to which hooks, and how they run.
#[derive(Debug, Clone)]
pub struct Sweep<'a> {
    /// The event that is described to the hooks: `PreToolUse`. Hooks of another one do not apply.
    pub event: &'a str,
    /// What the event says beside the disaster.
    pub context: &'a EventContext,
    /// The disasters.
    pub disasters: &'a [DisasterEvent],
    /// The CLI, and the directory, environment, limits and confinement of every hook's command. Its program, condition and
    /// time limit are replaced by those of the hook; where the hook has no time limit, this one holds.
    pub like: Hook,
    /// The directory of the plugin: `CLAUDE_PLUGIN_ROOT`. `None` for the hooks of a repository.
    pub plugin_root: Option<&'a Path>,
    /// How many disasters are sent to a hook at a time.
    pub concurrency: usize,
}

/// A hook that was swept.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SweptHook {
    /// Its place among the hooks that run a command, counted from 0.
    pub index: usize,
    /// The event that it is registered for.
    pub event: String,
    /// Its matcher; `None` (null in JSON) where it has none.
    pub matcher: Option<String>,
    /// Its shell command.
    pub command: String,
    /// Its `if`; `None` (null in JSON) where it has none.
    pub condition: Option<String>,
    /// The file it stands in.
    pub file: PathBuf,
    /// The line, counted from 1.
    pub line: usize,
}

/// What became of a hook.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub enum SweptOutcome {
    /// It ran.
    #[serde(rename_all = "camelCase")]
    Measured {
        /// The hook.
        hook: SweptHook,
        /// What it did with each disaster, in their order.
        results: Vec<GuardrailResult>,
        /// The ids of those that it blocked.
        blocked: Vec<String>,
        /// The ids of those that it let through, or did not answer in time.
        allowed: Vec<String>,
        /// The ids of those for which its matcher or condition kept it from running.
        not_run: Vec<String>,
    },
    /// No disaster would have started it.
    NotApplicable {
        /// The hook.
        hook: SweptHook,
        /// Why.
        reason: String,
    },
    /// Its own code could not run here, so nothing is known of it.
    Unresolved {
        /// The hook.
        hook: SweptHook,
        /// Why.
        reason: String,
    },
}

/// A hook that runs no command: whether it stops anything cannot be told from here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unmeasurable {
    /// The event.
    pub event: String,
    /// Its matcher; `None` (null in JSON) where it has none.
    pub matcher: Option<String>,
    /// `prompt`, `agent`, `http`.
    pub r#type: String,
}

/// All hooks of a plugin or a repository.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct GuardSweep {
    /// Every hook that runs a command, in the order they stand in.
    pub hooks: Vec<SweptOutcome>,
    /// What a reader should know of the whole.
    pub notes: Vec<String>,
    /// Hooks that run no command.
    pub unmeasurable: Vec<Unmeasurable>,
}

/// Sends every disaster to every hook that would see it. Nothing runs the disasters, but the hooks themselves do run.
pub fn sweep_guards(hooks: &[HookEntry], sweep: &Sweep<'_>) -> Result<GuardSweep, GuardrailError> {
    let mut swept = GuardSweep::default();
    let mut index = 0;
    for entry in hooks {
        let Some(command) = entry.command() else {
            let (event, matcher) = (entry.event.clone(), entry.matcher.clone());
            swept.unmeasurable.push(Unmeasurable { event, matcher, r#type: entry.kind.name().to_owned() });
            continue;
        };
        let hook = SweptHook {
            index,
            event: entry.event.clone(),
            matcher: entry.matcher.clone(),
            command: command.to_owned(),
            condition: entry.condition.clone(),
            file: entry.file.clone(),
            line: entry.line,
        };
        index += 1;
        swept.hooks.push(sweep.one(entry, hook)?);
    }
    swept.notes = notes(&swept, sweep.event);
    Ok(swept)
}

fn notes(swept: &GuardSweep, event: &str) -> Vec<String> {
    let mut notes = Vec::new();
    if swept.hooks.is_empty() && swept.unmeasurable.is_empty() {
        notes.push("no hook is registered: an absence of guards, not a guard that holds".to_owned());
    } else if !swept.hooks.iter().any(|outcome| matches!(outcome, SweptOutcome::Measured { .. })) {
        notes.push(format!("no hook was measured, so nothing here is known to stop a disaster at {event}"));
    }
    if !swept.unmeasurable.is_empty() {
        notes.push(format!(
            "{} hook(s) run no command (they ask a model or an address), and were not measured",
            swept.unmeasurable.len()
        ));
    }
    notes
}

impl Sweep<'_> {
    fn one(&self, entry: &HookEntry, hook: SweptHook) -> Result<SweptOutcome, GuardrailError> {
        if let Some(reason) = self.inapplicable(entry) {
            return Ok(SweptOutcome::NotApplicable { hook, reason });
        }
        let guard = self.guard(entry, &hook.command);
        if let Some(name) = unset_variable(&hook.command, &guard) {
            let reason = format!(
                "the command reads the variable {name}, which is not set here. Give it in `env` with the value that it has \
                 where the plugin is used"
            );
            return Ok(SweptOutcome::Unresolved { hook, reason });
        }
        let seen: Vec<DisasterEvent> = self.seen(entry).cloned().collect();
        let results = verify_guardrail(&guard, self.event, &seen, self.context, self.concurrency)?;
        if let Some(result) = results.iter().find(|result| result.outcome == GuardrailOutcome::Unresolved) {
            let relative = self.like.project_dir.is_none();
            let hint = if relative { ". A relative path needs the project's directory: give it as `cwd`" } else { "" };
            return Ok(SweptOutcome::Unresolved { hook, reason: format!("{}{hint}", result.reason) });
        }
        if results.iter().all(|result| result.outcome == GuardrailOutcome::NotRun) {
            let condition = hook.condition.clone().unwrap_or_default();
            let reason = format!("its condition {condition:?} matches none of the disasters");
            return Ok(SweptOutcome::NotApplicable { hook, reason });
        }
        Ok(self.measured(entry, hook, results))
    }

    /// Why no disaster would start the hook.
    fn inapplicable(&self, entry: &HookEntry) -> Option<String> {
        if entry.event != self.event {
            return Some(format!(
                "it is registered for {}, and the disasters are events of {}",
                entry.event, self.event
            ));
        }
        if entry.is_async {
            return Some("it is asynchronous: the CLI does not wait for its answer".to_owned());
        }
        let matcher = entry.matcher.as_deref().unwrap_or_default();
        let style = MatcherStyle::of(self.like.cli);
        if reach(entry.matcher.as_deref(), "", style) == Reach::Uncompilable {
            return Some(format!("its matcher {matcher:?} does not compile, so the CLI never runs it"));
        }
        if self.seen(entry).next().is_none() {
            return Some(format!("its matcher {matcher:?} selects none of the tools that the disasters call"));
        }
        None
    }

    /// The disasters that its matcher selects.
    fn seen<'s>(&'s self, entry: &'s HookEntry) -> impl Iterator<Item = &'s DisasterEvent> + 's {
        self.disasters.iter().filter(|disaster| self.selects(entry, disaster))
    }

    fn selects(&self, entry: &HookEntry, disaster: &DisasterEvent) -> bool {
        let style = MatcherStyle::of(self.like.cli);
        reach(entry.matcher.as_deref(), &disaster.tool, style) == Reach::Selects
    }

    fn guard(&self, entry: &HookEntry, command: &str) -> Hook {
        let mut guard = self.like.clone();
        guard.command.program = Program::Shell(command.into());
        if let Some(limit) = entry.timeout.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()) {
            guard.command.timeout = Some(limit);
        }
        guard.condition.clone_from(&entry.condition);
        if let (Some(root), Cli::ClaudeCode) = (self.plugin_root, guard.cli) {
            guard.command.env.push(("CLAUDE_PLUGIN_ROOT".into(), root.into()));
        }
        guard
    }

    /// The results in the order of all disasters, those that the matcher passes over included.
    fn measured(&self, entry: &HookEntry, hook: SweptHook, results: Vec<GuardrailResult>) -> SweptOutcome {
        let mut results = results.into_iter();
        let all = self.disasters.iter().filter_map(|disaster| {
            if self.selects(entry, disaster) { results.next() } else { Some(passed_over(disaster, &hook)) }
        });
        let results: Vec<GuardrailResult> = all.collect();
        let ids = |outcomes: &[GuardrailOutcome]| -> Vec<String> {
            let matching = results.iter().filter(|result| outcomes.contains(&result.outcome));
            matching.map(|result| result.event.id.to_string()).collect()
        };
        SweptOutcome::Measured {
            blocked: ids(&[GuardrailOutcome::Blocked]),
            allowed: ids(&[GuardrailOutcome::Allowed, GuardrailOutcome::TimedOut]),
            not_run: ids(&[GuardrailOutcome::NotRun]),
            hook,
            results,
        }
    }
}

fn passed_over(disaster: &DisasterEvent, hook: &SweptHook) -> GuardrailResult {
    GuardrailResult {
        event: disaster.clone(),
        outcome: GuardrailOutcome::NotRun,
        blocked: false,
        effect: None,
        exit_code: None,
        ran: false,
        reason: format!(
            "the matcher {:?} does not select {}",
            hook.matcher.as_deref().unwrap_or_default(),
            disaster.tool
        ),
    }
}
