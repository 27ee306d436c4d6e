//! The fast reading of JSON against a slow one: `serde_json`, on text in which lone surrogate escapes were replaced.

use std::path::Path;

use proptest::prelude::*;
use serde_json::Value;
use serde_json::value::RawValue;

use super::string::{self, Masks};
use super::tape::{Kind, scan};
use super::{Node, Tape, decode, pick, wide_lanes};

/// Whether the slow way takes the bytes as one JSON document. It wants UTF-8.
fn slow_accepts(bytes: &[u8]) -> bool {
    serde_json::from_str::<&RawValue>(&String::from_utf8_lossy(bytes)).is_ok()
}

/// The value as the slow way sees it; `None` where it has a limit that the fast one has not (depth, size of a number).
fn slow_value(bytes: &[u8]) -> Option<Value> {
    let text = mend(&String::from_utf8_lossy(bytes));
    match serde_json::from_str(&text) {
        Ok(value) => Some(value),
        Err(error) => {
            let reason = error.to_string();
            let is_limit = reason.contains("recursion limit") || reason.contains("number out of range");
            assert!(is_limit, "expected a limit as the only difference, seen {reason} in {text}");
            None
        }
    }
}

/// Replaces escapes of lone surrogates by that of U+FFFD, one UTF-16 unit at a time.
fn mend(text: &str) -> String {
    let unit = |at: usize| {
        let digits = text.get(at..)?.strip_prefix("\\u")?.get(..4)?;
        u16::from_str_radix(digits, 16).ok()
    };
    let mut mended = String::new();
    let mut at = 0;
    while let Some(character) = text[at..].chars().next() {
        let taken = match (character, unit(at), unit(at + 6)) {
            ('\\', Some(0xD800..0xDC00), Some(0xDC00..0xE000)) => 12,
            ('\\', Some(0xD800..0xE000), _) => {
                mended.push_str("\\ufffd");
                at += 6;
                continue;
            }
            ('\\', ..) => 2,
            _ => character.len_utf8(),
        };
        mended.push_str(&text[at..at + taken]);
        at += taken;
    }
    mended
}

/// How many strings of a valid document hold half a surrogate pair.
fn slow_lone_surrogates(bytes: &[u8]) -> usize {
    let text = String::from_utf8_lossy(bytes);
    let strings = text.split(&['{', '}', '[', ']', ',', ':']);
    strings.filter(|part| mend(part) != **part).count()
}

fn fast(bytes: &[u8]) -> Option<Value> {
    let mut tape = Tape::default();
    scan(bytes, &mut tape).ok()?;
    Some(decode::value_of(bytes))
}

fn check(bytes: &[u8]) {
    let shown = || String::from_utf8_lossy(bytes).into_owned();
    let mut tape = Tape::default();
    let scanned = scan(bytes, &mut tape);
    assert_eq!(scanned.is_ok(), slow_accepts(bytes), "accepted only one way ({scanned:?}): {}", shown());
    if let Err(refusal) = scanned {
        assert!(refusal.at <= bytes.len(), "{refusal:?} points behind the end of {}", shown());
        return;
    }
    if let Some(expected) = slow_value(bytes) {
        assert_eq!(decode::value_of(bytes), expected, "{}", shown());
    }
}

/// A document and all its beginnings.
fn check_with_cuts(bytes: &[u8]) {
    for end in 0..=bytes.len() {
        check(&bytes[..end]);
    }
}

