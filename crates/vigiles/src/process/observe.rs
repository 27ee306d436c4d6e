use std::io;
use std::os::fd::OwnedFd;
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, retry_on_intr};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, WaitStatus, kill_process_group, waitid, waitpid,
};

use super::capture::Recorder;
use super::launch::{PendingStdin, Started};
use super::{Output, ProcessError};

/// How long streams are still read after a timeout's kill if a process outside the group holds them.
pub const KILL_GRACE: Duration = Duration::from_millis(50);

/// How long streams are still read after the command's own exit if something it started holds them. Enough for the last
/// lines of a `> >(tee log)`.
pub const EXIT_GRACE: Duration = Duration::from_millis(100);

/// How long a killed command may take to die. One that runs as another user never does.
const KILL_PATIENCE: Duration = Duration::from_secs(2);

/// The largest pipe an unprivileged process can make on Linux, so the most that can still wait in one.
const MAX_PIPE_BYTES: usize = 1 << 20;

const CHUNK_BYTES: usize = 64 * 1024;

pub(super) struct Limits {
    pub(super) start: Instant,
    pub(super) deadline: Option<Instant>,
    pub(super) max_output_bytes: u64,
}

pub(super) fn observe(started: Started, stdin: &[u8], limits: &Limits) -> Result<Output, ProcessError> {
    let Started { mut child, stdin: pending } = started;
    let stdout = child.stdout.take().map(OwnedFd::from);
    let stderr = child.stderr.take().map(OwnedFd::from);
    let group = Group { leader: Pid::from_child(&child), reaped: false };
    let exit = ExitWatch::new(group.leader);
    observe_group(
        group,
        exit,
        Streams {
            stdin: pending,
            input: stdin,
            stdout: Stream::new("read stdout", stdout, limits.max_output_bytes)?,
            stderr: Stream::new("read stderr", stderr, limits.max_output_bytes)?,
        },
        limits,
    )
}

fn observe_group(
    group: Group,
    mut exit: ExitWatch,
    mut streams: Streams<'_>,
    limits: &Limits,
) -> Result<Output, ProcessError> {
    let mut chunk = vec![0; CHUNK_BYTES];
    let mut exited: Option<Instant> = None;
    let mut killed: Option<Instant> = None;
    loop {
        let now = Instant::now();
        let reading_ends = match (killed, exited) {
            (Some(killed), _) => Some(killed + KILL_GRACE),
            (None, Some(exited)) => Some(exited + EXIT_GRACE),
            (None, None) => None,
        };
        let wake = if exited.is_some() {
            if !streams.is_reading() || reading_ends.is_some_and(|end| end <= now) {
                break;
            }
            reading_ends
        } else if let Some(killed) = killed {
            let patience_ends = killed + KILL_PATIENCE;
            if patience_ends <= now {
                break;
            }
            Some(patience_ends)
        } else if limits.deadline.is_some_and(|deadline| deadline <= now) {
            group.kill();
            killed = Some(now);
            streams.stdin = None;
            continue;
        } else {
            limits.deadline
        };

        let exit_seen = wait_for_event(&streams, exited.is_none().then_some(&exit), wake.map(|at| at - now))?;
        if streams.pump(&mut chunk)? {
            exit.expect_soon();
        }
        if exited.is_none() && exit.has_exited(&group, exit_seen)? {
            exited = Some(Instant::now());
            streams.stdin = None;
        }
    }

    // What the command wrote before its exit is still in the pipes if this thread got no time to read it.
    streams.drain(&mut chunk)?;
    let ended = killed.or(exited).unwrap_or_else(Instant::now);
    // After the reading: a kill would take the holder of an open stream away before it is reported.
    let status = if exited.is_some() { group.kill_and_reap()? } else { None };
    Ok(Output {
        launched: true,
        exit_code: status.and_then(WaitStatus::exit_status),
        signal: status.and_then(WaitStatus::terminating_signal),
        timed_out: killed.is_some(),
        streams_left_open: streams.is_reading(),
        stdout: streams.stdout.recorder.finish(),
        stderr: streams.stderr.recorder.finish(),
        duration: ended - limits.start,
        confined: None,
    })
}

/// Waits until a stream or the exit has news, or `timeout` has passed. True if it may be the exit.
fn wait_for_event(
    streams: &Streams<'_>,
    exit: Option<&ExitWatch>,
    timeout: Option<Duration>,
) -> Result<bool, ProcessError> {
    let interval = exit.and_then(ExitWatch::poll_interval);
    let timeout = match (timeout, interval) {
        (Some(timeout), Some(interval)) => Some(timeout.min(interval)),
        (timeout, interval) => timeout.or(interval),
    };
    // A wait too long for the system's clock is a wait without end.
    let timeout = timeout.and_then(|timeout| Timespec::try_from(timeout).ok());

    let exit_fd = exit.and_then(|exit| exit.fd.as_ref());
    let mut fds = Vec::with_capacity(4);
    fds.extend(exit_fd.map(|fd| PollFd::new(fd, PollFlags::IN)));
    fds.extend(streams.stdin.as_ref().map(|stdin| PollFd::new(stdin.writer(), PollFlags::OUT)));
    fds.extend(streams.stdout.fd.as_ref().map(|fd| PollFd::new(fd, PollFlags::IN)));
    fds.extend(streams.stderr.fd.as_ref().map(|fd| PollFd::new(fd, PollFlags::IN)));
    match poll(&mut fds, timeout.as_ref()) {
        Ok(_) => Ok(match exit_fd {
            Some(_) => !fds[0].revents().is_empty(),
            None => exit.is_some(),
        }),
        Err(Errno::INTR) => Ok(false),
        Err(errno) => Err(observe_error("wait for output", errno)),
    }
}

