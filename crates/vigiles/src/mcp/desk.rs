//! Takes messages in, records them, and decides what each is answered.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::callback::guarded;

use super::message::{self, Failure, Line, Message};
use super::reply::shortened;
use super::{McpCall, McpRequest, McpScript, Replies, Reply, ReplyStep, protocol};

/// How many bytes of requests are kept. A client that sends more than this is broken, and is told so.
const MAX_RECORDED: usize = 512 << 20;

/// How many problems are kept: a client that is broken is broken often, and the first ones tell enough.
const MAX_PROBLEMS: usize = 1000;

/// About what a request takes beside its text.
const REQUEST_OVERHEAD: usize = 256;

/// Where all connections of one server meet.
#[derive(Debug)]
pub(super) struct Desk {
    script: McpScript,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    calls: Vec<Arc<McpCall>>,
    requests: Vec<Arc<McpRequest>>,
    problems: Vec<String>,
    /// How often each tool was called, in the order of the script.
    called: Vec<usize>,
    recorded: usize,
}

/// The messages of one line, each with its answer or what makes it.
#[derive(Debug)]
pub(super) struct Taken {
    batch: bool,
    answers: Vec<Pending>,
}

#[derive(Debug)]
enum Pending {
    Ready(String),
    Call { id: Box<RawValue>, call: Arc<McpCall>, step: ReplyStep },
}

impl Desk {
    pub(super) fn new(script: McpScript) -> Self {
        let called = vec![0; script.tools.len()];
        Self { script, state: Mutex::new(State { called, ..State::default() }) }
    }

    /// Takes in one line. Replies are picked before anything is awaited: calls get them in the order they arrived.
    pub(super) fn take_in(&self, line: &[u8]) -> Taken {
        match Line::read(line) {
            Line::One(message) => Taken { batch: false, answers: self.one(message).into_iter().collect() },
            Line::Batch(messages) => {
                Taken { batch: true, answers: messages.into_iter().filter_map(|message| self.one(message)).collect() }
            }
            Line::Broken(failure) => self.broken(failure),
        }
    }

    /// The answer to something that is no message.
    pub(super) fn broken(&self, failure: Failure) -> Taken {
        Taken { batch: false, answers: vec![self.refuse(RawValue::NULL, failure)] }
    }

    /// Whether the answer has nothing to wait for.
    pub(super) fn is_ready(&self, taken: &Taken) -> bool {
        self.script.delay.is_zero() && taken.answers.iter().all(|answer| matches!(answer, Pending::Ready(_)))
    }

    /// The line to answer with; `None` where nothing is answered.
    pub(super) async fn finish(&self, Taken { batch, answers }: Taken) -> Option<Vec<u8>> {
        if answers.is_empty() {
            return None;
        }
        wait(self.script.delay).await;
        let mut texts = Vec::with_capacity(answers.len());
        for answer in answers {
            texts.push(match answer {
                Pending::Ready(text) => text,
                Pending::Call { id, call, step } => message::answer(&id, self.reply(call, step).await),
            });
        }
        Some(message::line(if batch { format!("[{}]", texts.join(",")) } else { texts.concat() }))
    }

    async fn reply(&self, call: Arc<McpCall>, step: ReplyStep) -> Result<String, Failure> {
        let reply = match step {
            ReplyStep::Reply(reply) => reply,
            ReplyStep::Compute(make) => {
                let reply = guarded(|| make(Arc::clone(&call))).await;
                match reply.and_then(|reply| reply.validate().map(|()| reply)) {
                    Ok(reply) => Arc::new(reply),
                    Err(problem) => {
                        let tool = &call.tool;
                        self.note(format!("the function that replies for the tool {tool:?} failed: {problem}"));
                        Arc::new(Reply::error(problem))
                    }
                }
            }
        };
        wait(Duration::from_millis(reply.delay_ms.unwrap_or_default())).await;
        to_json(&reply.result())
    }

