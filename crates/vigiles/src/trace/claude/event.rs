//! One line of Claude Code output as an event, with only what a trace needs.

use std::borrow::Cow;

use smallvec::SmallVec;

use crate::hook::{Answer, Cli, decide};
use crate::trace::id::{Id, Names};
use crate::trace::json::Node;
use crate::trace::lines::Place;
use crate::trace::model::{HookFire, McpServer, PermissionDenial, ResultText, RunResult, Usage};
use crate::trace::text::Text;

/// Which of the two families of lines is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Events printed by the CLI.
    Stream,
    /// Lines of a session file; those of a subagent's file name their agent.
    Session,
}

#[derive(Debug)]
pub(crate) enum Event {
    Init(Box<Init>),
    Assistant(Box<Assistant>),
    User(Box<User>),
    HookStarted {
        id: Id,
        name: Id,
        event: Id,
    },
    HookResponse {
        id: Id,
        fire: Box<Fired>,
    },
    /// A hook record of a session file.
    HookRecord(Box<Fired>),
    Result(Box<ResultEvent>),
    Denied {
        call: Id,
    },
    TaskStarted {
        call: Id,
        agent: Id,
    },
    Retry {
        status: Option<u16>,
        error: Box<str>,
    },
    Skills(Vec<String>),
    Cost {
        usd: Option<f64>,
        duration_ms: Option<f64>,
    },
}

#[derive(Debug, Default)]
pub(crate) struct Init {
    pub(crate) session_id: Option<Box<str>>,
    pub(crate) cwd: Option<Box<str>>,
    pub(crate) model: Option<Box<str>>,
    pub(crate) skills: Option<Vec<String>>,
    pub(crate) mcp_servers: Option<Vec<McpServer>>,
}

/// Who said something: the main agent, or the subagent behind a call (stream) or an agent id (session).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Speaker {
    Main,
    Call(Id),
    Agent(Id),
}

#[derive(Debug)]
pub(crate) struct Assistant {
    pub(crate) speaker: Speaker,
    pub(crate) message_id: Option<Id>,
    pub(crate) session_id: Option<Box<str>>,
    pub(crate) model: Option<Box<str>>,
    pub(crate) blocks: SmallVec<[Block; 1]>,
    /// The CLI's own note about an API failure, written as if the model had said it.
    pub(crate) is_api_error: bool,
    pub(crate) stop_reason: Option<Id>,
    pub(crate) usage: Option<Tokens>,
}

#[derive(Debug)]
pub(crate) enum Block {
    Text(Text),
    Call { id: Id, name: Id, input: Text, agent: Option<Id> },
}

#[derive(Debug)]
pub(crate) struct User {
    pub(crate) speaker: Speaker,
    pub(crate) session_id: Option<Box<str>>,
    pub(crate) results: SmallVec<[ToolResult; 1]>,
    pub(crate) agent: Option<AgentResult>,
    /// Text a person (or program) typed; `None` for tool results and synthetic messages.
    pub(crate) prompt: Option<Box<str>>,
}

#[derive(Debug)]
pub(crate) struct ToolResult {
    pub(crate) call: Id,
    pub(crate) text: ResultText,
    pub(crate) is_error: bool,
    pub(crate) decision: Option<PermissionDecision>,
    /// Session files only: the firing that stopped the call.
    pub(crate) blocked_by: Option<Box<Fired>>,
}

/// What the permission system said of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PermissionDecision {
    pub(crate) rejected: bool,
}

impl PermissionDecision {
    fn of(decision: Node<'_>) -> Option<Self> {
        Some(Self { rejected: decision.get("decision")?.is("reject") })
    }
}

/// What the result of an `Agent` call tells of the subagent.
#[derive(Debug)]
pub(crate) struct AgentResult {
    pub(crate) agent_id: Id,
    pub(crate) agent_type: Option<Id>,
    pub(crate) output: Option<Text>,
}

/// A firing whose names are not yet shared with the other firings.
#[derive(Debug)]
pub(crate) struct Fired {
    pub(crate) name: Id,
    pub(crate) event: Id,
    pub(crate) outcome: Option<Id>,
    /// Everything else.
    pub(crate) fire: HookFire,
}