struct Streams<'a> {
    stdin: Option<PendingStdin>,
    input: &'a [u8],
    stdout: Stream,
    stderr: Stream,
}

impl Streams<'_> {
    fn is_reading(&self) -> bool {
        self.stdout.fd.is_some() || self.stderr.fd.is_some()
    }

    /// Moves what can be moved without waiting, at most one chunk a stream, so that the time is looked at in between.
    /// True if the last output stream has just ended.
    fn pump(&mut self, chunk: &mut [u8]) -> Result<bool, ProcessError> {
        if let Some(stdin) = &mut self.stdin {
            let done =
                stdin.write(self.input).map_err(|source| ProcessError::Observe { doing: "write stdin", source })?;
            if done {
                self.stdin = None;
            }
        }
        let was_reading = self.is_reading();
        self.stdout.read(chunk)?;
        self.stderr.read(chunk)?;
        Ok(was_reading && !self.is_reading())
    }

    /// Reads what waits in the pipes, but does not follow a process that keeps on filling them.
    fn drain(&mut self, chunk: &mut [u8]) -> Result<(), ProcessError> {
        for stream in [&mut self.stdout, &mut self.stderr] {
            let mut drained = 0;
            while drained < MAX_PIPE_BYTES {
                match stream.read(chunk)? {
                    0 => break,
                    count => drained += count,
                }
            }
        }
        Ok(())
    }
}

struct Stream {
    doing: &'static str,
    /// `None` after the end of the stream.
    fd: Option<OwnedFd>,
    recorder: Recorder,
}

impl Stream {
    fn new(doing: &'static str, fd: Option<OwnedFd>, limit: u64) -> Result<Self, ProcessError> {
        if let Some(fd) = &fd {
            rustix::io::ioctl_fionbio(fd, true).map_err(|errno| observe_error(doing, errno))?;
        }
        Ok(Self { doing, fd, recorder: Recorder::new(limit) })
    }

    /// Reads one chunk if one waits; 0 if none does or the stream has ended.
    fn read(&mut self, chunk: &mut [u8]) -> Result<usize, ProcessError> {
        let Some(fd) = &self.fd else { return Ok(0) };
        match rustix::io::read(fd, &mut *chunk) {
            Ok(0) => self.fd = None,
            Ok(count) => {
                self.recorder.push(&chunk[..count]);
                return Ok(count);
            }
            Err(Errno::AGAIN | Errno::INTR) => {}
            Err(errno) => return Err(observe_error(self.doing, errno)),
        }
        Ok(0)
    }
}

/// Tells when the command itself has exited, which its streams do not: others may hold them, or it may close them early.
struct ExitWatch {
    /// A pidfd, readable after the exit. `None` where the system has none: then the exit is asked for at intervals.
    fd: Option<OwnedFd>,
    interval: Duration,
}

impl ExitWatch {
    const MIN_INTERVAL: Duration = Duration::from_micros(500);
    const MAX_INTERVAL: Duration = Duration::from_millis(10);

    #[cfg(target_os = "linux")]
    fn new(pid: Pid) -> Self {
        let fd = rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()).ok();
        Self { fd, interval: Self::MIN_INTERVAL }
    }

    #[cfg(not(target_os = "linux"))]
    fn new(_pid: Pid) -> Self {
        Self { fd: None, interval: Self::MIN_INTERVAL }
    }

    fn poll_interval(&self) -> Option<Duration> {
        self.fd.is_none().then_some(self.interval)
    }

    /// Commands mostly close their streams by exiting.
    fn expect_soon(&mut self) {
        self.interval = Self::MIN_INTERVAL;
    }

    fn has_exited(&mut self, group: &Group, seen: bool) -> Result<bool, ProcessError> {
        if self.fd.is_some() || !seen {
            return Ok(seen);
        }
        self.interval = (self.interval * 2).min(Self::MAX_INTERVAL);
        group.leader_has_exited()
    }
}

/// The command and all it started that stayed in its process group. Killed when dropped.
struct Group {
    leader: Pid,
    /// Until then the system gives the group's number to nobody else, so a kill hits only its own.
    reaped: bool,
}

impl Group {
    fn kill(&self) {
        // Fails if nothing is left to kill, or if nothing may be killed: then `KILL_PATIENCE` ends the wait.
        let _ = kill_process_group(self.leader, Signal::KILL);
    }

