//! Turns in the order they are served.

use super::script::Step;
use super::turn::Turn;

/// The turns of one agent.
#[derive(Debug, Default)]
pub(super) struct Queue {
    steps: Vec<Step>,
    next: usize,
    requests: usize,
    /// A final error that was served, and the question it answered. Nothing else asks for a request's question, so that it
    /// is worked out behind such an error alone.
    refused: Option<(String, Turn)>,
}

/// What a request gets.
#[derive(Debug)]
pub(super) enum Pick {
    /// The next step.
    Step(Step),
    /// The question was refused before: the same error again, which is no new turn.
    Again(Box<Turn>),
    /// There is no turn left. `request` counts the requests of this agent from 1.
    Overrun { request: usize },
}

impl Queue {
    pub(super) fn new(steps: Vec<Step>) -> Self {
        Self { steps, ..Self::default() }
    }

    pub(super) fn pick(&mut self, question: impl FnOnce() -> String) -> Pick {
        if let Some((asked, error)) = &self.refused
            && *asked == question()
        {
            return Pick::Again(Box::new(error.clone()));
        }
        self.requests += 1;
        match self.steps.get(self.next) {
            Some(step) => {
                self.next += 1;
                Pick::Step(step.clone())
            }
            None => Pick::Overrun { request: self.requests },
        }
    }

    /// Remembers a served turn. Claude Code 2.1.332 re-sends a request that was refused with status 400 five times,
    /// leaving out one beta feature after the other, and one that was answered with 404 once: all of them are one turn.
    pub(super) fn served(&mut self, question: impl FnOnce() -> String, turn: &Turn) {
        let is_final = turn.error.as_ref().is_some_and(|error| matches!(error.status, 400 | 403 | 404 | 413 | 422));
        self.refused = is_final.then(|| (question(), turn.clone()));
    }

    pub(super) fn scripted(&self) -> usize {
        self.steps.len()
    }

    pub(super) fn turns_served(&self) -> usize {
        self.next
    }
}