    fn one(&self, message: Message<'_>) -> Option<Pending> {
        match message {
            Message::Answer => None,
            Message::Invalid { id, failure } => Some(self.refuse(id, failure)),
            Message::Notification { method, params } => {
                // Nobody waits for an answer, so none can say that the record is full.
                let _ = self.record(method, params);
                None
            }
            Message::Request { id, method, params } => {
                let answered = match self.record(method.clone(), params) {
                    Ok(()) => self.answer(id, &method, params),
                    Err(failure) => Err(failure),
                };
                Some(answered.unwrap_or_else(|failure| Pending::Ready(message::answer(id, Err(failure)))))
            }
        }
    }

    fn answer(&self, id: &RawValue, method: &str, params: Option<&RawValue>) -> Result<Pending, Failure> {
        let result = match method {
            "initialize" => self.initialize(params)?,
            "ping" => "{}".to_owned(),
            "tools/list" => self.list()?,
            "tools/call" => return self.call(id, params),
            // The server has none and says so at `initialize`, but some clients ask.
            "resources/list" => r#"{"resources":[]}"#.to_owned(),
            "resources/templates/list" => r#"{"resourceTemplates":[]}"#.to_owned(),
            "prompts/list" => r#"{"prompts":[]}"#.to_owned(),
            _ => return Err(Failure::no_method(method)),
        };
        Ok(Pending::Ready(message::answer(id, Ok(result))))
    }

    fn initialize(&self, params: Option<&RawValue>) -> Result<String, Failure> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Params {
            protocol_version: String,
        }

