//! A proxy that writes down where a confined command wants to go, and lets nothing through.

use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::EgressAttempt;
use super::request::destination;

/// Where the proxy listens in the command's network.
pub(in crate::process) const PROXY_PORT: u16 = 3128;

/// A head longer than this is no request of a client.
const MAX_HEAD_BYTES: usize = 16 * 1024;

/// How long a connection may take to say what it wants.
const PATIENCE: Duration = Duration::from_secs(5);

/// Connections that are read at the same time; more wait.
const MAX_CONNECTIONS: usize = 64;

/// What is kept: a command that tries without end must not fill the caller's memory.
const MAX_ATTEMPTS: usize = 10_000;

const ANSWER: &[u8] =
    b"HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nContent-Length: 46\r\nConnection: close\r\n\r\n\
vigiles: recorded and blocked (confined run).\n";

/// The variables by which programs find the proxy. The command's own loopback needs none.
pub(in crate::process) fn proxy_variables() -> Vec<(&'static str, String)> {
    let proxy = format!("http://127.0.0.1:{PROXY_PORT}");
    let mut variables: Vec<_> =
        ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"].map(|name| (name, proxy.clone())).into();
    variables.extend(["NO_PROXY", "no_proxy"].map(|name| (name, "localhost,127.0.0.1,::1".to_owned())));
    // Node does not look at the others without it.
    variables.push(("NODE_USE_ENV_PROXY", "1".to_owned()));
    variables
}

/// The running proxy.
pub(in crate::process) struct Recorder {
    /// Closed, it ends the thread.
    stop: PipeWriter,
    thread: JoinHandle<Vec<EgressAttempt>>,
}

impl Recorder {
    /// Serves on a thread of its own. Times count from `start`.
    pub(in crate::process) fn start(listener: TcpListener, start: Instant) -> io::Result<Self> {
        listener.set_nonblocking(true)?;
        let (stopped, stop) = io::pipe()?;
        let thread = thread::Builder::new()
            .name("vigiles-egress".to_owned())
            .spawn(move || Proxy { listener, stopped, start, attempts: Vec::new() }.serve())?;
        Ok(Self { stop, thread })
    }

    /// Ends the proxy and returns what it saw.
    pub(in crate::process) fn finish(self) -> Vec<EgressAttempt> {
        drop(self.stop);
        match self.thread.join() {
            Ok(attempts) => attempts,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

struct Proxy {
    listener: TcpListener,
    stopped: PipeReader,
    start: Instant,
    attempts: Vec<EgressAttempt>,
}

struct Connection {
    stream: TcpStream,
    head: Vec<u8>,
    since: Instant,
}

enum Progress {
    Waits,
    Done,
}

impl Proxy {
    fn serve(mut self) -> Vec<EgressAttempt> {
        let mut connections: Vec<Connection> = Vec::new();
        loop {
            let mut fds = vec![PollFd::new(&self.stopped, PollFlags::IN)];
            if connections.len() < MAX_CONNECTIONS {
                fds.push(PollFd::new(&self.listener, PollFlags::IN));
            }
            fds.extend(connections.iter().map(|connection| PollFd::new(&connection.stream, PollFlags::IN)));
            let wake = if connections.is_empty() { None } else { Some(Timespec { tv_sec: 0, tv_nsec: 500_000_000 }) };
            match poll(&mut fds, wake.as_ref()) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(_) => return self.attempts,
            }
            // What the command sent before it ended is still to be read: the command is dead by then, so this ends.
            let is_last = !fds[0].revents().is_empty();
            drop(fds);
            connections.retain_mut(|connection| matches!(self.advance(connection), Progress::Waits));
            while connections.len() < MAX_CONNECTIONS
                && let Ok((stream, _)) = self.listener.accept()
            {
                if stream.set_nonblocking(true).is_err() {
                    continue;
                }
                let mut connection = Connection { stream, head: Vec::new(), since: Instant::now() };
                if matches!(self.advance(&mut connection), Progress::Waits) {
                    connections.push(connection);
                }
            }
            if is_last {
                return self.attempts;
            }
        }
    }

    fn advance(&mut self, connection: &mut Connection) -> Progress {
        let mut chunk = [0; 4096];
        let ended = loop {
            match connection.stream.read(&mut chunk) {
                Ok(0) => break true,
                Ok(count) => connection.head.extend_from_slice(&chunk[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => break error.kind() != io::ErrorKind::WouldBlock,
            }
            if connection.head.len() > MAX_HEAD_BYTES {
                break true;
            }
        };
        let is_whole = connection.head.windows(4).any(|window| window == b"\r\n\r\n");
        if !is_whole && !ended && connection.since.elapsed() < PATIENCE {
            return Progress::Waits;
        }
        if let Some((host, port)) = destination(&connection.head)
            && self.attempts.len() < MAX_ATTEMPTS
        {
            let ts = u64::try_from(connection.since.duration_since(self.start).as_millis()).unwrap_or(u64::MAX);
            self.attempts.push(EgressAttempt { host, port, ts, allowed: None, packets: None, bytes: None });
        }
        // The client may be gone, which changes nothing.
        let _ = connection.stream.write(ANSWER);
        Progress::Done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_recorder(client: impl FnOnce(&dyn Fn(&str) -> String)) -> Vec<EgressAttempt> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let recorder = Recorder::start(listener, Instant::now()).unwrap();
        client(&|request| {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.write_all(request.as_bytes()).unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            answer
        });
        recorder.finish()
    }

    #[test]
    fn every_attempt_is_written_down_and_refused() {
        let attempts = with_recorder(|ask| {
            for request in ["CONNECT a.example:443 HTTP/1.1\r\n\r\n", "GET http://b.example/x HTTP/1.1\r\nA: b\r\n\r\n"]
            {
                let answer = ask(request);
                assert!(answer.starts_with("HTTP/1.1 403 "), "{answer}");
                let (head, body) = answer.split_once("\r\n\r\n").unwrap();
                assert!(head.contains(&format!("Content-Length: {}", body.len())), "{answer}");
            }
        });
        let seen: Vec<_> = attempts.iter().map(|attempt| (attempt.host.as_str(), attempt.port)).collect();
        assert_eq!(seen, [("a.example", 443), ("b.example", 80)]);
    }

    #[test]
    fn one_that_sends_nothing_holds_up_nobody() {
        let attempts = with_recorder(|ask| {
            ask("nonsense\r\n\r\n");
            ask("CONNECT c.example:1 HTTP/1.1\r\n\r\n");
        });
        assert_eq!(attempts.len(), 1);
    }

    #[test]
    fn what_was_sent_just_before_the_end_counts() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        stream.write_all(b"CONNECT d.example:443 HTTP/1.1\r\n\r\n").unwrap();
        drop(stream);
        assert_eq!(Recorder::start(listener, Instant::now()).unwrap().finish().len(), 1);
    }
}
