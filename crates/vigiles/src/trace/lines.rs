//! From bytes to lines, and from lines to events, on as many threads as are worth it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use memchr::memchr;

use super::error::TraceError;
use super::json::{Node, Tape, tape};
use super::model::ParseError;
use super::source::{OpenFile, Source};
use super::text::Span;

/// A longer line is counted as an error and passed over, so that it is never held in memory.
pub(crate) const MAX_LINE: usize = 512 << 20;

/// What a thread reads at a time: more than starting it costs, and little enough that the events of a few of them, which
/// wait for their turn, stay in the cache.
const SEGMENT: u64 = 2 << 20;

/// What one read of a file asks for: large enough to make system calls cheap, small enough to stay in the cache.
const CHUNK: usize = 256 << 10;

/// What is read at a time behind the end of a segment, to finish its last line.
const BEYOND: usize = 16 << 10;

/// Where a line lies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    pub(crate) source: u32,
    pub(crate) start: u64,
}

impl Place {
    pub(crate) fn span(self, range: Range<usize>) -> Span {
        Span { source: self.source, start: self.start + range.start as u64, len: range.len() as u64 }
    }
}

/// How the lines of a source were read.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    pub(crate) errors: Vec<ParseError>,
    /// Strings with half a surrogate pair.
    pub(crate) lone_surrogates: u64,
    /// Lines with bytes that are not UTF-8.
    pub(crate) not_utf8: u64,
    /// The last line has no line break and is no complete JSON: the writer was cut off.
    pub(crate) torn: bool,
    count: u64,
}

impl Lines {
    fn append(&mut self, mut other: Self) {
        for error in &mut other.errors {
            error.line += self.count;
        }
        self.errors.append(&mut other.errors);
        self.lone_surrogates += other.lone_surrogates;
        self.not_utf8 += other.not_utf8;
        self.torn |= other.torn;
        self.count += other.count;
    }

    /// Adds the lines of another file; its errors say which file they are of.
    pub(crate) fn append_file(&mut self, mut other: Self, path: &Path) {
        for error in &mut other.errors {
            error.reason = format!("{}: {}", path.display(), error.reason);
        }
        self.errors.append(&mut other.errors);
        self.lone_surrogates += other.lone_surrogates;
        self.not_utf8 += other.not_utf8;
    }
}

