//! The directories of one run.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::HarnessError;

/// The directories of one run, below one root of their own:
///
/// | directory | what it is |
/// |---|---|
/// | `work` | the CLI's working directory |
/// | `home` | `HOME`; the CLI's own configuration lies in it |
/// | `tmp` | `TMPDIR`. Beside the home, not above it: Codex refuses a home below the directory for temporary files |
/// | `io` | stdout of the CLI, generated settings, the model's socket |
#[derive(Debug)]
pub struct Place {
    root: PathBuf,
    keep: bool,
}

impl Place {
    /// Makes the directories below `temp_dir`.
    pub fn new(temp_dir: &Path) -> Result<Self, HarnessError> {
        let made = tempfile::Builder::new().prefix("vigiles-").tempdir_in(temp_dir);
        let dir = made.map_err(|source| HarnessError::io("make a directory in", temp_dir, source))?;
        // The CLIs report real paths: a work dir behind a symbolic link would have two names.
        let root = dir.path().canonicalize().map_err(|source| HarnessError::io("resolve", dir.path(), source))?;
        let place = Self { root, keep: false };
        let _ = dir.keep();
        for dir in [place.work(), place.home(), place.tmp(), place.io()] {
            fs::create_dir(&dir).map_err(|source| HarnessError::io("make", &dir, source))?;
        }
        Ok(place)
    }

    /// The directory that holds the others.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The CLI's working directory.
    pub fn work(&self) -> PathBuf {
        self.root.join("work")
    }

    /// `HOME`.
    pub fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    /// `TMPDIR`.
    pub fn tmp(&self) -> PathBuf {
        self.root.join("tmp")
    }

    /// What passes between the run and us.
    pub fn io(&self) -> PathBuf {
        self.root.join("io")
    }

    /// The stream of the CLI, that of all launches one after the other.
    pub fn stdout(&self) -> PathBuf {
        self.io().join("stdout.jsonl")
    }

    /// The stream of one launch of several.
    pub fn stdout_of(&self, launch: usize) -> PathBuf {
        self.io().join(format!("stdout-{launch}.jsonl"))
    }

    /// Leaves the directories when it is dropped.
    pub fn keep(&mut self) {
        self.keep = true;
    }

    /// Removes the directories.
    pub fn remove(&self) -> io::Result<()> {
        match fs::remove_dir_all(&self.root) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            result => result,
        }
    }

    /// Writes files below a directory. The paths were checked to stay inside.
    pub(super) fn write_files(dir: &Path, files: &BTreeMap<String, String>) -> Result<(), HarnessError> {
        files.iter().try_for_each(|(path, text)| Self::write(&dir.join(path), text.as_bytes()))
    }

    /// Copies a repository's files. What only its tools need (`.git`, `node_modules`) stays behind.
    pub(super) fn copy_tree(from: &Path, to: &Path) -> Result<(), HarnessError> {
        let failed = |source| HarnessError::io("read", from, source);
        fs::create_dir_all(to).map_err(|source| HarnessError::io("make", to, source))?;
        for entry in fs::read_dir(from).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let (path, target) = (entry.path(), to.join(entry.file_name()));
            if matches!(entry.file_name().to_str(), Some(".git" | "node_modules")) {
                continue;
            }
            // Through links: the copy must not lead back into the original.
            let Ok(metadata) = fs::metadata(&path) else { continue };
            if metadata.is_dir() {
                Self::copy_tree(&path, &target)?;
            } else if metadata.is_file() {
                fs::copy(&path, &target).map_err(|source| HarnessError::io("copy", &path, source))?;
            }
        }
        Ok(())
    }

    /// Writes one file and the directories above it. A script, told by its first line, is made executable.
    pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), HarnessError> {
        use std::os::unix::fs::PermissionsExt;

        let failed = |source| HarnessError::io("write", path, source);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(failed)?;
        }
        fs::write(path, bytes).map_err(failed)?;
        if bytes.starts_with(b"#!") {
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).map_err(failed)?;
        }
        Ok(())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if !self.keep {
            // What another process still writes into is left to the system's own cleaning.
            let _ = self.remove();
        }
    }
}
