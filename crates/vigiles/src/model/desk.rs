//! Takes requests in and decides what each is answered.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use serde_json::Value;

use crate::trace::RequestKind;

use super::api::{Api, Spawn};
use super::http::{Head, Reply};
use super::queue::{Pick, Queue};
use super::received::{Kind, Received};
use super::report::{Overrun, Report, Unused};
use super::script::{Script, Step};
use super::turn::{ApiError, Turn};

/// Where all connections of one server meet.
#[derive(Debug)]
pub(super) struct Desk {
    api: Api,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    main: Queue,
    subagents: HashMap<String, Queue>,
    side: HashMap<RequestKind, Queue>,
    /// Types of the subagents that have asked, by id.
    names: HashMap<String, Arc<str>>,
    /// Subagents that a served turn starts and that have not asked yet.
    awaited: Vec<Spawn>,
    received: Vec<Arc<Received>>,
    answers: usize,
    overrun: Option<Overrun>,
    failure: Option<String>,
}

/// Which queue a request belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Asker {
    Main,
    Subagent(Arc<str>),
    Side(RequestKind),
}

impl Asker {
    fn words(&self) -> String {
        match self {
            Self::Main => "the main agent".to_owned(),
            Self::Subagent(name) => format!("the subagent {name}"),
            Self::Side(kind) => format!("side requests of the kind {}", kind.name()),
        }
    }
}

impl Desk {
    pub(super) fn new(api: Api, script: Script) -> Self {
        let state = State {
            main: Queue::new(script.turns),
            subagents: script.subagents.into_iter().map(|(name, steps)| (name, Queue::new(steps))).collect(),
            side: script.side.into_iter().map(|(kind, steps)| (kind, Queue::new(steps))).collect(),
            names: HashMap::new(),
            awaited: Vec::new(),
            received: Vec::new(),
            answers: 0,
            overrun: None,
            failure: None,
        };
        Self { api, state: Mutex::new(state) }
    }

    pub(super) fn api(&self) -> Api {
        self.api
    }

    /// Answers one request. The turn is taken before anything is awaited: requests are served in the order they arrived.
    pub(super) async fn answer(&self, head: &Head, raw: Bytes) -> Reply {
        let body: Value = match serde_json::from_slice(&raw) {
            Ok(body) => body,
            Err(error) => return self.refuse(format!("the request body is not JSON: {error}")),
        };
        let kind = self.api.classify(head, &body);
        let (asker, received, pick, answer) = self.take_in(kind, &body, raw);
        let step = match pick {
            Pick::Step(step) => step,
            Pick::Again(turn) => return self.api.reply(&turn, &body, &answer),
            Pick::Overrun { request } => return self.overrun(&asker, request, &received, &body),
        };
        let turn = match step {
            Step::Turn(turn) => *turn,
            Step::Compute(compute) => match compute(received.flat()).await.and_then(checked) {
                Ok(turn) => turn,
                Err(problem) => return self.fail(&asker, &problem),
            },
        };
        self.note_served(&asker, &body, &turn);
        if let Some(delay) = turn.delay_ms {
            tokio::time::sleep(Duration::from_millis(delay)).await;
        }
        self.api.reply(&turn, &body, &answer)
    }

    fn take_in(&self, kind: Kind, body: &Value, raw: Bytes) -> (Asker, Arc<Received>, Pick, String) {
        let mut state = self.lock();
        let asker = state.asker(&kind, || prompt_of(&self.api.flatten(body)));
        let agent = match &asker {
            Asker::Subagent(name) => Some(Arc::clone(name)),
            _ => None,
        };
        let received = Arc::new(Received { api: self.api, kind, agent, raw, flat: OnceLock::new() });
        state.received.push(Arc::clone(&received));
        state.answers += 1;
        let answer = format!("scripted{:04}", state.answers);
        let pick = state.pick(&asker, &self.api.question(body));
        (asker, received, pick, answer)
    }

    fn note_served(&self, asker: &Asker, body: &Value, turn: &Turn) {
        let spawns = self.api.spawns(turn);
        let mut state = self.lock();
        state.awaited.extend(spawns);
        if let Some(queue) = state.queue(asker) {
            queue.served(&self.api.question(body), turn);
        }
    }