/// Reads every line of a source. `event` is given each line that is a JSON value, on any thread; `sink` is given the
/// events in the order of their lines, while later lines are still read.
pub(crate) fn read<E: Send>(
    source: &Source,
    index: u32,
    event: impl Fn(Node<'_>, Place) -> Option<E> + Sync,
    sink: impl FnMut(E),
) -> Result<Lines, TraceError> {
    let segments = source.len().div_ceil(SEGMENT).max(1);
    // Asking how many threads there are reads files of its own: dearer than a small trace.
    let threads = if segments == 1 { 1 } else { std::thread::available_parallelism().map_or(1, usize::from) };
    read_in(source, index, Plan { segments, threads: threads.min(8), chunk: CHUNK, max_line: MAX_LINE }, event, sink)
}

/// How a source is cut up. What is read does not depend on it.
#[derive(Debug, Clone, Copy)]
struct Plan {
    segments: u64,
    threads: usize,
    /// Bytes of one read of a file.
    chunk: usize,
    /// Longer lines are passed over.
    max_line: usize,
}

/// What was read of one segment.
struct Batch<E> {
    events: Vec<E>,
    lines: Lines,
}

fn read_in<E: Send>(
    source: &Source,
    index: u32,
    plan: Plan,
    event: impl Fn(Node<'_>, Place) -> Option<E> + Sync,
    mut sink: impl FnMut(E),
) -> Result<Lines, TraceError> {
    let (len, segments) = (source.len(), plan.segments);
    // In 128 bits: a sparse file can be so long that the product overflows.
    let bound = |part: u64| u64::try_from(u128::from(len) * u128::from(part) / u128::from(segments)).unwrap_or(len);
    let next = AtomicU64::new(0);
    let ready: Mutex<BTreeMap<u64, Result<Batch<E>, TraceError>>> = Mutex::default();
    // Every thread takes the next segment until none is left.
    let read_next = |scratch: &mut Scratch| {
        let part = next.fetch_add(1, Ordering::Relaxed);
        if part >= segments {
            return false;
        }
        let segment = Segment { source, index, plan, range: bound(part)..bound(part + 1) };
        let batch = segment.read(scratch, &event);
        ready.lock().unwrap_or_else(PoisonError::into_inner).insert(part, batch);
        true
    };
    let mut lines = Lines::default();
    let mut taken = 0;
    let mut take_ready = || {
        loop {
            let Some(batch) = ready.lock().unwrap_or_else(PoisonError::into_inner).remove(&taken) else {
                return Ok(());
            };
            taken += 1;
            let Batch { events, lines: read } = batch?;
            lines.append(read);
            events.into_iter().for_each(&mut sink);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..plan.threads {
            scope.spawn(|| {
                let mut scratch = Scratch::default();
                while read_next(&mut scratch) {}
            });
        }
        let mut scratch = Scratch::default();
        while read_next(&mut scratch) {
            // What is taken early needs no memory while the rest is read.
            if let Err(error) = take_ready() {
                next.store(segments, Ordering::Relaxed);
                return Err(error);
            }
        }
        Ok(())
    })?;
    take_ready()?;
    Ok(lines)
}

/// What a thread needs to read lines: kept from segment to segment, for its memory.
#[derive(Default)]
struct Scratch {
    tape: Tape,
    buffer: Vec<u8>,
}

/// The lines that start in a range of a source.
struct Segment<'s> {
    source: &'s Source,
    index: u32,
    plan: Plan,
    range: Range<u64>,
}

impl Segment<'_> {
    fn read<E>(
        &self,
        scratch: &mut Scratch,
        event: &impl Fn(Node<'_>, Place) -> Option<E>,
    ) -> Result<Batch<E>, TraceError> {
        let mut batch = Batch { events: Vec::new(), lines: Lines::default() };
        let Scratch { tape, buffer } = scratch;
        let mut line = |bytes: &[u8], start: u64, ended: bool| {
            batch.lines.count += 1;
            let place = Place { source: self.index, start };
            // A line that is passed over is not looked at: nobody knows whether its writer finished it.
            let ended = ended || bytes.len() > self.plan.max_line;
            if let Err(reason) = read_line(bytes, place, self.plan.max_line, tape, &mut batch, event) {
                batch.lines.torn |= !ended;
                let reason = if ended { reason } else { format!("the last line is cut off: {reason}") };
                batch.lines.errors.push(ParseError { line: batch.lines.count, reason });
            }
        };
        match self.source {
            Source::Bytes { bytes, .. } => {
                each_line_of_bytes(bytes, &self.range, &mut line);
                Ok(())
            }
            Source::File(file) => each_line_of_file(file, &self.range, self.plan, buffer, &mut line),
        }?;
        Ok(batch)
    }
}

fn read_line<E>(
    bytes: &[u8],
    place: Place,
    max_line: usize,
    tape: &mut Tape,
    batch: &mut Batch<E>,
    event: &impl Fn(Node<'_>, Place) -> Option<E>,
) -> Result<(), String> {
    if bytes.len() > max_line {
        return Err(format!("longer than {} MiB", max_line >> 20));
    }
    let (bytes, place) = without_bom(bytes, place);
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(());
    }
    tape::scan(bytes, tape).map_err(|refusal| format!("{} at byte {}", refusal.reason, refusal.at + 1))?;
    batch.lines.lone_surrogates += u64::from(tape.lone_surrogates);
    batch.lines.not_utf8 += u64::from(simdutf8::basic::from_utf8(bytes).is_err());
    batch.events.extend(event(Node::root(bytes, tape), place));
    Ok(())
}

fn without_bom(bytes: &[u8], place: Place) -> (&[u8], Place) {
    match bytes.strip_prefix(b"\xEF\xBB\xBF") {
        Some(rest) if place.start == 0 => (rest, Place { start: 3, ..place }),
        _ => (bytes, place),
    }
}

fn each_line_of_bytes(bytes: &[u8], range: &Range<u64>, line: &mut impl FnMut(&[u8], u64, bool)) {
    let offset = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(bytes.len());
    let end = offset(range.end);
    let mut at = offset(range.start);
    if at > 0 && bytes[at - 1] != b'\n' {
        at = memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |found| at + found + 1);
    }
    while at < end {
        let found = memchr(b'\n', &bytes[at..]);
        let stop = found.map_or(bytes.len(), |found| at + found);
        line(&bytes[at..stop], at as u64, found.is_some());
        at = stop + 1;
    }
}

