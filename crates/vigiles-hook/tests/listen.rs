//! A socket that one process opens and another serves.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Command, Output, Stdio};

use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};

fn hand_over(port: &str) -> (Output, Option<TcpListener>) {
    let (ours, theirs) = UnixStream::pair().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_vigiles-hook"));
    command.args(["listen", port]).stdout(OwnedFd::from(theirs)).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    drop(command);
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    recvmsg(&ours, &mut [IoSliceMut::new(&mut [0])], &mut control, RecvFlags::CMSG_CLOEXEC).unwrap();
    let file = control.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut files) => files.next(),
        _ => None,
    });
    (child.wait_with_output().unwrap(), file.map(TcpListener::from))
}

#[test]
fn the_socket_listens_when_its_opener_is_gone() {
    let (output, listener) = hand_over("0");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let listener = listener.unwrap();
    let address = listener.local_addr().unwrap();
    assert_eq!(address.ip(), Ipv4Addr::LOCALHOST);
    let mut client = TcpStream::connect(address).unwrap();
    listener.accept().unwrap().0.write_all(b"served").unwrap();
    let mut seen = String::new();
    client.read_to_string(&mut seen).unwrap();
    assert_eq!(seen, "served");
}

#[test]
fn a_port_that_is_taken_or_is_none_is_told() {
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    for port in [taken.local_addr().unwrap().port().to_string(), "70000".to_owned(), "x".to_owned()] {
        let (output, listener) = hand_over(&port);
        assert!(listener.is_none());
        assert_eq!(output.status.code(), Some(1));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(&format!("127.0.0.1:{port}")), "{said}");
    }
}
