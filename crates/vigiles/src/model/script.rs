//! The turns a scripted model has to say, and who they are for.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::trace::{ModelRequest, RequestKind};

use super::{ModelError, Turn};

/// A turn that is made when its request is there.
pub type Compute = Arc<dyn Fn(Arc<ModelRequest>) -> Computed + Send + Sync>;

/// What a [`Compute`] gives: the turn, or the text of an error that fails the run.
pub type Computed = Pin<Box<dyn Future<Output = Result<Turn, String>> + Send>>;

/// One step of a script.
#[derive(Clone)]
pub enum Step {
    /// A turn that is known beforehand.
    Turn(Box<Turn>),
    /// A turn made from the request.
    Compute(Compute),
}

impl fmt::Debug for Step {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Turn(turn) => turn.fmt(out),
            Self::Compute(_) => out.write_str("Compute"),
        }
    }
}

impl From<Turn> for Step {
    fn from(turn: Turn) -> Self {
        Self::Turn(Box::new(turn))
    }
}

/// What a scripted model says.
///
/// The main agent, each subagent and each kind of side request have turns of their own, so that requests that race
/// each other cannot take each other's answers.
#[derive(Debug, Clone, Default)]
pub struct Script {
    /// The main agent's turns.
    pub turns: Vec<Step>,
    /// The turns of subagents, by type (`Explore`, `plugin:reviewer`). Several agents of one type share its turns.
    pub subagents: BTreeMap<String, Vec<Step>>,
    /// Answers to requests that the CLI makes on its own account; a kind without one is answered with `{}`.
    pub side: BTreeMap<RequestKind, Vec<Step>>,
}

impl Script {
    /// A script for the main agent alone.
    pub fn new(turns: impl IntoIterator<Item = Turn>) -> Self {
        Self { turns: turns.into_iter().map(Step::from).collect(), ..Self::default() }
    }

    /// Adds the turns of a subagent.
    #[must_use]
    pub fn subagent(mut self, name: impl Into<String>, turns: impl IntoIterator<Item = Turn>) -> Self {
        self.subagents.insert(name.into(), turns.into_iter().map(Step::from).collect());
        self
    }

    /// Adds the answers to a kind of side request.
    #[must_use]
    pub fn side(mut self, kind: RequestKind, turns: impl IntoIterator<Item = Turn>) -> Self {
        self.side.insert(kind, turns.into_iter().map(Step::from).collect());
        self
    }

    /// Reads a script: `{turns, subagents?, side?}`. A step `{"function": NUMBER}` is made by `make`.
    pub fn from_json(text: &str, mut make: impl FnMut(u32) -> Compute) -> Result<Self, ModelError> {
        let wrong = |problem: String| ModelError::Script { problem };
        let json: Value = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
        let json: ScriptJson = at_path(json).map_err(wrong)?;
        let ScriptJson { turns, subagents, side } = json;
        let mut steps = |of: &str, steps: Vec<Value>| -> Result<Vec<Step>, ModelError> {
            let numbered = steps.into_iter().enumerate();
            numbered.map(|(index, step)| read_step(step, &place(index, of), &mut make)).collect()
        };
        let mut script = Self { turns: steps("", turns)?, ..Self::default() };
        for (name, turns) in subagents {
            let turns = steps(&format!(" of the subagent {name}"), turns)?;
            script.subagents.insert(name, turns);
        }
        for (name, turns) in side {
            let kind = RequestKind::from_name(&name).filter(|kind| kind.is_side_channel()).ok_or_else(|| {
                let names: Vec<&str> =
                    RequestKind::ALL.into_iter().filter(|kind| kind.is_side_channel()).map(RequestKind::name).collect();
                wrong(format!("`side` has no kind {name:?}; there are {}", names.join(", ")))
            })?;
            script.side.insert(kind, steps(&format!(" of the side requests `{name}`"), turns)?);
        }
        script.validate()?;
        Ok(script)
    }

    /// Every step with the words that name it.
    pub(crate) fn steps(&self) -> impl Iterator<Item = (String, &Step)> {
        let main = self.turns.iter().enumerate().map(|(index, step)| (place(index, ""), step));
        let agents = self.subagents.iter().flat_map(|(name, steps)| {
            steps.iter().enumerate().map(move |(index, step)| (place(index, &format!(" of the subagent {name}")), step))
        });
        let side = self.side.iter().flat_map(|(kind, steps)| {
            let of = format!(" of the side requests `{}`", kind.name());
            steps.iter().enumerate().map(move |(index, step)| (place(index, &of), step))
        });
        main.chain(agents).chain(side)
    }

    pub(crate) fn validate(&self) -> Result<(), ModelError> {
        self.steps().try_for_each(|(place, step)| match step {
            Step::Turn(turn) => turn.validate(&place),
            Step::Compute(_) => Ok(()),
        })
    }
}

fn place(index: usize, of: &str) -> String {
    format!("turn {}{of}", index + 1)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScriptJson {
    turns: Vec<Value>,
    #[serde(default)]
    subagents: BTreeMap<String, Vec<Value>>,
    #[serde(default)]
    side: BTreeMap<String, Vec<Value>>,
}

fn read_step(step: Value, place: &str, make: &mut impl FnMut(u32) -> Compute) -> Result<Step, ModelError> {
    if let Some(number) = step.get("function").and_then(Value::as_u64) {
        return Ok(Step::Compute(make(u32::try_from(number).unwrap_or(u32::MAX))));
    }
    let turn: Turn = at_path(step).map_err(|problem| ModelError::Turn { place: place.to_owned(), problem })?;
    Ok(turn.into())
}

/// Reads a value; the error names the field that is wrong.
fn at_path<T: DeserializeOwned>(value: Value) -> Result<T, String> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let (path, problem) = (error.path().to_string(), error.inner().to_string());
        if path == "." { problem } else { format!("`{path}`: {problem}") }
    })
}
