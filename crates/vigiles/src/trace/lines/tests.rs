//! However a source is cut up, the same is read from it as by splitting it at line breaks.

use std::io::Write as _;
use std::path::Path;

use proptest::prelude::*;

use super::super::json::Node;
use super::super::json::tape::{Tape, scan};
use super::super::source::Source;
use super::{CHUNK, Lines, MAX_LINE, Place, Plan, SEGMENT, read, read_in};

/// What is seen of a line: where its value starts, and its text.
type Seen = (u64, Vec<u8>);

#[expect(clippy::unnecessary_wraps, reason = "the shape of every reader of lines")]
fn event(node: Node<'_>, place: Place) -> Option<Seen> {
    let span = place.span(node.range());
    Some((span.start, node.raw().to_vec()))
}

#[derive(Debug, PartialEq, Eq)]
struct Expected {
    events: Vec<Seen>,
    error_lines: Vec<u64>,
    torn: bool,
    not_utf8: u64,
    count: u64,
}

/// The slow way: split, and look at each piece.
fn split(bytes: &[u8], max_line: usize) -> Expected {
    let mut expected = Expected { events: Vec::new(), error_lines: Vec::new(), torn: false, not_utf8: 0, count: 0 };
    let mut tape = Tape::default();
    let mut start = 0;
    for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
        expected.count += 1;
        let line = piece.strip_suffix(b"\n").unwrap_or(piece);
        let bom = if start == 0 && line.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        let text = &line[bom..];
        if line.len() > max_line {
            expected.error_lines.push(expected.count);
        } else if text.iter().any(|byte| !byte.is_ascii_whitespace()) {
            if scan(text, &mut tape).is_ok() {
                let white = text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
                expected.events.push(((start + bom + white) as u64, text.trim_ascii().to_vec()));
                expected.not_utf8 += u64::from(std::str::from_utf8(text).is_err());
            } else {
                expected.error_lines.push(expected.count);
                expected.torn |= line.len() == piece.len();
            }
        }
        start += piece.len();
    }
    expected
}

fn gather(source: &Source, plan: Plan) -> Expected {
    let mut events = Vec::new();
    let lines = read_in(source, 0, plan, event, |seen| events.push(seen)).unwrap();
    summary(&lines, events)
}

fn summary(lines: &Lines, events: Vec<Seen>) -> Expected {
    Expected {
        error_lines: lines.errors.iter().map(|error| error.line).collect(),
        events,
        torn: lines.torn,
        not_utf8: lines.not_utf8,
        count: lines.count,
    }
}

/// A source that reads its file in place, however small it is.
fn in_place(path: &Path) -> Source {
    Source::open_keeping(path, 0).unwrap()
}

fn file_of(bytes: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    file
}

fn check(bytes: &[u8], plans: &[Plan]) {
    let file = file_of(bytes);
    let kept = Source::bytes(bytes.to_vec());
    for &plan in plans {
        let expected = split(bytes, plan.max_line);
        let shown = || format!("{plan:?} of {:?}", String::from_utf8_lossy(&bytes[..bytes.len().min(500)]));
        assert_eq!(gather(&kept, plan), expected, "in memory, {}", shown());
        if !bytes.is_empty() {
            assert_eq!(gather(&in_place(file.path()), plan), expected, "in place, {}", shown());
        }
    }
}

fn plans() -> Vec<Plan> {
    let mut plans = Vec::new();
    for parts in [1, 2, 3, 7] {
        for chunk in [1, 2, 16, 61, 4096] {
            plans.push(Plan { segments: parts, threads: 3, chunk, max_line: MAX_LINE });
        }
    }
    plans
}

#[test]
fn files_of_every_form() {
    let files: [&[u8]; 18] = [
        b"{\"a\":1}\n{\"a\":2}\n",
        b"{\"a\":1}\n{\"a\":2}",
        b"{\"a\":1}\r\n{\"a\":2}\r\n\r\n",
        b"\n\n\n{\"a\":1}\n\n \t\n{\"a\":2}\n\n\n",
        b"\xEF\xBB\xBF{\"a\":1}\n{\"a\":2}\n",
        b"\xEF\xBB\xBF\n{\"a\":1}\n",
        b"{\"a\":1}\n\xEF\xBB\xBF{\"a\":2}\n",
        b"{\"a\":1}\nnot json\n{\"a\":2}\n{\"cut\":\"o",
        b"{\"a\":1}\n{\"cut\":\"o\n",
        b"warning: first\n{\"a\":1}\n",
        b"1\n22\n333\n4444\n55555\n666666\n7777777\n",
        b"\n",
        b"\r\n",
        b"x",
        b"\"\xff\xfe\"\n\"\xe2\x82\xac\"\n",
        b"  {\"a\":1}  \n",
        b"{\"a\":1} {\"b\":2}\n[1,2]\n\"text\"\ntrue\n",
        b"",
    ];
    for file in files {
        check(file, &plans());
    }
}

#[test]
fn a_line_break_at_every_place_of_a_segment() {
    // The bound between two threads moves over the line break, byte by byte.
    for first in 1..40 {
        for second in 1..40 {
            let text = format!("{}\n{}\n", "1".repeat(first), "2".repeat(second));
            check(
                text.as_bytes(),
                &[
                    Plan { segments: 2, threads: 2, chunk: 8, max_line: MAX_LINE },
                    Plan { segments: 5, threads: 2, chunk: 3, max_line: MAX_LINE },
                ],
            );
        }
    }
}

