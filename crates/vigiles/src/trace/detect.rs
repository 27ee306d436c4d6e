//! Which format a source is in.

use std::borrow::Cow;

use super::error::TraceError;
use super::json::{Node, Tape, tape};
use super::model::TraceKind;
use super::source::Source;

/// How far to look for a line that tells: warnings of wrappers may come first.
const LOOK_AT: usize = 1 << 20;

/// How long the first line, or a document printed over several lines, may be to be looked at.
const LARGEST: u64 = 64 << 20;

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// The format, and whether the whole source is one JSON document (not lines).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Detected {
    pub(crate) kind: TraceKind,
    pub(crate) is_document: bool,
}

pub(crate) fn detect(source: &Source) -> Result<Detected, TraceError> {
    if source.len() == 0 {
        return Err(TraceError::Empty { from: source.describe() });
    }
    let length = source.len().min(LOOK_AT as u64);
    let head = source.read(0, length)?;
    let head = head.strip_prefix(BOM).unwrap_or(&head);
    if head.iter().all(u8::is_ascii_whitespace) {
        return Err(TraceError::Empty { from: source.describe() });
    }
    let unknown = |seen: String| TraceError::UnknownKind { from: source.describe(), seen };
    if let Some(seen) = not_text(head) {
        return Err(unknown(seen.to_owned()));
    }
    // A pasted image makes a first line of megabytes.
    let first_line = if memchr::memchr(b'\n', head).is_none() {
        source.read(0, source.len().min(LARGEST))?
    } else {
        Cow::Borrowed(head)
    };
    let first_line = first_line.strip_prefix(BOM).unwrap_or(&first_line);
    let head = match memchr::memchr(b'\n', first_line) {
        Some(end) if end >= head.len() => &first_line[..end],
        _ => head,
    };
    let mut lines = Vec::new();
    let mut tape = Tape::default();
    for line in head.split(|&byte| byte == b'\n').filter(|line| !line.iter().all(u8::is_ascii_whitespace)) {
        let scanned = tape::scan(line, &mut tape).is_ok();
        let known = scanned.then(|| kind_of(Node::root(line, &tape))).flatten();
        if let Some(known) = known {
            // A result alone is what `--output-format json` prints; lines after it make it a stream.
            let alone = known == TraceKind::ClaudeStream && lines.is_empty() && is_only_result(head, &tape, line);
            let kind = if alone { TraceKind::ClaudeJson } else { known };
            return Ok(Detected { kind, is_document: line.trim_ascii_start().starts_with(b"[") });
        }
        lines.push(scanned);
    }
    if let Some(detected) = whole_document(source, head) {
        return Ok(detected);
    }
    let json = lines.iter().filter(|&&scanned| scanned).count();
    Err(unknown(match (json, lines.len()) {
        (0, _) if head.len() < LOOK_AT => "none of its lines is JSON".to_owned(),
        (0, _) => "the first MiB holds no line of JSON".to_owned(),
        (json, all) => format!("the {json} line(s) of JSON among the first {all} are of no known kind"),
    }))
}

/// A document printed over several lines, or one line longer than what was looked at.
fn whole_document(source: &Source, head: &[u8]) -> Option<Detected> {
    let first = head.trim_ascii_start().first()?;
    if !matches!(first, b'{' | b'[') || source.len() > LARGEST {
        return None;
    }
    let bytes = source.read(0, source.len()).ok()?;
    let bytes = bytes.strip_prefix(BOM).unwrap_or(&bytes);
    let mut tape = Tape::default();
    tape::scan(bytes, &mut tape).ok()?;
    let root = Node::root(bytes, &tape);
    let kind = kind_of(root).or_else(|| is_plain(root).then_some(TraceKind::Plain))?;
    let kind = if kind == TraceKind::ClaudeStream { TraceKind::ClaudeJson } else { kind };
    Some(Detected { kind, is_document: true })
}

fn not_text(head: &[u8]) -> Option<&'static str> {
    let head = &head[..head.len().min(4096)];
    let nul = memchr::memchr_iter(0, head).count();
    let odd = memchr::memchr_iter(0, head).filter(|at| at % 2 == 1).count();
    // ASCII in UTF-16 is NUL in every other byte; a sparse file is NUL in all.
    let is_every_other = nul * 3 > head.len() && odd.min(nul - odd) * 10 < nul;
    if head.starts_with(b"\xFF\xFE") || head.starts_with(b"\xFE\xFF") || is_every_other {
        return Some("it is UTF-16 text; save it as UTF-8");
    }
    (nul > 0).then_some("it is a binary file")
}

fn is_only_result(head: &[u8], tape: &Tape, line: &[u8]) -> bool {
    let node = Node::root(line, tape);
    let is_result = node.get("type").is_some_and(|kind| kind.is("result"));
    is_result && head.trim_ascii() == line.trim_ascii()
}

/// The JSON form of a trace, as [`super::Trace::to_json`] writes it or as somebody wrote it by hand.
fn is_plain(node: Node<'_>) -> bool {
    let is_kind =
        |kind: Node<'_>| kind.str().is_some_and(|kind| TraceKind::ALL.iter().any(|known| known.name() == kind));
    node.get("kind").is_some_and(is_kind) || node.get("toolCalls").is_some()
}

fn kind_of(node: Node<'_>) -> Option<TraceKind> {
    if let Some(first) = node.items().next() {
        let kind = kind_of(first)?;
        return (kind == TraceKind::ClaudeStream).then_some(TraceKind::ClaudeJson);
    }
    let kind = node.get("type")?.str()?;
    if matches!(&*kind, "thread.started" | "turn.started" | "turn.completed" | "turn.failed")
        || (kind.starts_with("item.") && node.get("item").is_some_and(Node::is_object))
    {
        return Some(TraceKind::CodexExec);
    }
    if node.get("session_id").is_some_and(Node::is_string) {
        return Some(TraceKind::ClaudeStream);
    }
    let is_session = node.get("sessionId").is_some_and(Node::is_string) || node.get("parentUuid").is_some();
    is_session.then_some(TraceKind::ClaudeSession)
}
