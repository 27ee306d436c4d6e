use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;
use vigiles::process::confine::{ConfinedRun, Confinement, confinement_available};
use vigiles::process::{Command, Output};

/// Leaves the test where commands cannot be confined, and says so past the capture of the test runner. Where bubblewrap is
/// installed it must work: there the test fails.
macro_rules! needs_confinement {
    () => {
        if let Err(error) = vigiles::process::confine::confinement_available() {
            crate::support::skip(&error.to_string(), "bwrap");
            return;
        }
    };
}
pub(crate) use needs_confinement;

pub(crate) fn skip(reason: &str, program: &str) {
    let is_installed =
        ["/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin"].iter().any(|dir| Path::new(dir).join(program).exists());
    assert!(!is_installed, "{program} is installed, so this test must run: {reason}");
    let line = format!("SKIPPED {}: {reason}\n", std::thread::current().name().unwrap_or_default());
    // `eprintln!` would be captured.
    std::io::stderr().write_all(line.as_bytes()).unwrap();
}

/// Directories of a caller.
pub(crate) struct Caller {
    /// Where the command works.
    pub(crate) work: TempDir,
    /// Somewhere else, not hidden: it is below the target directory.
    pub(crate) elsewhere: TempDir,
}

impl Caller {
    pub(crate) fn new() -> Self {
        let elsewhere = tempfile::tempdir_in(elsewhere()).unwrap();
        // What holds the command back must be its confinement.
        fs::set_permissions(elsewhere.path(), fs::Permissions::from_mode(0o777)).unwrap();
        Self { work: tempfile::tempdir().unwrap(), elsewhere }
    }

    pub(crate) fn confinement(&self) -> Confinement {
        Confinement::new(self.work.path())
    }

    pub(crate) fn run(&self, script: &str) -> Output {
        run(self.confinement(), script)
    }

    pub(crate) fn write(&self, name: &str, content: &str) -> PathBuf {
        write(self.work.path(), name, content)
    }

    pub(crate) fn write_elsewhere(&self, name: &str, content: &str) -> PathBuf {
        write(self.elsewhere.path(), name, content)
    }

    /// What is in the work directory's file.
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.work.path().join(name)).unwrap()
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.work.path().join(name).symlink_metadata().is_ok()
    }
}

/// Where directories are neither hidden from a confined command nor closed to it.
pub(crate) fn elsewhere() -> PathBuf {
    std::env::var_os("VIGILES_TEST_ELSEWHERE").map_or_else(|| env!("CARGO_TARGET_TMPDIR").into(), PathBuf::from)
}

/// The program `vigiles-hook`, where the workspace is built.
pub(crate) fn helper() -> Option<PathBuf> {
    let beside = || Some(std::env::current_exe().ok()?.parent()?.parent()?.join("vigiles-hook"));
    std::env::var_os("VIGILES_TEST_HELPER").map(PathBuf::from).or_else(beside).filter(|path| path.exists())
}

fn write(directory: &Path, name: &str, content: &str) -> PathBuf {
    let path = directory.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, content).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).unwrap();
    path
}

pub(crate) fn command(script: &str) -> Command {
    Command::shell(script).timeout(Duration::from_secs(60))
}

pub(crate) fn run(confinement: Confinement, script: &str) -> Output {
    assert!(confinement_available().is_ok());
    command(script).confine(confinement).run().unwrap()
}

/// The same script as the caller: what a confined run must not get done has to work here.
pub(crate) fn unconfined(script: &str) -> Output {
    command(script).env("PATH", "/usr/local/bin:/usr/bin:/bin").run().unwrap()
}

pub(crate) fn confined(output: &Output) -> &ConfinedRun {
    output.confined.as_ref().unwrap()
}

pub(crate) fn stdout(output: &Output) -> String {
    output.stdout.text_lossy().into_owned()
}

pub(crate) fn stderr(output: &Output) -> String {
    output.stderr.text_lossy().into_owned()
}

/// How many processes of this machine have `word` among their arguments.
pub(crate) fn processes_with(word: &str) -> usize {
    found(word).len()
}

/// Ends the processes that have `word` among their arguments: what a test started outside of a sandbox.
pub(crate) fn end_processes_with(word: &str) {
    for pid in found(word) {
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    }
}

fn found(word: &str) -> Vec<rustix::process::Pid> {
    let one = |entry: fs::DirEntry| {
        let arguments = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let is_one = arguments.split(|byte| *byte == 0).any(|argument| argument == word.as_bytes());
        let pid = entry.file_name().to_str()?.parse().ok()?;
        rustix::process::Pid::from_raw(pid).filter(|_| is_one)
    };
    fs::read_dir("/proc").unwrap().filter_map(Result::ok).filter_map(one).collect()
}
