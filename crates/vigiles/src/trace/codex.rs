//! Codex, `codex exec --json`.

use std::collections::HashMap;
use std::sync::Arc;

use super::json::Node;
use super::lines::Place;
use super::model::{ResultText, RunResult, Subagent, ToolCall, Usage};
use super::parts::Parts;
use super::text::Text;

#[derive(Debug)]
pub(super) enum Event {
    Thread(Box<str>),
    TurnStarted,
    Item {
        done: bool,
        item: Box<Item>,
    },
    Message {
        text: Text,
        /// The same, decoded.
        said: Box<str>,
    },
    /// A warning (an `error` item) or a notice (an `error` line): neither ends a turn.
    Notice(String),
    /// The notice that a stream of the model broke and is asked for again.
    Retry(String),
    Completed(Usage),
    Failed(String),
    Agents {
        call: Box<str>,
        done: bool,
        receivers: Vec<Box<str>>,
        messages: Vec<(Box<str>, Text)>,
    },
}

#[derive(Debug)]
pub(super) struct Item {
    id: Box<str>,
    name: String,
    input: Text,
    result: Option<ResultText>,
    is_error: Option<bool>,
    denied: Option<bool>,
}

impl Event {
    /// The events of a line; a call of the subagent tools is two.
    pub(super) fn of(node: Node<'_>, place: Place) -> Option<Vec<Self>> {
        let kind = node.get("type")?.str()?;
        let message = |node: Node<'_>| node.get("message").and_then(Node::str).unwrap_or_default().into_owned();
        let one = |event| Some(vec![event]);
        match &*kind {
            "thread.started" => one(Self::Thread(node.get("thread_id")?.str()?.into())),
            "turn.started" => one(Self::TurnStarted),
            "turn.completed" => one(Self::Completed(usage(node.get("usage")?))),
            "turn.failed" => one(Self::Failed(node.get("error").map(message).unwrap_or_default())),
            "error" => {
                let notice = message(node);
                one(if notice.starts_with("Reconnecting...") { Self::Retry(notice) } else { Self::Notice(notice) })
            }
            "item.started" | "item.updated" | "item.completed" => {
                item(node.get("item")?, kind == "item.completed", place)
            }
            _ => None,
        }
    }
}

fn usage(node: Node<'_>) -> Usage {
    let count = |key| node.get(key).and_then(Node::number);
    Usage {
        input_tokens: count("input_tokens"),
        output_tokens: count("output_tokens"),
        cache_creation_tokens: count("cache_write_input_tokens"),
        cache_read_tokens: count("cached_input_tokens"),
        ..Usage::default()
    }
}

