//! Which hook fired, for which call, with which command.
//!
//! The stream tells each firing with its exit code and output, but neither call nor command. The session file tells
//! both, but only for hooks that printed something or failed. Together they give each firing whole.

use std::borrow::Cow;
use std::sync::Arc;

use crate::trace::error::TraceError;
use crate::trace::id::{Id, IdMap, Names};
use crate::trace::model::{HookFire, ResultText, ToolCall};
use crate::trace::parts::Parts;
use crate::trace::text::Text;

use super::event::{Fired, Style};
use super::fold::{Options, is_agent_tool};

#[derive(Debug, Default)]
pub(super) struct Hooks {
    firings: Vec<Firing>,
    /// Firings that have not answered.
    running: IdMap<Id, usize>,
    names: Names,
    records: Vec<HookFire>,
    /// Calls without a result so far.
    open: Vec<usize>,
}

#[derive(Debug)]
struct Firing {
    fire: HookFire,
    /// The one call it can belong to by the order of events.
    call: Option<usize>,
}

impl Hooks {
    pub(super) fn call_opened(&mut self, index: usize) {
        self.open.push(index);
    }

    pub(super) fn call_closed(&mut self, index: usize) {
        self.open.retain(|&open| open != index);
    }

    pub(super) fn started(&mut self, id: Id, name: Id, event: Id, calls: &[ToolCall]) {
        let call = self.only_open(&name, calls);
        let (name, event) = (self.names.get(name), self.names.get(event));
        self.running.insert(id, self.firings.len());
        self.firings.push(Firing { fire: HookFire { name, event, ..HookFire::default() }, call });
    }

    pub(super) fn response(&mut self, id: &Id, fired: Fired, calls: &[ToolCall]) {
        let fire = fired.named(&mut self.names);
        if let Some(index) = self.running.remove(id) {
            self.firings[index].fire = fire;
        } else {
            let call = self.only_open(&fire.name, calls);
            self.firings.push(Firing { fire, call });
        }
    }

    pub(super) fn record(&mut self, fired: Fired, call: Option<&ToolCall>) {
        let mut fire = fired.named(&mut self.names);
        fire.tool_use_id = call.map(|call| call.id.clone()).or(fire.tool_use_id);
        self.records.push(fire);
    }

    /// The open call of the tool that a label like `PreToolUse:Bash` names, when there is just one.
    fn only_open(&self, name: &str, calls: &[ToolCall]) -> Option<usize> {
        let (event, tool) = name.split_once(':')?;
        if !matches!(event, "PreToolUse" | "PostToolUse" | "PostToolUseFailure") {
            return None;
        }
        let same = |called: &str| called == tool || (is_agent_tool(called) && is_agent_tool(tool));
        let mut candidates = self.open.iter().copied().filter(|&index| same(&calls[index].name));
        candidates.next().filter(|_| candidates.next().is_none())
    }

    pub(super) fn finish(
        self,
        parts: &mut Parts,
        calls: &[ToolCall],
        parallel: &[bool],
        style: Style,
        options: Options,
    ) {
        let fires: Vec<HookFire> = match style {
            Style::Stream => self.firings.into_iter().map(|firing| firing.tied(calls, parallel)).collect(),
            Style::Session => self.records.into_iter().map(|record| without_foreign_id(record, calls)).collect(),
        };
        let only_start = fires.iter().all(|fire| &*fire.event == "SessionStart");
        if style == Style::Session {
            parts.hooks_partial = true;
            parts.warnings.push(
                "a session file does not record hooks that exit 0 without output; give the stream too \
                 (recorded with --include-hook-events) to see every firing"
                    .to_owned(),
            );
            parts.hooks = Some(fires);
        } else if options.hook_events == Some(true) || !only_start {
            parts.hooks = Some(fires);
        } else {
            parts.hooks_partial = true;
            parts.hooks = (!fires.is_empty() && options.hook_events.is_none()).then_some(fires);
            parts.warnings.push(
                "the stream tells of no hook but SessionStart: it was recorded without --include-hook-events, \
                 or no other hook fired"
                    .to_owned(),
            );
        }
    }
}

impl Firing {
    /// A message that calls one tool twice gives two calls that no order can tell apart.
    fn tied(self, calls: &[ToolCall], parallel: &[bool]) -> HookFire {
        let certain = self.call.filter(|&index| !parallel[index]);
        HookFire { tool_use_id: certain.map(|index| calls[index].id.clone()), ..self.fire }
    }
}

/// Events without a tool carry a random id.
fn without_foreign_id(mut fire: HookFire, calls: &[ToolCall]) -> HookFire {
    fire.tool_use_id = fire.tool_use_id.filter(|id| calls.iter().any(|call| call.id == *id));
    fire
}

/// How texts are read while a trace is put together.
pub(crate) trait Read {
    /// The text, decoded.
    fn read<'t>(&'t self, text: &'t Text) -> Result<Cow<'t, str>, TraceError>;
}

