//! The files of a session: its own, and one for each subagent beside it.

use std::path::{Path, PathBuf};

/// `<session id>/subagents/agent-*.jsonl` beside `<session id>.jsonl`, in the order of their names.
pub(crate) fn subagent_files(session: &Path) -> Vec<PathBuf> {
    let folder = session.with_extension("").join("subagents");
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let is_transcript = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with("agent-") && Path::new(name).extension().is_some_and(|extension| extension == "jsonl")
    };
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_transcript).collect();
    files.sort();
    files
}
