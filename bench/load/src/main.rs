//! Asks an HTTP server the same question many times, and costs next to nothing itself: the request is bytes that are made
//! once, the answer is searched for its end and not read.
//!
//! `bench-load ADDRESS BODY CONNECTIONS REQUESTS` sends the file BODY as `POST /v1/messages` from Claude Code, on
//! connections that are kept, one request at a time on each. It prints `{"ms": …, "requests": …, "failed": …}`; the time
//! is that from the first byte sent to the last answer, without the connecting.

use std::env;
use std::error::Error;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1);
    let mut next = |what: &str| args.next().ok_or(format!("expected {what}"));
    let address = next("the address of the server")?;
    let body = std::fs::read(next("the file with the request's body")?)?;
    let connections: usize = next("how many connections")?.parse()?;
    let requests: usize = next("how many requests")?.parse()?;

    let head = format!(
        "POST /v1/messages?beta=true HTTP/1.1\r\nhost: {address}\r\nuser-agent: claude-cli/2.1.332 (external, cli)\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let request = [head.as_bytes(), &body].concat();
    let streams: Vec<TcpStream> = (0..connections).map(|_| connect(&address)).collect::<io::Result<_>>()?;
    let (sent, failed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let start = Barrier::new(connections + 1);
    let ms = thread::scope(|scope| {
        let workers: Vec<_> = streams
            .into_iter()
            .map(|mut stream| {
                let (request, start, sent, failed) = (&request, &start, &sent, &failed);
                scope.spawn(move || {
                    let mut buffer = Vec::new();
                    start.wait();
                    while sent.fetch_add(1, Ordering::Relaxed) < requests {
                        if !matches!(ask(&mut stream, request, &mut buffer), Ok(true)) {
                            failed.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                })
            })
            .collect();
        start.wait();
        let begun = Instant::now();
        for worker in workers {
            let _ = worker.join();
        }
        begun.elapsed().as_secs_f64() * 1e3
    });
    println!(r#"{{"ms":{ms:.3},"requests":{requests},"failed":{}}}"#, failed.into_inner());
    Ok(())
}

fn connect(address: &str) -> io::Result<TcpStream> {
    let stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// Whether the answer is a whole stream of events.
fn ask(stream: &mut TcpStream, request: &[u8], answer: &mut Vec<u8>) -> io::Result<bool> {
    stream.write_all(request)?;
    answer.clear();
    let mut piece = [0; 16 << 10];
    loop {
        let read = stream.read(&mut piece)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        answer.extend_from_slice(&piece[..read]);
        if is_whole(answer) {
            let last = &answer[answer.len().saturating_sub(200)..];
            return Ok(answer.starts_with(b"HTTP/1.1 200") && find(last, b"message_stop").is_some());
        }
    }
}

fn is_whole(answer: &[u8]) -> bool {
    let Some(end) = find(answer, b"\r\n\r\n") else { return false };
    let head = String::from_utf8_lossy(&answer[..end]).to_ascii_lowercase();
    match head.lines().find_map(|line| line.strip_prefix("content-length:")) {
        Some(length) => answer.len() - end - 4 >= length.trim().parse().unwrap_or(0),
        None => answer.ends_with(b"0\r\n\r\n"),
    }
}

fn find(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    bytes.windows(needle.len()).position(|window| window == needle)
}
