//! Listens in the network that it was started in, and hands the socket over.
//!
//! A process with more than one thread cannot enter the network of another user's sandbox. This one has one thread, is
//! started there, and ends at once; who started it serves the socket from outside.

use std::ffi::OsStr;
use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::net::{Ipv4Addr, TcpListener};
use std::os::fd::AsFd;
use std::process::ExitCode;

use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};

/// Standard output is one end of a pair of unix sockets; the other end receives the listening socket.
pub(crate) fn run(port: &OsStr) -> ExitCode {
    let port = port.to_string_lossy();
    let handed = port.parse().map_err(io::Error::other).and_then(listen);
    match handed {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            crate::say(&format!("cannot hand over a socket on 127.0.0.1:{port}: {error}"));
            ExitCode::FAILURE
        }
    }
}

fn listen(port: u16) -> io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    let files = [listener.as_fd()];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !control.push(SendAncillaryMessage::ScmRights(&files)) {
        return Err(io::ErrorKind::OutOfMemory.into());
    }
    sendmsg(io::stdout(), &[IoSlice::new(&[0])], &mut control, SendFlags::NOSIGNAL)?;
    Ok(())
}
