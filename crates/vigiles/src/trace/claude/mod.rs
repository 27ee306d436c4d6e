//! Claude Code: `stream-json`, `json`, and session files.
//!
//! The three share their messages; a session file adds what the stream hides (the command of a hook, the call it
//! belongs to) and leaves out what only the stream has (hook events one by one, the result).

mod event;
mod fold;
mod hooks;
mod line;
mod session;

pub(super) use event::{Event, Style};
pub(super) use fold::{Fold, Options};
pub(super) use hooks::{Read, merge, tie_blocks};
pub(super) use session::subagent_files;