fn each_line_of_file(
    file: &OpenFile,
    range: &Range<u64>,
    plan: Plan,
    buffer: &mut Vec<u8>,
    line: &mut impl FnMut(&[u8], u64, bool),
) -> Result<(), TraceError> {
    if buffer.is_empty() {
        buffer.resize(plan.chunk, 0);
    }
    let mut window = Window { file, plan, buffer, end: range.end, begin: 0, filled: 0, start: range.start };
    if range.start > 0 {
        // The line that runs into this range belongs to the one before.
        window.start -= 1;
        window.skip_line()?;
    }
    while window.position() < range.end {
        let start = window.position();
        match window.next_line()? {
            Next::Line(bytes) => line(bytes, start, true),
            Next::TooLong => {
                line(&window.buffer[window.begin..window.filled], start, true);
                window.skip_line()?;
            }
            Next::Rest(bytes) => {
                if !bytes.is_empty() {
                    line(bytes, start, false);
                }
                break;
            }
        }
    }
    Ok(())
}

enum Next<'w> {
    Line(&'w [u8]),
    TooLong,
    /// What is left before the end of the file.
    Rest(&'w [u8]),
}

/// The part of a file that is in memory: it grows to hold one whole line, never more than the longest allowed and a chunk.
struct Window<'f> {
    file: &'f OpenFile,
    plan: Plan,
    buffer: &'f mut Vec<u8>,
    /// The end of the range that is read: what is behind it is read only as far as its last line goes.
    end: u64,
    /// `buffer[begin..filled]` is read and not yet used.
    begin: usize,
    filled: usize,
    /// Offset in the file of `buffer[0]`.
    start: u64,
}

impl Window<'_> {
    fn position(&self) -> u64 {
        self.start + self.begin as u64
    }

    fn next_line(&mut self) -> Result<Next<'_>, TraceError> {
        let mut searched = self.begin;
        loop {
            if let Some(found) = memchr(b'\n', &self.buffer[searched..self.filled]) {
                let begin = std::mem::replace(&mut self.begin, searched + found + 1);
                return Ok(Next::Line(&self.buffer[begin..searched + found]));
            }
            if self.filled - self.begin > self.plan.max_line {
                return Ok(Next::TooLong);
            }
            let pending = self.filled - self.begin;
            if self.fill()? == 0 {
                let begin = std::mem::replace(&mut self.begin, self.filled);
                return Ok(Next::Rest(&self.buffer[begin..self.filled]));
            }
            searched = self.begin + pending;
        }
    }

    /// Moves behind the next line break without keeping what is before it.
    fn skip_line(&mut self) -> Result<(), TraceError> {
        loop {
            if let Some(found) = memchr(b'\n', &self.buffer[self.begin..self.filled]) {
                self.begin += found + 1;
                return Ok(());
            }
            self.begin = self.filled;
            if self.fill()? == 0 {
                return Ok(());
            }
        }
    }

    /// Reads on; the unused bytes move to the front of the buffer only when it is full.
    fn fill(&mut self) -> Result<usize, TraceError> {
        if self.filled == self.buffer.len() {
            self.buffer.copy_within(self.begin..self.filled, 0);
            self.start += self.begin as u64;
            self.filled -= self.begin;
            self.begin = 0;
            if self.filled > self.buffer.len() / 2 {
                self.grow();
            }
        }
        let at = self.start + self.filled as u64;
        let wanted = if at < self.end { usize::try_from(self.end - at).unwrap_or(usize::MAX) } else { BEYOND };
        let room = self.buffer.len().min(self.filled + wanted.min(self.plan.chunk));
        let read = self.file.fill(&mut self.buffer[self.filled..room], at)?;
        self.filled += read;
        Ok(read)
    }

    /// By a quarter, and never beyond the end of the file: with one long line, this buffer is what reading costs.
    fn grow(&mut self) {
        let len = self.buffer.len();
        let left = usize::try_from(self.file.len.saturating_sub(self.start)).unwrap_or(usize::MAX);
        let longest = self.plan.max_line.saturating_add(self.plan.chunk).min(left);
        let wanted = len + (len / 4).max(self.plan.chunk);
        self.buffer.resize(wanted.min(longest).max(len), 0);
    }
}

#[cfg(test)]
mod tests;
