//! From the events of a run to the fields of its trace.

use std::collections::HashMap;

use crate::tool::current_name;
use crate::trace::id::{Id, IdMap, Names};
use crate::trace::model::{ResultText, Subagent, ToolCall, Usage};
use crate::trace::parts::Parts;
use crate::trace::text::Text;

use super::event::{Assistant, Block, Event, Init, ResultEvent, Speaker, Style, Tokens, ToolResult, User};
use super::hooks::Hooks;

/// What the caller knows about how the run was recorded.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Options {
    /// Whether `--include-hook-events` was given; `None` = not known.
    pub(crate) hook_events: Option<bool>,
}

/// Subagents nested deeper are not listed (their calls are): walking and dropping them is recursion, and the stack must
/// hold.
const MAX_NESTING: usize = 32;

/// Whether a call of the tool starts a subagent.
fn is_agent_tool(name: &str) -> bool {
    current_name(name) == "Agent"
}

/// Takes the events of a run one by one.
#[derive(Debug, Default)]
pub(crate) struct Fold {
    parts: Parts,
    calls: Vec<ToolCall>,
    names: Names,
    by_id: IdMap<Id, usize>,
    /// Results whose call has not been seen: in a session file the order of lines is not that of time.
    early: IdMap<Id, ToolResult>,
    speakers: IdMap<Speaker, Messages>,
    agents: IdMap<Id, Agent>,
    /// Agent id -> the call that started it.
    agent_calls: IdMap<Id, Id>,
    hooks: Hooks,
    results: u32,
    /// Of the main agent's messages.
    tokens: IdMap<Id, Tokens>,
    last_stop: Option<Id>,
    retries: Vec<String>,
    denied: Vec<Id>,
    saw_event: bool,
}

/// The messages of one agent.
#[derive(Debug, Default)]
struct Messages {
    by_id: IdMap<Id, usize>,
    list: Vec<Message>,
}

#[derive(Debug, Default)]
struct Message {
    texts: Vec<Text>,
    calls: Vec<usize>,
}

/// What is known of a subagent, by the call that started it.
#[derive(Debug, Default)]
struct Agent {
    name: Option<Id>,
    output: Option<Text>,
    started: bool,
}

impl Fold {
    pub(crate) fn event(&mut self, event: Event) {
        self.saw_event = true;
        match event {
            Event::Init(init) => self.init(*init),
            Event::Assistant(message) => self.assistant(*message),
            Event::User(user) => self.user(*user),
            Event::HookStarted { id, name, event } => self.hooks.started(id, name, event, &self.calls),
            Event::HookResponse { id, fire } => self.hooks.response(&id, *fire, &self.calls),
            Event::HookRecord(fired) => self.hooks.record(*fired, None),
            Event::Result(result) => self.result(*result),
            Event::Denied { call } => self.denied.push(call),
            Event::TaskStarted { call, agent } => {
                let entry = self.agents.entry(call).or_default();
                entry.started = true;
                entry.name = Some(agent);
            }
            Event::Retry { status, error } => {
                let status = status.map_or_else(|| "no answer".to_owned(), |status| format!("HTTP {status}"));
                self.retries.push(format!("{status} ({error})"));
            }
            Event::Skills(names) => self.parts.skills = Some(names),
            Event::Cost { usd, duration_ms } => {
                let usage = self.parts.usage.get_or_insert_default();
                usage.cost_usd = usd;
                usage.duration_ms = duration_ms;
            }
        }
    }

    fn init(&mut self, init: Init) {
        let parts = &mut self.parts;
        parts.session_id = parts.session_id.take().or(init.session_id);
        parts.model = parts.model.take().or(init.model);
        parts.cwd = parts.cwd.take().or(init.cwd);
        // A background agent that reports starts a new turn with a new init event: the last one is the state at the end.
        parts.skills = init.skills.or(parts.skills.take());
        parts.mcp_servers = init.mcp_servers.or(parts.mcp_servers.take());
    }

