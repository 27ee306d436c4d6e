use std::ffi::{OsString, c_void};
use std::fs::File;
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command as StdCommand, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use command_fds::{CommandFdExt, FdMapping};
use rustix::fs::{Gid, Mode, OFlags, ResolveFlags, Uid, fchown, openat2};
use rustix::ioctl::{Ioctl, IoctlOutput, Opcode, ioctl, opcode};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use super::ConfineError;
use super::argv::{self, HOME, Layout};
use super::descriptors::{argument_file, cover_inherited, memory_file};
use super::layout::Plan;
use super::tools::Tools;
use crate::process::egress::Network;
use crate::process::files::open_directory;
use crate::process::readable::wait_readable;

/// How long bubblewrap may take to make its namespaces.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long the kernel may take to end the processes of a namespace.
const END_PATIENCE: Duration = Duration::from_secs(10);

/// Bubblewrap itself counts as a process of the user: where it makes the user namespace, the one that waits there for the command.
const OWN_PROCESSES: u32 = 1;

const OUTER_ARGUMENTS: i32 = 3;
const INFO: i32 = 4;
const INNER_ARGUMENTS: i32 = 5;
const STATUS: i32 = 6;
const GO: i32 = 7;
const HOSTS: i32 = 8;

/// What the command reads and writes.
pub(super) struct Streams {
    pub(super) stdin: Stdio,
    pub(super) stdout: Stdio,
    /// What the command finds in `/etc/hosts`, if that is not the caller's.
    pub(super) hosts: Option<String>,
}

/// A sandbox in which nothing runs yet but what waits for [`go`](Self::go). Dropped before that, it ends.
pub(super) struct Sandbox {
    child: Option<Child>,
    status: PipeReader,
    go: PipeWriter,
    /// The sandbox's root directory.
    root: OwnedFd,
    /// The first process of its namespace, as the caller numbers it.
    pub(super) init: Pid,
    init_watch: OwnedFd,
    /// The user as which the command runs, where that is not the caller.
    pub(super) user: Option<u32>,
}

impl Sandbox {
    pub(super) fn start(tools: &Tools, plan: &Plan, argv: &[OsString], streams: Streams) -> Result<Self, ConfineError> {
        let Plan { layout, environment, .. } = plan;
        let user = tools.setpriv.as_ref().map(|_| unused_user());
        let (info, info_end) = pipe()?;
        let (status, status_end) = pipe()?;
        let (go_end, go) = pipe()?;

        let mut outer = argv::namespaces_and_mounts(layout, user.is_none());
        let mut inner = argv::user_namespace(layout);
        let hosts =
            streams.hosts.map(|text| memory_file(text.as_bytes())).transpose().map_err(setup("write its hosts"))?;
        if hosts.is_some() {
            outer.extend(["--perms", "0444", "--ro-bind-data", &HOSTS.to_string(), "/etc/hosts"].map(OsString::from));
        }
        let with_environment = if user.is_none() { &mut outer } else { &mut inner };
        with_environment.extend(argv::environment(environment));

        let fd_mapping = |parent_fd, child_fd| FdMapping { parent_fd, child_fd };
        let mut mappings = vec![
            fd_mapping(argument_file(&outer).map_err(setup("pass arguments"))?, OUTER_ARGUMENTS),
            fd_mapping(argument_file(&inner).map_err(setup("pass arguments"))?, INNER_ARGUMENTS),
            fd_mapping(info_end.into(), INFO),
            fd_mapping(status_end.into(), STATUS),
            fd_mapping(go_end.into(), GO),
        ];
        mappings.extend(hosts.map(|hosts| fd_mapping(hosts, HOSTS)));
        cover_inherited(&mut mappings).map_err(setup("look for open files"))?;

        let mut command = StdCommand::new(&tools.bwrap);
        command
            .args(["--args", &OUTER_ARGUMENTS.to_string(), "--info-fd", &INFO.to_string(), "--"])
            .args(inner_command(tools, layout, user))
            .args(["/bin/sh", "-c", argv::START, "sh"])
            .arg(&layout.cwd)
            .args(argv)
            .env_clear()
            .current_dir("/")
            .process_group(0)
            .stdin(streams.stdin)
            .stdout(streams.stdout)
            .stderr(Stdio::piped());
        command.fd_mappings(mappings).map_err(|error| setup("pass open files")(io::Error::other(error)))?;
        let child = command.spawn().map_err(setup("start bubblewrap"))?;
        // With it go this process's ends of the pipes that only the child may hold.
        drop(command);

        let mut waiting = Waiting { child: Some(child), deadline: Instant::now() + PATIENCE };
        let init = waiting.read_info(info)?;
        waiting.read_ready(&status)?;
        let root = format!("/proc/{}/root", init.as_raw_pid());
        let root = open_directory(Path::new(&root)).map_err(setup("open the sandbox's root"))?;
        let init_watch =
            pidfd_open(init, PidfdFlags::empty()).map_err(|errno| setup("watch the sandbox")(errno.into()))?;
        Ok(Self { child: waiting.child.take(), status, go, root, init, init_watch, user })
    }

