//! Sockets that listen in the network of a sandbox and are served outside of it.

use std::io::{self, IoSliceMut};
use std::mem::MaybeUninit;
use std::net::{Ipv4Addr, TcpListener};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::Stdio;
use std::thread;

use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};

use super::ConfineError;
use super::sandbox::setup;
use super::tools;
use crate::process::egress::Network;

/// Listens on a port of the loopback of `network`.
///
/// A socket belongs to the network in which it is made. Root sends a thread there. Anybody else may enter only as a process
/// with a single thread: `helper`, which hands its socket over and ends.
pub(super) fn listen(network: &Network, port: u16, helper: Option<&Path>) -> Result<TcpListener, ConfineError> {
    if network.user.is_none() {
        return listen_as_root(network, port).map_err(setup("listen in its network"));
    }
    let unavailable = |reason: String| ConfineError::EgressUnavailable {
        wanted: "serve a confined command on its loopback, as recording its connections does",
        reason,
        advice: "install the package with its native programs, or leave the recording out: connections are blocked all the same",
    };
    let helper = helper.ok_or_else(|| unavailable("the program `vigiles-hook` was not found".to_owned()))?;
    let nsenter = tools::find("nsenter", "util-linux").map_err(unavailable)?;
    listen_by_helper(network, port, &nsenter, helper).map_err(setup("listen in its network"))
}

fn listen_as_root(network: &Network, port: u16) -> io::Result<TcpListener> {
    let listener = thread::scope(|scope| {
        // The thread stays in that network, so it is one that ends here.
        let thread = thread::Builder::new().spawn_scoped(scope, || {
            move_into_link_name_space(network.net.as_fd(), Some(LinkNameSpaceType::Network))?;
            TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        })?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })?;
    Ok(listener)
}

fn listen_by_helper(network: &Network, port: u16, nsenter: &Path, helper: &Path) -> io::Result<TcpListener> {
    let (ours, theirs) = UnixStream::pair()?;
    let mut command = network.enter(nsenter, helper)?;
    command.args(["listen", &port.to_string()]).stdin(Stdio::null()).stdout(OwnedFd::from(theirs));
    let child = command.spawn()?;
    // With it goes this process's copy of the other end: without a message, reading ends when the helper does.
    drop(command);
    let received = receive(&ours);
    let output = child.wait_with_output()?;
    received?.ok_or_else(|| {
        let said = String::from_utf8_lossy(&output.stderr);
        io::Error::other(format!("{} handed over no socket: {}", helper.display(), said.trim()))
    })
}

fn receive(socket: &UnixStream) -> io::Result<Option<TcpListener>> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0; 1];
    recvmsg(socket, &mut [IoSliceMut::new(&mut byte)], &mut control, RecvFlags::CMSG_CLOEXEC)?;
    let mut sockets = control.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut files) => files.next(),
        _ => None,
    });
    Ok(sockets.next().map(TcpListener::from))
}
