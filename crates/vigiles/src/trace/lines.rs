//! From bytes to lines, and from lines to events, on as many threads as are worth it.

use std::ops::Range;

use memchr::memchr;

use super::error::TraceError;
use super::json::{Node, Tape, tape};
use super::model::ParseError;
use super::source::{OpenFile, Source};
use super::text::Span;

/// A longer line is counted as an error and passed over, so that it is never held in memory.
pub(crate) const MAX_LINE: usize = 512 << 20;

/// Below this size a second thread costs more than it saves.
const WORTH_A_THREAD: u64 = 2 << 20;

/// What one read of a file asks for: large enough to make system calls cheap, small enough to stay in the cache.
const CHUNK: usize = 256 << 10;

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

/// The events of a source, in its order.
#[derive(Debug)]
pub(crate) struct Lines<E> {
    pub(crate) events: Vec<E>,
    pub(crate) errors: Vec<ParseError>,
    /// Strings with half a surrogate pair.
    pub(crate) lone_surrogates: u64,
    /// Lines with bytes that are not UTF-8.
    pub(crate) not_utf8: u64,
    /// The last line has no line break and is no complete JSON: the writer was cut off.
    pub(crate) torn: bool,
    count: u64,
}

impl<E> Default for Lines<E> {
    fn default() -> Self {
        Self { events: Vec::new(), errors: Vec::new(), lone_surrogates: 0, not_utf8: 0, torn: false, count: 0 }
    }
}

impl<E> Lines<E> {
    fn append(&mut self, mut other: Self) {
        for error in &mut other.errors {
            error.line += self.count;
        }
        self.events.append(&mut other.events);
        self.errors.append(&mut other.errors);
        self.lone_surrogates += other.lone_surrogates;
        self.not_utf8 += other.not_utf8;
        self.torn |= other.torn;
        self.count += other.count;
    }
}

/// Reads every line of a source. `event` is given each line that is a JSON value.
pub(crate) fn read<E: Send>(
    source: &Source,
    index: u32,
    event: impl Fn(Node<'_>, Place) -> Option<E> + Sync,
) -> Result<Lines<E>, TraceError> {
    let parts = match source.len() / WORTH_A_THREAD {
        // Asking how many threads there are reads files of its own: dearer than a small trace.
        0 | 1 => 1,
        wanted => wanted.min(std::thread::available_parallelism().map_or(1, usize::from) as u64).min(8),
    };
    read_in(source, index, Plan { parts, chunk: CHUNK, max_line: MAX_LINE }, event)
}

/// How a source is cut up. What is read does not depend on it.
#[derive(Debug, Clone, Copy)]
struct Plan {
    /// How many threads read a part each.
    parts: u64,
    /// Bytes of one read of a file.
    chunk: usize,
    /// Longer lines are passed over.
    max_line: usize,
}

fn read_in<E: Send>(
    source: &Source,
    index: u32,
    plan: Plan,
    event: impl Fn(Node<'_>, Place) -> Option<E> + Sync,
) -> Result<Lines<E>, TraceError> {
    let (len, parts) = (source.len(), plan.parts);
    // In 128 bits: a sparse file can be so long that the product overflows.
    let bound = |part: u64| u64::try_from(u128::from(len) * u128::from(part) / u128::from(parts)).unwrap_or(len);
    let segment = |part: u64| Segment { source, index, plan, range: bound(part)..bound(part + 1) }.read(&event);
    let results: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (1..parts)
            .map(|part| {
                scope.spawn({
                    let segment = &segment;
                    move || segment(part)
                })
            })
            .collect();
        let first = segment(0);
        std::iter::once(first)
            .chain(workers.into_iter().map(|worker| match worker.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            }))
            .collect()
    });
    let mut lines = Lines::default();
    for result in results {
        lines.append(result?);
    }
    Ok(lines)
}

/// The lines that start in a range of a source.
struct Segment<'s> {
    source: &'s Source,
    index: u32,
    plan: Plan,
    range: Range<u64>,
}

impl Segment<'_> {
    fn read<E>(&self, event: &impl Fn(Node<'_>, Place) -> Option<E>) -> Result<Lines<E>, TraceError> {
        let mut lines = Lines::default();
        let mut tape = Tape::default();
        let mut line = |bytes: &[u8], start: u64, ended: bool| {
            lines.count += 1;
            let place = Place { source: self.index, start };
            // A line that is passed over is not looked at: nobody knows whether its writer finished it.
            let ended = ended || bytes.len() > self.plan.max_line;
            if let Err(reason) = read_line(bytes, place, self.plan.max_line, &mut tape, &mut lines, event) {
                lines.torn |= !ended;
                let reason = if ended { reason } else { format!("the last line is cut off: {reason}") };
                lines.errors.push(ParseError { line: lines.count, reason });
            }
        };
        match self.source {
            Source::Bytes { bytes, .. } => {
                each_line_of_bytes(bytes, &self.range, &mut line);
                Ok(())
            }
            Source::File(file) => each_line_of_file(file, &self.range, self.plan, &mut line),
        }?;
        Ok(lines)
    }
}

fn read_line<E>(
    bytes: &[u8],
    place: Place,
    max_line: usize,
    tape: &mut Tape,
    lines: &mut Lines<E>,
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
    lines.lone_surrogates += u64::from(tape.lone_surrogates);
    lines.not_utf8 += u64::from(simdutf8::basic::from_utf8(bytes).is_err());
    lines.events.extend(event(Node::root(bytes, tape), place));
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
    line: &mut impl FnMut(&[u8], u64, bool),
) -> Result<(), TraceError> {
    let mut window = Window { file, plan, buffer: vec![0; plan.chunk], begin: 0, filled: 0, start: range.start };
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
    buffer: Vec<u8>,
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
        let room = self.buffer.len().min(self.filled + self.plan.chunk);
        let read = self.file.fill(&mut self.buffer[self.filled..room], self.start + self.filled as u64)?;
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

impl<E> Lines<E> {
    /// Adds the lines of another file; its errors say which file they are of.
    pub(crate) fn append_file(&mut self, mut other: Self, path: &std::path::Path) {
        for error in &mut other.errors {
            error.reason = format!("{}: {}", path.display(), error.reason);
        }
        self.events.append(&mut other.events);
        self.errors.append(&mut other.errors);
        self.lone_surrogates += other.lone_surrogates;
        self.not_utf8 += other.not_utf8;
    }
}

#[cfg(test)]
mod tests;
