//! Takes requests in and decides what each is answered.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use bytes::Bytes;

use crate::trace::RequestKind;

use super::api::{Api, Spawn};
use super::body::RequestBody;
use super::compute::compute;
use super::http::{Head, Reply};
use super::queue::{Pick, Queue};
use super::received::{Kind, Received};
use super::report::{Hint, Overrun, Report, Unused};
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

/// A request that was taken in.
#[derive(Debug)]
struct Taken {
    /// Who asks and what it gets, or why that cannot be told.
    asker: Result<(Asker, Pick), String>,
    received: Arc<Received>,
    /// The name of its answer.
    answer: String,
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
        let body = match RequestBody::read(self.api, raw) {
            Ok(body) => body,
            Err(problem) => {
                return self.refuse(format!("expected a JSON object as the body of the request: {problem}"));
            }
        };
        let kind = self.api.classify(head, &body);
        let Taken { asker, received, answer } = self.take_in(kind, &body);
        let (asker, pick) = match asker {
            Ok(taken) => taken,
            Err(problem) => return self.fail(problem),
        };
        let step = match pick {
            Pick::Step(step) => step,
            Pick::Again(turn) => return self.api.reply(&turn, &body, &answer),
            Pick::Overrun { request } => return self.overrun(&asker, request, &received, &body),
        };
        let turn = match step {
            Step::Turn(turn) => *turn,
            Step::Compute(make) => match compute(&make, received.flat()).await {
                Ok(turn) => turn,
                Err(problem) => {
                    return self.fail(format!("the function that makes a turn of {} failed: {problem}", asker.words()));
                }
            },
        };
        self.note_served(&asker, &body, &turn);
        // Set once: nobody else answers this request.
        let _ = received.answer.set((answer.clone(), turn.clone()));
        if let Some(delay) = turn.delay_ms {
            tokio::time::sleep(Duration::from_millis(delay)).await;
        }
        self.api.reply(&turn, &body, &answer)
    }

    fn take_in(&self, kind: Kind, body: &RequestBody) -> Taken {
        let mut state = self.lock();
        let asker = state.asker(&kind, || prompt_of(&self.api.flatten(body.whole())));
        let agent = match &asker {
            Ok(Asker::Subagent(name)) => Some(Arc::clone(name)),
            _ => None,
        };
        let received = Arc::new(Received {
            api: self.api,
            kind,
            agent,
            raw: body.raw(),
            flat: OnceLock::new(),
            answer: OnceLock::new(),
        });
        state.received.push(Arc::clone(&received));
        state.answers += 1;
        let answer = format!("scripted{:04}", state.answers);
        let asker = asker.map(|asker| {
            let pick = state.pick(&asker, || self.api.question(body.whole()));
            (asker, pick)
        });
        Taken { asker, received, answer }
    }

    fn note_served(&self, asker: &Asker, body: &RequestBody, turn: &Turn) {
        let spawns = self.api.spawns(turn);
        let mut state = self.lock();
        state.awaited.extend(spawns);
        if let Some(queue) = state.queue(asker) {
            queue.served(|| self.api.question(body.whole()), turn);
        }
    }

    fn overrun(&self, asker: &Asker, request: usize, received: &Received, body: &RequestBody) -> Reply {
        let last_message =
            received.flatten(body.whole()).messages.pop().map(|message| message.text).unwrap_or_default();
        let mut state = self.lock();
        let scripted = state.queue(asker).map_or(0, |queue| queue.scripted());
        let hint = match (asker, &received.kind) {
            (Asker::Subagent(name), Kind::Subagent { id }) if **name == **id => Hint::UnknownSubagent,
            (Asker::Subagent(_), _) if scripted == 0 => Hint::Subagent,
            _ => Hint::Turn,
        };
        let overrun = Overrun::new(asker.words(), hint, scripted, request, &last_message);
        let text = overrun.to_string();
        state.overrun.get_or_insert(overrun);
        drop(state);
        self.refuse(text)
    }

    fn fail(&self, problem: String) -> Reply {
        self.lock().failure.get_or_insert_with(|| problem.clone());
        self.refuse(problem)
    }

    /// An error that clients do not try again.
    fn refuse(&self, message: String) -> Reply {
        self.api.error(&ApiError { status: 400, message: Some(message), ..ApiError::default() })
    }

    pub(super) fn count(&self) -> usize {
        self.lock().received.len()
    }

    pub(super) fn one(&self, index: usize) -> Option<Arc<Received>> {
        self.lock().received.get(index).cloned()
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
    fn asker(&mut self, kind: &Kind, prompt: impl FnOnce() -> String) -> Result<Asker, String> {
        match kind {
            Kind::Main => Ok(Asker::Main),
            Kind::Side(kind) => Ok(Asker::Side(*kind)),
            Kind::Subagent { id } => {
                if let Some(name) = self.names.get(id) {
                    return Ok(Asker::Subagent(Arc::clone(name)));
                }
                // The request names an id, the script a type: the prompt of the call that started it ties them.
                let name: Arc<str> = match self.started_with(&prompt())? {
                    Some(index) => self.awaited.remove(index).name.into(),
                    None => id.as_str().into(),
                };
                self.names.insert(id.clone(), Arc::clone(&name));
                Ok(Asker::Subagent(name))
            }
        }
    }

    /// Which awaited agent says this first. The longest prompt that it says is its own: one may be a part of another. An
    /// agent that says none of them had its prompt changed by a hook. Where types remain to choose from, none is taken: it
    /// could eat the turns of another.
    fn started_with(&self, says: &str) -> Result<Option<usize>, String> {
        let said = |spawn: &Spawn| says.contains(spawn.prompt.trim()).then(|| spawn.prompt.trim().len());
        let longest = self.awaited.iter().filter_map(said).max();
        let mut fitting =
            self.awaited.iter().enumerate().filter(|(_, spawn)| longest.is_none() || said(spawn) == longest);
        let Some((index, first)) = fitting.next() else { return Ok(None) };
        match fitting.find(|(_, spawn)| spawn.name != first.name) {
            None => Ok(Some(index)),
            Some((_, other)) => Err(format!(
                "a subagent asks that may be {} or {}: subagents are told apart by their prompts. Give those that run at \
                 the same time different prompts in the script",
                first.name, other.name
            )),
        }
    }

    fn queue(&mut self, asker: &Asker) -> Option<&mut Queue> {
        match asker {
            Asker::Main => Some(&mut self.main),
            Asker::Subagent(name) => self.subagents.get_mut(&**name),
            Asker::Side(kind) => self.side.get_mut(kind),
        }
    }

    fn pick(&mut self, asker: &Asker, question: impl FnOnce() -> String) -> Pick {
        match (self.queue(asker), asker) {
            (Some(queue), _) => queue.pick(question),
            // A client that expects JSON can read it, and it decides nothing.
            (None, Asker::Side(_)) => Pick::Step(Turn::text("{}").into()),
            (None, _) => Pick::Overrun { request: 1 },
        }
    }
}

fn prompt_of(request: &crate::trace::ModelRequest) -> String {
    request.messages.iter().map(|message| message.text.as_str()).collect::<Vec<_>>().join("\n")
}
