//! What a hook's answer does. [`decide`] is used by every part that says "blocked".

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::events::can_block;
use super::interpreter::never_ran;
use super::output::{self, Output};

/// The CLI whose rules judge the answer.
///
/// Measured in headless runs of Claude Code 2.1.197 and 2.1.332 (`claude -p`) and Codex 0.171 (`codex exec`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cli {
    /// Claude Code.
    #[default]
    ClaudeCode,
    /// Codex.
    Codex,
}

impl Cli {
    /// The product's name, for messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::Codex => "Codex",
        }
    }
}

/// What a hook process answered.
#[derive(Debug, Clone, Copy)]
pub struct Answer<'a> {
    /// The CLI whose rules apply.
    pub cli: Cli,
    /// The event's name (`hook_event_name`), such as `PreToolUse`. Empty when the event has none.
    pub event: &'a str,
    /// Exit code, `None` when the process was killed by a signal or never started.
    pub exit_code: Option<i32>,
    /// The signal that killed the process.
    pub signal: Option<i32>,
    /// Everything it wrote to stdout.
    pub stdout: &'a str,
    /// Everything it wrote to stderr.
    pub stderr: &'a str,
    /// It was still running when its time was up.
    pub timed_out: bool,
    /// The process was launched.
    pub started: bool,
}

/// What the CLI does because of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// The tool call, prompt or session did not happen.
    Prevented,
    /// The thing had already happened; the hook's text reaches the model beside or instead of its result.
    Feedback,
    /// The agent wanted to stop and has to go on.
    Continued,
    /// The tool runs all the same, then the turn ends.
    Halted,
    /// Nothing is held back.
    None,
}

impl Effect {
    /// The name used in JSON and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Prevented => "prevented",
            Self::Feedback => "feedback",
            Self::Continued => "continued",
            Self::Halted => "halted",
            Self::None => "none",
        }
    }
}

/// A way to block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mechanism {
    /// Exit code 2.
    ExitCode,
    /// `permissionDecision: "deny"` or `decision: "block"` in the JSON answer.
    DenyDecision,
    /// `permissionDecision: "ask"` where nobody can be asked.
    AskDecision,
    /// `continue: false` where it keeps the thing from happening.
    HaltField,
}

impl Mechanism {
    /// The name used in JSON and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::ExitCode => "exit-code",
            Self::DenyDecision => "deny-decision",
            Self::AskDecision => "ask-decision",
            Self::HaltField => "halt-field",
        }
    }
}

/// The meaning of an [`Answer`].
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "four independent facts, read by name in JSON")]
pub struct Decision {
    /// A block mechanism fired that the CLI honours for this event. See `effect` for what that does.
    pub blocked: bool,
    /// What the CLI then does. `None` (absent in JSON): not measured, `note` says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effect: Option<Effect>,
    /// The decision the JSON answer states: `permissionDecision`, else `decision`. `None` when the CLI does not read it
    /// (exit code other than 0, answer that does not fit the schema).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<String>,
    /// The mechanisms that fired; empty exactly when `blocked` is false.
    pub blocked_by: Vec<Mechanism>,
    /// The answer asks to end the turn (`continue: false`).
    pub halts_turn: bool,
    /// The process was launched.
    pub ran: bool,
    /// The hook's own code never ran: the command was not found or not executable, or its interpreter could not open,
    /// parse or load the script. Such an answer can still block (`python3 missing.py` exits 2) but is no guard.
    pub unresolved: bool,
    /// The text the hook gives for its block or halt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Text that reaches the model without blocking: `additionalContext`, or plain stdout where the CLI passes it on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// What a reader must know to trust the other fields: why the answer was ignored, why it is unresolved, what was
    /// not measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The JSON object on stdout, whether or not the CLI honours it.
    pub json: Option<Value>,
}

impl Decision {
    /// The decision of a hook that was not run: nothing is held back.
    pub(super) fn not_run() -> Self {
        Self {
            blocked: false,
            effect: Some(Effect::None),
            decision: None,
            blocked_by: Vec::new(),
            halts_turn: false,
            ran: false,
            unresolved: false,
            reason: None,
            context: None,
            note: None,
            json: None,
        }
    }
}