impl Fired {
    pub(crate) fn named(self, names: &mut Names) -> HookFire {
        HookFire {
            name: names.get(self.name),
            event: names.get(self.event),
            outcome: self.outcome.map(|outcome| names.get(outcome)),
            ..self.fire
        }
    }
}

#[derive(Debug)]
pub(crate) struct ResultEvent {
    pub(crate) result: RunResult,
    pub(crate) session_id: Option<Box<str>>,
    pub(crate) text: Option<Box<str>>,
    pub(crate) usage: Usage,
    pub(crate) denials: Vec<PermissionDenial>,
}

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tokens {
    pub(crate) input: Option<u64>,
    pub(crate) output: Option<u64>,
    pub(crate) cache_creation: Option<u64>,
    pub(crate) cache_read: Option<u64>,
}

impl Event {
    /// The event of a line; `None` for lines that tell a trace nothing.
    pub(crate) fn of(node: Node<'_>, place: Place, style: Style) -> Option<Self> {
        let [kind, message, call, sidechain] = node.pick(["type", "message", "parent_tool_use_id", "isSidechain"]);
        let kind = kind?;
        let line = Line { node, place, style };
        // In order of frequency.
        if kind.is("user") {
            line.user(message?, line.speaker(call, sidechain))
        } else if kind.is("assistant") {
            line.assistant(message?, line.speaker(call, sidechain))
        } else if kind.is("system") {
            line.system()
        } else if kind.is("result") {
            Some(line.result())
        } else if kind.is("attachment") {
            line.attachment()
        } else if kind.is("cost-state") {
            let number = |key| node.get(key).and_then(Node::number);
            Some(Self::Cost { usd: number("totalCostUSD"), duration_ms: number("totalDuration") })
        } else {
            None
        }
    }
}

#[derive(Clone, Copy)]
struct Line<'a> {
    node: Node<'a>,
    place: Place,
    style: Style,
}

fn boxed(node: Option<Node<'_>>) -> Option<Box<str>> {
    node?.str().map(Into::into)
}

fn id(node: Option<Node<'_>>) -> Option<Id> {
    node?.str().map(Into::into)
}

fn id_or_empty(node: Option<Node<'_>>) -> Id {
    id(node).unwrap_or_default()
}

fn or_empty(node: Option<Node<'_>>) -> Box<str> {
    boxed(node).unwrap_or_default()
}

impl<'a> Line<'a> {
    fn text(self, node: Node<'a>) -> Text {
        Text::of(node, self.place)
    }

    fn session_id(self) -> Option<Box<str>> {
        boxed(self.node.get(match self.style {
            Style::Stream => "session_id",
            Style::Session => "sessionId",
        }))
    }

    fn speaker(self, call: Option<Node<'a>>, sidechain: Option<Node<'a>>) -> Speaker {
        let call = id(call).map(Speaker::Call);
        let agent = || {
            let is_sidechain = sidechain.and_then(Node::bool) == Some(true);
            is_sidechain.then(|| Speaker::Agent(id_or_empty(self.node.get("agentId"))))
        };
        call.or_else(agent).unwrap_or(Speaker::Main)
    }

    fn assistant(self, message: Node<'a>, speaker: Speaker) -> Option<Event> {
        let [error, flag, session_flag, session_id] =
            self.node.pick(["error", "is_api_error_message", "isApiErrorMessage", "sessionId"]);
        let is_set = |node: Option<Node<'_>>| node.and_then(Node::bool) == Some(true);
        let [message_id, model, content, stop_reason, usage] =
            message.pick(["id", "model", "content", "stop_reason", "usage"]);
        // A stream tells session and model once, in its init event, and its usage here is not final.
        let in_session = self.style == Style::Session;
        Some(Event::Assistant(Box::new(Assistant {
            speaker,
            message_id: id(message_id),
            session_id: boxed(session_id),
            model: boxed(model.filter(|_| in_session)),
            blocks: content?.items().filter_map(|block| self.block(block)).collect(),
            is_api_error: error.is_some_and(Node::is_string) || is_set(flag) || is_set(session_flag),
            stop_reason: id(stop_reason),
            usage: usage.filter(|_| in_session).map(tokens),
        })))
    }

