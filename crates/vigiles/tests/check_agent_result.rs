//! The typed outcome of a subagent.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::fmt::Write as _;

use proptest::prelude::*;
use serde_json::json;
use vigiles::agent_result::{AgentResult, OutputContract, parse_agent_result, render_contract};

/// Keeps the text alone: the expression that made it stands in this file.
macro_rules! snapshot {
    ($name:literal, $text:expr) => {{
        let text = $text;
        insta::assert_snapshot!($name, text);
    }};
    ($text:expr) => {{
        let text = $text;
        insta::assert_snapshot!(text);
    }};
}

fn contract() -> OutputContract {
    OutputContract::from_json(
        r#"{"_ref": "output",
            "ok": {"files": "string[]", "summary": "string", "count": "number", "clean": "boolean"},
            "err": {"reason": "string", "step": ["plan", "build"]}}"#,
    )
    .unwrap()
}

fn parse(answer: &str) -> serde_json::Value {
    serde_json::to_value(parse_agent_result(answer, None)).unwrap()
}

fn reason(answer: &str, contract: Option<&OutputContract>) -> String {
    match parse_agent_result(answer, contract) {
        AgentResult::Malformed { reason } => reason,
        other => panic!("{answer} is {other:?}"),
    }
}

#[test]
fn both_tracks() {
    assert_eq!(parse("Done.\n```vigiles:ok\n{\"a\": 1}\n```\n"), json!({"kind": "ok", "value": {"a": 1}}));
    assert_eq!(parse("```vigiles:err\n{\"why\": \"x\"}\n```\nSorry."), json!({"kind": "err", "error": {"why": "x"}}));
    assert_eq!(
        serde_json::to_value(parse_agent_result("x", None)).unwrap(),
        json!({"kind": "malformed", "reason": "no vigiles:ok or vigiles:err block: the answer has no fenced block"})
    );
}

#[test]
fn fences_are_those_of_commonmark() {
    let ok = json!({"kind": "ok", "value": {}});
    for answer in [
        "~~~vigiles:ok\n{}\n~~~",
        "``````vigiles:ok\n{}\n``````````",
        "   ```vigiles:ok  \r\n   {}\r\n  ```\r\n",
        "``` vigiles:ok\n{\n}\n```   ",
        // Inside another block it is text, whatever that block is made of.
        "````md\n```vigiles:err\n{}\n```\n````\n\n```vigiles:ok\n{}\n```",
        "~~~\n```vigiles:err\n~~~\n```vigiles:ok\n{}\n```",
        // Four spaces make an indented block, a backtick in the info string no block at all.
        "    ```vigiles:err\n\n```vigiles:ok\n{}\n```",
        "```vigiles:err ` x\n\n```vigiles:ok\n{}\n```",
    ] {
        assert_eq!(parse(answer), ok, "{answer}");
    }
}

#[test]
fn what_is_malformed_says_why() {
    let with_contract = contract();
    let ok = |body: &str| format!("```vigiles:ok\n{body}\n```");
    let mut text = String::new();
    for answer in [
        "",
        "```json\n{}\n```\n```\nx\n```",
        "```vigiles:success\n{}\n```",
        "```json vigiles:ok\n{}\n```",
        "```vigiles:ok\n{}\n```\n```vigiles:err\n{}\n```",
        "```vigiles:ok\n{\"files\": [",
        &ok("not json"),
        &ok("[1]"),
        &ok(""),
        &ok("{}"),
        &ok(r#"{"files": "a.ts"}"#),
        &ok(r#"{"files": ["a.ts", 7]}"#),
        &ok(r#"{"files": [], "summary": null}"#),
        &ok(r#"{"files": [], "summary": "s", "count": "12"}"#),
        &ok(r#"{"files": [], "summary": "s", "count": 12, "clean": "yes"}"#),
        "```vigiles:err\n{\"reason\": \"x\", \"step\": \"deploy\"}\n```",
    ] {
        writeln!(text, "{answer}\n  => {}\n", reason(answer, Some(&with_contract))).unwrap();
    }
    snapshot!(text);
}

#[test]
fn other_fields_are_kept() {
    let answer = "```vigiles:err\n{\"reason\": \"x\", \"step\": \"plan\", \"more\": [1]}\n```";
    let AgentResult::Err { error } = parse_agent_result(answer, Some(&contract())) else { panic!("{answer}") };
    assert_eq!(error["more"], json!([1]));
}

#[test]
fn types_that_a_block_cannot_have_are_refused() {
    let refused = |text: &str| {
        let error = OutputContract::from_json(text).unwrap_err();
        format!("{} {error}", error.code())
    };
    snapshot!(
        [
            r#"{"ok": {"items": "object[]"}}"#,
            r#"{"err": {"step": []}}"#,
            r#"{"err": {"step": ["a", 1]}}"#,
            r#"{"ok": {"nested": {"a": "string"}}}"#,
            r#"{"ok": ["files"]}"#,
            r"[]",
        ]
        .map(|text| format!("{text}\n  {}\n", refused(text)))
        .concat()
    );
}

#[test]
fn the_section_shows_fields_in_the_order_of_their_declaration() {
    snapshot!(render_contract(&contract()));
    let empty = OutputContract::from_json("{}").unwrap();
    assert!(render_contract(&empty).contains("```vigiles:ok\n{}\n```"));
}

/// The section is an instruction; an agent that repeats it has not answered.
#[test]
fn the_section_itself_is_no_answer() {
    assert!(reason(&render_contract(&contract()), Some(&contract())).starts_with("expected exactly one vigiles block"));
}

proptest! {
    /// Any object in a fence that is long enough comes back as it is, whatever stands around it.
    #[test]
    fn an_object_survives_its_fence(
        fields in prop::collection::btree_map(".{0,8}", ".{0,20}", 0..4),
        before in "[^`~]{0,40}",
        mark in prop::sample::select(vec!['`', '~']),
        length in 3..7_usize,
        pretty in any::<bool>(),
    ) {
        let object = json!(fields);
        let body = if pretty { serde_json::to_string_pretty(&object).unwrap() } else { object.to_string() };
        let fence: String = std::iter::repeat_n(mark, length).collect();
        let answer = format!("{before}\n{fence}vigiles:ok\n{body}\n{fence}\n");
        prop_assert_eq!(parse(&answer), json!({"kind": "ok", "value": object}));
    }

    #[test]
    fn any_text_is_read_without_panic(answer in "([`~]{2,4}|vigiles:(ok|err)|[ \n{}\"a]){0,30}") {
        if let AgentResult::Malformed { reason } = parse_agent_result(&answer, Some(&contract())) {
            prop_assert!(!reason.is_empty());
        }
    }
}