#[test]
fn lines_that_are_longer_than_a_chunk_and_a_segment() {
    let long = format!("\"{}\"", "a".repeat(5_000));
    for text in
        [format!("{long}\n1\n"), format!("1\n{long}\n2\n"), format!("1\n{long}"), format!("{long}\n{long}\n{long}")]
    {
        check(text.as_bytes(), &plans());
    }
}

#[test]
fn a_line_over_the_limit_is_an_error_and_the_next_is_read() {
    let line = |length: usize| format!("\"{}\"", "a".repeat(length - 2));
    let plans: Vec<Plan> = [1, 2, 3]
        .into_iter()
        .flat_map(|parts| [4, 16, 100].map(|chunk| Plan { segments: parts, threads: 3, chunk, max_line: 64 }))
        .collect();
    for length in [63, 64, 65, 66, 80, 300] {
        for text in [
            format!("1\n{}\n2\n", line(length)),
            format!("1\n{}", line(length)),
            format!("{}\r\n2\n", line(length - 1)),
            format!("{}\n{}\n3\n", line(length), line(length)),
        ] {
            check(text.as_bytes(), &plans);
        }
    }
    let lines = read_in(
        &Source::bytes(line(65).into_bytes()),
        0,
        Plan { segments: 1, threads: 1, chunk: 8, max_line: 64 },
        event,
        drop,
    )
    .unwrap();
    assert!(lines.errors[0].reason.contains("longer than"), "{}", lines.errors[0].reason);
}

#[test]
fn the_window_never_outgrows_the_file() {
    let text = format!("1\n\"{}\"\n", "a".repeat(10_000));
    let file = file_of(text.as_bytes());
    let Source::File(file) = in_place(file.path()) else { unreachable!("nothing is kept") };
    let plan = Plan { segments: 1, threads: 1, chunk: 64, max_line: MAX_LINE };
    let mut buffer = vec![0; 64];
    let end = file.len;
    let mut window = super::Window { file: &file, plan, buffer: &mut buffer, end, begin: 0, filled: 0, start: 0 };
    while !matches!(window.next_line().unwrap(), super::Next::Rest(_)) {}
    assert!(window.buffer.len() <= text.len(), "{} bytes for a file of {}", window.buffer.len(), text.len());
}

#[test]
fn a_large_file_on_several_threads() {
    let mut text = Vec::new();
    let mut number = 0_u64;
    while (text.len() as u64) < 4 * SEGMENT + 12_345 {
        number += 1;
        match number % 50 {
            0 => text.extend_from_slice(b"broken {\n"),
            7 => text.extend_from_slice(b"\r\n"),
            // Longer than a chunk.
            9 if number % 1_000 == 9 => {
                writeln!(text, "{{\"n\":{number},\"t\":\"{}\"}}", "long ".repeat(CHUNK / 4)).unwrap();
            }
            _ => writeln!(text, "{{\"n\":{number},\"t\":\"{}\"}}", "text \\n \\ud83d ".repeat(20)).unwrap(),
        }
    }
    text.extend_from_slice(b"{\"n\":\"cut");
    let expected = split(&text, MAX_LINE);
    assert!(expected.torn && expected.events.len() > 10_000 && expected.error_lines.len() > 100);
    let file = file_of(&text);
    for source in [Source::open(file.path()).unwrap(), Source::bytes(text.clone())] {
        let mut events = Vec::new();
        let lines = read(&source, 0, event, |seen| events.push(seen)).unwrap();
        assert_eq!(summary(&lines, events), expected);
    }
    for parts in [1, 2, 3, 8] {
        let plan = Plan { segments: parts, threads: 3, chunk: CHUNK, max_line: MAX_LINE };
        assert_eq!(gather(&in_place(file.path()), plan), expected, "{parts} threads");
    }
}

/// Lines of all kinds, and what stands between them.
fn text() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        (0..90usize).prop_map(|length| format!("{{\"n\":\"{}\"}}", "a".repeat(length))),
        prop::sample::select(vec![
            "",
            " ",
            "\r",
            "1",
            "{",
            "nonsense",
            "\u{feff}",
            "\u{feff}2",
            "\"\\ud800\"",
            "[1,2,3]"
        ])
        .prop_map(str::to_owned),
    ];
    let end = prop::sample::select(vec!["\n", "\n", "\r\n", "\n\n"]);
    (prop::collection::vec((line, end), 0..30), any::<bool>()).prop_map(|(lines, ended)| {
        let mut text: Vec<u8> =
            lines.iter().flat_map(|(line, end)| [line.as_bytes(), end.as_bytes()].concat()).collect();
        while !ended && text.last().is_some_and(u8::is_ascii_whitespace) {
            text.pop();
        }
        text
    })
}

proptest! {
    #[test]
    fn any_text_in_any_plan(bytes in text(), parts in 1_u64..9, chunk in 1_usize..130, max_line in prop_oneof![Just(MAX_LINE), 8_usize..80]) {
        check(&bytes, &[Plan { segments: parts, threads: 3, chunk, max_line }]);
    }
}