    /// Opens a directory in the sandbox. It stays open, and what is in it stays there, when the sandbox is gone.
    pub(super) fn open(&self, path: &Path) -> Result<OwnedFd, ConfineError> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        openat2(&self.root, path, flags, Mode::empty(), ResolveFlags::IN_ROOT)
            .map_err(|errno| setup("open a directory of the sandbox")(errno.into()))
    }

    /// Makes the home the command's own, where bubblewrap made it as somebody else.
    pub(super) fn give_home(&self) -> Result<(), ConfineError> {
        let Some(user) = self.user else { return Ok(()) };
        let given = fchown(self.open(Path::new(HOME))?, Some(Uid::from_raw(user)), Some(Gid::from_raw(user)));
        given.map_err(|errno| setup("give the home to the command")(errno.into()))
    }

    /// Its network.
    pub(super) fn network(&self) -> Result<Network, ConfineError> {
        let net = self.namespace("net")?;
        let user = self.user.is_none().then(|| owning_user_namespace(net.as_fd())).transpose();
        Ok(Network { user: user.map_err(setup("find the owner of its network"))?, net })
    }

    fn namespace(&self, name: &str) -> Result<OwnedFd, ConfineError> {
        let path = format!("/proc/{}/ns/{name}", self.init.as_raw_pid());
        File::open(path).map(Into::into).map_err(setup("open a namespace of the sandbox"))
    }

    /// Starts the command. The rest tells its end.
    pub(super) fn go(mut self) -> Result<(Child, Ending), ConfineError> {
        self.go.write_all(b"go\n").map_err(setup("start the command"))?;
        let child = self.child.take().ok_or_else(|| setup("start the command")(io::ErrorKind::NotFound.into()))?;
        let status = self.status.try_clone().map_err(setup("watch the command"))?;
        let init_watch = self.init_watch.try_clone().map_err(setup("watch the command"))?;
        Ok((child, Ending { status, init_watch }))
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        end(self.child.take());
    }
}

/// Whether the command's program ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Launched {
    Yes,
    NoDirectory,
    NoProgram,
}

/// What tells that a sandbox has ended.
pub(super) struct Ending {
    status: PipeReader,
    init_watch: OwnedFd,
}

impl Ending {
    /// Waits until no process of the sandbox is left.
    pub(super) fn wait(mut self) -> io::Result<Launched> {
        // The first process of a namespace is gone only when all others are.
        let deadline = Instant::now() + END_PATIENCE;
        if !wait_readable(&self.init_watch, deadline)? {
            return Err(io::ErrorKind::TimedOut.into());
        }
        let mut said = Vec::new();
        self.status.read_to_end(&mut said)?;
        Ok(match said.first() {
            Some(b'd') => Launched::NoDirectory,
            Some(b'm') => Launched::NoProgram,
            _ => Launched::Yes,
        })
    }
}

/// What stands between bubblewrap and the shell that starts the command.
fn inner_command(tools: &Tools, layout: &Layout, user: Option<u32>) -> Vec<OsString> {
    let mut command: Vec<OsString> = Vec::new();
    if let (Some(setpriv), Some(user)) = (&tools.setpriv, user) {
        let user = user.to_string();
        command.push(setpriv.into());
        command.extend(["--reuid", &user, "--regid", &user, "--clear-groups", "--no-new-privs"].map(OsString::from));
        command.extend(["--inh-caps=-all", "--ambient-caps=-all", "--"].map(OsString::from));
    }
    command.push(tools.prlimit.clone().into());
    command.extend(argv::resource_limits(layout.limits, OWN_PROCESSES));
    command.push("--".into());
    if user.is_some() {
        command.push(tools.bwrap.clone().into());
        command.extend(["--args".into(), INNER_ARGUMENTS.to_string().into(), "--".into()]);
    }
    command
}

