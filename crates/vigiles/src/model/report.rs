//! How a script was used.

use std::fmt;

/// What a model server has to say after a run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// Turns of the main agent that were served; an error that the client asked about again is one.
    pub turns: usize,
    /// Requests that the CLI made on its own account.
    pub side_requests: usize,
    /// Turns that nobody asked for.
    pub unused: Vec<Unused>,
    /// The first request that the script had no turn for.
    pub overrun: Option<Overrun>,
    /// A function of the script that failed.
    pub failure: Option<String>,
}

/// Turns that nobody asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unused {
    /// Whose turns.
    pub of: String,
    /// How many the script has.
    pub scripted: usize,
    /// How many were left.
    pub left: usize,
}

impl fmt::Display for Unused {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { of, scripted, left } = self;
        write!(out, "{left} of the {scripted} scripted turns of {of} were never asked for")
    }
}

/// A request that the script had no turn for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overrun {
    /// Who asked.
    pub asker: String,
    /// How many turns the script has for it.
    pub scripted: usize,
    /// Which request of that agent it was, counted from 1.
    pub request: usize,
    /// The end of the conversation that it carried, on one line, at most 160 characters; empty when there was no text.
    pub last_message: String,
    hint: Hint,
}

/// What would give the request a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hint {
    /// One more turn for the one who asked.
    Turn,
    /// Turns for a type of subagent.
    Subagent,
    /// None that is known: the subagent's type is not.
    UnknownSubagent,
}

impl Overrun {
    pub(super) fn new(asker: String, hint: Hint, scripted: usize, request: usize, last_message: &str) -> Self {
        let line = last_message.split_whitespace().collect::<Vec<_>>().join(" ");
        let last_message = match line.char_indices().nth(160) {
            Some((end, _)) => format!("{}...", &line[..end]),
            None => line,
        };
        Self { asker, scripted, request, last_message, hint }
    }
}

impl fmt::Display for Overrun {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { asker, scripted, request, last_message, hint } = self;
        let turns = if *scripted == 1 { "turn" } else { "turns" };
        write!(out, "request {request} of {asker} has no scripted turn: the script has {scripted} {turns} for it")?;
        if !last_message.is_empty() {
            write!(out, ". The request ends with: {last_message}")?;
        }
        match hint {
            Hint::Turn => {
                write!(
                    out,
                    ". No turn is repeated or invented: add turn {request}, a text if the agent should end there"
                )
            }
            Hint::Subagent => {
                let name = asker.trim_start_matches("the subagent ");
                write!(out, ". Subagents have turns of their own: add `subagents: {{ {name:?}: [...] }}` to the script")
            }
            Hint::UnknownSubagent => {
                write!(
                    out,
                    ". No call of the script started it, so its type is not known; only scripted calls can start agents"
                )
            }
        }
    }
}