    fn block(self, block: Node<'a>) -> Option<Block> {
        let [kind, text, call, name, input] = block.pick(["type", "text", "id", "name", "input"]);
        let kind = kind?;
        if kind.is("text") {
            return Some(Block::Text(self.text(text?)));
        }
        if !kind.is("tool_use") {
            return None;
        }
        Some(Block::Call {
            id: id_or_empty(call),
            name: id_or_empty(name),
            input: input.map_or_else(|| Text::Kept("{}".into()), |input| Text::raw(input, self.place)),
            agent: id(input.and_then(|input| input.get("subagent_type"))),
        })
    }

    fn user(self, message: Node<'a>, speaker: Speaker) -> Option<Event> {
        let content = message.get("content")?;
        let [detail, session_detail, metas, decision, session_id] =
            self.node.pick(["tool_use_result", "toolUseResult", "tool_result_meta", "permissionDecision", "sessionId"]);
        let decision_on = |call: &str| {
            let meta =
                || metas?.items().find(|meta| meta.get("id").is_some_and(|id| id.is(call)))?.get("permission_decision");
            PermissionDecision::of(decision.or_else(meta)?)
        };
        let results: SmallVec<_> = content.items().filter_map(|block| self.tool_result(block, decision_on)).collect();
        Some(Event::User(Box::new(User {
            speaker,
            session_id: boxed(session_id),
            prompt: if results.is_empty() { self.prompt(content) } else { None },
            agent: detail.or(session_detail).and_then(|detail| self.agent_result(detail)),
            results,
        })))
    }

    /// What was typed; the CLI's own messages (skill bodies, hook feedback, summaries) are not.
    fn prompt(self, content: Node<'a>) -> Option<Box<str>> {
        let is_set = |key| self.node.get(key).and_then(Node::bool) == Some(true);
        let typed = match self.style {
            Style::Stream => is_set("isReplay"),
            Style::Session => !is_set("isMeta") && !is_set("isCompactSummary") && !is_set("isVisibleInTranscriptOnly"),
        };
        let text = content.is_string().then_some(content);
        let first_block = || content.items().find_map(|block| block.get("text"));
        typed.then(|| boxed(text.or_else(first_block))).flatten()
    }

    fn tool_result(
        self,
        block: Node<'a>,
        decision_on: impl Fn(&str) -> Option<PermissionDecision>,
    ) -> Option<ToolResult> {
        let [kind, call, content, is_error] = block.pick(["type", "tool_use_id", "content", "is_error"]);
        kind.filter(|kind| kind.is("tool_result"))?;
        let call = id_or_empty(call);
        Some(ToolResult {
            text: self.result_text(content),
            is_error: is_error.and_then(Node::bool).unwrap_or(false),
            decision: decision_on(&call),
            blocked_by: content.and_then(|content| self.blocking_hook(content)),
            call,
        })
    }

    /// The hook that stopped a call, from the text the call was answered with.
    ///
    /// A session file has no other record of a `PreToolUse` hook that blocks.
    fn blocking_hook(self, content: Node<'a>) -> Option<Box<Fired>> {
        if self.style == Style::Stream || !content.is_string() || !content.raw().starts_with(b"\"PreToolUse") {
            return None;
        }
        let text = content.str()?;
        let (name, rest) = text.split_once(" hook error: ")?;
        // `[command]: stderr` is how exit 2 is told; a JSON answer gives its reason alone.
        let exit2 = rest.strip_prefix('[').and_then(|rest| rest.split_once("]: "));
        let effect = decide(&Answer {
            cli: Cli::ClaudeCode,
            event: "PreToolUse",
            exit_code: Some(2),
            signal: None,
            stdout: "",
            stderr: rest,
            timed_out: false,
            started: true,
        })
        .effect;
        let fire = HookFire {
            exit_code: Some(if exit2.is_some() { 2 } else { 0 }),
            blocked: true,
            effect,
            stderr: exit2.map(|(_, stderr)| Text::Kept(stderr.into())),
            command: exit2.map(|(command, _)| command.into()),
            ..HookFire::default()
        };
        Some(Box::new(Fired { name: name.into(), event: "PreToolUse".into(), outcome: None, fire }))
    }

