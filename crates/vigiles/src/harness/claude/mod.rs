//! Claude Code.

mod argv;
mod config;
mod environment;
mod failure;
mod hooks;
mod read;
mod version;

use std::borrow::Cow;
use std::sync::Arc;

use crate::model::{Api, Received, Script, Step};
use crate::trace::Trace;

use super::driver::{Driver, Ended, Launch, Setup, UserTurn};
use super::explain::gather;
use super::{HarnessError, Spec};

const CLI: &str = "Claude Code";

/// The id of every session: it is told to the CLI, so that two equal runs give equal streams.
const SESSION: &str = "00000000-0000-4000-8000-000000000001";

/// Drives Claude Code, versions 2.1.197 to 2.1.332.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClaudeCode;

impl ClaudeCode {
    /// How to get the CLI.
    pub const INSTALL: &str = "Install it (`npm install --ignore-scripts @anthropic-ai/claude-code-linux-x64`, at a pinned \
                               version) and name its program: the field `claude`, or the variable VIGILES_CLAUDE";
}

impl Driver for ClaudeCode {
    fn cli(&self) -> Cow<'static, str> {
        CLI.into()
    }

    fn api(&self) -> Api {
        Api::Messages
    }

    fn takes_socket(&self) -> bool {
        true
    }

    fn check(&self, spec: &Spec, script: &Script) -> Result<(), HarnessError> {
        unoffered_tool(spec, script)
    }

    fn prepare(&self, setup: &Setup<'_>) -> Result<(), HarnessError> {
        config::write(setup)?;
        // The CLI ignores a settings file that it cannot read, and every guard in it.
        let gathered = gather(&config::sources(setup))?;
        match gathered.off {
            Some(off) if !setup.spec.intercept_tools.is_empty() => Err(HarnessError::Spec {
                field: "interceptTools".to_owned(),
                problem: format!("a hook refuses the calls, and no hook would run: {off}"),
            }),
            _ => Ok(()),
        }
    }

    fn launch(&self, setup: &Setup<'_>, turn: &UserTurn<'_>) -> Result<Launch, HarnessError> {
        Ok(Launch {
            argv: argv::of(setup, turn),
            env: environment::of(setup),
            // On stdin, not as an argument: a prompt after an option that takes a list would be taken as one of the list.
            stdin: turn.prompt.as_bytes().to_vec(),
        })
    }

    fn failure(&self, setup: &Setup<'_>, ended: &Ended<'_>) -> Option<HarnessError> {
        failure::of(setup, ended)
    }

    fn read(&self, setup: &Setup<'_>, requests: &[Arc<Received>]) -> Result<Trace, HarnessError> {
        read::style_reached(setup, requests)?;
        read::trace(setup)
    }
}

/// Refuses a script that calls a tool which the spec leaves out. Tools of MCP servers are not part of that list.
fn unoffered_tool(spec: &Spec, script: &Script) -> Result<(), HarnessError> {
    let Some(tools) = &spec.tools else { return Ok(()) };
    let offered: Vec<&str> = tools.iter().map(|tool| tool.trim()).collect();
    for (index, step) in script.turns.iter().enumerate() {
        let Step::Turn(turn) = step else { continue };
        for call in turn.calls() {
            if !call.tool.starts_with("mcp__") && !offered.contains(&call.tool.as_str()) {
                return Err(HarnessError::Spec {
                    field: "tools".to_owned(),
                    problem: format!(
                        "turn {} of the script calls {:?}, and the tools that exist are only: {}",
                        index + 1,
                        call.tool,
                        offered.join(", ")
                    ),
                });
            }
        }
    }
    Ok(())
}