    fn assistant(&mut self, message: Assistant) {
        self.parts.cwd = self.parts.cwd.take().or(message.cwd);
        if message.speaker == Speaker::Main {
            self.parts.session_id = self.parts.session_id.take().or(message.session_id);
        }
        if message.is_api_error {
            return;
        }
        let is_main = message.speaker == Speaker::Main;
        if is_main {
            self.parts.model = self.parts.model.take().or(message.model);
            self.last_stop = message.stop_reason;
            // A stream's result counts the main agent's tokens alone; so does this.
            if let (Some(id), Some(usage)) = (&message.message_id, message.usage) {
                self.tokens.insert(id.clone(), usage);
            }
        }
        let parent = match &message.speaker {
            Speaker::Main => None,
            Speaker::Call(id) | Speaker::Agent(id) => Some(Box::<str>::from(id)),
        };
        let messages = self.speakers.entry(message.speaker).or_default();
        let known = message.message_id.as_ref().and_then(|id| messages.by_id.get(id).copied());
        let at = known.unwrap_or_else(|| {
            messages.list.push(Message::default());
            messages.list.len() - 1
        });
        if let Some(id) = message.message_id {
            messages.by_id.insert(id, at);
        }
        let turn = u32::try_from(at + 1).ok();
        let entry = &mut messages.list[at];
        let mut answered = Vec::new();
        for block in message.blocks {
            match block {
                Block::Text(text) => entry.texts.push(text),
                Block::Call { id, name, input, agent } => {
                    // A session file of a resumed run repeats lines; a call is one call.
                    if !id.is_empty() && self.by_id.contains_key(&id) {
                        continue;
                    }
                    let index = self.calls.len();
                    entry.calls.push(index);
                    if is_agent_tool(&name) {
                        let known = self.agents.entry(id.clone()).or_default();
                        known.name = agent.or(known.name.take());
                    }
                    self.calls.push(ToolCall {
                        id: Box::from(&id),
                        name: self.names.get(name),
                        input,
                        result: None,
                        is_error: None,
                        denied: None,
                        parent_id: parent.clone(),
                        turn,
                    });
                    self.hooks.call_opened(index);
                    answered.extend(self.early.remove(&id).map(|result| (index, result)));
                    self.by_id.insert(id, index);
                }
            }
        }
        for (index, result) in answered {
            self.close(index, result);
        }
    }

    fn user(&mut self, user: User) {
        self.parts.cwd = self.parts.cwd.take().or(user.cwd);
        if user.speaker == Speaker::Main {
            self.parts.session_id = self.parts.session_id.take().or(user.session_id);
            self.parts.prompt = self.parts.prompt.take().or(user.prompt);
        }
        if let (Some(agent), [result]) = (user.agent, &*user.results) {
            self.agent_calls.insert(agent.agent_id, result.call.clone());
            let known = self.agents.entry(result.call.clone()).or_default();
            known.started = true;
            known.name = known.name.take().or(agent.agent_type);
            known.output = agent.output;
        }
        for result in user.results {
            match self.by_id.get(&result.call) {
                Some(&index) => self.close(index, result),
                None => {
                    self.early.insert(result.call.clone(), result);
                }
            }
        }
    }

    fn close(&mut self, index: usize, result: ToolResult) {
        let call = &mut self.calls[index];
        call.result = Some(result.text);
        call.is_error = Some(result.is_error);
        call.denied = result.decision.map(|decision| decision.rejected);
        if let Some(fired) = result.blocked_by {
            self.hooks.record(*fired, Some(call));
        }
        self.hooks.call_closed(index);
    }

    fn result(&mut self, event: ResultEvent) {
        self.results += 1;
        let parts = &mut self.parts;
        parts.session_id = parts.session_id.take().or(event.session_id);
        if event.text.as_deref().is_some_and(|text| !text.is_empty()) {
            parts.output = event.text;
        }
        // The cost accumulates over the results of a process; tokens and time are of each one alone.
        let total = parts.usage.get_or_insert_default();
        let one = event.usage;
        total.cost_usd = one.cost_usd.or(total.cost_usd);
        total.duration_ms = sum(total.duration_ms, one.duration_ms, std::ops::Add::add);
        let tokens = Tokens {
            input: one.input_tokens,
            output: one.output_tokens,
            cache_creation: one.cache_creation_tokens,
            cache_read: one.cache_read_tokens,
        };
        add_tokens(total, std::iter::once(&tokens));
        let denials = parts.permission_denials.get_or_insert_default();
        for denial in event.denials {
            if !denials.iter().any(|known| known.tool_use_id == denial.tool_use_id) {
                denials.push(denial);
            }
        }
        parts.result = Some(event.result);
    }