    fn overrun(&self, asker: &Asker, request: usize, received: &Received, body: &Value) -> Reply {
        let last_message = received.flatten(body).messages.pop().map(|message| message.text).unwrap_or_default();
        let mut state = self.lock();
        let scripted = state.queue(asker).map_or(0, |queue| queue.scripted());
        let overrun =
            Overrun::new(asker.words(), matches!(asker, Asker::Subagent(_)), scripted, request, &last_message);
        let text = overrun.to_string();
        state.overrun.get_or_insert(overrun);
        drop(state);
        self.refuse(text)
    }

    fn fail(&self, asker: &Asker, problem: &str) -> Reply {
        let text = format!("the function that makes a turn of {} failed: {problem}", asker.words());
        self.lock().failure.get_or_insert_with(|| text.clone());
        self.refuse(text)
    }

    /// An error that clients do not try again.
    fn refuse(&self, message: String) -> Reply {
        self.api.error(&ApiError { status: 400, message: Some(message), ..ApiError::default() })
    }

    pub(super) fn received(&self) -> Vec<Arc<Received>> {
        self.lock().received.clone()
    }

    pub(super) fn report(&self) -> Report {
        let state = self.lock();
        let unused = |asker: Asker, queue: &Queue| {
            let left = queue.scripted() - queue.turns_served();
            (left > 0).then(|| Unused { of: asker.words(), scripted: queue.scripted(), left })
        };
        let mut agents: Vec<(&String, &Queue)> = state.subagents.iter().collect();
        agents.sort_by_key(|(name, _)| *name);
        let mut side: Vec<(&RequestKind, &Queue)> = state.side.iter().collect();
        side.sort_by_key(|(kind, _)| **kind);
        Report {
            turns: state.main.turns_served(),
            side_requests: state.received.iter().filter(|one| matches!(one.kind, Kind::Side(_))).count(),
            unused: unused(Asker::Main, &state.main)
                .into_iter()
                .chain(
                    agents.into_iter().filter_map(|(name, queue)| unused(Asker::Subagent(name.as_str().into()), queue)),
                )
                .chain(side.into_iter().filter_map(|(kind, queue)| unused(Asker::Side(*kind), queue)))
                .collect(),
            overrun: state.overrun.clone(),
            failure: state.failure.clone(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Every change is complete before the lock is released: a panic elsewhere leaves nothing half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn asker(&mut self, kind: &Kind, prompt: impl FnOnce() -> String) -> Asker {
        match kind {
            Kind::Main => Asker::Main,
            Kind::Side(kind) => Asker::Side(*kind),
            Kind::Subagent { id } => {
                if let Some(name) = self.names.get(id) {
                    return Asker::Subagent(Arc::clone(name));
                }
                // The request names an id, the script a type: the prompt of the call that started it ties them.
                let prompt = prompt();
                let of_prompt = self.awaited.iter().position(|spawn| prompt.contains(spawn.prompt.as_str()));
                let name: Arc<str> = match of_prompt.or_else(|| (!self.awaited.is_empty()).then_some(0)) {
                    Some(index) => self.awaited.remove(index).name.into(),
                    None => id.as_str().into(),
                };
                self.names.insert(id.clone(), Arc::clone(&name));
                Asker::Subagent(name)
            }
        }
    }

    fn queue(&mut self, asker: &Asker) -> Option<&mut Queue> {
        match asker {
            Asker::Main => Some(&mut self.main),
            Asker::Subagent(name) => self.subagents.get_mut(&**name),
            Asker::Side(kind) => self.side.get_mut(kind),
        }
    }

    fn pick(&mut self, asker: &Asker, question: &str) -> Pick {
        match (self.queue(asker), asker) {
            (Some(queue), _) => queue.pick(question),
            // A client that expects JSON can read it, and it decides nothing.
            (None, Asker::Side(_)) => Pick::Step(Turn::text("{}").into()),
            (None, _) => Pick::Overrun { request: 1 },
        }
    }
}

fn checked(turn: Turn) -> Result<Turn, String> {
    turn.validate("the turn that was made").map_err(|error| error.to_string())?;
    Ok(turn)
}

fn prompt_of(request: &crate::trace::ModelRequest) -> String {
    request.messages.iter().map(|message| message.text.as_str()).collect::<Vec<_>>().join("\n")
}
