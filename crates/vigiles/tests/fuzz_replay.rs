//! The fuzz targets of `crates/vigiles/fuzz`, replayed: every file of the corpus, and changed goldens that are the same in
//! each run. What a fuzzer found once is a file in `test/fixtures/corpus` from then on.

#![expect(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use vigiles::trace::Trace;

#[path = "../fuzz/src/invariants.rs"]
mod invariants;

fn fixtures(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/fixtures").join(folder)
}

/// All files below a folder, in a fixed order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

fn goldens() -> Vec<Vec<u8>> {
    let files = files(&fixtures("golden"))
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    files.map(|path| fs::read(path).unwrap()).collect()
}

/// Numbers that are the same in every run (`SplitMix64`).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((x ^ (x >> 31)) % bound.max(1) as u64).unwrap()
    }

    fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

const TOKENS: &[&[u8]] = &[
    b"\"",
    b"\\",
    b"\n",
    b"\r\n",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"null",
    b"true",
    b"-1",
    b"1e999",
    b"18446744073709551615",
    b"{}",
    b"[]",
    b"\"\"",
    b"\\ud83d",
    b"\\ude00",
    b"\xff",
    b"\x00",
    b"\xEF\xBB\xBF",
    b"\xFF\xFE",
    b"toolu_0001",
    b"\"type\":\"result\"",
    b"\"session_id\":\"\"",
    b"\"parent_tool_use_id\":\"toolu_0001\"",
    b"\"id\":\"\"",
    b"\"name\":\"Agent\"",
    b"\"exit_code\":2",
    b"\"tool_use\"",
    b"\"tool_result\"",
    b"\"toolCalls\":[]",
    b"\"kind\":\"plain\"",
    b"\"blocked\":true",
];

/// Between one and six changes of bytes, tokens and lines.
fn change(numbers: &mut Numbers, mut bytes: Vec<u8>, others: &[Vec<u8>]) -> Vec<u8> {
    for _ in 0..=numbers.below(6) {
        let at = numbers.below(bytes.len());
        match numbers.below(8) {
            0 if !bytes.is_empty() => bytes[at] = u8::try_from(numbers.below(256)).unwrap(),
            1 => bytes.truncate(at),
            2 => drop(bytes.splice(at..at, numbers.pick(TOKENS).iter().copied())),
            3 => {
                let end = (at + numbers.below(40)).min(bytes.len());
                bytes.splice(at..end, numbers.pick(TOKENS).iter().copied());
            }
            4 => {
                bytes = by_lines(&bytes, |lines| {
                    let (one, other) = (at % lines.len(), at / 7 % lines.len());
                    lines.swap(one, other);
                });
            }
            5 => bytes = by_lines(&bytes, |lines| lines.push(lines[at % lines.len()])),
            6 => {
                bytes = by_lines(&bytes, |lines| {
                    let gone = at % lines.len();
                    lines.remove(gone);
                });
            }
            _ => {
                let other = numbers.pick(others);
                let from = numbers.below(other.len());
                let end = (from + 2_000).min(other.len());
                bytes.splice(at..at, other[from..end].iter().copied());
            }
        }
    }
    bytes
}

fn by_lines(bytes: &[u8], change: impl FnOnce(&mut Vec<&[u8]>)) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
    if !lines.is_empty() {
        change(&mut lines);
    }
    lines.concat()
}

/// Runs `check`, and says how to see the input again when it panics.
fn replay(what: &str, bytes: &[u8], check: fn(&[u8])) {
    if let Err(panic) = std::panic::catch_unwind(|| check(bytes)) {
        let kept = std::env::temp_dir().join(format!("vigiles-fuzz-{}.bin", what.replace(['/', ' '], "-")));
        fs::write(&kept, bytes).unwrap();
        let message = panic
            .downcast_ref::<String>()
            .map_or_else(|| *panic.downcast_ref::<&str>().unwrap_or(&"panic"), String::as_str);
        panic!("{what}: {message}\nthe input is at {}; once fixed it belongs in test/fixtures/corpus", kept.display());
    }
}

fn replay_changed(seed: u64, rounds: usize) {
    let goldens = goldens();
    let small: Vec<Vec<u8>> = goldens.iter().map(|bytes| bytes[..bytes.len().min(12_000)].to_vec()).collect();
    let mut numbers = Numbers(seed);
    for round in 0..rounds {
        let start = numbers.pick(&small).clone();
        let bytes = change(&mut numbers, start, &small);
        replay(&format!("trace, seed {seed}, round {round}"), &bytes, invariants::trace);
    }
}

#[test]
fn the_corpus_of_the_trace() {
    let files = files(&fixtures("corpus/trace"));
    assert!(files.len() >= 10);
    for file in files {
        replay(&file.display().to_string(), &fs::read(&file).unwrap(), invariants::trace);
    }
}

#[test]
fn the_corpus_of_the_hook_decision() {
    let files = files(&fixtures("corpus/hook_decision"));
    assert!(files.len() >= 10);
    for file in files {
        replay(&file.display().to_string(), &fs::read(&file).unwrap(), invariants::hook_decision);
    }
}

#[test]
fn the_goldens() {
    for golden in goldens() {
        replay("golden", &golden, invariants::trace);
    }
}

#[test]
fn changed_goldens() {
    replay_changed(1, 5_000);
}

#[test]
fn changed_plain_objects() {
    let written = |bytes: Vec<u8>| Some(Trace::from_slice(&bytes).ok()?.to_json().unwrap().into_bytes());
    let seeds: Vec<Vec<u8>> = goldens().into_iter().filter_map(written).filter(|json| json.len() < 8_000).collect();
    assert!(seeds.len() >= 20);
    let mut numbers = Numbers(3);
    for round in 0..3_000 {
        let start = numbers.pick(&seeds).clone();
        let bytes = change(&mut numbers, start, &seeds);
        replay(&format!("plain, round {round}"), &bytes, invariants::trace);
    }
}

#[test]
fn changed_hook_answers() {
    let seeds: Vec<Vec<u8>> =
        files(&fixtures("corpus/hook_decision")).into_iter().map(|path| fs::read(path).unwrap()).collect();
    let mut numbers = Numbers(2);
    for round in 0..5_000 {
        let start = numbers.pick(&seeds).clone();
        let bytes = change(&mut numbers, start, &seeds);
        replay(&format!("hook, round {round}"), &bytes, invariants::hook_decision);
    }
}

/// More of the same: `npm run test:heavy`.
mod heavy {
    #[test]
    #[ignore = "heavy: minutes"]
    fn many_changed_goldens() {
        for seed in 100..130 {
            super::replay_changed(seed, 2_000);
        }
    }
}