        let Params { protocol_version } = read_params(params)?;
        let mut result = json!({
            "protocolVersion": protocol::agreed(&protocol_version),
            "capabilities": { "tools": {} },
            "serverInfo": { "name": self.script.name, "version": env!("CARGO_PKG_VERSION") },
        });
        if let Some(instructions) = &self.script.instructions {
            result["instructions"] = Value::from(instructions.as_str());
        }
        to_json(&result)
    }

    fn list(&self) -> Result<String, Failure> {
        #[derive(Serialize)]
        struct List<'a> {
            tools: Vec<Listed<'a>>,
        }

        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Listed<'a> {
            name: &'a str,
            #[serde(skip_serializing_if = "Option::is_none")]
            description: Option<&'a str>,
            input_schema: Schema<'a>,
        }

        #[derive(Serialize)]
        #[serde(untagged)]
        enum Schema<'a> {
            Given(&'a RawValue),
            AnyObject { r#type: &'static str },
        }

        let tools = self.script.tools.iter().map(|tool| Listed {
            name: &tool.name,
            description: tool.description.as_deref(),
            input_schema: match &tool.input_schema {
                Some(schema) => Schema::Given(schema),
                None => Schema::AnyObject { r#type: "object" },
            },
        });
        to_json(&List { tools: tools.collect() })
    }

    fn call(&self, id: &RawValue, params: Option<&RawValue>) -> Result<Pending, Failure> {
        #[derive(Deserialize)]
        struct Params<'a> {
            name: String,
            #[serde(borrow)]
            arguments: Option<&'a RawValue>,
            #[serde(rename = "_meta")]
            meta: Option<Meta>,
        }

        #[derive(Deserialize)]
        struct Meta {
            #[serde(rename = "claudecode/toolUseId")]
            tool_use_id: Option<Value>,
        }

        let Params { name, arguments, meta } = read_params(params)?;
        if let Some(arguments) = arguments.filter(|arguments| !arguments.get().starts_with('{')) {
            let seen = shortened(arguments.get());
            return Err(Failure::invalid_params(format!("expected `arguments` to be an object, but got {seen}")));
        }
        let Some(position) = self.script.tools.iter().position(|tool| tool.name == name) else {
            let has: Vec<&str> = self.script.tools.iter().map(|tool| tool.name.as_str()).collect();
            let problem = format!("there is no tool {name:?}; the server has {}", has.join(", "));
            self.note(problem.clone());
            return Err(Failure::invalid_params(problem));
        };
        let arguments = match arguments {
            Some(arguments) => arguments.to_owned(),
            None => empty_object()?,
        };
        let tool_use_id = meta.and_then(|meta| meta.tool_use_id?.as_str().map(str::to_owned));
        let (call, earlier) = self.lock().record_call(position, name, arguments, tool_use_id);
        let step = match &self.script.tools[position].replies {
            Replies::Always(step) => step.clone(),
            Replies::InOrder(steps) => match steps.get(earlier) {
                Some(step) => step.clone(),
                None => self.exhausted(&call, earlier + 1, steps.len()).into(),
            },
        };
        match step {
            ReplyStep::Reply(reply) if reply.delay_ms.is_none() => {
                Ok(Pending::Ready(message::answer(id, Ok(to_json(&reply.result())?))))
            }
            step => Ok(Pending::Call { id: id.to_owned(), call, step }),
        }
    }

    fn exhausted(&self, call: &McpCall, number: usize, scripted: usize) -> Reply {
        let problem = format!(
            "call {number} of the tool {:?} has no reply: its list has {scripted}. It was called with {}. Add a reply for \
             it to the list, or give one reply for all calls",
            call.tool,
            shortened(call.arguments.get())
        );
        self.note(problem.clone());
        Reply::error(problem)
    }

    /// Keeps a request, as long as there is room.
    fn record(&self, method: String, params: Option<&RawValue>) -> Result<(), Failure> {
        let size = method.len() + params.map_or(0, |params| params.get().len()) + REQUEST_OVERHEAD;
        let mut state = self.lock();
        if state.recorded + size > MAX_RECORDED {
            let problem = format!("the client sent more than {MAX_RECORDED} bytes, and the server keeps no more");
            if state.problems.last() != Some(&problem) {
                state.problems.push(problem.clone());
            }
            return Err(Failure::internal(problem));
        }
        state.recorded += size;
        state.requests.push(Arc::new(McpRequest { method, params: params.map(ToOwned::to_owned) }));
        Ok(())
    }

    fn refuse(&self, id: &RawValue, failure: Failure) -> Pending {
        self.note(format!("the client sent no message of JSON-RPC: {}", failure.message));
        Pending::Ready(message::answer(id, Err(failure)))
    }

    fn note(&self, problem: String) {
        let mut state = self.lock();
        if state.problems.len() < MAX_PROBLEMS {
            state.problems.push(problem);
        }
    }

    pub(super) fn calls(&self) -> Vec<Arc<McpCall>> {
        self.lock().calls.clone()
    }

    pub(super) fn requests(&self) -> Vec<Arc<McpRequest>> {
        self.lock().requests.clone()
    }

    pub(super) fn problems(&self) -> Vec<String> {
        self.lock().problems.clone()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Every change is complete before the lock is released: a panic elsewhere leaves nothing half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The call, and how many of the same tool came before it.
    fn record_call(
        &mut self,
        position: usize,
        tool: String,
        arguments: Box<RawValue>,
        tool_use_id: Option<String>,
    ) -> (Arc<McpCall>, usize) {
        let call = Arc::new(McpCall { index: self.calls.len(), tool, arguments, tool_use_id });
        self.calls.push(Arc::clone(&call));
        let count = &mut self.called[position];
        *count += 1;
        (call, *count - 1)
    }
}

async fn wait(delay: Duration) {
    if !delay.is_zero() {
        tokio::time::sleep(delay).await;
    }
}

fn read_params<'a, T: Deserialize<'a>>(params: Option<&'a RawValue>) -> Result<T, Failure> {
    let params = params.map_or("{}", RawValue::get);
    if !params.starts_with('{') {
        return Err(Failure::invalid_params(format!("expected an object, but got {}", shortened(params))));
    }
    serde_json::from_str(params).map_err(|error| Failure::invalid_params(error.to_string()))
}

fn to_json<T: Serialize>(value: &T) -> Result<String, Failure> {
    serde_json::to_string(value).map_err(|error| Failure::internal(error.to_string()))
}

fn empty_object() -> Result<Box<RawValue>, Failure> {
    RawValue::from_string("{}".to_owned()).map_err(|error| Failure::internal(error.to_string()))
}
