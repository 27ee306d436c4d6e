//! Harnesses whose driver is written in JavaScript.

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use napi::Status;
use napi::bindgen_prelude::{FnArgs, Promise, block_on};
use napi::threadsafe_function::ThreadsafeFunction;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_json::value::RawValue;
use vigiles::harness::{Context, Driver, Ended, HarnessError, Launch, Refusal, Setup, UserTurn};
use vigiles::model::{Api, Received};
use vigiles::trace::Trace;

/// Calls a member of the driver by its name, with its arguments as JSON; gives what it gave, as JSON.
pub(crate) type CallDriver =
    ThreadsafeFunction<FnArgs<(String, String)>, Promise<String>, FnArgs<(String, String)>, Status, false>;

/// What JavaScript tells of a harness once.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct About {
    /// Its name for people.
    pub(crate) title: String,
    /// The model API that it speaks.
    pub(crate) model_api: String,
    /// The program's name in `PATH`.
    pub(crate) program: String,
    /// How to get it.
    pub(crate) install: String,
    refuses: Vec<Refusal>,
}

pub(crate) struct JsDriver {
    title: Cow<'static, str>,
    api: Api,
    refuses: Vec<Refusal>,
    call: CallDriver,
}

impl JsDriver {
    pub(crate) fn new(about: About, call: CallDriver) -> napi::Result<Arc<Self>> {
        let api = crate::model::api(&about.model_api)?;
        let mut refuses = about.refuses;
        // It takes a hook of ours in the CLI's own form.
        refuses.push(Refusal {
            field: "interceptTools".into(),
            reason: "calls are refused by a hook, which only Claude Code and Codex are given".into(),
        });
        Ok(Arc::new(Self { title: about.title.into(), api, refuses, call }))
    }

    /// Waits for what a member gives. The thread of a run may block.
    fn ask<T: DeserializeOwned>(
        &self,
        setup: &Setup<'_>,
        member: &'static str,
        arguments: &impl Serialize,
    ) -> Result<T, HarnessError> {
        let answer = serde_json::to_string(arguments).map_err(|error| error.to_string()).and_then(|arguments| {
            let called = async { self.call.call_async(FnArgs::from((member.to_owned(), arguments))).await?.await };
            block_on(called).map_err(|error| error.reason.clone())
        });
        let read = answer.and_then(|answer| {
            let json = &mut serde_json::Deserializer::from_str(&answer);
            serde_path_to_error::deserialize(json).map_err(|error| {
                let path = error.path().to_string();
                let place = if path == "." { String::new() } else { format!("`{path}`: ") };
                format!("it gave something else than expected: {place}{}", error.inner())
            })
        });
        read.map_err(|problem| self.failed(setup, member, problem))
    }

    fn failed(&self, setup: &Setup<'_>, member: &'static str, problem: String) -> HarnessError {
        let context = Box::new(Context { dir: setup.place.root().to_owned(), ..Context::default() });
        HarnessError::Adapter { cli: self.title.clone(), member, problem, context }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Place<'a> {
    cwd: Cow<'a, str>,
    home: Cow<'a, str>,
    tmp: Cow<'a, str>,
    program: Cow<'a, str>,
    path: Cow<'a, str>,
    model_url: &'a str,
}

fn lossy(path: &Path) -> Cow<'static, str> {
    path.to_string_lossy().into_owned().into()
}

fn place<'a>(setup: &Setup<'a>) -> Place<'a> {
    Place {
        cwd: lossy(&setup.place.work()),
        home: lossy(&setup.place.home()),
        tmp: lossy(&setup.place.tmp()),
        program: lossy(setup.binary),
        path: setup.path.to_string_lossy(),
        model_url: setup.model.url(),
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Command {
    argv: Vec<String>,
    #[serde(default)]
    env: Vec<(String, String)>,
    #[serde(default)]
    stdin: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Read<'a> {
    place: Place<'a>,
    stdout_file: Cow<'static, str>,
    model_requests: Vec<Box<RawValue>>,
}

impl Driver for JsDriver {
    fn cli(&self) -> Cow<'static, str> {
        self.title.clone()
    }

    fn api(&self) -> Api {
        self.api
    }

    fn refuses(&self) -> &[Refusal] {
        &self.refuses
    }

    fn prepare(&self, setup: &Setup<'_>) -> Result<(), HarnessError> {
        self.ask(setup, "prepare", &json!({ "place": place(setup) }))
    }

    fn launch(&self, setup: &Setup<'_>, turn: &UserTurn<'_>) -> Result<Launch, HarnessError> {
        let asked = json!({
            "place": place(setup),
            "turn": { "prompt": turn.prompt, "index": turn.index, "stdoutFile": turn.stdout },
        });
        let Command { argv, env, stdin } = self.ask(setup, "launch", &asked)?;
        if argv.is_empty() {
            return Err(self.failed(setup, "launch", "expected a command in `argv`, but it is empty".to_owned()));
        }
        Ok(Launch {
            argv: argv.into_iter().map(OsString::from).collect(),
            env: env.into_iter().map(|(name, value)| (name.into(), value.into())).collect(),
            stdin: stdin.into_bytes(),
        })
    }

    fn failure(&self, setup: &Setup<'_>, ended: &Ended<'_>) -> Option<HarnessError> {
        if let Some(failure) = ended.failure(self.cli(), setup) {
            return Some(failure);
        }
        let asked = json!({
            "place": place(setup),
            "ended": {
                "exitCode": ended.output.exit_code,
                "stderr": ended.output.stderr.text_lossy(),
                "stdoutFile": ended.stdout,
                "requests": ended.requests,
            },
        });
        match self.ask::<Option<String>>(setup, "failure", &asked) {
            Ok(problem) => problem.map(|problem| HarnessError::CliFailed {
                cli: self.cli(),
                problem,
                context: Box::new(ended.context(setup.place)),
            }),
            Err(error) => Some(error),
        }
    }

    fn read(&self, setup: &Setup<'_>, requests: &[Arc<Received>]) -> Result<Trace, HarnessError> {
        let failed = |problem: String| self.failed(setup, "read", problem);
        let flat = requests.iter().map(|request| request.flat().to_json().map_err(|error| error.to_string()));
        let raw = flat.map(|json| RawValue::from_string(json?).map_err(|error| error.to_string()));
        let asked = Read {
            place: place(setup),
            stdout_file: lossy(&setup.place.stdout()),
            model_requests: raw.collect::<Result<_, _>>().map_err(failed)?,
        };
        let plain: Box<RawValue> = self.ask(setup, "read", &asked)?;
        let trace = Trace::from_json(plain.get()).map_err(|error| self.failed(setup, "read", error.to_string()))?;
        Ok(trace.in_dir(setup.place.work()))
    }
}
