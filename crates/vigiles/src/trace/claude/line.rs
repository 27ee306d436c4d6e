//! From one line of Claude Code output to an event.

use std::borrow::Cow;

use smallvec::SmallVec;

use crate::hook::{Answer, Cli, decide};
use crate::trace::id::Id;
use crate::trace::json::{Node, pick};
use crate::trace::lines::Place;
use crate::trace::model::{HookFire, McpServer, PermissionDenial, ResultText, RunResult, Usage};
use crate::trace::text::Text;

use super::event::{
    AgentResult, Assistant, Block, Event, Fired, Init, PermissionDecision, ResultEvent, Speaker, Style, Tokens,
    ToolResult, User,
};

impl Event {
    /// The event of a line; `None` for lines that tell a trace nothing.
    pub(crate) fn of(node: Node<'_>, place: Place, style: Style) -> Option<Self> {
        pick!(node =>
            kind: b"type", subtype: b"subtype", message: b"message", parent: b"parent_tool_use_id",
            sidechain: b"isSidechain", agent: b"agentId", session: b"sessionId", error: b"error",
            api_error: b"is_api_error_message", session_api_error: b"isApiErrorMessage",
            detail: b"tool_use_result", session_detail: b"toolUseResult", metas: b"tool_result_meta",
            decision: b"permissionDecision",
        );
        let kind = kind?;
        let line = Line {
            node,
            place,
            style,
            parent,
            agent: agent.filter(|_| is_true(sidechain)),
            session,
            is_api_error: error.is_some_and(Node::is_string) || is_true(api_error) || is_true(session_api_error),
            detail: detail.or(session_detail),
            metas,
            decision,
        };
        // In order of frequency.
        if kind.is("user") {
            line.user(message?)
        } else if kind.is("assistant") {
            line.assistant(message?)
        } else if kind.is("system") {
            line.system(&subtype?.str()?)
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

/// A line with those of its members that most kinds of lines have.
struct Line<'a> {
    node: Node<'a>,
    place: Place,
    style: Style,
    /// The call that started the subagent that speaks (stream).
    parent: Option<Node<'a>>,
    /// The subagent that speaks (session).
    agent: Option<Node<'a>>,
    /// The id of a session, in its own file.
    session: Option<Node<'a>>,
    is_api_error: bool,
    /// What the CLI tells of a tool result beside its text.
    detail: Option<Node<'a>>,
    metas: Option<Node<'a>>,
    decision: Option<Node<'a>>,
}

fn is_true(node: Option<Node<'_>>) -> bool {
    node.and_then(Node::bool) == Some(true)
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
    fn text(&self, node: Node<'a>) -> Text {
        Text::of(node, self.place)
    }

    fn session_id(&self) -> Option<Box<str>> {
        boxed(self.node.get(match self.style {
            Style::Stream => "session_id",
            Style::Session => "sessionId",
        }))
    }

    /// Each line of a session file tells it; a stream tells it once, in its init event.
    fn session_cwd(&self) -> Option<Box<str>> {
        match self.style {
            Style::Stream => None,
            Style::Session => boxed(self.node.get("cwd")),
        }
    }

    fn speaker(&self) -> Speaker {
        let call = id(self.parent).map(Speaker::Call);
        call.or_else(|| id(self.agent).map(Speaker::Agent)).unwrap_or(Speaker::Main)
    }

    fn assistant(&self, message: Node<'a>) -> Option<Event> {
        pick!(message => message_id: b"id", model: b"model", content: b"content", stop_reason: b"stop_reason", usage: b"usage");
        // A stream tells session and model once, in its init event, and its usage here is not final.
        let in_session = self.style == Style::Session;
        Some(Event::Assistant(Box::new(Assistant {
            speaker: self.speaker(),
            message_id: id(message_id),
            session_id: boxed(self.session),
            cwd: self.session_cwd(),
            model: boxed(model.filter(|_| in_session)),
            blocks: content?.items().filter_map(|block| self.block(block)).collect(),
            is_api_error: self.is_api_error,
            stop_reason: id(stop_reason),
            usage: usage.filter(|_| in_session).map(tokens),
        })))
    }

    fn block(&self, block: Node<'a>) -> Option<Block> {
        pick!(block => kind: b"type", text: b"text", call: b"id", name: b"name", input: b"input");
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

    fn user(&self, message: Node<'a>) -> Option<Event> {
        let content = message.get("content")?;
        let decision_on = |call: &str| {
            let of_call = |meta: &Node<'_>| meta.get("id").is_some_and(|id| id.is(call));
            let meta = || self.metas?.items().find(of_call)?.get("permission_decision");
            PermissionDecision::of(self.decision.or_else(meta)?)
        };
        let results: SmallVec<_> = content.items().filter_map(|block| self.tool_result(block, decision_on)).collect();
        Some(Event::User(Box::new(User {
            speaker: self.speaker(),
            session_id: boxed(self.session),
            cwd: self.session_cwd(),
            prompt: if results.is_empty() { self.prompt(content) } else { None },
            agent: self.detail.and_then(|detail| self.agent_result(detail)),
            results,
        })))
    }

    /// What was typed; the CLI's own messages (skill bodies, hook feedback, summaries) are not.
    fn prompt(&self, content: Node<'a>) -> Option<Box<str>> {
        let is_set = |key| is_true(self.node.get(key));
        let typed = match self.style {
            Style::Stream => is_set("isReplay"),
            Style::Session => !is_set("isMeta") && !is_set("isCompactSummary") && !is_set("isVisibleInTranscriptOnly"),
        };
        let text = content.is_string().then_some(content);
        let first_block = || content.items().find_map(|block| block.get("text"));
        typed.then(|| boxed(text.or_else(first_block))).flatten()
    }

    fn tool_result(
        &self,
        block: Node<'a>,
        decision_on: impl Fn(&str) -> Option<PermissionDecision>,
    ) -> Option<ToolResult> {
        pick!(block => kind: b"type", call: b"tool_use_id", content: b"content", is_error: b"is_error");
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
    fn blocking_hook(&self, content: Node<'a>) -> Option<Box<Fired>> {
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
            blocked: Some(true),
            effect,
            stderr: exit2.map(|(_, stderr)| Text::Kept(stderr.into())),
            command: exit2.map(|(command, _)| command.into()),
            ..HookFire::default()
        };
        Some(Box::new(Fired { name: name.into(), event: "PreToolUse".into(), outcome: None, fire }))
    }

    fn result_text(&self, content: Option<Node<'a>>) -> ResultText {
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

    fn agent_result(&self, detail: Node<'a>) -> Option<AgentResult> {
        pick!(detail => content: b"content", agent_id: b"agentId", agent_type: b"agentType");
        let agent_id = id(agent_id)?;
        let report = content.and_then(|content| content.items().filter_map(|block| block.get("text")).last());
        Some(AgentResult { agent_id, agent_type: id(agent_type), output: report.map(|text| self.text(text)) })
    }

    fn system(&self, subtype: &str) -> Option<Event> {
        let field = |key| id_or_empty(self.node.get(key));
        match subtype {
            "init" => Some(Event::Init(Box::new(self.init()))),
            "hook_started" => {
                pick!(self.node => hook: b"hook_id", name: b"hook_name", event: b"hook_event");
                Some(Event::HookStarted { id: id_or_empty(hook), name: id_or_empty(name), event: id_or_empty(event) })
            }
            "hook_response" => {
                pick!(self.node =>
                    hook: b"hook_id", name: b"hook_name", event: b"hook_event", exit_code: b"exit_code",
                    outcome: b"outcome", stdout: b"stdout", stderr: b"stderr", output: b"output",
                );
                let told =
                    HookMembers { name, event, exit_code, outcome, stdout, stderr, output, ..HookMembers::default() };
                Some(Event::HookResponse { id: id_or_empty(hook), fire: Box::new(self.hook(&told)) })
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

    fn init(&self) -> Init {
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

    fn attachment(&self) -> Option<Event> {
        let attachment = self.node.get("attachment")?;
        let kind = attachment.get("type")?.str()?;
        match &*kind {
            "hook_success" | "hook_non_blocking_error" | "hook_cancelled" | "hook_blocking_error" => {
                pick!(attachment =>
                    name: b"hookName", event: b"hookEvent", exit_code: b"exitCode", stdout: b"stdout",
                    stderr: b"stderr", output: b"content", command: b"command", call: b"toolUseID",
                    duration: b"durationMs", timed_out: b"timedOut",
                );
                let told = HookMembers {
                    name,
                    event,
                    exit_code,
                    outcome: None,
                    stdout,
                    stderr,
                    output,
                    command,
                    call,
                    duration,
                    timed_out,
                };
                let mut fired = self.hook(&told);
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
    fn blocking_error(&self, attachment: Node<'a>, fired: &mut Fired) {
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
        fire.blocked = Some(decision.blocked);
        fire.effect = decision.effect;
        fire.stderr = fire.stderr.take().or_else(|| error.get("blockingError").map(|text| self.text(text)));
    }

    fn hook(&self, told: &HookMembers<'a>) -> Fired {
        let string = |node: Option<Node<'a>>| node.and_then(Node::str);
        let event = string(told.event).unwrap_or_default();
        let exit_code = told.exit_code.and_then(Node::number);
        let outcome = string(told.outcome);
        let timed_out = outcome.as_deref() == Some("cancelled") || is_true(told.timed_out);
        // Exit 0 called an error: the CLI could not use what the hook printed, and ran the tool.
        let unusable = exit_code == Some(0) && outcome.as_deref() == Some("error");
        let printed = string(told.stdout).unwrap_or_default();
        let decision = decide(&Answer {
            cli: Cli::ClaudeCode,
            event: &event,
            exit_code,
            signal: None,
            stdout: if unusable { "" } else { &printed },
            stderr: &string(told.stderr).unwrap_or_default(),
            timed_out,
            started: true,
        });
        let text = |node: Option<Node<'a>>| node.filter(|text| text.is_string()).map(|text| self.text(text));
        let fire = HookFire {
            blocked: Some(decision.blocked),
            effect: decision.effect,
            exit_code,
            stdout: text(told.stdout),
            stderr: text(told.stderr),
            output: text(told.output),
            command: boxed(told.command),
            tool_use_id: boxed(told.call),
            duration_ms: told.duration.and_then(Node::number),
            timed_out: Some(timed_out),
            ..HookFire::default()
        };
        Fired {
            name: string(told.name).map_or_else(|| Id::from(&*event), Id::from),
            event: event.into(),
            outcome: outcome.map(Id::from),
            fire,
        }
    }

    fn result(&self) -> Event {
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

/// What a stream or a session file tells of a firing.
#[derive(Clone, Copy, Default)]
struct HookMembers<'a> {
    name: Option<Node<'a>>,
    event: Option<Node<'a>>,
    exit_code: Option<Node<'a>>,
    outcome: Option<Node<'a>>,
    stdout: Option<Node<'a>>,
    stderr: Option<Node<'a>>,
    output: Option<Node<'a>>,
    command: Option<Node<'a>>,
    call: Option<Node<'a>>,
    duration: Option<Node<'a>>,
    timed_out: Option<Node<'a>>,
}

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
