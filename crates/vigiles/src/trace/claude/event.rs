//! The events of a run, with only what a trace needs of each.

use smallvec::SmallVec;

use crate::trace::id::{Id, Names};
use crate::trace::json::Node;
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
    /// Session files only.
    pub(crate) cwd: Option<Box<str>>,
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
    /// Session files only.
    pub(crate) cwd: Option<Box<str>>,
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
    pub(crate) fn of(decision: Node<'_>) -> Option<Self> {
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
