use std::ffi::OsString;
use std::fmt;
use std::io;
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::Arc;

use super::ConfineLimits;
use crate::process::egress::EgressMode;

/// How a command is confined: see the [module](super). Set with [`Command::confine`](crate::process::Command::confine).
///
/// The command's working directory is [`Command::cwd`](crate::process::Command::cwd), else the work directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confinement {
    /// The work directory; `None` is an empty one that is gone afterwards.
    pub(super) work_dir: Option<PathBuf>,
    pub(super) copied: Vec<Copied>,
    pub(super) hidden: Vec<PathBuf>,
    pub(super) shown: Vec<PathBuf>,
    pub(super) binds: Vec<Bind>,
    pub(super) env: Vec<(OsString, OsString)>,
    pub(super) limits: ConfineLimits,
    pub(super) egress: EgressMode,
    pub(super) listeners: Vec<(u16, Listen)>,
    pub(super) listen_helper: Option<PathBuf>,
}

/// A directory of the caller's that the command gets a copy of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Copied {
    pub(super) path: PathBuf,
    /// Changes are copied back.
    pub(super) back: bool,
}

/// A path of the caller's that the command sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bind {
    pub(super) path: PathBuf,
    pub(super) writable: bool,
}

impl Confinement {
    /// Confined with this work directory: an absolute path of a directory that exists.
    pub fn new(work_dir: impl Into<PathBuf>) -> Self {
        Self::with(Some(work_dir.into()))
    }

    /// Confined with an empty work directory, which is gone afterwards.
    pub fn without_work_dir() -> Self {
        Self::with(None)
    }

    fn with(work_dir: Option<PathBuf>) -> Self {
        Self {
            work_dir,
            copied: Vec::new(),
            hidden: Vec::new(),
            shown: Vec::new(),
            binds: Vec::new(),
            env: Vec::new(),
            limits: ConfineLimits::default(),
            egress: EgressMode::Blocked,
            listeners: Vec::new(),
            listen_helper: None,
        }
    }

    /// Another directory that is copied in, writable, and copied back like the work directory; its changes are not in the
    /// result. Such as a configuration directory that is read after the run.
    #[must_use]
    pub fn copied(mut self, directory: impl Into<PathBuf>) -> Self {
        self.copied.push(Copied { path: directory.into(), back: true });
        self
    }

    /// A directory that is copied in, and whose copy is thrown away: it can be read whoever the command runs as, and what is
    /// written there does no harm. Such as a plugin.
    #[must_use]
    pub fn lent(mut self, directory: impl Into<PathBuf>) -> Self {
        self.copied.push(Copied { path: directory.into(), back: false });
        self
    }

    /// Shows an empty directory in the place of this one. A path that does not exist hides nothing.
    #[must_use]
    pub fn hide(mut self, directory: impl Into<PathBuf>) -> Self {
        self.hidden.push(directory.into());
        self
    }

    /// Shows a file or directory to read, if the command does not see it anyway: read-only, or, where the user as which it runs
    /// may not read the directory, a copy. One that is not there, or that holds what is hidden, is not shown.
    #[must_use]
    pub fn show(mut self, path: impl Into<PathBuf>) -> Self {
        self.shown.push(path.into());
        self
    }

    /// Shows a file or directory read-only at its own path, also inside of a hidden directory.
    ///
    /// Called by root, the command runs as another user: it reads only what everybody may.
    #[must_use]
    pub fn bind_ro(mut self, path: impl Into<PathBuf>) -> Self {
        self.binds.push(Bind { path: path.into(), writable: false });
        self
    }

    /// Shows a file, directory or unix socket writable at its own path: what is written there is written outside, at once, and
    /// no limit holds.
    ///
    /// Called by root, the command runs as another user: it writes, or connects to a socket, only where everybody may (mode
    /// `0666`; the directory around a socket may be closed to others if the socket itself is bound).
    #[must_use]
    pub fn bind(mut self, path: impl Into<PathBuf>) -> Self {
        self.binds.push(Bind { path: path.into(), writable: true });
        self
    }

    /// Adds a variable to the command's own ([`Command::env`](crate::process::Command::env)), and wins over it.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }

    /// Sets what the command may use.
    #[must_use]
    pub fn limits(mut self, limits: ConfineLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets what becomes of connections out. Default: all fail, none is recorded.
    #[must_use]
    pub fn egress(mut self, mode: EgressMode) -> Self {
        self.egress = mode;
        self
    }

    /// Listens on `127.0.0.1:port` of the command's own network before it starts, and gives the socket to `serve`: a server of
    /// the caller's that the confined command can reach. `serve` returns at once (it moves the socket to its thread or
    /// runtime) and gets the socket in blocking mode.
    #[must_use]
    pub fn listen(mut self, port: u16, serve: Listen) -> Self {
        self.listeners.push((port, serve));
        self
    }

    /// The program `vigiles-hook`. [`listen`](Self::listen) and [`EgressMode::Record`] need it unless the caller is root: only a
    /// process of its own can open a socket in another user's network.
    #[must_use]
    pub fn listen_helper(mut self, program: impl Into<PathBuf>) -> Self {
        self.listen_helper = Some(program.into());
        self
    }
}

/// Takes over a socket that listens in a confined command's network.
#[derive(Clone)]
pub struct Listen(Arc<dyn Fn(TcpListener) -> io::Result<()> + Send + Sync>);

impl Listen {
    /// `serve` is called once a run.
    pub fn new(serve: impl Fn(TcpListener) -> io::Result<()> + Send + Sync + 'static) -> Self {
        Self(Arc::new(serve))
    }

    #[cfg(target_os = "linux")]
    pub(super) fn serve(&self, listener: TcpListener) -> io::Result<()> {
        (self.0)(listener)
    }
}

impl fmt::Debug for Listen {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Listen")
    }
}

/// Equal are only copies of the same value: functions cannot be compared.
impl PartialEq for Listen {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Listen {}