    /// The fields of the trace, when all events were taken.
    pub(crate) fn finish(mut self, style: Style, options: Options) -> Parts {
        self.resolve_agents();
        self.mark_denials();
        let subagents = self.subagents();
        let main = self.speakers.remove(&Speaker::Main).unwrap_or_default();
        let mut parts = self.parts;
        let parallel = parallel_calls(&main, &self.speakers, &self.calls);
        self.hooks.finish(&mut parts, &self.calls, &parallel, style, options);
        parts.turns = u32::try_from(main.list.len()).ok();
        let replies: Vec<Text> = main.list.into_iter().filter_map(Message::reply).collect();
        match style {
            Style::Stream => parts.complete = self.results > 0,
            Style::Session => {
                parts.complete = self.last_stop.as_deref().is_some_and(|stop| stop != "tool_use");
                let usage = parts.usage.get_or_insert_default();
                add_tokens(usage, self.tokens.values());
            }
        }
        parts.replies = Some(replies);
        parts.subagents = Some(subagents);
        parts.tool_calls = Some(self.calls);
        if style == Style::Stream && self.results == 0 && self.saw_event {
            parts.warnings.push(
                "the stream has no result event: the run was killed, or its output was cut because the reader was \
                 too slow. Cost, tokens and the final answer are unknown"
                    .to_owned(),
            );
        }
        if let Some(last) = self.retries.last() {
            let count = self.retries.len();
            parts.warnings.push(format!("the CLI repeated {count} model request(s), the last after {last}"));
        }
        parts
    }

    /// Session files name the agent, streams the call: from here on both name the call.
    fn resolve_agents(&mut self) {
        for (agent, call) in &self.agent_calls {
            let Some(messages) = self.speakers.remove(&Speaker::Agent(agent.clone())) else { continue };
            for &index in messages.list.iter().flat_map(|message| &message.calls) {
                self.calls[index].parent_id = Some(Box::from(call));
            }
            self.speakers.insert(Speaker::Call(call.clone()), messages);
        }
        // The call that started it was cut off: the agent's own id has to do.
        let unresolved: Vec<_> =
            self.speakers.keys().filter(|speaker| matches!(speaker, Speaker::Agent(_))).cloned().collect();
        for speaker in unresolved {
            if let (Some(messages), Speaker::Agent(id)) = (self.speakers.remove(&speaker), speaker) {
                self.agents.entry(id.clone()).or_default().started = true;
                self.speakers.insert(Speaker::Call(id), messages);
            }
        }
    }

    fn mark_denials(&mut self) {
        let listed = self.parts.permission_denials.iter().flatten().map(|denial| &*denial.tool_use_id);
        for id in listed.chain(self.denied.iter().map(|id| &**id)) {
            if let Some(&index) = self.by_id.get(id) {
                self.calls[index].denied = Some(true);
            }
        }
        if self.parts.permission_denials.is_some() {
            // A result event lists all denials: what it does not list was not denied.
            for call in self.calls.iter_mut().filter(|call| call.result.is_some()) {
                call.denied.get_or_insert(false);
            }
        }
    }

    /// The subagents that started, nested as they were started.
    fn subagents(&mut self) -> Vec<Subagent> {
        let mut children: HashMap<Option<Box<str>>, Vec<usize>> = HashMap::new();
        for (index, call) in self.calls.iter().enumerate() {
            children.entry(call.parent_id.clone()).or_default().push(index);
        }
        // Agents whose own start is not in the source hang at the top.
        let orphans: Vec<Box<str>> =
            children.keys().flatten().filter(|id| !self.by_id.contains_key(&***id)).cloned().collect();
        let mut top = self.children_of(None, &children, 0);
        let mut orphans: Vec<_> = orphans.into_iter().map(|id| self.subagent(&id, &children, 0)).collect();
        orphans.sort_by(|a, b| a.id.cmp(&b.id));
        top.append(&mut orphans);
        top
    }