/// Says what the CLI does with a hook's answer.
///
/// What was measured, and nothing else, has an `effect`:
///
/// | event | answer | Claude Code | Codex |
/// |---|---|---|---|
/// | `PreToolUse` | exit 2, `deny`, `decision: "block"` | prevented | prevented |
/// | | `ask` | prevented (headless) | none |
/// | | `allow`, with or without `updatedInput` | none | none |
/// | | `continue: false` | halted: the tool runs | - |
/// | | other exit, timeout, answer that does not fit the schema | none | none |
/// | `PostToolUse` | exit 2, `decision: "block"`, `additionalContext` | feedback | feedback |
/// | `UserPromptSubmit` | exit 2, `decision: "block"` | prevented | prevented |
/// | `Stop`, `SubagentStop` | exit 2, `decision: "block"` | continued | continued |
/// | `SessionStart` | any failure | none | - |
/// | | `continue: false` | - | prevented |
/// | `SessionEnd`, `Notification` | any | none | none |
///
/// A clean answer (exit 0 and nothing to obey) has the effect none. With exit 2 the JSON is ignored; with another
/// exit code than 0 it is not read at all. Codex asks for a reason: what it does with
/// exit 2 and nothing on stderr, or with a denial that gives none, was not measured; it is a block without an effect.
pub fn decide(answer: &Answer<'_>) -> Decision {
    if !answer.started {
        let said = answer.stderr.lines().next().map(|line| format!(": {line}")).unwrap_or_default();
        let note = Some(format!("the hook's process was never launched{said}"));
        return Decision { unresolved: true, note, ..Decision::not_run() };
    }
    let output = output::read(answer.cli, answer.event, answer.stdout);
    let json = match &output {
        Output::Json(json) | Output::Invalid { json: Some(json), .. } => Some(Value::Object(json.clone())),
        _ => None,
    };
    let mut decision = Decision { ran: true, json, ..Decision::not_run() };
    let outcome = match answer.exit_code {
        _ if answer.timed_out => Outcome::TimedOut,
        None => Outcome::Killed(answer.signal),
        Some(2) => exit_two(answer, &mut decision),
        Some(0) => match &output {
            Output::Json(json) => read_json(answer, json, &mut decision),
            Output::Invalid { why, .. } => Outcome::Invalid(why.clone()),
            Output::Text => {
                decision.context = plain_context(answer);
                Outcome::Clean
            }
            Output::Empty => Outcome::Clean,
        },
        Some(code) => Outcome::Failed(code),
    };
    if !answer.timed_out
        && let Some(why) = never_ran(answer.exit_code, answer.stderr)
    {
        decision.unresolved = true;
        decision.note = Some(why);
    }
    decision.blocked = !decision.blocked_by.is_empty();
    decision.effect = effect(answer, &outcome, &decision);
    let note = outcome_note(answer, &outcome, &decision);
    decision.note = decision.note.or(note);
    decision
}

