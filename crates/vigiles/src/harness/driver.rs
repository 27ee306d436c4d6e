//! What differs between the CLIs.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::model::{Api, Received, Script};
use crate::process::Output;
use crate::trace::Trace;

use super::error::Context;
use super::{HarnessError, Place, Spec};

/// One CLI. All but `cli`, `api`, `refuses` and `check` are called on a thread that may block.
pub trait Driver: Send + Sync {
    /// Its name in messages: `Claude Code`.
    fn cli(&self) -> Cow<'static, str>;

    /// The model API that it speaks.
    fn api(&self) -> Api;

    /// Whether the CLI can reach the model over a unix socket. A confined one that cannot finds it at an address of its own
    /// loopback.
    fn takes_socket(&self) -> bool {
        false
    }

    /// Fields of a spec that the CLI has nothing for. A spec that asks for one is refused before anything is made.
    fn refuses(&self) -> &[Refusal] {
        &[]
    }

    /// Refuses what a spec asks for and the CLI cannot do, before anything is made; beside [`Driver::refuses`].
    fn check(&self, _spec: &Spec, _script: &Script) -> Result<(), HarnessError> {
        Ok(())
    }

    /// Lays out the CLI's configuration and the harness under test. The files of the spec are there by then.
    fn prepare(&self, _setup: &Setup<'_>) -> Result<(), HarnessError> {
        Ok(())
    }

    /// The command of one launch.
    fn launch(&self, setup: &Setup<'_>, turn: &UserTurn<'_>) -> Result<Launch, HarnessError>;

    /// Says what went wrong, if a launch ended in a way that leaves nothing to judge. One that ran into its time limit
    /// was ended; unless told otherwise that is the failure, and a launch that asked the model nothing.
    fn failure(&self, setup: &Setup<'_>, ended: &Ended<'_>) -> Option<HarnessError> {
        ended.failure(self.cli(), setup)
    }

    /// Reads what the launches left.
    fn read(&self, setup: &Setup<'_>, requests: &[Arc<Received>]) -> Result<Trace, HarnessError>;
}

/// A field of a spec that a CLI has nothing for.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Refusal {
    /// The field, as specs in JSON call it: `maxTurns`.
    pub field: Cow<'static, str>,
    /// Why, as an end to "it has no `maxTurns`: ".
    pub reason: Cow<'static, str>,
}

impl Refusal {
    pub(super) const fn new(field: &'static str, reason: &'static str) -> Self {
        Self { field: Cow::Borrowed(field), reason: Cow::Borrowed(reason) }
    }
}

/// What a driver works with.
#[derive(Debug, Clone, Copy)]
pub struct Setup<'a> {
    /// What to run.
    pub spec: &'a Spec,
    /// Where.
    pub place: &'a Place,
    /// The CLI's program.
    pub binary: &'a Path,
    /// Where programs are looked up: the caller's `PATH`.
    pub path: &'a OsStr,
    /// Where the model listens.
    pub model: &'a Endpoint,
    /// The program `vigiles-hook`: it records the hooks of a CLI that tells nothing of them, and answers for stubs.
    pub helper: Option<&'a Path>,
}

/// Where the model listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Endpoint {
    /// `http://127.0.0.1:PORT`.
    Url(String),
    /// A unix socket: what a driver is given that takes one ([`Driver::takes_socket`]), in a confined run.
    Socket(PathBuf),
}

impl Endpoint {
    /// The address. Beside a socket it is one that nobody serves, for a CLI that wants an address, too.
    pub fn url(&self) -> &str {
        match self {
            Self::Url(url) => url,
            Self::Socket(_) => "http://127.0.0.1:1",
        }
    }
}

/// What the user says in one launch.
#[derive(Debug, Clone, Copy)]
pub struct UserTurn<'a> {
    /// The text.
    pub prompt: &'a str,
    /// Which one it is, counted from 0. All but the first go on with the session of those before.
    pub index: usize,
    /// The stream so far.
    pub stdout: &'a Path,
}

/// The command of one launch. The environment is complete.
#[derive(Debug, Clone, Default)]
pub struct Launch {
    /// The program and its arguments.
    pub argv: Vec<OsString>,
    /// The environment.
    pub env: Vec<(OsString, OsString)>,
    /// What it reads on stdin.
    pub stdin: Vec<u8>,
}

/// A launch that ended.
#[derive(Debug, Clone, Copy)]
pub struct Ended<'a> {
    /// Its command.
    pub launch: &'a Launch,
    /// How it ended.
    pub output: &'a Output,
    /// Its stream.
    pub stdout: &'a Path,
    /// How many model requests there were in this launch.
    pub requests: usize,
}

impl Ended<'_> {
    /// What helps to find out why it ended so.
    pub fn context(&self, place: &Place) -> Context {
        Context {
            stderr: self.output.stderr.text_lossy().into_owned(),
            argv: self.launch.argv.clone(),
            dir: place.root().to_owned(),
        }
    }

    /// The failures that are the same for every CLI: it ran into its time limit, or it asked the model nothing.
    pub fn failure(&self, cli: Cow<'static, str>, setup: &Setup<'_>) -> Option<HarnessError> {
        if self.output.timed_out {
            Some(self.timed_out(cli, setup))
        } else if self.requests == 0 {
            Some(self.without_result(cli, setup.place))
        } else {
            None
        }
    }

    /// A launch that ran into its time limit.
    pub fn timed_out(&self, cli: impl Into<Cow<'static, str>>, setup: &Setup<'_>) -> HarnessError {
        let context = Box::new(self.context(setup.place));
        HarnessError::TimedOut { cli: cli.into(), after: setup.spec.timeout(), context }
    }

    /// A launch without a result: it never began, or it was cut.
    pub fn without_result(&self, cli: impl Into<Cow<'static, str>>, place: &Place) -> HarnessError {
        let (cli, exit, context) = (cli.into(), self.exit(), Box::new(self.context(place)));
        if self.requests == 0 {
            HarnessError::NotStarted { cli, exit, context }
        } else {
            HarnessError::NoResult { cli, exit, context }
        }
    }

    /// How its process ended, in words.
    fn exit(&self) -> String {
        match (self.output.exit_code, self.output.signal) {
            (Some(code), _) => format!("exit code {code}"),
            (None, Some(signal)) => format!("signal {signal}"),
            (None, None) => "no exit code".to_owned(),
        }
    }
}