    fn children_of(
        &self,
        parent: Option<&str>,
        children: &HashMap<Option<Box<str>>, Vec<usize>>,
        depth: usize,
    ) -> Vec<Subagent> {
        if depth == MAX_NESTING {
            return Vec::new();
        }
        let own = children.get(&parent.map(Box::from)).map(Vec::as_slice).unwrap_or_default();
        // Without an id there is no telling which calls are its own; they could even be its parents.
        let own = own.iter().map(|&index| &self.calls[index]).filter(|call| !call.id.is_empty());
        let started = own.filter(|call| is_agent_tool(&call.name) && self.has_started(call));
        started.map(|call| self.subagent(&call.id, children, depth)).collect()
    }

    /// An unknown agent type is refused with an error and starts nothing.
    fn has_started(&self, call: &ToolCall) -> bool {
        self.speakers.contains_key(&Speaker::Call(Id::from(&*call.id)))
            || self.agents.get(&*call.id).is_some_and(|agent| agent.started)
            || call.is_error == Some(false)
    }

    fn subagent(&self, id: &str, children: &HashMap<Option<Box<str>>, Vec<usize>>, depth: usize) -> Subagent {
        let agent = self.agents.get(id);
        let own_reply = self
            .speakers
            .get(&Speaker::Call(id.into()))
            .and_then(|messages| messages.list.iter().rev().find_map(Message::clone_reply));
        Subagent {
            id: id.into(),
            name: agent.and_then(|agent| agent.name.as_ref()).map(Box::from).unwrap_or_default(),
            calls: Some(children.get(&Some(Box::from(id))).cloned().unwrap_or_default()),
            output: own_reply.or_else(|| agent.and_then(|agent| agent.output.clone())).map(ResultText::Text),
            subagents: self.children_of(Some(id), children, depth + 1),
        }
    }
}

impl Message {
    /// The text of a message that calls no tool.
    fn reply(self) -> Option<Text> {
        let mut texts = self.texts;
        texts.retain(|text| !matches!(text, Text::Kept(kept) if kept.is_empty()));
        match (self.calls.is_empty(), texts.len()) {
            (false, _) | (_, 0) => None,
            (_, 1) => texts.pop(),
            _ => Some(Text::Joined(texts)),
        }
    }

    fn clone_reply(&self) -> Option<Text> {
        Self { texts: self.texts.clone(), calls: self.calls.clone() }.reply()
    }
}

/// For each call, whether its message called the same tool more than once.
fn parallel_calls(main: &Messages, others: &IdMap<Speaker, Messages>, calls: &[ToolCall]) -> Vec<bool> {
    let mut parallel = vec![false; calls.len()];
    let messages = main.list.iter().chain(others.values().flat_map(|messages| &messages.list));
    for message in messages.filter(|message| message.calls.len() > 1) {
        let mut count: HashMap<&str, usize> = HashMap::new();
        for &index in &message.calls {
            *count.entry(&calls[index].name).or_default() += 1;
        }
        for &index in &message.calls {
            parallel[index] = count[&*calls[index].name] > 1;
        }
    }
    parallel
}

fn sum<T>(a: Option<T>, b: Option<T>, add: impl Fn(T, T) -> T) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(add(a, b)),
        (a, b) => a.or(b),
    }
}

fn add_tokens<'t>(usage: &mut Usage, tokens: impl Iterator<Item = &'t Tokens>) {
    let add = |a, b| sum(a, b, u64::saturating_add);
    for one in tokens {
        usage.input_tokens = add(usage.input_tokens, one.input);
        usage.output_tokens = add(usage.output_tokens, one.output);
        usage.cache_creation_tokens = add(usage.cache_creation_tokens, one.cache_creation);
        usage.cache_read_tokens = add(usage.cache_read_tokens, one.cache_read);
    }
}
