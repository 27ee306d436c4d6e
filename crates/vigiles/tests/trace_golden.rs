//! Every recorded stream of the real CLIs, read and shown: a change in what a trace says is a change in these files.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use vigiles::trace::{Field, Open, Trace};

fn goldens() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/fixtures/golden")
}

fn jsonl_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the goldens are part of the repository");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "jsonl"))
        .collect();
    files.sort();
    files
}

/// A trace as a short text: everything it observed, long texts cut.
fn show(trace: &Trace) -> String {
    let mut text = String::new();
    for field in Field::ALL {
        match trace.field_json(field).unwrap() {
            Some(value) if field == Field::Skills => {
                writeln!(text, "skills: {}", value.matches("\",\"").count() + 1).unwrap();
            }
            Some(value) => writeln!(text, "{}: {}", field.name(), cut(&value)).unwrap(),
            None => writeln!(text, "{}: not observed", field.name()).unwrap(),
        }
    }
    for call in trace.tool_calls().unwrap_or_default() {
        let result = trace.result_text(call).unwrap();
        writeln!(
            text,
            "  {} {} -> {}",
            call.name,
            cut(&trace.input_json(call).unwrap()),
            result.map_or("no result".into(), |result| format!("{:?}", cut(&result)))
        )
        .unwrap();
    }
    text
}

fn cut(text: &str) -> String {
    const LONGEST: usize = 900;
    let head: String = text.chars().take(LONGEST).collect();
    if head.len() < text.len() { format!("{head}... ({} bytes)", text.len()) } else { head }
}

fn snapshot(folder: &str) {
    let files = jsonl_files(&goldens().join(folder));
    assert!(!files.is_empty(), "no golden in {folder}");
    for file in files {
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let shown = match Trace::from_path(&file) {
            Ok(trace) => show(&trace),
            Err(error) => {
                format!("{}: {}", error.code(), error.to_string().replace(&*goldens().to_string_lossy(), "GOLDENS"))
            }
        };
        insta::with_settings!({ snapshot_path => Path::new("snapshots").join(folder), prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name, shown);
        });
    }
}

#[test]
fn claude_332_streams() {
    snapshot("claude/2.1.332");
}

#[test]
fn claude_197_streams() {
    snapshot("claude/2.1.197");
}

#[test]
fn claude_332_sessions() {
    snapshot("claude/sessions/2.1.332");
}

#[test]
fn claude_197_sessions() {
    snapshot("claude/sessions/2.1.197");
}

#[test]
fn codex_streams() {
    snapshot("codex/0.171.0");
}

#[test]
fn streams_merged_with_their_session() {
    for version in ["2.1.197", "2.1.332"] {
        for session in jsonl_files(&goldens().join("claude/sessions").join(version)) {
            let name = session.file_stem().unwrap().to_str().unwrap().to_owned();
            let stream = goldens().join("claude").join(version).join(&name).with_extension("jsonl");
            let trace = Open::default().session(&session).read_path(stream).unwrap();
            insta::with_settings!({ snapshot_path => Path::new("snapshots/merged").join(version), prepend_module_to_snapshot => false, omit_expression => true }, {
                insta::assert_snapshot!(name, show(&trace));
            });
        }
    }
}

#[test]
fn the_json_form_reads_back_to_itself() {
    for folder in ["claude/2.1.332", "claude/2.1.197", "claude/sessions/2.1.332", "codex/0.171.0"] {
        for file in jsonl_files(&goldens().join(folder)) {
            let Ok(trace) = Trace::from_path(&file) else { continue };
            let json = trace.to_json().unwrap();
            let again = Trace::from_json(&json).unwrap().to_json().unwrap();
            let parse = |text: &str| {
                let mut value: serde_json::Value = serde_json::from_str(text).unwrap();
                let object = value.as_object_mut().unwrap();
                // Where it came from is not part of what was seen.
                object.remove("kind");
                value
            };
            assert_eq!(parse(&json), parse(&again), "{}", file.display());
        }
    }
}