    fn result_text(self, content: Option<Node<'a>>) -> ResultText {
        let Some(content) = content else {
            return ResultText::Text(Text::Kept(Box::default()));
        };
        if content.is_string() {
            return ResultText::Text(self.text(content));
        }
        let mut blocks = content.items();
        match (blocks.next().and_then(|block| block.get("text")), blocks.next()) {
            (Some(text), None) => ResultText::Text(self.text(text)),
            _ => ResultText::Blocks(self.text(content)),
        }
    }

    fn agent_result(self, detail: Node<'a>) -> Option<AgentResult> {
        let [content, agent_id, agent_type] = detail.pick(["content", "agentId", "agentType"]);
        let agent_id = id(agent_id)?;
        let report = content.and_then(|content| content.items().filter_map(|block| block.get("text")).last());
        Some(AgentResult { agent_id, agent_type: id(agent_type), output: report.map(|text| self.text(text)) })
    }

    fn system(self) -> Option<Event> {
        let subtype = self.node.get("subtype")?.str()?;
        let field = |key| id_or_empty(self.node.get(key));
        match &*subtype {
            "init" => Some(Event::Init(Box::new(self.init()))),
            "hook_started" => {
                Some(Event::HookStarted { id: field("hook_id"), name: field("hook_name"), event: field("hook_event") })
            }
            "hook_response" => {
                Some(Event::HookResponse { id: field("hook_id"), fire: Box::new(self.hook(self.node, &STREAM_HOOK)) })
            }
            "permission_denied" => Some(Event::Denied { call: field("tool_use_id") }),
            "task_started" => {
                let agent = id(self.node.get("subagent_type"))?;
                Some(Event::TaskStarted { call: field("tool_use_id"), agent })
            }
            "api_retry" => Some(Event::Retry {
                status: self.node.get("error_status").and_then(Node::number),
                error: or_empty(self.node.get("error")),
            }),
            _ => None,
        }
    }

    fn init(self) -> Init {
        let field = |key| boxed(self.node.get(key));
        let server =
            |server: Node<'_>| McpServer { name: or_empty(server.get("name")), status: or_empty(server.get("status")) };
        Init {
            session_id: self.session_id(),
            cwd: field("cwd"),
            model: field("model"),
            skills: self.node.get("skills").map(strings),
            mcp_servers: self.node.get("mcp_servers").map(|servers| servers.items().map(server).collect()),
        }
    }

    fn attachment(self) -> Option<Event> {
        let attachment = self.node.get("attachment")?;
        let kind = attachment.get("type")?.str()?;
        match &*kind {
            "hook_success" | "hook_non_blocking_error" | "hook_cancelled" | "hook_blocking_error" => {
                let mut fired = self.hook(attachment, &SESSION_HOOK);
                if kind == "hook_blocking_error" {
                    self.blocking_error(attachment, &mut fired);
                }
                Some(Event::HookRecord(Box::new(fired)))
            }
            "skill_listing" => attachment.get("names").map(|names| Event::Skills(strings(names))),
            _ => None,
        }
    }

    /// A blocking error has its text and command one level down, and no exit code: 2 is what makes it one.
    fn blocking_error(self, attachment: Node<'a>, fired: &mut Fired) {
        let Some(error) = attachment.get("blockingError") else { return };
        let Fired { event, fire, .. } = fired;
        fire.command = fire.command.take().or_else(|| boxed(error.get("command")));
        let text = error.get("blockingError").and_then(Node::str).unwrap_or_default();
        let decision = decide(&Answer {
            cli: Cli::ClaudeCode,
            event,
            exit_code: Some(2),
            signal: None,
            stdout: "",
            stderr: &text,
            timed_out: false,
            started: true,
        });
        fire.exit_code = fire.exit_code.or(Some(2));
        fire.blocked = decision.blocked;
        fire.effect = decision.effect;
        fire.stderr = fire.stderr.take().or_else(|| error.get("blockingError").map(|text| self.text(text)));
    }

