//! The bridge between the stdio of a CLI and the socket of an MCP server.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

fn bridge(socket: &Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_vigiles-hook"))
        .arg("mcp")
        .arg(socket)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

#[test]
fn a_line_goes_there_and_back_while_both_ends_stay_open() {
    let dir = tempfile::tempdir().unwrap();
    let socket = dir.path().join("s");
    let listener = UnixListener::bind(&socket).unwrap();
    let server = thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        let mut write = stream.try_clone().unwrap();
        for line in BufReader::new(stream).lines() {
            writeln!(write, "got {}", line.unwrap()).unwrap();
        }
    });
    let mut child = bridge(&socket);
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for word in ["one", "two"] {
        writeln!(stdin, "{word}").unwrap();
        let mut answer = String::new();
        stdout.read_line(&mut answer).unwrap();
        assert_eq!(answer, format!("got {word}\n"));
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    server.join().unwrap();
}

#[test]
fn every_byte_arrives_and_the_end_of_stdin_does_not_cut_the_answer() {
    let dir = tempfile::tempdir().unwrap();
    let socket = dir.path().join("s");
    let listener = UnixListener::bind(&socket).unwrap();
    let sent: Vec<u8> = (0..3_000_000_u32).map(|number| number.to_le_bytes()[1]).collect();
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut received = Vec::new();
        stream.read_to_end(&mut received).unwrap();
        stream.write_all(&received).unwrap();
        received
    });
    let mut child = bridge(&socket);
    child.stdin.take().unwrap().write_all(&sent).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(server.join().unwrap() == sent, "the server got something else");
    assert!(output.stdout == sent, "the client got something else");
}

#[test]
fn it_ends_with_the_server_although_stdin_is_open() {
    let dir = tempfile::tempdir().unwrap();
    let socket = dir.path().join("s");
    let listener = UnixListener::bind(&socket).unwrap();
    let mut child = bridge(&socket);
    let (stream, _) = listener.accept().unwrap();
    let stdin = child.stdin.take();
    drop(stream);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    drop(stdin);
}

#[test]
fn without_a_server_it_fails_and_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let socket = dir.path().join("s");
    let output = bridge(&socket).wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(output.stdout, b"");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with(&format!("no MCP server listens on {}: ", socket.display())), "{said}");
}
