//! Sources that are no trace, are broken, or change under the reader: each gives a coded error, a counted parse error or
//! an outcome that is written down here. Nothing hangs, nothing ends the process.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek as _, SeekFrom, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use vigiles::trace::{Open, Trace, TraceError, TraceKind};

const INIT: &str = r#"{"type":"system","subtype":"init","session_id":"s-1","cwd":"/w","model":"m","skills":[]}"#;
const RESULT: &str =
    r#"{"type":"result","subtype":"success","is_error":false,"result":"done","num_turns":1,"session_id":"s-1"}"#;

fn call(id: &str, input: &str) -> String {
    format!(
        r#"{{"type":"assistant","session_id":"s-1","message":{{"id":"m-{id}","content":[{{"type":"tool_use","id":"{id}","name":"Bash","input":{input}}}]}}}}"#
    )
}

fn answer(id: &str, text: &str) -> String {
    format!(
        r#"{{"type":"user","session_id":"s-1","message":{{"content":[{{"type":"tool_result","tool_use_id":"{id}","content":"{text}"}}]}}}}"#
    )
}

fn stream(lines: &[&str]) -> Vec<u8> {
    lines.iter().flat_map(|line| [line.as_bytes(), b"\n"].concat()).collect()
}

fn refused(source: impl AsRef<[u8]>) -> TraceError {
    Trace::from_slice(source.as_ref()).unwrap_err()
}

#[track_caller]
fn assert_refused(error: &TraceError, code: &str, part: &str) {
    assert_eq!(error.code(), code, "{error}");
    assert!(error.to_string().contains(part), "expected `{part}` in: {error}");
}

#[track_caller]
fn soon<T>(what: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = what();
    assert!(start.elapsed() < Duration::from_secs(5), "took {:?}", start.elapsed());
    result
}

fn temp() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn file(dir: &tempfile::TempDir, bytes: &[u8]) -> PathBuf {
    let path = dir.path().join("run.jsonl");
    fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn a_missing_file() {
    let dir = temp();
    let error = Trace::from_path(dir.path().join("none.jsonl")).unwrap_err();
    assert_refused(&error, "VIGILES_TRACE_NOT_FOUND", "none.jsonl");
}

#[test]
fn a_path_through_a_file() {
    let dir = temp();
    let path = file(&dir, b"{}\n");
    let error = Trace::from_path(path.join("x")).unwrap_err();
    assert_refused(&error, "VIGILES_TRACE_UNREADABLE", "run.jsonl/x");
    assert!(std::error::Error::source(&error).is_some(), "the refusal of the system is kept");
}

#[test]
fn a_directory() {
    let dir = temp();
    assert_refused(&Trace::from_path(dir.path()).unwrap_err(), "VIGILES_TRACE_NOT_A_FILE", "directory");
}

#[test]
fn a_fifo_does_not_block() {
    let dir = temp();
    let path = dir.path().join("fifo");
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    let error = soon(|| Trace::from_path(&path).unwrap_err());
    assert_refused(&error, "VIGILES_TRACE_NOT_A_FILE", "FIFO");
}

#[test]
fn a_device() {
    let error = soon(|| Trace::from_path("/dev/zero").unwrap_err());
    assert_refused(&error, "VIGILES_TRACE_NOT_A_FILE", "device");
}

#[test]
fn a_file_that_opens_and_cannot_be_read() {
    if cfg!(target_os = "linux") {
        let error = soon(|| Trace::from_path("/proc/self/mem").unwrap_err());
        assert_refused(&error, "VIGILES_TRACE_UNREADABLE", "/proc/self/mem");
    }
}

#[test]
fn a_nul_in_the_path() {
    let error = Trace::from_path(Path::new(OsStr::from_bytes(b"run\0.jsonl"))).unwrap_err();
    assert_refused(&error, "VIGILES_TRACE_UNREADABLE", "NUL");
}

#[test]
fn a_stream_that_fails() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the pipe broke"))
        }
    }
    let error = Trace::from_reader(io::Cursor::new(INIT).chain(Broken)).unwrap_err();
    assert_refused(&error, "VIGILES_TRACE_UNREADABLE", "the pipe broke");
}