fn item(node: Node<'_>, done: bool, place: Place) -> Option<Vec<Event>> {
    let kind = node.get("type")?.str()?;
    let text = |node: Node<'_>| Text::of(node, place);
    let string = |key| node.get(key).and_then(Node::str);
    let status = string("status");
    let failed = status.as_deref() == Some("failed");
    let declined = status.as_deref() == Some("declined");
    let whole = |name: &str, result: Option<Text>, is_error: bool| Item {
        id: string("id").unwrap_or_default().into(),
        name: name.to_owned(),
        input: Text::raw(node, place),
        result: result.filter(|_| done).map(ResultText::Text),
        is_error: done.then_some(is_error),
        denied: (done && status.is_some()).then_some(declined),
    };
    let call = |item| Some(vec![Event::Item { done, item: Box::new(item) }]);
    match &*kind {
        "agent_message" => {
            let said = node.get("text")?;
            Some(vec![Event::Message { text: text(said), said: said.str().unwrap_or_default().into() }])
        }
        "error" => Some(vec![Event::Notice(string("message").unwrap_or_default().into_owned())]),
        "command_execution" => {
            let exit = node.get("exit_code").and_then(Node::number::<i32>);
            let failed = failed || declined || exit.is_some_and(|code| code != 0);
            let mut item = whole("Bash", node.get("aggregated_output").map(text), failed);
            item.input = only(node, "command", place);
            call(item)
        }
        "file_change" => {
            let mut item =
                whole("apply_patch", string("status").map(|status| Text::Kept(status.into())), failed || declined);
            item.input = only(node, "changes", place);
            call(item)
        }
        "mcp_tool_call" => {
            let name = format!("mcp__{}__{}", string("server").unwrap_or_default(), string("tool").unwrap_or_default());
            let error = node.get("error").and_then(|error| error.get("message"));
            let mut item = whole(&name, error.map(text), failed || declined);
            if let Some(content) = node.get("result").and_then(|result| result.get("content")).filter(|_| done) {
                item.result = Some(ResultText::Blocks(text(content)));
            }
            item.input =
                node.get("arguments").map_or_else(|| Text::Kept("{}".into()), |arguments| Text::raw(arguments, place));
            call(item)
        }
        "web_search" => {
            let mut item = whole("web_search", None, false);
            item.input = only(node, "action", place);
            call(item)
        }
        "todo_list" => {
            let mut item = whole("update_plan", None, false);
            item.input = only(node, "items", place);
            call(item)
        }
        "collab_tool_call" => {
            let item = whole(&string("tool").unwrap_or_default(), None, failed || declined);
            let agents_states = node.get("agents_states");
            let messages = agents_states.into_iter().flat_map(Node::members).filter_map(|(id, state)| {
                let message = state.get("message").filter(|message| message.is_string())?;
                Some((id.str()?.into(), text(message)))
            });
            let agents = Event::Agents {
                call: string("tool").unwrap_or_default().into(),
                done,
                receivers: node.get("receiver_thread_ids")?.items().filter_map(|id| id.str().map(Into::into)).collect(),
                messages: messages.collect(),
            };
            Some(vec![Event::Item { done, item: Box::new(item) }, agents])
        }
        // Reasoning tells nothing about what was done; unknown items are not guessed at.
        _ => None,
    }
}

/// The arguments of a call: the one member that holds them, as an object.
fn only(node: Node<'_>, key: &'static str, place: Place) -> Text {
    let Some(value) = node.get(key) else {
        return Text::Kept("{}".into());
    };
    // The value's own bytes are in the source; the braces around it are not.
    Text::Joined(vec![Text::Kept(format!("{{\"{key}\":").into()), Text::raw(value, place), Text::Kept("}".into())])
}

/// What the agent said in a turn. When a stream of the model breaks, Codex asks again, and messages that it had
/// already printed may come a second time.
#[derive(Debug, Default)]
struct Said {
    /// How often each message was said since the turn started.
    in_turn: HashMap<Box<str>, usize>,
    /// How often each can come again because of the last retry.
    repeatable: HashMap<Box<str>, usize>,
    dropped: usize,
}

impl Said {
    fn turn_started(&mut self) {
        self.in_turn.clear();
        self.repeatable.clear();
    }

    fn retried(&mut self) {
        self.repeatable.clone_from(&self.in_turn);
    }

    /// Whether it is no repetition. A message that was said once is left out once for each retry: said again after that,
    /// it is the agent's own.
    fn is_new(&mut self, message: Box<str>) -> bool {
        if let Some(left) = self.repeatable.get_mut(&message).filter(|left| **left > 0) {
            *left -= 1;
            self.dropped += 1;
            return false;
        }
        *self.in_turn.entry(message).or_default() += 1;
        true
    }
}

/// Takes the events of a run one by one.
#[derive(Debug, Default)]
pub(super) struct Fold {
    parts: Parts,
    calls: Vec<ToolCall>,
    /// Item ids count from 0 in each process: a file with a resumed run has them twice.
    open: HashMap<Box<str>, usize>,
    replies: Vec<Text>,
    said: Said,
    usage: HashMap<Box<str>, Usage>,
    agents: Vec<Subagent>,
    thread: Box<str>,
    ended: bool,
    started: u32,
}