    fn hook(self, node: Node<'a>, keys: &HookKeys) -> Fired {
        let [name, event, exit_code, outcome, stdout, stderr] =
            node.pick([keys.name, keys.event, keys.exit_code, "outcome", "stdout", "stderr"]);
        let [output, content, command, call, duration, timed_out] =
            node.pick(["output", "content", "command", "toolUseID", "durationMs", "timedOut"]);
        let string = |node: Option<Node<'a>>| node.and_then(Node::str);
        let event = string(event).unwrap_or_default();
        let exit_code = exit_code.and_then(Node::number);
        let outcome = string(outcome);
        let timed_out = outcome.as_deref() == Some("cancelled") || timed_out.and_then(Node::bool) == Some(true);
        // Exit 0 called an error: the CLI could not use what the hook printed, and ran the tool.
        let unusable = exit_code == Some(0) && outcome.as_deref() == Some("error");
        let printed = string(stdout).unwrap_or_default();
        let decision = decide(&Answer {
            cli: Cli::ClaudeCode,
            event: &event,
            exit_code,
            signal: None,
            stdout: if unusable { "" } else { &printed },
            stderr: &string(stderr).unwrap_or_default(),
            timed_out,
            started: true,
        });
        let text = |node: Option<Node<'a>>| node.filter(|text| text.is_string()).map(|text| self.text(text));
        let fire = HookFire {
            blocked: decision.blocked,
            effect: decision.effect,
            exit_code,
            stdout: text(stdout),
            stderr: text(stderr),
            output: text(output).or_else(|| text(content)),
            command: boxed(command),
            tool_use_id: boxed(call),
            duration_ms: duration.and_then(Node::number),
            timed_out: Some(timed_out),
            ..HookFire::default()
        };
        Fired {
            name: string(name).map_or_else(|| Id::from(&*event), Id::from),
            event: event.into(),
            outcome: outcome.map(Id::from),
            fire,
        }
    }

    fn result(self) -> Event {
        let node = self.node;
        let field = |key| boxed(node.get(key));
        let usage = node.get("usage").map(tokens).unwrap_or_default();
        let denial = |denial: Node<'a>| PermissionDenial {
            tool_name: or_empty(denial.get("tool_name")),
            tool_use_id: or_empty(denial.get("tool_use_id")),
            tool_input: denial
                .get("tool_input")
                .map_or_else(|| Text::Kept("{}".into()), |input| Text::raw(input, self.place)),
        };
        Event::Result(Box::new(ResultEvent {
            result: RunResult {
                subtype: field("subtype").unwrap_or_default(),
                is_error: node.get("is_error").and_then(Node::bool).unwrap_or(false),
                terminal_reason: field("terminal_reason"),
                api_error_status: node.get("api_error_status").and_then(Node::number),
                num_turns: node.get("num_turns").and_then(Node::number),
                errors: node.get("errors").map(strings).unwrap_or_default(),
            },
            session_id: self.session_id(),
            text: field("result"),
            usage: Usage {
                cost_usd: node.get("total_cost_usd").and_then(Node::number),
                duration_ms: node.get("duration_ms").and_then(Node::number),
                input_tokens: usage.input,
                output_tokens: usage.output,
                cache_creation_tokens: usage.cache_creation,
                cache_read_tokens: usage.cache_read,
            },
            denials: node.get("permission_denials").map(|list| list.items().map(denial).collect()).unwrap_or_default(),
        }))
    }
}

struct HookKeys {
    name: &'static str,
    event: &'static str,
    exit_code: &'static str,
}

const STREAM_HOOK: HookKeys = HookKeys { name: "hook_name", event: "hook_event", exit_code: "exit_code" };
const SESSION_HOOK: HookKeys = HookKeys { name: "hookName", event: "hookEvent", exit_code: "exitCode" };

fn strings(list: Node<'_>) -> Vec<String> {
    list.items().filter_map(|item| item.str().map(Cow::into_owned)).collect()
}

fn tokens(usage: Node<'_>) -> Tokens {
    let count = |key| usage.get(key).and_then(Node::number);
    Tokens {
        input: count("input_tokens"),
        output: count("output_tokens"),
        cache_creation: count("cache_creation_input_tokens"),
        cache_read: count("cache_read_input_tokens"),
    }
}