#[test]
fn nothing_and_white_space() {
    let dir = temp();
    assert_refused(&refused(""), "VIGILES_TRACE_EMPTY", "the buffer");
    assert_refused(&refused(" \n\t\r\n"), "VIGILES_TRACE_EMPTY", "the buffer");
    assert_refused(&refused("\u{feff}\n"), "VIGILES_TRACE_EMPTY", "the buffer");
    assert_refused(&Trace::from_path(file(&dir, b"")).unwrap_err(), "VIGILES_TRACE_EMPTY", "run.jsonl");
    assert_refused(&Trace::from_path("/dev/null").unwrap_err(), "VIGILES_TRACE_NOT_A_FILE", "device");
}

#[test]
fn bytes_that_are_no_trace() {
    let unknown = "VIGILES_TRACE_UNKNOWN_KIND";
    assert_refused(&refused(b"\x7fELF\x02\x01\x01\0\0\0\0"), unknown, "binary");
    assert_refused(&refused(vec![0; 10_000]), unknown, "binary");
    assert_refused(&refused("plain text\nof two lines\n"), unknown, "none of its lines is JSON");
    assert_refused(&refused("{\"a\":1}\n{\"b\":2}\nx\n"), unknown, "2 line(s) of JSON among the first 3");
    assert_refused(&refused("{"), unknown, "none of its lines");
    assert_refused(&refused("[]"), unknown, "no known kind");
    assert_refused(&refused("null"), unknown, "no known kind");
    assert_refused(&refused("{\"type\":7,\"session_id\":\"s\"}"), unknown, "no known kind");
    assert_refused(&refused("a".repeat(3 << 20)), unknown, "first MiB");
    assert!(refused("x").to_string().contains("--output-format stream-json"), "it says how to record one");
}

#[test]
fn utf_16() {
    let text = String::from_utf8(stream(&[INIT, RESULT])).unwrap();
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for bytes in [little.clone(), big.clone(), [b"\xFF\xFE", &*little].concat(), [b"\xFE\xFF", &*big].concat()] {
        assert_refused(&refused(bytes), "VIGILES_TRACE_UNKNOWN_KIND", "UTF-16");
    }
}

#[test]
fn text_before_the_first_line_of_json() {
    let trace = Trace::from_slice(&stream(&[
        "npm warn old lockfile",
        "",
        "(node:1) Warning: x",
        INIT,
        &call("t1", "{}"),
        RESULT,
    ]))
    .unwrap();
    assert_eq!(trace.parse_errors().iter().map(|error| error.line).collect::<Vec<_>>(), [1, 3]);
    assert_eq!(trace.tool_calls().unwrap().len(), 1);
    assert!(trace.complete());
}

#[test]
fn broken_lines_are_counted_and_the_others_used() {
    let half = call("t2", "{}");
    let trace =
        Trace::from_slice(&stream(&[INIT, &half[..50], &call("t1", "{}"), "\x01", "{} trailing", RESULT])).unwrap();
    let lines: Vec<_> = trace.parse_errors().iter().map(|error| error.line).collect();
    assert_eq!(lines, [2, 4, 5]);
    assert!(trace.parse_errors()[2].reason.contains("trailing characters at byte 4"), "{:?}", trace.parse_errors());
    assert_eq!(trace.tool_calls().unwrap().len(), 1);
    assert!(trace.complete(), "a broken line in the middle does not hide the end");
}