impl Fold {
    pub(super) fn event(&mut self, event: Event) {
        match event {
            Event::Thread(id) => {
                self.open.clear();
                self.said.turn_started();
                self.thread.clone_from(&id);
                self.parts.session_id.get_or_insert(id);
            }
            Event::TurnStarted => {
                self.ended = false;
                self.said.turn_started();
                self.started += 1;
            }
            Event::Item { done, item } => self.item(done, *item),
            Event::Message { text, said } => {
                if self.said.is_new(said) {
                    self.replies.push(text);
                }
            }
            Event::Notice(message) => self.notice(message),
            Event::Retry(message) => {
                self.said.retried();
                self.notice(message);
            }
            Event::Completed(usage) => {
                self.ended = true;
                // A resumed thread counts on from where it was: its last number is the whole.
                self.usage.insert(self.thread.clone(), usage);
                self.parts.result = Some(RunResult { subtype: "completed".into(), ..RunResult::default() });
            }
            Event::Failed(message) => {
                self.ended = true;
                self.parts.result = Some(RunResult {
                    subtype: "failed".into(),
                    is_error: true,
                    errors: vec![message],
                    ..RunResult::default()
                });
            }
            Event::Agents { call, done, receivers, messages } => self.agents(&call, done, receivers, messages),
        }
    }

    fn notice(&mut self, message: String) {
        // Bypassing hook trust is reported twice.
        if self.parts.warnings.last() != Some(&message) {
            self.parts.warnings.push(message);
        }
    }

    fn item(&mut self, done: bool, item: Item) {
        let index = *self.open.entry(item.id.clone()).or_insert_with(|| {
            self.calls.push(ToolCall {
                id: item.id.clone(),
                name: Arc::from(&*item.name),
                input: Text::Kept("{}".into()),
                result: None,
                is_error: None,
                denied: None,
                parent_id: None,
                turn: None,
            });
            self.calls.len() - 1
        });
        let call = &mut self.calls[index];
        call.input = item.input;
        if done {
            call.is_error = item.is_error;
            call.denied = item.denied;
            call.result = item.result.or_else(|| Some(ResultText::Text(Text::Kept(Box::default()))));
        }
    }

    fn agents(&mut self, call: &str, done: bool, receivers: Vec<Box<str>>, messages: Vec<(Box<str>, Text)>) {
        if call == "spawn_agent" && done {
            let agent = |id| Subagent { id, calls: None, ..Subagent::default() };
            self.agents.extend(receivers.into_iter().map(agent));
        }
        for (id, message) in messages {
            if let Some(agent) = self.agents.iter_mut().find(|agent| agent.id == id) {
                agent.output = Some(ResultText::Text(message));
            }
        }
    }

    /// The fields of the trace, when all events were taken.
    pub(super) fn finish(self) -> Parts {
        let mut parts = self.parts;
        let unfinished = self.calls.iter().filter(|call| call.result.is_none()).count();
        if unfinished > 0 {
            parts
                .warnings
                .push(format!("{unfinished} call(s) have no end: still running when the turn ended, or cut off"));
        }
        if self.said.dropped > 0 {
            let dropped = self.said.dropped;
            parts.warnings.push(format!(
                "{dropped} repeated message(s) were left out: Codex prints messages again when it repeats a request"
            ));
        }
        if !self.ended {
            parts.warnings.push("the stream ends inside a turn: the run was killed or its output was cut".to_owned());
        }
        parts.warnings.push(
            "Codex prints nothing of hooks and model turns, and no line for a call that was refused before it ran; \
             nor, under a sandbox, for a command that ran and failed at once with a text such as \
             \"Read-only file system\" or \"permission denied\""
                .to_owned(),
        );
        parts.complete = self.ended;
        parts.tool_calls = Some(self.calls);
        parts.replies = Some(self.replies);
        parts.subagents = Some(self.agents);
        if !self.usage.is_empty() {
            let mut total = Usage::default();
            for one in self.usage.values() {
                total.input_tokens = add(total.input_tokens, one.input_tokens);
                total.output_tokens = add(total.output_tokens, one.output_tokens);
                total.cache_creation_tokens = add(total.cache_creation_tokens, one.cache_creation_tokens);
                total.cache_read_tokens = add(total.cache_read_tokens, one.cache_read_tokens);
            }
            parts.usage = Some(total);
        }
        parts
    }
}

fn add(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.saturating_add(b)),
        (a, b) => a.or(b),
    }
}