    fn leader_has_exited(&self) -> Result<bool, ProcessError> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        retry_on_intr(|| waitid(WaitId::Pid(self.leader), options))
            .map(|status| status.is_some())
            .map_err(|errno| observe_error("wait for the command", errno))
    }

    /// Ends what is left of the group of a leader that has exited, and takes the leader's status.
    fn kill_and_reap(mut self) -> Result<Option<WaitStatus>, ProcessError> {
        self.kill();
        self.reaped = true;
        retry_on_intr(|| waitpid(Some(self.leader), WaitOptions::empty()))
            .map(|found| found.map(|(_, status)| status))
            .map_err(|errno| observe_error("wait for the command", errno))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if self.reaped {
            return;
        }
        self.kill();
        // A process that cannot be killed would block this thread until it ends by itself.
        let leader = self.leader;
        let _ = thread::Builder::new()
            .name("vigiles-reaper".to_owned())
            .spawn(move || retry_on_intr(|| waitpid(Some(leader), WaitOptions::empty())));
    }
}

fn observe_error(doing: &'static str, errno: Errno) -> ProcessError {
    ProcessError::Observe { doing, source: io::Error::from(errno) }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command, Stdio};

    use super::*;

    fn sh(script: &str, make_group: bool) -> Child {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if make_group {
            command.process_group(0);
        }
        command.spawn().unwrap()
    }

    fn observe_child(mut child: Child, exit: impl FnOnce(Pid) -> ExitWatch, timeout: Duration) -> Output {
        let start = Instant::now();
        let stream = |fd| Stream::new("read", fd, 1000).unwrap();
        let streams = Streams {
            stdin: None,
            input: &[],
            stdout: stream(child.stdout.take().map(OwnedFd::from)),
            stderr: stream(child.stderr.take().map(OwnedFd::from)),
        };
        let leader = Pid::from_child(&child);
        let limits = Limits { start, deadline: Some(start + timeout), max_output_bytes: 1000 };
        observe_group(Group { leader, reaped: false }, exit(leader), streams, &limits).unwrap()
    }

    /// What a platform without pidfds does, on every platform.
    fn observe_by_interval(script: &str, timeout: Duration) -> Output {
        let by_interval = |_| ExitWatch { fd: None, interval: ExitWatch::MIN_INTERVAL };
        observe_child(sh(script, true), by_interval, timeout)
    }

    #[test]
    fn without_a_pidfd_the_exit_is_found_by_asking() {
        let output = observe_by_interval("echo out; echo err >&2; exit 3", Duration::from_secs(60));
        assert_eq!((output.exit_code, output.signal, output.timed_out), (Some(3), None, false));
        assert_eq!((output.stdout.text_lossy(), output.stderr.text_lossy()), ("out\n".into(), "err\n".into()));
    }

    #[test]
    fn without_a_pidfd_closed_streams_are_not_taken_for_an_exit() {
        let output = observe_by_interval("exec >&- 2>&-; sleep 0.2; exit 4", Duration::from_secs(60));
        assert_eq!(output.exit_code, Some(4));
        assert!(output.duration >= Duration::from_millis(200), "{output:?}");
    }

    #[test]
    fn without_a_pidfd_an_open_stream_does_not_hide_the_exit() {
        let output = observe_by_interval("sleep 100 & exit 5", Duration::from_secs(60));
        assert_eq!((output.exit_code, output.streams_left_open, output.timed_out), (Some(5), true, false));
    }

    #[test]
    fn without_a_pidfd_the_timeout_kills() {
        let output = observe_by_interval("sleep 100", Duration::from_millis(100));
        assert_eq!((output.exit_code, output.signal, output.timed_out), (None, Some(9), true));
    }

    #[test]
    fn a_command_that_cannot_be_killed_is_given_up() {
        // A leader outside its supposed group: the kill finds nobody, as if it were not allowed.
        let child = sh("exec sleep 100", false);
        let leader = Pid::from_child(&child);
        let output = observe_child(child, ExitWatch::new, Duration::ZERO);
        assert_eq!((output.exit_code, output.signal, output.timed_out), (None, None, true));
        rustix::process::kill_process(leader, Signal::KILL).unwrap();
    }

    #[test]
    fn draining_takes_what_waits_and_tells_an_open_stream_from_an_ended_one() {
        let (reader, mut writer) = io::pipe().unwrap();
        io::Write::write_all(&mut writer, &[b'x'; 3000]).unwrap();
        let mut streams = Streams {
            stdin: None,
            input: &[],
            stdout: Stream::new("read", Some(reader.into()), 10_000).unwrap(),
            stderr: Stream::new("read", None, 10_000).unwrap(),
        };
        let mut chunk = [0; 100];
        streams.drain(&mut chunk).unwrap();
        assert!(streams.is_reading());
        drop(writer);
        streams.drain(&mut chunk).unwrap();
        assert!(!streams.is_reading());
        assert_eq!(streams.stdout.recorder.finish().len(), 3000);
    }
}
