//! One client: lines in, lines out.

use std::io;
use std::sync::Arc;

use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{Mutex, Semaphore};
use tokio::task::JoinSet;

use super::desk::Desk;
use super::message::Failure;

/// The longest line, in bytes.
const MAX_LINE: usize = 16 << 20;

/// How many answers are made at once. Beyond that nothing is read until one is sent.
const MAX_AT_ONCE: usize = 64;

/// Serves a client until it has sent its last line and has all its answers.
pub(super) async fn serve<R, W>(read: R, write: W, desk: Arc<Desk>)
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let mut read = BufReader::new(read);
    let write = Arc::new(Mutex::new(write));
    let room = Arc::new(Semaphore::new(MAX_AT_ONCE));
    let mut at_work = JoinSet::new();
    // A connection that breaks is one that ends.
    while let Ok(line) = next_line(&mut read).await {
        let taken = match line {
            Line::Whole(line) if line.trim_ascii().is_empty() => continue,
            Line::Whole(line) => desk.take_in(&line),
            Line::TooLong => desk.broken(Failure::invalid_request(format!("a line of more than {MAX_LINE} bytes"))),
            Line::End => break,
        };
        let desk = Arc::clone(&desk);
        let write = Arc::clone(&write);
        if desk.is_ready(&taken) {
            // In the order of the requests, and without a task each.
            send(&write, desk.finish(taken).await).await;
            continue;
        }
        let Ok(permit) = Arc::clone(&room).acquire_owned().await else { break };
        at_work.spawn(async move {
            send(&write, desk.finish(taken).await).await;
            drop(permit);
        });
        while at_work.try_join_next().is_some() {}
    }
    while at_work.join_next().await.is_some() {}
}

async fn send<W: AsyncWrite + Unpin>(write: &Mutex<W>, line: Option<Vec<u8>>) {
    if let Some(line) = line {
        // A client that has gone needs no answer.
        let _ = write.lock().await.write_all(&line).await;
    }
}

/// What comes next from a client.
#[derive(Debug, PartialEq, Eq)]
enum Line {
    /// A line without its end. The last one may have had none.
    Whole(Vec<u8>),
    /// A line that is not kept.
    TooLong,
    End,
}

async fn next_line(read: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Line> {
    let mut line = Vec::new();
    let mut too_long = false;
    loop {
        let chunk = read.fill_buf().await?;
        if chunk.is_empty() {
            return Ok(match (too_long, line.is_empty()) {
                (true, _) => Line::TooLong,
                (false, true) => Line::End,
                (false, false) => Line::Whole(line),
            });
        }
        let end = memchr::memchr(b'\n', chunk);
        let part = &chunk[..end.unwrap_or(chunk.len())];
        if line.len() + part.len() > MAX_LINE {
            too_long = true;
            line = Vec::new();
        }
        if !too_long {
            line.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        read.consume(used);
        if end.is_some() {
            return Ok(if too_long { Line::TooLong } else { Line::Whole(line) });
        }
    }
}
