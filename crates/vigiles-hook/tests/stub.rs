//! The programs that stand in for others.

use std::path::Path;
use std::process::{Command, Output};
use std::thread;

use vigiles::stub::{Stub, Stubs, install};

fn installed(root: &Path, rules: &str) -> Stubs {
    let stubs =
        Stub::list_from_json(&format!(r#"[{{"name":"gh","rules":{rules}}}]"#), "stubs").expect("the rules are good");
    install(stubs, root, Path::new(env!("CARGO_BIN_EXE_vigiles-hook"))).expect("they are installed")
}

fn gh(stubs: &Stubs, argv: &[&str]) -> Output {
    Command::new(stubs.bin().join("gh")).args(argv).output().expect("the stub starts")
}

#[test]
fn it_prints_and_ends_as_the_rule_says() {
    // A path with a quote and a blank: the stub is a shell script.
    let dir = tempfile::Builder::new().prefix("it's here ").tempdir().unwrap();
    let rules = r#"[{"argv":["pr"],"reply":{"kind":"always","stdout":"out\n","stderr":"err\n","exitCode":7}}]"#;
    let stubs = installed(dir.path(), rules);
    let output = gh(&stubs, &["pr"]);
    assert_eq!((output.stdout.as_slice(), output.stderr.as_slice()), (&b"out\n"[..], &b"err\n"[..]));
    assert_eq!(output.status.code(), Some(7));
}

#[test]
fn a_call_without_a_rule_learns_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let stubs = installed(dir.path(), r#"[{"argv":["pr"],"reply":{"kind":"always"}}]"#);
    let output = gh(&stubs, &["issue", "with a blank", "$HOME"]);
    assert_eq!(output.status.code(), Some(97));
    assert_eq!(output.stdout, b"");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "gh: unsupported invocation (vigiles stub)\n");
    let calls = stubs.calls().unwrap();
    assert_eq!(calls[0].argv, ["issue", "with a blank", "$HOME"]);
}

#[test]
fn answers_of_a_list_go_to_one_call_each_whatever_the_race() {
    let dir = tempfile::tempdir().unwrap();
    let answers: Vec<String> = (0..60).map(|index| format!(r#"{{"stdout":"{index}"}}"#)).collect();
    let rules = format!(r#"[{{"argv":[],"reply":{{"kind":"inOrder","answers":[{}]}}}}]"#, answers.join(","));
    let stubs = installed(dir.path(), &rules);
    let mut seen: Vec<usize> = thread::scope(|scope| {
        let callers: Vec<_> = (0..6)
            .map(|_| {
                scope.spawn(|| {
                    let answer = |_| String::from_utf8(gh(&stubs, &[]).stdout).unwrap().parse().unwrap();
                    (0..10).map(answer).collect::<Vec<usize>>()
                })
            })
            .collect();
        callers.into_iter().flat_map(|caller| caller.join().unwrap()).collect()
    });
    seen.sort_unstable();
    assert_eq!(seen, (0..60).collect::<Vec<_>>());
    assert_eq!(stubs.calls().unwrap().len(), 60);
}

#[test]
fn a_stub_that_cannot_answer_is_no_answer() {
    let dir = tempfile::tempdir().unwrap();
    let stubs = installed(dir.path(), r#"[{"argv":[],"reply":{"kind":"always"}}]"#);
    std::fs::write(dir.path().join("rules/gh.json"), "{").unwrap();
    let output = gh(&stubs, &[]);
    assert_eq!(output.status.code(), Some(97));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("gh: the stub could not answer: "));
}