#[test]
fn a_line_cut_at_every_byte() {
    let whole = stream(&[INIT, &call("t1", r#"{"command":"\ud83d\ude00 \\ \" é"}"#), &answer("t1", "ok \\n"), RESULT]);
    for end in 1..whole.len() {
        let Ok(trace) = Trace::from_slice(&whole[..end]) else {
            assert!(end < INIT.len(), "cut at {end}");
            continue;
        };
        let is_between_lines = matches!(whole[end - 1], b'\n') || whole[end] == b'\n';
        assert_eq!(trace.parse_errors().is_empty(), is_between_lines, "cut at {end}: {:?}", trace.parse_errors());
        assert_eq!(trace.complete(), end + 1 >= whole.len(), "cut at {end}");
        trace.to_json().unwrap();
    }
}

#[test]
fn values_of_the_wrong_type_do_not_hide_the_rest() {
    let wrong = [
        r#"{"type":"assistant","session_id":"s-1","message":7}"#,
        r#"{"type":"assistant","session_id":"s-1","message":{"id":7,"content":"text"}}"#,
        r#"{"type":"assistant","session_id":"s-1","message":{"content":[{"type":"tool_use"},7,null,{"type":"text","text":9}]}}"#,
        r#"{"type":"user","session_id":"s-1","message":{"content":[{"type":"tool_result","tool_use_id":3,"content":{"a":1},"is_error":"yes"}]}}"#,
        r#"{"type":"system","session_id":"s-1","subtype":["init"],"skills":{"a":1},"mcp_servers":"none"}"#,
        r#"{"type":"system","session_id":"s-1","subtype":"hook_response","exit_code":"2","stdout":{}}"#,
        r#"{"type":"result","session_id":"s-1","usage":[],"permission_denials":{"a":1},"num_turns":-4,"total_cost_usd":"free"}"#,
        r#"[{"type":"result"}]"#,
        "7",
    ];
    let mut lines = vec![INIT];
    lines.extend(wrong);
    lines.push(RESULT);
    let trace = Trace::from_slice(&stream(&lines)).unwrap();
    assert!(trace.parse_errors().is_empty(), "they are JSON: {:?}", trace.parse_errors());
    assert_eq!((trace.output(), trace.result().unwrap().num_turns), (Some("done"), Some(1)));
    trace.to_json().unwrap();
}

#[test]
fn token_counts_that_overflow() {
    let huge =
        r#"{"type":"result","session_id":"s-1","usage":{"input_tokens":18446744073709551615,"output_tokens":1}}"#;
    let trace = Trace::from_slice(&stream(&[INIT, huge, huge])).unwrap();
    assert_eq!(trace.usage().unwrap().input_tokens, Some(u64::MAX));
    let turn = |thread: &str| {
        format!(
            r#"{{"type":"thread.started","thread_id":"{thread}"}}
{{"type":"turn.completed","usage":{{"input_tokens":18446744073709551615}}}}"#
        )
    };
    let trace = Trace::from_slice(&stream(&[&turn("a"), &turn("b")])).unwrap();
    assert_eq!(trace.usage().unwrap().input_tokens, Some(u64::MAX));
}

#[test]
fn lone_surrogates_and_bytes_that_are_not_utf_8() {
    let mut bytes = stream(&[
        INIT,
        &call("t1", r#"{"command":"cut \ud83d in half","pair":"\ud83d\ude00"}"#),
        &answer("t1", r"\ude00 end"),
    ]);
    bytes.extend_from_slice(
        &answer("t2", "X")
            .into_bytes()
            .into_iter()
            .map(|byte| if byte == b'X' { 0xFF } else { byte })
            .collect::<Vec<_>>(),
    );
    bytes.push(b'\n');
    bytes.extend_from_slice(&stream(&[RESULT]));
    let trace = Trace::from_slice(&bytes).unwrap();
    let call = &trace.tool_calls().unwrap()[0];
    assert_eq!(trace.input(call).unwrap(), serde_json::json!({"command": "cut \u{fffd} in half", "pair": "\u{1f600}"}));
    assert_eq!(trace.result_text(call).unwrap().unwrap(), "\u{fffd} end");
    assert!(
        trace.warnings().iter().any(|warning| warning.starts_with("2 string(s) hold half of a surrogate pair")),
        "{:?}",
        trace.warnings()
    );
    assert!(trace.warnings().iter().any(|warning| warning.starts_with("1 line(s) hold bytes that are not UTF-8")));
    assert!(trace.parse_errors().is_empty());
    let json: serde_json::Value = serde_json::from_str(&trace.to_json().unwrap()).unwrap();
    assert_eq!(json["toolCalls"][0]["input"]["command"], "cut \u{fffd} in half");
}

#[test]
fn a_value_10_000_levels_deep() {
    let deep = ["[".repeat(10_000), "]".repeat(10_000)].concat();
    let trace = Trace::from_slice(&stream(&[INIT, &call("t1", &format!("{{\"a\":{deep}}}")), &deep, RESULT])).unwrap();
    assert!(trace.parse_errors().is_empty());
    let call = &trace.tool_calls().unwrap()[0];
    // As a value it is cut off with null; as text it is whole.
    assert!(trace.input(call).unwrap()["a"].is_array());
    assert_eq!(trace.input_json(call).unwrap(), format!("{{\"a\":{deep}}}"));
    let again = Trace::from_json(&trace.to_json().unwrap()).unwrap();
    assert_eq!(again.input_json(&again.tool_calls().unwrap()[0]).unwrap(), format!("{{\"a\":{deep}}}"));
    assert_refused(&refused("[".repeat(10_000)), "VIGILES_TRACE_UNKNOWN_KIND", "none of its lines");
}

#[test]
fn subagents_nested_without_end() {
    let agent = |id: &str, parent: &str| {
        format!(
            r#"{{"type":"assistant","session_id":"s-1","parent_tool_use_id":{parent},"message":{{"id":"m{id}","content":[{{"type":"tool_use","id":"{id}","name":"Agent","input":{{}}}}]}}}}"#
        )
    };
    // One in another, 20,000 times; a walk by recursion would end the process.
    let chain: Vec<String> = (0..20_000)
        .map(|n| agent(&n.to_string(), &if n == 0 { "null".to_owned() } else { format!("\"{}\"", n - 1) }))
        .collect();
    let lines: Vec<&str> = std::iter::once(INIT).chain(chain.iter().map(String::as_str)).collect();
    let trace = Trace::from_slice(&stream(&lines)).unwrap();
    assert_eq!(trace.tool_calls().unwrap().len(), 20_000);
    let mut depth = 0;
    let mut level = trace.subagents().unwrap();
    while let [agent] = level {
        depth += 1;
        level = &agent.subagents;
    }
    assert_eq!(depth, 32, "deeper ones are in the list of calls only");
    Trace::from_json(&trace.to_json().unwrap()).unwrap();
    // In a circle, and without ids.
    for lines in [
        [agent("a", "\"b\""), agent("b", "\"a\"")],
        [agent("a", "\"a\""), agent("b", "null")],
        [agent("", "null"), agent("", "\"\"")],
    ] {
        let trace = Trace::from_slice(&stream(&[INIT, &lines[0], &lines[1]])).unwrap();
        assert_eq!(trace.tool_calls().unwrap().len(), 2);
        trace.to_json().unwrap();
    }
}

#[test]
fn a_first_line_of_several_megabytes() {
    let first = format!(r#"{{"type":"user","sessionId":"s-1","message":{{"content":"{}"}}}}"#, "A".repeat(3 << 20));
    let reply = r#"{"type":"assistant","sessionId":"s-1","message":{"id":"m","stop_reason":"end_turn","content":[{"type":"text","text":"seen"}]}}"#;
    for lines in [vec![&*first, reply], vec![&*first]] {
        let trace = Trace::from_slice(&stream(&lines)).unwrap();
        assert_eq!(trace.kind(), TraceKind::ClaudeSession);
        assert_eq!(trace.prompt().map(str::len), Some(3 << 20));
    }
}

#[test]
fn many_calls_in_one_message_are_read_in_no_time() {
    let block = |n: usize| format!(r#"{{"type":"tool_use","id":"t{n}","name":"Bash","input":{{}}}}"#);
    let blocks = (0..30_000).map(block).collect::<Vec<_>>().join(",");
    let message = format!(r#"{{"type":"assistant","session_id":"s-1","message":{{"id":"m","content":[{blocks}]}}}}"#);
    let trace = soon(|| Trace::from_slice(&stream(&[INIT, &message, RESULT])).unwrap());
    assert_eq!((trace.tool_calls().unwrap().len(), trace.turns()), (30_000, Some(1)));
}

/// A stream of more than 4 MiB: it stays on disk, and its texts are read when they are asked for.
fn large(dir: &tempfile::TempDir) -> PathBuf {
    let path = dir.path().join("large.jsonl");
    let mut out = io::BufWriter::new(File::create(&path).unwrap());
    writeln!(out, "{INIT}").unwrap();
    for n in 0..1_000 {
        writeln!(
            out,
            "{}\n{}",
            call(&format!("t{n}"), &format!(r#"{{"command":"{}"}}"#, "echo ".repeat(200))),
            answer(&format!("t{n}"), &format!("{n} {}", "long ".repeat(1_000)))
        )
        .unwrap();
    }
    writeln!(out, "{RESULT}").unwrap();
    out.into_inner().unwrap().sync_all().unwrap();
    assert!(fs::metadata(&path).unwrap().len() > 5 << 20);
    path
}

fn last_result(trace: &Trace) -> Result<String, TraceError> {
    let call = trace.tool_calls().unwrap().last().unwrap();
    trace.result_text(call).map(|text| text.unwrap().into_owned())
}

#[test]
fn a_file_that_grows_while_it_is_in_use() {
    let dir = temp();
    let path = large(&dir);
    let trace = Trace::from_path(&path).unwrap();
    OpenOptions::new().append(true).open(&path).unwrap().write_all(&stream(&[&call("more", "{}")])).unwrap();
    assert!(last_result(&trace).unwrap().starts_with("999 long"), "what was read stays readable");
    assert_eq!(Trace::from_path(&path).unwrap().tool_calls().unwrap().len(), 1_001);
}

#[test]
fn a_file_that_grows_while_it_is_read() {
    for is_large in [false, true] {
        let dir = temp();
        let path = if is_large { large(&dir) } else { file(&dir, &stream(&[INIT])) };
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                let mut writer = OpenOptions::new().append(true).open(&path).unwrap();
                for n in 0..2_000 {
                    let line = format!("{}\n", call(&format!("more{n}"), r#"{"command":"echo"}"#));
                    // In two writes: a reader may see a line that is not whole.
                    let (first, second) = line.as_bytes().split_at(n % line.len());
                    writer.write_all(first).unwrap();
                    writer.write_all(second).unwrap();
                }
                done.store(true, Ordering::Release);
            });
            let mut seen = 0;
            while !done.load(Ordering::Acquire) {
                let trace = Trace::from_path(&path).unwrap();
                let calls = trace.tool_calls().unwrap().len();
                assert!(calls >= seen, "{calls} calls after {seen}");
                seen = calls;
                assert!(trace.parse_errors().iter().all(|error| error.reason.starts_with("the last line is cut off")));
                trace.to_json().unwrap();
            }
            writer.join().unwrap();
        });
        let expected = if is_large { 3_000 } else { 2_000 };
        assert_eq!(Trace::from_path(&path).unwrap().tool_calls().unwrap().len(), expected);
    }
}

#[test]
fn a_file_that_was_replaced_is_read_as_it_was() {
    let dir = temp();
    let path = large(&dir);
    let trace = Trace::from_path(&path).unwrap();
    fs::rename(file(&dir, b"other\n"), &path).unwrap();
    assert!(last_result(&trace).unwrap().starts_with("999 long"), "the open file is still there");
    let trace = Trace::from_path(large(&dir)).unwrap();
    fs::remove_file(dir.path().join("large.jsonl")).unwrap();
    assert!(last_result(&trace).unwrap().starts_with("999 long"));
}

#[test]
fn a_file_that_shrinks_between_reading_and_asking() {
    let dir = temp();
    let path = large(&dir);
    let trace = Trace::from_path(&path).unwrap();
    for len in [fs::metadata(&path).unwrap().len() - 1, 1_000, 0] {
        OpenOptions::new().write(true).open(&path).unwrap().set_len(len).unwrap();
        assert_refused(&last_result(&trace).unwrap_err(), "VIGILES_TRACE_CHANGED", "became shorter");
        assert_refused(&trace.to_json().unwrap_err(), "VIGILES_TRACE_CHANGED", "became shorter");
    }
    assert_eq!(trace.tool_calls().unwrap().len(), 1_000, "what is in memory stays");
    assert_eq!(trace.output(), Some("done"));
}

#[test]
fn a_file_that_is_rewritten_in_place() {
    let dir = temp();
    let path = large(&dir);
    let trace = Trace::from_path(&path).unwrap();
    let mut writer = OpenOptions::new().write(true).open(&path).unwrap();
    writer.seek(SeekFrom::Start(1 << 20)).unwrap();
    writer.write_all(&[b'#'; 4096]).unwrap();
    writer.set_modified(std::time::SystemTime::now() + Duration::from_secs(5)).unwrap();
    assert_refused(&last_result(&trace).unwrap_err(), "VIGILES_TRACE_CHANGED", "written to");
}

#[test]
fn a_small_file_may_go_away() {
    let dir = temp();
    let long = "long ".repeat(100);
    let path = file(&dir, &stream(&[INIT, &call("t1", "{}"), &answer("t1", &long), RESULT]));
    let trace = Trace::from_path(&path).unwrap();
    fs::remove_file(path).unwrap();
    assert_eq!(last_result(&trace).unwrap(), long);
}

#[test]
fn a_file_cut_and_filled_by_another_thread_while_it_is_read() {
    let dir = temp();
    let path = large(&dir);
    let whole = fs::read(&path).unwrap();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut writer = OpenOptions::new().write(true).open(&path).unwrap();
            while !stop.load(Ordering::Relaxed) {
                for len in [whole.len() / 2, 100, 0, whole.len() - 7] {
                    writer.set_len(len as u64).unwrap();
                    std::thread::yield_now();
                }
                writer.rewind().unwrap();
                writer.write_all(&whole).unwrap();
            }
        });
        let mut outcomes = std::collections::BTreeMap::<&str, u32>::new();
        for _ in 0..60 {
            let outcome = match Trace::from_path(&path) {
                Ok(trace) => match trace.to_json() {
                    Ok(_) => "read",
                    Err(error) => error.code(),
                },
                Err(error) => error.code(),
            };
            *outcomes.entry(outcome).or_default() += 1;
        }
        stop.store(true, Ordering::Relaxed);
        let documented = ["read", "VIGILES_TRACE_CHANGED", "VIGILES_TRACE_EMPTY", "VIGILES_TRACE_UNKNOWN_KIND"];
        assert!(outcomes.keys().all(|outcome| documented.contains(outcome)), "{outcomes:?}");
    });
}

#[test]
fn a_sparse_file_of_one_line() {
    let dir = temp();
    let path = dir.path().join("sparse.jsonl");
    File::create(&path).unwrap().set_len(1 << 30).unwrap();
    let error = soon(|| Trace::from_path(&path).unwrap_err());
    assert_refused(&error, "VIGILES_TRACE_UNKNOWN_KIND", "binary");
}

#[test]
fn a_session_that_is_no_file() {
    let dir = temp();
    let open = |session: &Path| Open::default().session(session).read_bytes(stream(&[INIT, RESULT])).unwrap_err();
    assert_refused(&open(dir.path()), "VIGILES_TRACE_NOT_A_FILE", "directory");
    assert_refused(&open(&dir.path().join("none")), "VIGILES_TRACE_NOT_FOUND", "none");
    assert_refused(&open(&file(&dir, b"")), "VIGILES_TRACE_EMPTY", "run.jsonl");
    let other = r#"{"type":"user","sessionId":"s-2","message":{"content":"hello"}}"#;
    assert_refused(&open(&file(&dir, &stream(&[other]))), "VIGILES_TRACE_SESSION_MISMATCH", "is of session s-2");
}

#[test]
fn what_is_no_regular_file_in_the_work_dir_is_refused_at_once() {
    let dir = temp();
    let fifo = dir.path().join("fifo");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let _socket = std::os::unix::net::UnixListener::bind(dir.path().join("socket")).unwrap();
    fs::create_dir(dir.path().join("folder")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", dir.path().join("zero")).unwrap();
    let trace = Open::default().work_dir(dir.path()).read_bytes(stream(&[INIT, RESULT])).unwrap();
    for (name, what) in
        [("fifo", "FIFO"), ("socket", "socket or device"), ("folder", "directory"), ("zero", "socket or device")]
    {
        let error = soon(|| trace.file(name).unwrap_err());
        assert_refused(&error, "VIGILES_TRACE_NOT_A_FILE", what);
        let text = error.to_string();
        assert!(text.contains(name) && !text.contains("trace") && !text.contains(".jsonl"), "{text}");
        assert!(trace.exists(name).unwrap(), "{name} is there");
    }
    let error = soon(|| trace.file("/dev/zero").unwrap_err());
    assert_refused(&error, "VIGILES_TRACE_NOT_A_FILE", "/dev/zero");
}

#[test]
fn a_file_of_the_work_dir_that_cannot_be_read() {
    let dir = temp();
    let trace = Open::default().work_dir(dir.path()).read_bytes(stream(&[INIT, RESULT])).unwrap();
    let error = trace.file("a\0b").unwrap_err();
    assert_refused(&error, "VIGILES_TRACE_UNREADABLE", "could not read the file");
    assert!(std::error::Error::source(&error).is_some(), "the refusal of the system is kept");
    std::os::unix::fs::symlink("loop", dir.path().join("loop")).unwrap();
    assert_refused(&trace.file("loop").unwrap_err(), "VIGILES_TRACE_UNREADABLE", "loop");
    assert_eq!(trace.file("none.txt").unwrap(), None);
    assert_eq!(trace.file("none/deep.txt").unwrap(), None);
}

#[test]
fn a_trace_shown_for_debugging_does_not_show_its_bytes() {
    let trace = Trace::from_slice(&stream(&[INIT, RESULT])).unwrap();
    let shown = format!("{trace:?}");
    assert!(shown.contains("the buffer (") && shown.len() < 3_000, "{shown}");
}

/// What takes minutes or gigabytes: `npm run test:heavy`.
mod heavy {
    use super::*;

    /// Peak memory of this process in bytes, pages of files included.
    fn peak() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() << 10
    }

    /// Runs this test alone in a process of its own, where the peak is its own too.
    fn alone(test: &str, path: &Path) {
        let child = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", &format!("heavy::{test}"), "--ignored", "--nocapture"])
            .env("VIGILES_TEST_TRACE", path)
            .output()
            .unwrap();
        assert!(
            child.status.success(),
            "{}{}",
            String::from_utf8_lossy(&child.stdout),
            String::from_utf8_lossy(&child.stderr)
        );
        assert!(String::from_utf8_lossy(&child.stdout).contains("1 passed"), "the test ran in the child");
    }

    fn given() -> Option<PathBuf> {
        std::env::var_os("VIGILES_TEST_TRACE").map(PathBuf::from)
    }

    fn assert_peak_below(times_the_file: f64, path: &Path) {
        let len = fs::metadata(path).unwrap().len();
        assert!((peak() as f64) < times_the_file * len as f64, "{} MiB for a file of {} MiB", peak() >> 20, len >> 20);
    }

    #[test]
    #[ignore = "heavy: writes and reads 600 MB"]
    fn a_trace_of_600_mb_costs_less_than_1_2_times_its_size() {
        let Some(path) = given() else {
            let dir = temp();
            let path = dir.path().join("huge.jsonl");
            let mut out = io::BufWriter::new(File::create(&path).unwrap());
            writeln!(out, "{INIT}").unwrap();
            let text = "output \\n \\u00e9 \\ud83d\\ude00 ".repeat(200);
            for n in 0..100_000 {
                writeln!(
                    out,
                    "{}\n{}",
                    call(&format!("t{n}"), r#"{"command":"make"}"#),
                    answer(&format!("t{n}"), &text)
                )
                .unwrap();
            }
            writeln!(out, "{RESULT}").unwrap();
            out.flush().unwrap();
            assert!(fs::metadata(&path).unwrap().len() > 540 << 20);
            return alone("a_trace_of_600_mb_costs_less_than_1_2_times_its_size", &path);
        };
        let trace = Trace::from_path(&path).unwrap();
        assert_eq!(
            (trace.tool_calls().unwrap().len(), trace.turns(), trace.parse_errors()),
            (100_000, Some(100_000), &[][..])
        );
        assert!(last_result(&trace).unwrap().starts_with("output \n \u{e9} \u{1f600} "));
        assert_peak_below(1.2, &path);
    }

    #[test]
    #[ignore = "heavy: writes and reads 560 MB"]
    fn one_line_of_half_the_file_costs_less_than_1_2_times_its_size() {
        let Some(path) = given() else {
            let dir = temp();
            let path = dir.path().join("huge.jsonl");
            let mut out = io::BufWriter::new(File::create(&path).unwrap());
            let long = "x".repeat(280 << 20);
            writeln!(out, "{INIT}\n{}\n{}\n{}\n{RESULT}", call("t1", "{}"), answer("t1", &long), answer("t1", &long))
                .unwrap();
            out.flush().unwrap();
            drop(long);
            return alone("one_line_of_half_the_file_costs_less_than_1_2_times_its_size", &path);
        };
        let trace = Trace::from_path(&path).unwrap();
        assert!(trace.complete() && trace.parse_errors().is_empty());
        assert_peak_below(1.2, &path);
    }

    #[test]
    #[ignore = "heavy: writes and reads 1 GB"]
    fn a_line_of_1_gb_between_others_is_one_parse_error() {
        let Some(path) = given() else {
            let dir = temp();
            let path = dir.path().join("huge.jsonl");
            let mut out = io::BufWriter::new(File::create(&path).unwrap());
            writeln!(out, "{INIT}\n{}", call("t1", "{}")).unwrap();
            let piece = vec![b'x'; 1 << 20];
            for _ in 0..1024 {
                out.write_all(&piece).unwrap();
            }
            writeln!(out, "\n{}\n{RESULT}", answer("t1", "ok")).unwrap();
            out.flush().unwrap();
            return alone("a_line_of_1_gb_between_others_is_one_parse_error", &path);
        };
        let trace = Trace::from_path(&path).unwrap();
        let [error] = trace.parse_errors() else { panic!("{:?}", trace.parse_errors()) };
        assert_eq!((error.line, &*error.reason), (3, "longer than 512 MiB"));
        assert_eq!((last_result(&trace).unwrap(), trace.complete()), ("ok".to_owned(), true));
        assert_peak_below(1.2, &path);
    }

    #[test]
    #[ignore = "heavy: reads a file of 1 GB"]
    fn a_single_line_of_1_gb_without_a_break_is_refused() {
        let dir = temp();
        let path = dir.path().join("huge.jsonl");
        let mut out = io::BufWriter::new(File::create(&path).unwrap());
        write!(out, r#"{{"type":"system","session_id":""#).unwrap();
        let piece = vec![b'x'; 1 << 20];
        for _ in 0..1024 {
            out.write_all(&piece).unwrap();
        }
        out.flush().unwrap();
        let error = Trace::from_path(&path).unwrap_err();
        assert_refused(&error, "VIGILES_TRACE_UNKNOWN_KIND", "first MiB");
    }
}
