//! Ways to make a trace.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::claude::{self, Style};
use super::codex;
use super::detect::{Detected, detect};
use super::error::TraceError;
use super::json::{Node, Tape, tape};
use super::lines::{self, Lines, Place};
use super::model::TraceKind;
use super::parts::Parts;
use super::source::Source;
use super::work_dir::WorkDir;
use super::{Trace, plain};

/// How to read a trace; [`Trace::from_path`] and its neighbours are the short forms.
///
/// ```no_run
/// use vigiles::trace::Open;
///
/// let trace = Open::default().session("session.jsonl").read_path("run.jsonl")?;
/// # Ok::<(), vigiles::trace::TraceError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Open {
    session: Option<PathBuf>,
    work_dir: Option<PathBuf>,
    hook_events: Option<bool>,
}

impl Open {
    /// The session file of the same run: gives hooks their command, call and duration. Only for a Claude Code stream.
    #[must_use]
    pub fn session(mut self, path: impl Into<PathBuf>) -> Self {
        self.session = Some(path.into());
        self
    }

    /// The directory the run worked in, as it is after the run: what [`Trace::file`] and [`Trace::sh`] look at.
    #[must_use]
    pub fn work_dir(mut self, path: impl Into<PathBuf>) -> Self {
        self.work_dir = Some(path.into());
        self
    }

    /// Whether the stream was recorded with `--include-hook-events`. With `true`, no hook event means that no hook fired.
    #[must_use]
    pub fn hook_events(mut self, recorded: bool) -> Self {
        self.hook_events = Some(recorded);
        self
    }

    /// Reads a file.
    pub fn read_path(&self, path: impl AsRef<Path>) -> Result<Trace, TraceError> {
        self.read(Source::open(path.as_ref())?)
    }

    /// Reads bytes that are already in memory.
    pub fn read_bytes(&self, bytes: Vec<u8>) -> Result<Trace, TraceError> {
        self.read(Source::bytes(bytes))
    }

    /// Reads a stream to its end.
    pub fn read_stream(&self, mut stream: impl Read) -> Result<Trace, TraceError> {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).map_err(TraceError::Stream)?;
        self.read_bytes(bytes)
    }

    fn read(&self, source: Source) -> Result<Trace, TraceError> {
        let detected = detect(&source)?;
        let mut trace = match detected.kind {
            TraceKind::CodexExec => codex_trace(source)?,
            TraceKind::ClaudeSession => session_trace(source)?,
            TraceKind::Plain => plain_trace(&source)?,
            _ => self.claude_trace(source, detected)?,
        };
        if let Some(session) = &self.session {
            trace.add_session(session)?;
        }
        trace.tie_blocks()?;
        trace.take_output()?;
        trace.compact();
        if let Some(root) = &self.work_dir {
            trace.work_dir = Some(WorkDir::Directory(root.clone()));
        }
        Ok(trace)
    }

    fn claude_trace(&self, source: Source, detected: Detected) -> Result<Trace, TraceError> {
        let event = |node: Node<'_>, place: Place| claude::Event::of(node, place, Style::Stream);
        let mut fold = claude::Fold::default();
        let mut events = 0_u64;
        let sink = |event| {
            events += 1;
            fold.event(event);
        };
        let lines =
            if detected.is_document { document(&source, event, sink)? } else { lines::read(&source, 0, event, sink)? };
        let mut parts = fold.finish(Style::Stream, claude::Options { hook_events: self.hook_events });
        if detected.kind == TraceKind::ClaudeJson && events == 1 {
            (parts.tool_calls, parts.hooks, parts.replies, parts.turns, parts.subagents) =
                (None, None, None, None, None);
            parts.warnings = vec![
                "--output-format json prints the result alone: tool calls, hooks and turns were not recorded. \
                 Use --output-format stream-json --verbose --include-hook-events"
                    .to_owned(),
            ];
        }
        Ok(assemble(detected.kind, vec![source], lines, parts))
    }
}

