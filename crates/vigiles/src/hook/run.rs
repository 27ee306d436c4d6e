//! Runs a hook as the CLI would: condition, environment, event on stdin, decision.

use std::ffi::OsStr;
use std::path::PathBuf;

use serde::Serialize;
use serde_json::Value;

use super::condition::{ConditionSubject, decide_condition};
use super::decision::{Answer, Cli, Decision, decide};
use super::explain::explain;
use crate::process::{Command, Output, ProcessError, ScriptRun, run_many};

const PROJECT_DIR: &str = "CLAUDE_PROJECT_DIR";

/// A hook: its command and how it is registered.
#[derive(Debug, Clone)]
pub struct Hook {
    /// The command with its directory, environment and limits. Its stdin is replaced by the event.
    pub command: Command,
    /// The CLI whose rules apply.
    pub cli: Cli,
    /// The `if` condition of the registration.
    pub condition: Option<String>,
    /// The project's directory, absolute: `CLAUDE_PROJECT_DIR` of a hook of Claude Code, over that of the command's
    /// environment. `None` leaves the variable as the environment has it. Not used for Codex.
    pub project_dir: Option<PathBuf>,
}

impl Hook {
    /// A hook of Claude Code without a condition. Its time limit is the command's, [`DEFAULT_TIMEOUT`] unless set.
    ///
    /// Its project is the command's working directory, if the command has one and its environment does not define
    /// `CLAUDE_PROJECT_DIR` (an empty value counts as defined).
    ///
    /// [`DEFAULT_TIMEOUT`]: crate::process::DEFAULT_TIMEOUT
    pub fn new(command: Command) -> Self {
        let defined = command.env.iter().any(|(name, _)| name == PROJECT_DIR);
        let project_dir = command.cwd.clone().filter(|_| !defined);
        Self { command, cli: Cli::default(), condition: None, project_dir }
    }

    /// Runs the hook with this event, a JSON text that is passed on as it is.
    ///
    /// When the condition does not match, nothing is started.
    pub fn run(&self, event: &str) -> Result<HookRun, ProcessError> {
        let event = Event::new(event);
        match self.skip(&event) {
            Some(skipped) => Ok(skipped),
            None => self.prepare(&event).run().map(|output| self.judge(&event, output)),
        }
    }

    fn skip(&self, event: &Event<'_>) -> Option<HookRun> {
        let text = |name: &OsStr| {
            self.command.env.iter().rev().find(|(key, _)| key == name).and_then(|(_, value)| value.to_str())
        };
        let cwd = self.command.cwd.as_deref().and_then(|cwd| cwd.to_str());
        let verdict = decide_condition(
            self.condition.as_deref(),
            &ConditionSubject {
                cli: self.cli,
                event: event.name(),
                tool: event.text("tool_name"),
                input: event.value.get("tool_input"),
                cwd: event.text("cwd").or(cwd),
                root: self
                    .project_dir
                    .as_deref()
                    .and_then(|dir| dir.to_str())
                    .or_else(|| text(PROJECT_DIR.as_ref()).filter(|root| !root.is_empty()))
                    .or(cwd),
                home: text("HOME".as_ref()),
            },
        );
        (!verdict.runs).then(|| HookRun::skipped(verdict.why))
    }

    fn prepare(&self, event: &Event<'_>) -> Command {
        let mut command = self.command.clone();
        command.stdin = event.source.as_bytes().to_vec();
        if let Some(dir) = &self.project_dir
            && self.cli == Cli::ClaudeCode
        {
            command.env.push((PROJECT_DIR.into(), dir.clone().into_os_string()));
        }
        command
    }

    fn judge(&self, event: &Event<'_>, output: Output) -> HookRun {
        let script = ScriptRun::from(&output);
        let answer = Answer {
            cli: self.cli,
            event: event.name(),
            exit_code: output.exit_code,
            signal: output.signal,
            stdout: &script.stdout,
            stderr: &script.stderr,
            timed_out: output.timed_out,
            started: output.launched,
        };
        let decision = decide(&answer);
        HookRun {
            explanation: explain(&answer, &decision),
            script,
            decision,
            condition_reason: None,
            output: Some(output),
        }
    }
}

/// Runs the hook with every event, at most `concurrency` at a time (0 counts as 1). The results are in the order of the
/// events; see [`Hook::run`].
pub fn run_hooks(hook: &Hook, events: &[&str], concurrency: usize) -> Vec<Result<HookRun, ProcessError>> {
    let events: Vec<Event<'_>> = events.iter().map(|event| Event::new(event)).collect();
    let skipped: Vec<Option<HookRun>> = events.iter().map(|event| hook.skip(event)).collect();
    let commands: Vec<Command> = events
        .iter()
        .zip(&skipped)
        .filter(|(_, skipped)| skipped.is_none())
        .map(|(event, _)| hook.prepare(event))
        .collect();
    let mut outputs = run_many(&commands, concurrency).into_iter();
    events
        .iter()
        .zip(skipped)
        .filter_map(|(event, skipped)| match skipped {
            Some(skipped) => Some(Ok(skipped)),
            None => outputs.next().map(|output| output.map(|output| hook.judge(event, output))),
        })
        .collect()
}

/// The event as text and, where it is JSON, as a value.
struct Event<'a> {
    source: &'a str,
    value: Value,
}

impl<'a> Event<'a> {
    fn new(source: &'a str) -> Self {
        // A test may send a hook anything: what is no JSON object is an event without a name.
        Self { source, value: super::parse_hook_output(source).unwrap_or(Value::Null) }
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.value.get(name)?.as_str()
    }

    fn name(&self) -> &str {
        self.text("hook_event_name").unwrap_or_default()
    }
}

/// What a hook did with one event.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HookRun {
    /// What its process did; exit code 0 and nothing else when the condition kept it from running. In JSON its fields stand
    /// beside the others.
    #[serde(flatten)]
    pub script: ScriptRun,
    /// What the answer means. In JSON its fields stand beside those of the run.
    #[serde(flatten)]
    pub decision: Decision,
    /// Why the condition kept the hook from running.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition_reason: Option<String>,
    /// What the answer does and what to change, for failure messages (see [`explain`]).
    pub explanation: String,
    /// The process as observed, with the raw bytes of both streams. `None` when nothing was started.
    #[serde(skip)]
    pub output: Option<Output>,
}

impl HookRun {
    fn skipped(why: String) -> Self {
        Self {
            script: ScriptRun { exit_code: Some(0), ..ScriptRun::default() },
            decision: Decision::not_run(),
            explanation: format!("the hook did not run: {why}."),
            condition_reason: Some(why),
            output: None,
        }
    }
}
