//! Which hook fired, for which call, with which command.
//!
//! The stream tells each firing with its exit code and output, but neither call nor command. The session file tells
//! both, but only for hooks that printed something or failed. Together they give each firing whole.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::tool::current_name;
use crate::trace::error::TraceError;
use crate::trace::id::{Id, IdMap, Names};
use crate::trace::model::{HookFire, ResultText, ToolCall};
use crate::trace::parts::Parts;
use crate::trace::text::Text;

use super::event::{Fired, Style};
use super::fold::Options;

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
        let same = |called: &str| current_name(called) == current_name(tool);
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
            Style::Session => without_foreign_ids(self.records, calls),
        };
        let unanswered = self.running.len();
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
        if unanswered > 0 {
            parts.warnings.push(format!(
                "{unanswered} hook(s) started and their end was not recorded: whether they blocked is not known"
            ));
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
fn without_foreign_ids(mut records: Vec<HookFire>, calls: &[ToolCall]) -> Vec<HookFire> {
    let known: HashSet<&str> = calls.iter().map(|call| &*call.id).collect();
    for record in &mut records {
        record.tool_use_id = record.tool_use_id.take().filter(|id| known.contains(&**id));
    }
    records
}

/// How texts are read while a trace is put together.
pub(crate) trait Read {
    /// The text, decoded.
    fn read<'t>(&'t self, text: &'t Text) -> Result<Cow<'t, str>, TraceError>;
}

/// Gives the firings of a stream what the records of its session file know of them. Where the stream was recorded
/// without hook events, the records are the firings.
pub(crate) fn merge(parts: &mut Parts, records: Vec<HookFire>, reader: &impl Read) -> Result<(), TraceError> {
    let calls = parts.tool_calls.as_deref().unwrap_or_default();
    if let Some(fires) = &mut parts.hooks {
        add_known(fires, &records, calls, reader)?;
    }
    let only_start = parts.hooks.iter().flatten().all(|fire| &*fire.event == "SessionStart");
    if parts.hooks.is_some() && !(parts.hooks_partial && only_start) {
        return Ok(());
    }
    // What the stream tells of a firing is more than its record: the two are not mixed for one event.
    let is_told = parts.hooks.iter().flatten().next().is_some();
    let mut others = records.into_iter().filter(|record| !is_told || &*record.event != "SessionStart").peekable();
    if others.peek().is_none() {
        return Ok(());
    }
    parts.hooks.get_or_insert_default().extend(others);
    parts.hooks_partial = true;
    parts.warnings.push(
        "hooks are those of the session file, because the stream was recorded without hook events: hooks that exit 0 \
         without output are missing"
            .to_owned(),
    );
    Ok(())
}

fn add_known(
    fires: &mut [HookFire],
    records: &[HookFire],
    calls: &[ToolCall],
    reader: &impl Read,
) -> Result<(), TraceError> {
    let mut keys = Keys::default();
    let mut known: HashMap<(usize, Option<&str>), Known> = HashMap::new();
    for record in records {
        let key = keys.index(record, reader, Side::Record)?;
        known.entry((key, None)).or_default().add(record);
        if let Some(call) = &record.tool_use_id {
            known.entry((key, Some(call))).or_default().add(record);
        }
    }
    let fire_keys = fires.iter().map(|fire| keys.index(fire, reader, Side::Stream)).collect::<Result<Vec<_>, _>>()?;
    let mut rivals: HashMap<(usize, Option<Box<str>>), usize> = HashMap::new();
    for (fire, &key) in fires.iter().zip(&fire_keys) {
        *rivals.entry((key, None)).or_default() += 1;
        if fire.tool_use_id.is_some() {
            *rivals.entry((key, fire.tool_use_id.clone())).or_default() += 1;
        }
    }
    let ids: HashSet<&str> = calls.iter().map(|call| &*call.id).collect();
    for (fire, key) in fires.iter_mut().zip(fire_keys) {
        let Some(candidates) = known.get(&(key, fire.tool_use_id.as_deref())) else { continue };
        // As many records as firings: they are the same ones, and what all records say holds for each firing.
        if rivals.get(&(key, fire.tool_use_id.clone())) != Some(&candidates.count) {
            continue;
        }
        fire.command = fire.command.take().or_else(|| candidates.command.map(Into::into));
        fire.duration_ms = fire.duration_ms.or(candidates.duration_ms);
        if let (None, Some(call)) = (&fire.tool_use_id, candidates.call.filter(|call| ids.contains(call))) {
            fire.tool_use_id = Some(call.into());
            *rivals.entry((key, fire.tool_use_id.clone())).or_default() += 1;
        }
    }
    Ok(())
}

/// What all records of a group agree on.
#[derive(Debug, Default)]
struct Known<'r> {
    count: usize,
    command: Option<&'r str>,
    call: Option<&'r str>,
    /// Of a record that is alone.
    duration_ms: Option<f64>,
}