/// Pieces of a string, right and wrong ones, whose parts must be recognised wherever a block ends.
const PIECES: &[&[u8]] = &[
    b"",
    b"\"",
    b"\\",
    b"\\\"",
    b"\\\\",
    b"\\\\\"",
    b"\\\\\\\"",
    b"\\\\\\\\",
    b"\\\\\\\\\"",
    b"\\\\\\\\\\\"",
    b"\\n",
    b"\\\\n",
    b"\\\\\\n",
    b"\\/",
    b"\\b\\f\\r\\t",
    b"\\x",
    b"\\ ",
    b"\\\x01",
    b"\\N",
    b"\\0",
    b"\\u0041",
    b"\\u00e9",
    b"\\uFFFD",
    b"\\u",
    b"\\u1",
    b"\\u12",
    b"\\u123",
    b"\\u123g",
    b"\\u 123",
    b"\\u12\"4",
    b"\\u+123",
    b"\\ud83d\\ude00",
    b"\\uD83D\\uDE00",
    b"\\ud83d",
    b"\\ude00",
    b"\\ude00\\ud83d",
    b"\\ud83d\\ud83d\\ude00",
    b"\\ud83d\\ude00\\ude00",
    b"\\ud83dx",
    b"\\ud83d\\n",
    b"\\ud83d\\\\ude00",
    b"\\ud83d\\u0041",
    b"\\ud83d\\u00",
    b"\\ud83d\\",
    b"\\ud83d\\uzzzz",
    b"\\ud83d\\ud83d",
    b"\\\\ud83d",
    b"\\ud83d ude00",
    b"\x00",
    b"\x01",
    b"\x1f",
    b"\x20",
    b"\x7f",
    b"\n",
    b"\t",
    b"\"\x01",
    "\u{e9}".as_bytes(),
    "\u{20ac}".as_bytes(),
    "\u{1f600}".as_bytes(),
    "\u{2028}".as_bytes(),
    b"\x80",
    b"\xff",
    b"\xe2\x82",
    b"\xf0\x9f\x98",
    b"\xed\xa0\xbd",
    b"\xc0\xaf",
    b"\xe2\x82\\n",
    b"\x9f\"",
];

#[test]
fn pieces_at_every_offset_of_a_block() {
    let mut document = Vec::new();
    for offset in 0..=130 {
        for piece in PIECES {
            for behind in [0, 1, 7, 8, 55, 64, 71] {
                document.clear();
                document.push(b'"');
                document.resize(1 + offset, b'a');
                document.extend_from_slice(piece);
                document.resize(document.len() + behind, b'b');
                document.push(b'"');
                check(&document);
                // A second string behind the first: the carry of one must not reach the other.
                document.splice(0..0, *b"{\"k\":");
                document.extend_from_slice(b",\"n\":\"\\n\"}");
                check(&document);
            }
        }
    }
}

#[test]
fn pieces_cut_off_at_every_byte() {
    for offset in [0, 5, 13, 14, 15, 56, 60, 61, 62, 63, 64, 120, 127] {
        for piece in PIECES {
            let document = [b"[\"", &*vec![b'a'; offset], piece, b"\",-1.5e+3,true]"].concat();
            check_with_cuts(&document);
        }
    }
}

#[test]
fn runs_of_backslashes_of_every_length() {
    for offset in 0..=70 {
        for run in 0..=140 {
            for last in ["", "n", "\"", "u0041", "ud800"] {
                check(format!("\"{}{}{last}\"", "a".repeat(offset), "\\".repeat(run)).as_bytes());
            }
        }
    }
}

#[test]
fn wide_and_portable_vectors_read_strings_alike() {
    for offset in 0..=130 {
        for piece in PIECES {
            let string = [&*vec![b'a'; offset], piece, &[b'b'; 70], b"\""].concat();
            assert_same_read(&string);
        }
    }
}

fn assert_same_read(string: &[u8]) {
    assert_eq!(wide_lanes::long(string, 0), string::long(string, 0, Masks::of), "{}", String::from_utf8_lossy(string));
}

