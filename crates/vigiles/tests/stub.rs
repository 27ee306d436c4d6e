//! Stubs: which calls a rule is for, what they answer, and what the author of the rules is told.

use std::path::Path;

use serde_json::{Value, json};
use vigiles::stub::{Answered, Stub, StubAnswer, StubOutcome, Stubs, answer, install, unanswered};

fn stubs(json: &Value) -> Vec<Stub> {
    Stub::list_from_json(&json.to_string(), "stubs").expect("the rules are good")
}

fn installed(json: &Value) -> (tempfile::TempDir, Stubs) {
    let dir = tempfile::tempdir().expect("a directory");
    let stubs = install(stubs(json), dir.path(), Path::new("/bin/false")).expect("they are installed");
    (dir, stubs)
}

fn argv(words: &str) -> Vec<String> {
    words.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn ask(dir: &tempfile::TempDir, words: &str) -> Option<String> {
    match answer(dir.path(), "gh", argv(words)).expect("the rules are there") {
        Answered::Answer(StubAnswer { stdout, .. }) => Some(stdout),
        Answered::Nothing => None,
    }
}

fn always(text: &str) -> Value {
    json!({ "kind": "always", "stdout": text })
}

#[test]
fn a_rule_is_for_the_calls_it_says() {
    let cases = [
        (json!(["pr", "list"]), json!([]), "pr list", true),
        (json!(["pr", "list"]), json!([]), "pr list --json", false),
        (json!(["pr", "list"]), json!([]), "pr", false),
        (json!(["pr"]), json!([]), "PR", false),
        (json!([]), json!([]), "", true),
        (json!([]), json!([]), "x", false),
        (json!([{ "rest": true }]), json!([]), "", true),
        (json!([{ "rest": true }]), json!([]), "any thing", true),
        (json!(["pr", { "rest": true }]), json!([]), "pr", true),
        (json!(["pr", { "rest": true }]), json!([]), "pr a b", true),
        (json!(["pr", { "rest": true }]), json!([]), "issue", false),
        (json!(["pr", { "regex": "^\\d+$" }]), json!([]), "pr 42", true),
        (json!(["pr", { "regex": "^\\d+$" }]), json!([]), "pr 42x", false),
        (json!(["pr", { "regex": "^LIST$", "flags": "i" }]), json!([]), "pr list", true),
        (json!(["pr", { "rest": true }]), json!(["--json"]), "pr list --json title", true),
        (json!(["pr", { "rest": true }]), json!(["--json", "list"]), "pr list --json", true),
        (json!(["pr", { "rest": true }]), json!(["--json", "nope"]), "pr list --json", false),
        (json!(["pr", { "rest": true }]), json!([{ "regex": "^--j" }]), "pr --json", true),
        // Only what follows counts, not what the rule named.
        (json!(["pr", { "rest": true }]), json!(["pr"]), "pr list", false),
    ];
    for (pattern, contains, call, expected) in cases {
        let rule = json!({ "argv": pattern, "contains": contains, "reply": always("yes") });
        let (dir, _stubs) = installed(&json!([{ "name": "gh", "rules": [rule] }]));
        assert_eq!(ask(&dir, call).is_some(), expected, "{pattern} contains {contains}: {call}");
    }
}

#[test]
fn the_first_rule_that_matches_answers() {
    let (dir, stubs) = installed(&json!([{ "name": "gh", "rules": [
        { "argv": ["a"], "reply": always("first") },
        { "argv": [{ "rest": true }], "reply": { "kind": "inOrder", "answers": [{ "stdout": "one" }, { "stdout": "two" }] } },
    ]}]));
    let answers = ["a", "b", "a", "c", "d"].map(|call| ask(&dir, call));
    assert_eq!(answers.map(Option::unwrap_or_default), ["first", "one", "first", "two", ""]);
    let outcomes: Vec<StubOutcome> = stubs.calls().unwrap().into_iter().map(|call| call.outcome).collect();
    let (first, then) =
        (StubOutcome::Answered { rule: 0, answer: 0 }, |answer| StubOutcome::Answered { rule: 1, answer });
    assert_eq!(outcomes, [first, then(0), first, then(1), StubOutcome::Exhausted { rule: 1 }]);
}

#[test]
fn rules_that_could_not_be_served_are_refused_with_their_place() {
    let rule = json!({ "argv": ["a"], "reply": always("x") });
    let with = |change: Value| {
        let mut rule = rule.clone();
        for (name, value) in change.as_object().unwrap() {
            rule[name] = value.clone();
        }
        json!([{ "name": "gh", "rules": [rule] }])
    };
    let cases = [
        (
            json!([{ "name": "gh", "stdout": "x" }]),
            "stubs[0]",
            "it has no `rules`. One answer for every call is written experimental_stub(\"gh\", [",
        ),
        (json!([{ "name": "gh", "rules": [] }]), "stubs[0].rules", "there is no rule"),
        (json!([{ "name": "", "rules": [rule] }]), "stubs[0].name", "expected the name of a program"),
        (json!([{ "name": "a/b", "rules": [rule] }]), "stubs[0].name", "\"a/b\""),
        (json!([{ "name": "..", "rules": [rule] }]), "stubs[0].name", "\"..\""),
        (
            json!([{ "name": "gh", "rules": [rule] }, { "name": "gh", "rules": [rule] }]),
            "stubs[1].name",
            "two stubs named \"gh\"",
        ),
        (json!([{ "name": "gh", "rules": [rule], "more": 1 }]), "stubs[0].more", "unknown field `more`"),
        (with(json!({ "when": 1 })), "stubs[0].rules[0].when", "unknown field `when`"),
        (
            with(json!({ "argv": [{ "rest": true }, "a"] })),
            "stubs[0].rules[0].argv",
            "`rest` stands for all arguments that follow",
        ),
        (
            with(json!({ "argv": [1] })),
            "stubs[0].rules[0].argv",
            "expected an argument (a string) or a pattern (a RegExp), but got 1",
        ),
        (with(json!({ "contains": ["b"] })), "stubs[0].rules[0].contains", "End `argv` with `rest`"),
        (
            with(json!({ "argv": [{ "regex": "a", "flags": "g" }] })),
            "stubs[0].rules[0].argv[0]",
            "the flag g of /a/g has no meaning",
        ),
        (with(json!({ "argv": [{ "regex": "a", "flags": "y" }] })), "stubs[0].rules[0].argv[0]", "the flag y"),
        (
            with(json!({ "argv": [{ "regex": "(" }] })),
            "stubs[0].rules[0].argv[0]",
            "expected a JavaScript regular expression",
        ),
        (
            with(json!({ "reply": { "kind": "inOrder", "answers": [] } })),
            "stubs[0].rules[0].reply.answers",
            "there is no answer",
        ),
        (with(json!({ "reply": { "kind": "always", "exitCode": 256 } })), "stubs[0].rules[0].reply", "256"),
        (with(json!({ "reply": { "kind": "always", "exitCode": -1 } })), "stubs[0].rules[0].reply", "-1"),
        (with(json!({ "reply": { "kind": "sometimes" } })), "stubs[0].rules[0].reply", "sometimes"),
        (
            with(json!({ "reply": { "kind": "always", "text": "x" } })),
            "stubs[0].rules[0].reply",
            "unknown field `text`",
        ),
    ];
    for (json, place, problem) in cases {
        let error = Stub::list_from_json(&json.to_string(), "stubs").unwrap_err();
        assert_eq!(error.code(), "VIGILES_STUB_INVALID");
        assert!(error.place.starts_with(place), "{json}\n{error}");
        assert!(error.problem.contains(problem), "{json}\n{error}");
    }
}

#[test]
fn rules_survive_being_written() {
    let json = json!([{ "name": "gh", "rules": [
        { "argv": ["a", { "regex": "b", "flags": "i" }, { "rest": true }], "contains": [{ "regex": "c" }],
          "reply": { "kind": "inOrder", "answers": [{ "stdout": "x", "stderr": "y", "exitCode": 3 }] } },
    ]}]);
    let read = stubs(&json);
    assert_eq!(stubs(&serde_json::to_value(&read).unwrap()), read);
}

#[test]
fn the_author_is_told_what_to_add() {
    let (dir, stubs) = installed(&json!([{ "name": "gh", "rules": [
        { "argv": ["pr", "list", { "rest": true }], "contains": ["--json"], "reply": always("[]") },
        { "argv": ["pr", "view", { "regex": "^\\d+$" }], "reply": { "kind": "inOrder", "answers": [{}] } },
    ]}]));
    assert_eq!(unanswered(stubs.stubs(), &stubs.calls().unwrap()), None);
    for call in ["pr list --json", "pr close 7", "pr view 7", "pr view 7", "pr close 7"] {
        ask(&dir, call);
    }
    insta::assert_snapshot!(unanswered(stubs.stubs(), &stubs.calls().unwrap()).unwrap(), @r#"
    expected a rule for every call of a stub, but 3 calls had no answer
      gh pr close 7 (x2): no rule matches it
      gh pr view 7 (x1): rule 2 had 1 answer(s), all given by then
      rules of gh:
        1. ["pr", "list", rest] contains ["--json"]
        2. ["pr", "view", /^\d+$/]
      one for it: { argv: ["pr", "close", "7"], reply: { kind: "always", stdout: "..." } }
    Answer what the real program answers: an invented answer tests a program that does not exist. Do not add a rule for everything: it would hide the next call that nobody thought of.
    "#);
}