/// The answer, sorted by the rows of the table.
enum Outcome {
    /// Exit 0 and nothing to obey.
    Clean,
    /// A block mechanism fired.
    Blocked,
    /// `continue: false` and no block.
    Halt,
    /// `continue: false` beside a denial.
    BlockedAndHalt,
    /// Stdout looked like a JSON answer but does not fit the schema.
    Invalid(String),
    /// Any exit code but 0 and 2.
    Failed(i32),
    TimedOut,
    Killed(Option<i32>),
    /// A valid answer nobody has measured.
    Unmeasured(&'static str),
}

fn exit_two(answer: &Answer<'_>, decision: &mut Decision) -> Outcome {
    if !can_block(answer.event) {
        return Outcome::Failed(2);
    }
    decision.blocked_by.push(Mechanism::ExitCode);
    decision.reason = text(answer.stderr);
    if answer.cli == Cli::Codex && decision.reason.is_none() {
        return Outcome::Unmeasured("exit 2 and no reason on stderr (it asks for one: write it there)");
    }
    Outcome::Blocked
}

fn read_json(answer: &Answer<'_>, json: &Map<String, Value>, decision: &mut Decision) -> Outcome {
    let specific = json.get("hookSpecificOutput").and_then(Value::as_object);
    let specific_text = |name: &str| specific.and_then(|specific| specific.get(name)).and_then(Value::as_str);
    let top_text = |name: &str| json.get(name).and_then(Value::as_str);
    let permission_event = matches!(answer.event, "PreToolUse" | "");
    let permission = specific_text("permissionDecision").filter(|_| permission_event);
    let behavior = specific
        .filter(|_| answer.event == "PermissionRequest")
        .and_then(|specific| specific.get("decision")?.get("behavior")?.as_str());
    let stated = permission.or(behavior).or_else(|| top_text("decision"));
    decision.decision = stated.map(str::to_owned);
    decision.halts_turn = json.get("continue") == Some(&Value::Bool(false));
    decision.context = specific_text("additionalContext")
        .filter(|_| matches!(answer.event, "UserPromptSubmit" | "PostToolUse") || answer.cli == Cli::Codex)
        .and_then(text);

    let reason = if permission.is_some() {
        specific_text("permissionDecisionReason").or_else(|| top_text("reason"))
    } else if behavior.is_some() {
        specific.and_then(|specific| specific.get("decision")?.get("message")?.as_str())
    } else {
        top_text("reason")
    };
    let fired = match stated {
        Some("ask") if answer.cli == Cli::ClaudeCode => Some(Mechanism::AskDecision),
        Some("deny" | "block") if can_block(answer.event) => Some(Mechanism::DenyDecision),
        _ => None,
    };
    if let Some(mechanism) = fired {
        decision.reason = reason.and_then(text);
        decision.blocked_by.push(mechanism);
        if answer.cli == Cli::Codex && decision.reason.is_none() {
            return Outcome::Unmeasured("a denial without a reason (it asks for one: add it)");
        }
        return if decision.halts_turn { Outcome::BlockedAndHalt } else { Outcome::Blocked };
    }
    if decision.halts_turn {
        decision.reason = top_text("stopReason").and_then(text);
        if answer.cli == Cli::Codex && answer.event == "SessionStart" {
            decision.blocked_by.push(Mechanism::HaltField);
        }
        return Outcome::Halt;
    }
    if json.get("async") == Some(&Value::Bool(true)) {
        return Outcome::Unmeasured("an asynchronous answer (async: true)");
    }
    match stated {
        None if matches!(answer.event, "Stop" | "SubagentStop") && specific_text("additionalContext").is_some() => {
            Outcome::Unmeasured("additionalContext")
        }
        None => Outcome::Clean,
        Some("allow" | "ask") => {
            if answer.cli == Cli::Codex && specific.is_none_or(|specific| !specific.contains_key("updatedInput")) {
                decision.note = Some(format!("Codex does not support the decision {:?}", stated.unwrap_or_default()));
            }
            Outcome::Clean
        }
        Some("defer") => Outcome::Unmeasured("permissionDecision \"defer\""),
        Some("approve") => Outcome::Unmeasured("decision \"approve\""),
        Some(_) => Outcome::Unmeasured("a block in the JSON answer"),
    }
}

/// Plain stdout is shown to the model at the start of a session and with a prompt.
fn plain_context(answer: &Answer<'_>) -> Option<String> {
    matches!(answer.event, "SessionStart" | "UserPromptSubmit").then(|| text(answer.stdout.trim())).flatten()
}

fn text(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// The table: `None` for every combination that nobody has measured.
#[expect(clippy::match_same_arms, reason = "one arm per row of the table")]
fn effect(answer: &Answer<'_>, outcome: &Outcome, decision: &Decision) -> Option<Effect> {
    use Outcome::{Blocked, Clean, Failed, Halt, Invalid, TimedOut};
    let claude = answer.cli == Cli::ClaudeCode;
    match (answer.event, outcome) {
        ("SessionEnd" | "Notification", _) => Some(Effect::None),
        ("PreToolUse" | "UserPromptSubmit", Blocked) => Some(Effect::Prevented),
        ("PostToolUse", Blocked) => Some(Effect::Feedback),
        ("PostToolUse", Clean) if decision.context.is_some() => Some(Effect::Feedback),
        ("Stop" | "SubagentStop", Blocked) => Some(Effect::Continued),
        ("PreToolUse", Halt) if claude => Some(Effect::Halted),
        ("SessionStart", Halt) if !claude => Some(Effect::Prevented),
        ("PreToolUse", Invalid(_) | Failed(_) | TimedOut) => Some(Effect::None),
        ("SessionStart", Invalid(_) | Failed(_) | TimedOut | Outcome::Killed(_)) if claude => Some(Effect::None),
        (
            "PreToolUse" | "PostToolUse" | "PostToolUseFailure" | "UserPromptSubmit" | "Stop" | "SubagentStop"
            | "SessionStart",
            Clean,
        ) => Some(Effect::None),
        _ => None,
    }
}

fn outcome_note(answer: &Answer<'_>, outcome: &Outcome, decision: &Decision) -> Option<String> {
    let what = match outcome {
        Outcome::Clean if answer.event.is_empty() => {
            return Some("the event has no hook_event_name".to_owned());
        }
        Outcome::Clean => "a clean answer".to_owned(),
        Outcome::Blocked => {
            format!("a block by {}", decision.blocked_by.first().map_or("", |by| by.name()))
        }
        Outcome::Halt => "continue: false".to_owned(),
        Outcome::BlockedAndHalt => "a denial together with continue: false".to_owned(),
        Outcome::Invalid(why) if decision.effect.is_some() => {
            return Some(format!("the answer is ignored, it does not fit the schema ({why})"));
        }
        Outcome::Invalid(why) => format!("an answer that does not fit the schema ({why})"),
        Outcome::Failed(code) if decision.effect.is_some() => {
            return decision
                .json
                .as_ref()
                .map(|_| format!("JSON on stdout is read only after exit 0, this was exit {code}"));
        }
        Outcome::Failed(code) => format!("exit {code}"),
        Outcome::TimedOut => "a hook that runs out of time".to_owned(),
        Outcome::Killed(Some(signal)) => format!("a hook killed by signal {signal}"),
        Outcome::Killed(None) => "a hook without an exit code".to_owned(),
        Outcome::Unmeasured(what) => (*what).to_owned(),
    };
    if decision.effect.is_some() {
        return None;
    }
    let event = if answer.event.is_empty() { "an event without a name" } else { answer.event };
    Some(format!("not measured: what {} does at {event} with {what}", answer.cli.name()))
}
