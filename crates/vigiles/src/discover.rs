//! Which files a command is about.
//!
//! Paths come back sorted, so that the order of results is the same on each machine.

use std::path::{Component, Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use ignore::{DirEntry, WalkBuilder};

/// Folders that hold no source of the project's own.
const SKIPPED_FOLDERS: [&str; 3] = [".git", "node_modules", "dist"];

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Found {
    /// The files, sorted, each once.
    pub files: Vec<PathBuf>,
    /// What could not be looked into, and why: files may be missing from the list.
    pub unreadable: Vec<String>,
}

/// A pattern that is no glob.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DiscoverError {
    /// Not a glob.
    #[error("expected a glob such as `runs/**/*.jsonl`, but {pattern:?} is none: {source}")]
    Glob {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        source: globset::Error,
    },
}

impl DiscoverError {
    /// Stable; meant for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Glob { .. } => "VIGILES_DISCOVER_GLOB",
        }
    }
}

/// The files below `folder` whose name fits one of the globs, as paths that start with `folder`.
///
/// `.git`, `node_modules`, `dist` and what `.gitignore` files name are passed over; other hidden folders, `.claude` for
/// example, are looked into. `folder` itself may be any of them.
pub fn discover(folder: &Path, names: &[&str]) -> Result<Found, DiscoverError> {
    let names = names.iter().map(|name| glob(name)).collect::<Result<Vec<_>, _>>()?;
    let mut walk = WalkBuilder::new(folder);
    // The user's own settings of git are left out: which tests there are must not depend on who runs them.
    walk.hidden(false).ignore(false).git_global(false).require_git(false).filter_entry(|entry| {
        let is_skipped = SKIPPED_FOLDERS.iter().any(|skipped| entry.file_name() == *skipped);
        entry.depth() == 0 || !(is_skipped && entry.file_type().is_some_and(|kind| kind.is_dir()))
    });
    Ok(collect(&walk, |entry| names.iter().any(|name| name.is_match(entry.file_name()))))
}

/// The files that a glob names: `*` and `?` within a name, `**` over folders, `[ab]`, `{a,b}`. Nothing is ignored.
///
/// A relative pattern starts at `base`; the files are then paths relative to it.
pub fn expand_glob(base: &Path, pattern: &str) -> Result<Found, DiscoverError> {
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
    let matcher = glob(pattern)?;
    let root = base.join(literal_prefix(Path::new(pattern)));
    if !root.exists() {
        return Ok(Found::default());
    }
    let mut walk = WalkBuilder::new(&root);
    walk.standard_filters(false);
    let relative = |path: &Path| path.strip_prefix(base).unwrap_or(path).to_owned();
    let mut found = collect(&walk, |entry| {
        let path = entry.path();
        matcher.is_match(if Path::new(pattern).is_absolute() { path.to_owned() } else { relative(path) })
    });
    if !Path::new(pattern).is_absolute() {
        found.files = found.files.iter().map(|path| relative(path)).collect();
    }
    Ok(found)
}

fn glob(pattern: &str) -> Result<GlobMatcher, DiscoverError> {
    let built = GlobBuilder::new(pattern).literal_separator(true).build();
    match built {
        Ok(glob) => Ok(glob.compile_matcher()),
        Err(source) => Err(DiscoverError::Glob { pattern: pattern.to_owned(), source }),
    }
}

/// The folders at the start of a pattern that have no wildcard: only what is below them can match.
fn literal_prefix(pattern: &Path) -> PathBuf {
    let has_wildcard = |part: &Component<'_>| part.as_os_str().to_string_lossy().contains(['*', '?', '[', '{', '\\']);
    let literal: PathBuf = pattern.components().take_while(|part| !has_wildcard(part)).collect();
    if literal == pattern { literal.parent().map(Path::to_owned).unwrap_or_default() } else { literal }
}

fn collect(walk: &WalkBuilder, wanted: impl Fn(&DirEntry) -> bool) -> Found {
    let mut found = Found::default();
    for entry in walk.build() {
        match entry {
            // A link to a file counts as the file; links to folders are not followed, they can run in circles.
            Ok(entry) if wanted(&entry) && entry.path().is_file() => found.files.push(entry.into_path()),
            Ok(_) => {}
            Err(error) => found.unreadable.push(error.to_string()),
        }
    }
    found.files.sort();
    found.files.dedup();
    found
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        dir
    }

    fn relative(root: &Path, found: Found) -> Vec<String> {
        let shown = |path: PathBuf| path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
        found.files.into_iter().map(shown).collect()
    }

    #[test]
    fn scripts_are_found_where_sources_are() {
        let dir = tree(&[
            ("b.harness.mjs", ""),
            ("a/z.harness.ts", ""),
            (".claude/hooks/guard.harness.mjs", ""),
            ("node_modules/x/x.harness.mjs", ""),
            ("a/node_modules/x/x.harness.mjs", ""),
            ("dist/y.harness.mjs", ""),
            (".git/z.harness.mjs", ""),
            ("out/ignored.harness.mjs", ""),
            ("a/harness.mjs", ""),
            ("a/b.harness.json", ""),
            (".gitignore", "out/\n"),
        ]);
        let found = |root: &Path| relative(dir.path(), discover(root, &["*.harness.{mjs,ts}"]).unwrap());
        assert_eq!(found(dir.path()), [".claude/hooks/guard.harness.mjs", "a/z.harness.ts", "b.harness.mjs"]);
        assert_eq!(found(&dir.path().join("dist")), ["dist/y.harness.mjs"]);
    }

    #[test]
    fn globs_ignore_nothing_and_stay_within_names() {
        let dir = tree(&[
            ("runs/a.jsonl", ""),
            ("runs/deep/b.jsonl", ""),
            ("runs/.hidden/c.jsonl", ""),
            ("runs/a.txt", ""),
            (".gitignore", "runs\n"),
        ]);
        let expand = |pattern: &str| relative(dir.path(), expand_glob(dir.path(), pattern).unwrap());
        assert_eq!(expand("runs/*.jsonl"), ["runs/a.jsonl"]);
        assert_eq!(expand("./runs/**/*.jsonl"), ["runs/.hidden/c.jsonl", "runs/a.jsonl", "runs/deep/b.jsonl"]);
        assert_eq!(expand("runs/a.{txt,jsonl}"), ["runs/a.jsonl", "runs/a.txt"]);
        assert_eq!(expand("elsewhere/*.jsonl"), Vec::<String>::new());
        assert_eq!(expand(&format!("{}/runs/*.txt", dir.path().display())), ["runs/a.txt"]);
    }

    #[test]
    fn a_broken_glob_is_an_error() {
        let error = expand_glob(Path::new("/"), "runs/{a").unwrap_err();
        assert_eq!(error.code(), "VIGILES_DISCOVER_GLOB");
        assert!(
            error.to_string().starts_with("expected a glob such as `runs/**/*.jsonl`, but \"runs/{a\" is none: "),
            "{error}"
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_count_as_files_and_are_not_followed_into_folders() {
        let dir = tree(&[("real/a.harness.mjs", "")]);
        std::os::unix::fs::symlink(dir.path().join("real/a.harness.mjs"), dir.path().join("l.harness.mjs")).unwrap();
        std::os::unix::fs::symlink(dir.path(), dir.path().join("real/loop")).unwrap();
        let found = relative(dir.path(), discover(dir.path(), &["*.harness.mjs"]).unwrap());
        assert_eq!(found, ["l.harness.mjs", "real/a.harness.mjs"]);
    }
}
