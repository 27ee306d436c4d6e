//! What the launches left.

use std::path::PathBuf;

use crate::harness::HarnessError;
use crate::harness::driver::Setup;
use crate::harness::error::Context;
use crate::trace::{Open, Trace};

use super::{CLI, SESSION, config};

pub(super) fn trace(setup: &Setup<'_>) -> Result<Trace, HarnessError> {
    let place = setup.place;
    let session = session_file(setup);
    let mut open = Open::default().hook_events(true).work_dir(place.work());
    if session.is_file() {
        open = open.session(session);
    }
    open.read_path(place.stdout()).map_err(|source| HarnessError::Stream {
        cli: CLI,
        source,
        context: Box::new(Context { dir: place.root().to_owned(), ..Context::default() }),
    })
}

/// Where the CLI keeps the session: the work dir's path names the directory, everything but letters and digits as `-`.
fn session_file(setup: &Setup<'_>) -> PathBuf {
    let work = setup.place.work();
    let project: String =
        work.to_string_lossy().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    config::dir(setup.place).join("projects").join(project).join(format!("{SESSION}.jsonl"))
}