/// Gives the firings of a stream what the records of its session file know of them.
pub(crate) fn merge(parts: &mut Parts, records: &[HookFire], reader: &impl Read) -> Result<(), TraceError> {
    let Some(fires) = &mut parts.hooks else {
        return Ok(());
    };
    let calls = parts.tool_calls.as_deref().unwrap_or_default();
    let keys = |fire: &HookFire| Key::of(fire, reader);
    let record_keys = records.iter().map(keys).collect::<Result<Vec<_>, _>>()?;
    let fire_keys = fires.iter().map(keys).collect::<Result<Vec<_>, _>>()?;
    for index in 0..fires.len() {
        let fire = &fires[index];
        let same = |key: &Key| key.same_firing(&fire_keys[index]);
        let candidates: Vec<&HookFire> = records
            .iter()
            .zip(&record_keys)
            .filter(|(record, key)| {
                same(key) && fire.tool_use_id.as_ref().is_none_or(|id| record.tool_use_id.as_ref() == Some(id))
            })
            .map(|(record, _)| record)
            .collect();
        let rivals = fires
            .iter()
            .zip(&fire_keys)
            .filter(|(other, key)| same(key) && (fire.tool_use_id.is_none() || other.tool_use_id == fire.tool_use_id))
            .count();
        if candidates.len() != rivals {
            continue;
        }
        let known = common(&candidates);
        let call = known.tool_use_id.filter(|id| calls.iter().any(|call| call.id == *id));
        let fire = &mut fires[index];
        fire.command = fire.command.take().or(known.command);
        fire.tool_use_id = fire.tool_use_id.take().or(call);
        fire.duration_ms = fire.duration_ms.or(known.duration_ms);
    }
    Ok(())
}

/// What all candidates agree on.
fn common(candidates: &[&HookFire]) -> HookFire {
    let [first, rest @ ..] = candidates else {
        return HookFire::default();
    };
    let agree = |same: &dyn Fn(&HookFire) -> bool| rest.iter().all(|other| same(other));
    HookFire {
        command: first.command.clone().filter(|_| agree(&|other| other.command == first.command)),
        tool_use_id: first.tool_use_id.clone().filter(|_| agree(&|other| other.tool_use_id == first.tool_use_id)),
        duration_ms: first.duration_ms.filter(|_| rest.is_empty()),
        ..HookFire::default()
    }
}

/// What a firing and its record have in common.
#[derive(Debug)]
struct Key {
    name: Arc<str>,
    stdout: String,
    stderr: String,
    timed_out: bool,
}

impl Key {
    fn of(fire: &HookFire, reader: &impl Read) -> Result<Self, TraceError> {
        let text = |text: &Option<Text>| match text {
            Some(text) => reader.read(text).map(|text| text.trim().to_owned()),
            None => Ok(String::new()),
        };
        Ok(Self {
            name: fire.name.clone(),
            stdout: text(&fire.stdout)?,
            stderr: text(&fire.stderr)?,
            timed_out: fire.timed_out == Some(true),
        })
    }

    fn same_firing(&self, other: &Self) -> bool {
        let streams = || self.stdout == other.stdout && self.stderr == other.stderr;
        self.name == other.name && self.timed_out == other.timed_out && (self.timed_out || streams())
    }
}

/// Ties hooks that blocked a call with exit 2 to that call, by the text the CLI gave it as result:
/// `PreToolUse:Bash hook error: [<command>]: <stderr>`. A session file keeps no other record of such a block.
pub(crate) fn tie_blocks(parts: &mut Parts, reader: &impl Read) -> Result<(), TraceError> {
    let Some(fires) = &mut parts.hooks else {
        return Ok(());
    };
    let calls = parts.tool_calls.as_deref().unwrap_or_default();
    for fire in fires.iter_mut().filter(|fire| fire.blocked && fire.command.is_none()) {
        let Some(stderr) = &fire.stderr else { continue };
        let stderr = reader.read(stderr)?;
        let mut matches = Vec::new();
        for call in calls.iter().filter(|call| call.is_error == Some(true)) {
            if fire.tool_use_id.as_ref().is_some_and(|id| *id != call.id) {
                continue;
            }
            let Some(ResultText::Text(text)) = &call.result else { continue };
            let text = reader.read(text)?;
            if let Some(command) = blocking_command(&text, &fire.name, &stderr) {
                matches.push((call.id.clone(), Box::from(command)));
            }
        }
        if let [(call, command)] = &*matches {
            fire.tool_use_id = Some(call.clone());
            fire.command = Some(Box::clone(command));
        }
    }
    Ok(())
}

fn blocking_command<'t>(result: &'t str, hook: &str, stderr: &str) -> Option<&'t str> {
    let rest = result.strip_prefix(hook)?.strip_prefix(" hook error: [")?;
    rest.trim_end().strip_suffix(stderr.trim_end())?.strip_suffix("]: ")
}