impl Trace {
    /// Reads a recorded stream or session file, or a trace that [`Trace::to_json`] wrote; the format is detected.
    pub fn from_path(path: impl AsRef<Path>) -> Result<Self, TraceError> {
        Open::default().read_path(path)
    }

    /// Reads bytes that are already in memory.
    pub fn from_slice(bytes: &[u8]) -> Result<Self, TraceError> {
        Open::default().read_bytes(bytes.to_vec())
    }

    /// Reads a stream to its end, a pipe of a running CLI for example.
    pub fn from_reader(reader: impl Read) -> Result<Self, TraceError> {
        Open::default().read_stream(reader)
    }

    /// Makes a trace of a plain object with the fields of a trace, as JSON.
    ///
    /// A field that is absent was not observed. `files` may tell what files hold after the run: an object of paths and
    /// contents, null for a file that is not there.
    pub fn from_json(text: &str) -> Result<Self, TraceError> {
        let plain::Read { parts, parse_errors, files } = plain::read(text)?;
        let work_dir = files.map(WorkDir::Told);
        Ok(Self { kind: TraceKind::Plain, sources: Vec::new(), parts, parse_errors, work_dir })
    }

    fn add_session(&mut self, path: &Path) -> Result<(), TraceError> {
        if !matches!(self.kind, TraceKind::ClaudeStream | TraceKind::ClaudeJson) {
            return Err(TraceError::NoSession { path: path.to_owned(), kind: self.kind.name() });
        }
        let source = Source::open(path)?;
        let kind = detect(&source)?.kind;
        if kind != TraceKind::ClaudeSession {
            return Err(TraceError::NotASession { path: path.to_owned(), seen: kind.name() });
        }
        let (sources, lines, parts) = read_session(source, self.sources.len())?;
        let notes = notes(&lines);
        let session = assemble(TraceKind::ClaudeSession, Vec::new(), lines, parts);
        if let (Some(expected), Some(seen)) = (self.session_id(), session.session_id())
            && expected != seen
        {
            let (expected, seen) = (expected.to_owned(), seen.to_owned());
            return Err(TraceError::SessionMismatch { path: path.to_owned(), expected, seen });
        }
        self.sources.extend(sources);
        self.parse_errors.extend(session.parse_errors);
        let records = session.parts.hooks.unwrap_or_default();
        let mut parts = std::mem::take(&mut self.parts);
        parts.prompt = parts.prompt.take().or(session.parts.prompt);
        parts.cwd = parts.cwd.take().or(session.parts.cwd);
        parts.warnings.extend(notes.into_iter().map(|note| format!("{}: {note}", path.display())));
        claude::merge(&mut parts, records, self)?;
        self.parts = parts;
        Ok(())
    }

    fn tie_blocks(&mut self) -> Result<(), TraceError> {
        let mut parts = std::mem::take(&mut self.parts);
        claude::tie_blocks(&mut parts, self)?;
        self.parts = parts;
        Ok(())
    }

    /// Where no result event tells the answer, it is the last message that calls no tool.
    fn take_output(&mut self) -> Result<(), TraceError> {
        let told = matches!(self.kind, TraceKind::ClaudeSession | TraceKind::CodexExec);
        let failed = self.parts.result.as_ref().is_some_and(|result| result.is_error);
        if !told || failed || !self.parts.complete {
            return Ok(());
        }
        let last = self.parts.replies.as_ref().and_then(|replies| replies.last());
        let output = last.map(|text| self.read(text).map(Into::into)).transpose()?;
        self.parts.output = output;
        Ok(())
    }
}

fn codex_trace(source: Source) -> Result<Trace, TraceError> {
    let mut fold = codex::Fold::default();
    let lines = lines::read(&source, 0, codex::Event::of, |events| {
        for event in events {
            fold.event(event);
        }
    })?;
    Ok(assemble(TraceKind::CodexExec, vec![source], lines, fold.finish()))
}

