//! Stands in for an MCP server: passes stdin on to a unix socket, and what comes back to stdout.
//!
//! A CLI starts its servers itself. Behind the socket is one that a test has started before.

use std::io;
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::ExitCode;
use std::thread;

pub(crate) fn run(socket: &Path) -> ExitCode {
    match UnixStream::connect(socket).and_then(|stream| Ok((stream.try_clone()?, stream))) {
        Ok((to, from)) => {
            pass(to, from);
            ExitCode::SUCCESS
        }
        Err(error) => {
            crate::say(&format!("no MCP server listens on {}: {error}", socket.display()));
            ExitCode::FAILURE
        }
    }
}

/// Passes bytes both ways until the server has no more to say. The CLI ends first as a rule; the server sends then what
/// it still owes and closes.
fn pass(mut to: UnixStream, mut from: UnixStream) {
    // Not waited for: a CLI that keeps its end open must not keep this process alive after the server's end.
    thread::spawn(move || {
        let _ = io::copy(&mut io::stdin(), &mut to);
        let _ = to.shutdown(Shutdown::Write);
    });
    let _ = io::copy(&mut from, &mut io::stdout());
}