/// Another user for every run: limits of processes are counted by user. Above all that systems give to people, services
/// and containers, and never -1.
fn unused_user() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let process = std::process::id() & 0x3f_ffff;
    0x6000_0000 | process << 7 | NEXT.fetch_add(1, Ordering::Relaxed) & 0x7f
}

/// A child that has not said yet that it is ready.
struct Waiting {
    child: Option<Child>,
    deadline: Instant,
}

impl Waiting {
    fn read_info(&mut self, mut info: PipeReader) -> Result<Pid, ConfineError> {
        let mut text = Vec::new();
        while !text.contains(&b'}') {
            if !self.read(&mut info, &mut text)? {
                break;
            }
        }
        child_pid(&text).ok_or_else(|| self.failure())
    }

    fn read_ready(&mut self, mut status: &PipeReader) -> Result<(), ConfineError> {
        let mut said = Vec::new();
        self.read(&mut status, &mut said)?;
        if said == b"r" { Ok(()) } else { Err(self.failure()) }
    }

    /// False at the end of the stream, or when the time is up.
    fn read(&self, pipe: &mut (impl Read + AsFd), text: &mut Vec<u8>) -> Result<bool, ConfineError> {
        let mut chunk = [0; 512];
        let reading = setup("wait for bubblewrap");
        if !wait_readable(&*pipe, self.deadline).map_err(&reading)? {
            return Ok(false);
        }
        let count = pipe.read(&mut chunk).map_err(&reading)?;
        text.extend_from_slice(&chunk[..count]);
        Ok(count > 0)
    }

    fn failure(&mut self) -> ConfineError {
        let stderr = self.child.as_mut().and_then(|child| child.stderr.take());
        let is_late = self.deadline <= Instant::now();
        end(self.child.take());
        let mut said = Vec::new();
        // Everybody who held the other end is gone.
        let _ = stderr.map(|stderr| stderr.take(64 * 1024).read_to_end(&mut said));
        let said = String::from_utf8_lossy(&said).trim().to_owned();
        let said = match (said.is_empty(), is_late) {
            (false, _) => said,
            (true, true) => format!("it was not ready after {} s", PATIENCE.as_secs()),
            (true, false) => "it said nothing".to_owned(),
        };
        ConfineError::Start { said }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        end(self.child.take());
    }
}

/// Everything in the sandbox dies with bubblewrap.
fn end(child: Option<Child>) {
    if let Some(mut child) = child {
        // Both fail only if it has ended already.
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// The number after `"child-pid":`.
fn child_pid(info: &[u8]) -> Option<Pid> {
    let info: serde_json::Value = serde_json::from_slice(info).ok()?;
    Pid::from_raw(info.get("child-pid")?.as_i64()?.try_into().ok()?)
}

/// The user namespace in which a namespace was made. The command's own is one further down.
#[expect(unsafe_code, reason = "no crate has a safe call of NS_GET_USERNS")]
fn owning_user_namespace(namespace: BorrowedFd<'_>) -> io::Result<OwnedFd> {
    struct GetUserNamespace;

    // SAFETY: `NS_GET_USERNS` (linux/nsfs.h) takes no argument and returns a new file descriptor, which nobody else owns.
    unsafe impl Ioctl for GetUserNamespace {
        type Output = OwnedFd;

        const IS_MUTATING: bool = false;

        fn opcode(&self) -> Opcode {
            opcode::none(0xb7, 0x1)
        }

        fn as_ptr(&mut self) -> *mut c_void {
            std::ptr::null_mut()
        }

        unsafe fn output_from_ptr(output: IoctlOutput, _argument: *mut c_void) -> rustix::io::Result<OwnedFd> {
            // SAFETY: the call succeeded, so this is the new descriptor.
            Ok(unsafe { OwnedFd::from_raw_fd(output) })
        }
    }

    // SAFETY: the descriptor is one of a namespace, and on any other the call fails.
    Ok(unsafe { ioctl(namespace, GetUserNamespace) }?)
}

fn pipe() -> Result<(PipeReader, PipeWriter), ConfineError> {
    io::pipe().map_err(setup("make a pipe"))
}

pub(super) fn setup(doing: &'static str) -> impl Fn(io::Error) -> ConfineError {
    move |source| ConfineError::Setup { doing, source }
}
