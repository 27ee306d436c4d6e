use crate::process::egress::{EgressAttempt, EgressDropped};

/// What confinement saw of a run. Paths are relative to the work directory, with `/`, lossy where they are not UTF-8, sorted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConfinedRun {
    /// Files and links that are new or have another content than before.
    pub files_written: Vec<String>,
    /// Those of `files_written` that were there before.
    pub files_changed: Vec<String>,
    /// Files and links that were there before and are not any more.
    pub files_deleted: Vec<String>,
    /// Those of `files_written` that were not copied back: links out of the work directory, and all that is neither a file, a
    /// directory nor a link.
    pub files_withheld: Vec<String>,
    /// Where the command tried to connect to, in that order; `None` if that was not recorded.
    pub egress: Option<Vec<EgressAttempt>>,
    /// What an allow-list kept from going out; `None` without an allow-list.
    pub egress_dropped: Option<EgressDropped>,
}