#[test]
fn lone_surrogates_are_counted_by_string() {
    let count = |document: &str| {
        let mut tape = Tape::default();
        scan(document.as_bytes(), &mut tape).unwrap();
        tape.lone_surrogates
    };
    assert_eq!(count(r#""\ud83d\ude00""#), 0);
    assert_eq!(count(r#""\ud83d""#), 1);
    assert_eq!(count(r#""\ud83d and \ude00""#), 1);
    assert_eq!(count(r#"["\ude00\ud83d", "\ud83d\ude00", {"\ud83d": 1}]"#), 2);
    // The pair lies on both sides of a block's end.
    for offset in 50..=70 {
        let fill = "a".repeat(offset);
        assert_eq!(count(&format!(r#""{fill}\ud83d\ude00""#)), 0, "a pair at {offset}");
        assert_eq!(count(&format!(r#""{fill}\ud83d\ud83d\ude00""#)), 1, "half a pair before one at {offset}");
        assert_eq!(count(&format!(r#""{fill}\ud83d\ude00\ude00""#)), 1, "half a pair behind one at {offset}");
    }
}

#[test]
fn of_equal_keys_the_last_wins() {
    let document = br#"{"type":"a","x":{"id":1},"type":"b","\u0074ype":"c","x":[2]}"#;
    let mut tape = Tape::default();
    scan(document, &mut tape).unwrap();
    let root = Node::root(document, &tape);
    assert_eq!(root.get("type").unwrap().str().unwrap(), "c");
    pick!(root => kind: b"type", x: b"x", absent: b"y");
    assert!(kind.unwrap().is("c"));
    assert_eq!(x.unwrap().raw(), b"[2]");
    assert!(absent.is_none());
    assert_eq!(decode::value_of(document), serde_json::json!({"type": "c", "x": [2]}));
}

#[test]
fn numbers_of_every_form() {
    let right = [
        "0",
        "-0",
        "-0.0",
        "1e0",
        "1E+5",
        "1e-5",
        "0.1",
        "123456789012345678901234567890",
        "18446744073709551615",
        "18446744073709551616",
        "-9223372036854775808",
        "-9223372036854775809",
        "1e308",
        "1.7976931348623157e308",
        "5e-324",
        "1e-400",
        "0.30000000000000004",
        "9007199254740993",
        "2.2250738585072011e-308",
        "1e400",
        "-1e400",
    ];
    let wrong = [
        "",
        "-",
        "+1",
        "01",
        "-01",
        "1.",
        ".5",
        "1e",
        "1e+",
        "1.e1",
        "0x10",
        "NaN",
        "Infinity",
        "-Infinity",
        "1_000",
        "1 2",
        "--1",
        "1e1.5",
    ];
    for number in right {
        assert!(fast(number.as_bytes()).is_some(), "{number} is a number");
    }
    for number in wrong {
        assert!(fast(number.as_bytes()).is_none(), "{number} is no number");
    }
    for number in right.iter().chain(&wrong) {
        check(number.as_bytes());
        check(format!("[{number}]").as_bytes());
        check(format!("{{\"n\": {number} }}").as_bytes());
    }
    assert_eq!(fast(b"1e400"), Some(Value::Null), "what no double holds");
}

#[test]
fn structure_right_and_wrong() {
    let documents = [
        "{}",
        "[]",
        " [ ] ",
        "{ }",
        "[1]",
        "[1,]",
        "[,1]",
        "[,]",
        "[1 2]",
        "{,}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{\"a\":1 \"b\":2}",
        "{\"a\" : 1 , \"b\" : [ ] }",
        "{a:1}",
        "{1:1}",
        "{\"a\":1}}",
        "[1]]",
        "]",
        "}",
        "[}",
        "{]",
        "[1}",
        "{\"a\":1]",
        "[[]",
        "{\"a\":{}",
        "true",
        "tru",
        "truee",
        "nul",
        "null",
        "false",
        "falsey",
        "True",
        "\u{feff}1",
        "1\u{a0}",
        "\u{c}1",
        "1\u{b}",
        "\t\r\n 1 \t\r\n",
        "/*x*/1",
        "[true,false,null]",
        "[truefalse]",
        "\"a\"\"b\"",
        "\"a\",",
        "{} {}",
        "'a'",
        "[\"a\":1]",
        "{\"a\",1}",
        "{\"a\"::1}",
        "[1,,2]",
    ];
    for document in documents {
        check_with_cuts(document.as_bytes());
    }
}

#[test]
fn depth_costs_no_stack() {
    for (open, middle, close) in [("[", "", "]"), ("{\"a\":", "1", "}"), ("[{\"a\":[", "", "]}]")] {
        let deep = [open.repeat(10_000), middle.to_owned(), close.repeat(10_000)].concat();
        let mut tape = Tape::default();
        // The stack of a Rust thread: recursion over 10,000 levels would end the process.
        let value = std::thread::Builder::new().stack_size(2 << 20).spawn(move || {
            scan(deep.as_bytes(), &mut tape).unwrap();
            assert!(scan(&deep.as_bytes()[..deep.len() - 1], &mut tape).is_err());
            decode::value_of(deep.as_bytes())
        });
        let mut value = value.unwrap().join().unwrap();
        let mut depth = 0;
        while let Some(inner) = value.get(0).or_else(|| value.get("a")) {
            value = inner.clone();
            depth += 1;
        }
        assert_eq!((depth, value), (512, Value::Null), "cut off with null behind 512 levels");
    }
}

#[test]
fn every_line_of_the_goldens() {
    let goldens = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/fixtures/golden");
    let mut lines = 0;
    for file in jsonl_files(&goldens) {
        let bytes = std::fs::read(&file).unwrap();
        for line in bytes.split(|&byte| byte == b'\n') {
            check(line);
            lines += 1;
            if line.len() <= 400 {
                check_with_cuts(line);
            }
        }
    }
    assert!(lines > 500, "expected the goldens at {}, seen {lines} lines", goldens.display());
}

fn jsonl_files(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(jsonl_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "jsonl") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The inside of a string, made of pieces that stay within it.
fn string_text() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => "[ -!#-\\[\\]-~]{0,40}".prop_map(String::into_bytes),
        2 => prop::sample::select(vec![r"\n", r#"\""#, r"\\", r"\/", r"\b", r"\f", r"\r", r"\t", r"\u0041", r"\u0000"])
            .prop_map(|escape| escape.as_bytes().to_vec()),
        2 => (0xD700u16..=0xE0FF).prop_map(|unit| format!("\\u{unit:04x}").into_bytes()),
        1 => (0xD800u16..=0xDFFF).prop_map(|unit| format!("\\u{unit:04X}").into_bytes()),
        1 => any::<char>().prop_filter("no control character", |c| *c >= ' ' && *c != '"' && *c != '\\').prop_map(|c| c.to_string().into_bytes()),
        1 => prop::collection::vec(0x80u8..=0xFF, 1..4),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

/// The text of a JSON document, with everything real transcripts hold and more.
fn json_text() -> impl Strategy<Value = Vec<u8>> {
    let quoted = |inside: Vec<u8>| [b"\"", &*inside, b"\""].concat();
    let number = prop_oneof![
        any::<i64>().prop_map(|n| n.to_string()),
        any::<f64>().prop_filter("JSON has no such number", |n| n.is_finite()).prop_map(|n| format!("{n:e}")),
        "-?(0|[1-9][0-9]{0,40})(\\.[0-9]{1,30})?([eE][+-]?[0-9]{1,4})?",
    ];
    let leaf = prop_oneof![
        prop::sample::select(vec!["null", "true", "false", "{}", "[]"]).prop_map(|text| text.as_bytes().to_vec()),
        number.prop_map(String::into_bytes),
        string_text().prop_map(quoted),
    ];
    // Few keys, so that they come twice; one of them escaped.
    let key = prop_oneof![
        prop::sample::select(vec![r#""id""#, r#""type""#, r#""\u0069d""#, r#""""#])
            .prop_map(|key| key.as_bytes().to_vec()),
        string_text().prop_map(quoted),
    ];
    let space = || prop::sample::select(vec!["", "", " ", "\t", " \r\n "]);
    leaf.prop_recursive(6, 60, 6, move |inner| {
        let item =
            (space(), inner.clone(), space()).prop_map(|(a, text, b)| [a.as_bytes(), &text, b.as_bytes()].concat());
        let member = (space(), key.clone(), space(), item.clone())
            .prop_map(|(a, key, b, value)| [a.as_bytes(), &key, b.as_bytes(), b":", &value].concat());
        prop_oneof![
            prop::collection::vec(item, 0..6).prop_map(|items| [b"[", &*items.join(&b','), b"]"].concat()),
            prop::collection::vec(member, 0..6).prop_map(|members| [b"{", &*members.join(&b','), b"}"].concat()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn generated_documents(document in json_text()) {
        prop_assert!(fast(&document).is_some(), "refused: {}", String::from_utf8_lossy(&document));
        check(&document);
    }

    #[test]
    fn generated_documents_with_one_byte_changed(
        document in json_text(),
        at in any::<prop::sample::Index>(),
        byte in prop_oneof![any::<u8>(), prop::sample::select(b"\"\\{}[],:u0nedD8-+. \n\x01".to_vec())],
        how in 0..3,
    ) {
        let mut document = document;
        let at = at.index(document.len());
        match how {
            0 => document[at] = byte,
            1 => document.insert(at, byte),
            _ => { document.remove(at); }
        }
        check(&document);
    }

    #[test]
    fn generated_documents_cut_off(document in json_text(), at in any::<prop::sample::Index>()) {
        check(&document[..at.index(document.len())]);
    }

    #[test]
    fn any_bytes(document in prop::collection::vec(any::<u8>(), 0..200)) {
        check(&document);
    }

    #[test]
    fn any_string_with_wide_and_portable_vectors(
        string in prop::collection::vec(prop_oneof![any::<u8>(), prop::sample::select(b"aaaa\\\\\"nud8dC0".to_vec())], 0..300),
    ) {
        assert_same_read(&string);
    }

    #[test]
    fn mended_text(document in json_text()) {
        let text = String::from_utf8_lossy(&document);
        prop_assert_eq!(decode::mended(&text), mend(&text));
    }

    #[test]
    fn mended_text_of_no_json(text in r#"(\\|u|d83d|DE00|"|é|x|\\ud83d){0,12}"#) {
        decode::mended(&text);
    }

    #[test]
    fn decoded_text_of_any_bytes(inside in prop::collection::vec(prop_oneof![any::<u8>(), prop::sample::select(b"\\\\u0dD8c".to_vec())], 0..40)) {
        // A file that changed under the trace gives such bytes: they must decode to something, without a panic.
        decode::string(&inside);
    }

    #[test]
    fn lone_surrogates_counted(strings in prop::collection::vec(string_text(), 0..6)) {
        // The slow count splits at punctuation.
        let strings: Vec<Vec<u8>> = strings.into_iter()
            .map(|text| text.into_iter().filter(|byte| !b"{}[],:".contains(byte)).collect::<Vec<u8>>())
            .filter(|text| slow_accepts(&[b"\"", &**text, b"\""].concat()))
            .collect();
        let document = [b"[\"", &*strings.join(&b"\",\""[..]), b"\"]"].concat();
        let mut tape = Tape::default();
        scan(&document, &mut tape).unwrap();
        prop_assert_eq!(tape.lone_surrogates as usize, slow_lone_surrogates(&document));
    }

    #[test]
    fn nodes_lie_where_their_bytes_are(document in json_text()) {
        let mut tape = Tape::default();
        scan(&document, &mut tape).unwrap();
        let mut stack = vec![Node::root(&document, &tape)];
        while let Some(node) = stack.pop() {
            let raw = node.raw();
            let first_fits = match node.kind() {
                Kind::Object => raw.starts_with(b"{") && raw.ends_with(b"}"),
                Kind::Array => raw.starts_with(b"[") && raw.ends_with(b"]"),
                Kind::Plain | Kind::Escaped => raw.starts_with(b"\"") && raw.ends_with(b"\""),
                Kind::Number => matches!(raw[0], b'-' | b'0'..=b'9'),
                Kind::True => raw == b"true",
                Kind::False => raw == b"false",
                Kind::Null => raw == b"null",
            };
            prop_assert!(first_fits, "{:?} at {:?}", node.kind(), node.range());
            prop_assert!(slow_accepts(raw));
            stack.extend(node.items());
            stack.extend(node.members().flat_map(|(key, value)| [key, value]));
        }
    }
}