impl<'r> Known<'r> {
    fn add(&mut self, record: &'r HookFire) {
        let (command, call) = (record.command.as_deref(), record.tool_use_id.as_deref());
        let is_first = self.count == 0;
        self.command = if is_first { command } else { self.command.filter(|&same| Some(same) == command) };
        self.call = if is_first { call } else { self.call.filter(|&same| Some(same) == call) };
        self.duration_ms = record.duration_ms.filter(|_| is_first);
        self.count += 1;
    }
}

/// Which of the two tells of a firing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Stream,
    Record,
}

impl Side {
    /// What the hook wrote, without what the CLI puts around it in the record of a failure.
    fn own_words(self, text: &str) -> &str {
        let text = text.trim();
        match text.strip_prefix("Failed with non-blocking status code:") {
            Some(rest) if self == Self::Record => match rest.trim() {
                "No stderr output" => "",
                words => words,
            },
            _ => text,
        }
    }
}

/// What firings and their records have in common, numbered.
#[derive(Debug, Default)]
struct Keys(HashMap<Key, usize>);

#[derive(Debug, PartialEq, Eq, Hash)]
struct Key {
    name: Arc<str>,
    /// Standard output and error; `None` after a timeout, when only the stream tells them.
    streams: Option<[String; 2]>,
}

impl Keys {
    fn index(&mut self, fire: &HookFire, reader: &impl Read, side: Side) -> Result<usize, TraceError> {
        let text = |text: &Option<Text>| match text {
            Some(text) => reader.read(text).map(|text| side.own_words(&text).to_owned()),
            None => Ok(String::new()),
        };
        let streams = match fire.timed_out {
            Some(true) => None,
            _ => Some([text(&fire.stdout)?, text(&fire.stderr)?]),
        };
        let next = self.0.len();
        Ok(*self.0.entry(Key { name: Arc::clone(&fire.name), streams }).or_insert(next))
    }
}

/// Ties hooks that blocked a call with exit 2 to that call, by the text the CLI gave it as result:
/// `PreToolUse:Bash hook error: [<command>]: <stderr>`. A session file keeps no other record of such a block.
pub(crate) fn tie_blocks(parts: &mut Parts, reader: &impl Read) -> Result<(), TraceError> {
    let is_open = |fire: &HookFire| fire.blocked == Some(true) && fire.command.is_none() && fire.stderr.is_some();
    let Some(fires) = parts.hooks.as_mut().filter(|fires| fires.iter().any(is_open)) else {
        return Ok(());
    };
    let mut answers = Vec::new();
    for call in parts.tool_calls.iter().flatten().filter(|call| call.is_error == Some(true)) {
        if let Some(ResultText::Text(text)) = &call.result {
            answers.push((&*call.id, reader.read(text)?));
        }
    }
    let mut blocks = Blocks::default();
    for (call, text) in &answers {
        blocks.add(call, text);
    }
    for fire in fires.iter_mut().filter(|fire| is_open(fire)) {
        let stderr = match &fire.stderr {
            Some(stderr) => reader.read(stderr)?,
            None => continue,
        };
        if let Some((call, command)) = blocks.only(&fire.name, &stderr, fire.tool_use_id.as_deref()) {
            fire.tool_use_id = Some(call);
            fire.command = Some(command);
        }
    }
    Ok(())
}

/// Answers of the form `<hook> hook error: [<command>]: <stderr>`, by hook, stderr, and call or any call.
#[derive(Debug, Default)]
struct Blocks<'t>(HashMap<(&'t str, &'t str, Option<&'t str>), Block<'t>>);

/// The first of `count` answers that fit.
#[derive(Debug)]
struct Block<'t> {
    call: &'t str,
    command: &'t str,
    count: usize,
}

impl<'t> Blocks<'t> {
    fn add(&mut self, call: &'t str, answer: &'t str) {
        let Some((hook, rest)) = answer.split_once(" hook error: [") else { return };
        let rest = rest.trim_end();
        // Where the command ends is not told, and either part may hold the mark.
        for (end, mark) in rest.match_indices("]: ") {
            let (command, stderr) = (&rest[..end], &rest[end + mark.len()..]);
            for of in [None, Some(call)] {
                self.0.entry((hook, stderr, of)).or_insert(Block { call, command, count: 0 }).count += 1;
            }
        }
    }

    /// Call and command of the one answer that fits.
    fn only(&self, hook: &str, stderr: &str, call: Option<&str>) -> Option<(Box<str>, Box<str>)> {
        let block = self.0.get(&(hook, stderr.trim_end(), call)).filter(|block| block.count == 1)?;
        Some((block.call.into(), block.command.into()))
    }
}
