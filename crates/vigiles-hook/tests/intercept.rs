//! The hook that refuses the calls of a test.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn ask(rules: &str, event: &str) -> Output {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), rules).expect("the rules are written");
    let mut child = Command::new(env!("CARGO_BIN_EXE_vigiles-hook"))
        .arg("intercept")
        .arg(file.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(event.as_bytes()).expect("the event is read");
    child.wait_with_output().expect("it ends")
}

const RULES: &str = r#"{"mark":false,"calls":[
    {"tool":"Bash","when":{"command":{"regex":"^git push"}},"denyReason":"no pushing"},
    {"tool":"Write"}]}"#;

#[test]
fn the_first_call_that_matches_is_refused_and_others_pass() {
    for (event, said) in [
        (r#"{"tool_name":"Bash","tool_input":{"command":"git push origin"}}"#, Some("no pushing")),
        (r#"{"tool_name":"Bash","tool_input":{"command":"echo git push"}}"#, None),
        (r#"{"tool_name":"Bash","tool_input":{"cmd":"git push"}}"#, None),
        (r#"{"tool_name":"Write","tool_input":{"file_path":"a"}}"#, Some("noted and not run")),
        (r#"{"tool_name":"Write"}"#, Some("noted and not run")),
        (r#"{"tool_name":"Read","tool_input":{}}"#, None),
        ("{}", None),
    ] {
        let output = ask(RULES, event);
        assert_eq!(output.status.code(), Some(0), "{event}");
        let stdout = String::from_utf8(output.stdout).unwrap();
        match said {
            Some(said) => {
                let answer: serde_json::Value = serde_json::from_str(&stdout).unwrap();
                assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny", "{event}");
                assert!(stdout.contains(said), "{event}: {stdout}");
            }
            None => assert_eq!(stdout, "", "{event}"),
        }
    }
}

#[test]
fn an_answer_says_that_it_is_ours_where_that_is_asked_for() {
    let rules = RULES.replace("\"mark\":false", "\"mark\":true");
    for event in [r#"{"tool_name":"Write"}"#, r#"{"tool_name":"Read"}"#] {
        let stdout = String::from_utf8(ask(&rules, event).stdout).unwrap();
        assert!(vigiles::intercept::is_own(&stdout), "{stdout}");
    }
    assert!(!vigiles::intercept::is_own(r#"{"continue":true}"#));
}

#[test]
fn a_call_that_cannot_be_judged_is_refused() {
    for (rules, event) in [(RULES, "no JSON"), ("{", "{}")] {
        let output = ask(rules, event);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8(output.stderr).unwrap().contains("it is refused"));
    }
}