fn plain_trace(source: &Source) -> Result<Trace, TraceError> {
    let bytes = source.read(0, source.len())?;
    let text = String::from_utf8_lossy(&bytes);
    Trace::from_json(text.strip_prefix('\u{feff}').unwrap_or(&text))
}

fn session_trace(source: Source) -> Result<Trace, TraceError> {
    let (sources, lines, parts) = read_session(source, 0)?;
    Ok(assemble(TraceKind::ClaudeSession, sources, lines, parts))
}

/// A session and its subagents, whose files lie beside it.
fn read_session(source: Source, first: usize) -> Result<(Vec<Source>, Lines, Parts), TraceError> {
    let event = |node: Node<'_>, place: Place| claude::Event::of(node, place, Style::Session);
    let index = |at: usize| u32::try_from(first + at).unwrap_or(u32::MAX);
    let others = source.path().map(claude::subagent_files).unwrap_or_default();
    let mut fold = claude::Fold::default();
    let mut lines = lines::read(&source, index(0), event, |event| fold.event(event))?;
    if let (1.., Some(path)) = (first, source.path()) {
        // Beside a stream, errors have to say which file they are of.
        let mut named = Lines::default();
        named.append_file(lines, path);
        lines = named;
    }
    let mut sources = vec![source];
    for path in others {
        let source = Source::open(&path)?;
        let more = lines::read(&source, index(sources.len()), event, |event| fold.event(event))?;
        lines.append_file(more, &path);
        sources.push(source);
    }
    Ok((sources, lines, fold.finish(Style::Session, claude::Options::default())))
}

/// The events of a source that is one JSON document: an array of events, or one event.
fn document<E>(
    source: &Source,
    event: impl Fn(Node<'_>, Place) -> Option<E>,
    sink: impl FnMut(E),
) -> Result<Lines, TraceError> {
    let bytes = source.read(0, source.len())?;
    let skipped = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let place = Place { source: 0, start: skipped as u64 };
    let bytes = &bytes[skipped..];
    let mut tape = Tape::default();
    tape::scan(bytes, &mut tape).map_err(|refusal| TraceError::UnknownKind {
        from: source.describe(),
        seen: format!("it is no complete JSON document ({} at byte {})", refusal.reason, refusal.at + 1),
    })?;
    let root = Node::root(bytes, &tape);
    let nodes: Vec<_> = if root.is_object() { vec![root] } else { root.items().collect() };
    nodes.into_iter().filter_map(|node| event(node, place)).for_each(sink);
    let mut lines = Lines::default();
    lines.lone_surrogates = u64::from(tape.lone_surrogates);
    lines.not_utf8 = u64::from(std::str::from_utf8(bytes).is_err());
    Ok(lines)
}

fn assemble(kind: TraceKind, sources: Vec<Source>, lines: Lines, mut parts: Parts) -> Trace {
    let notes = notes(&lines);
    let Lines { errors, torn, .. } = lines;
    parts.complete &= !torn;
    parts.warnings.extend(notes);
    Trace { kind, sources, parts, parse_errors: errors, work_dir: None }
}

/// What a reader should know of how the lines were read.
fn notes(lines: &Lines) -> Vec<String> {
    let Lines { lone_surrogates, not_utf8, torn, .. } = *lines;
    let torn = torn.then(|| "the last line is cut off: its writer was stopped, or is still writing".to_owned());
    let lone = (lone_surrogates > 0)
        .then(|| format!("{lone_surrogates} string(s) hold half of a surrogate pair, read as U+FFFD"));
    let not_utf8 = (not_utf8 > 0).then(|| format!("{not_utf8} line(s) hold bytes that are not UTF-8, read as U+FFFD"));
    torn.into_iter().chain(lone).chain(not_utf8).collect()
}
