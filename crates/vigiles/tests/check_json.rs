//! Checks as JSON: what is written is read back, and what is wrong is refused at its place.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use proptest::prelude::*;
use vigiles::check::{ArgMatcher, ArgValue, Bounds, Check, NameMatcher, Pattern, TextMatcher};

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

fn refused(text: &str) -> String {
    let error = Check::list_from_json(text).unwrap_err();
    format!("{} {error}", error.code())
}

#[test]
fn shapes() {
    let shapes = r#"[
        {"kind":"tool","name":"Bash"},
        {"kind":"tool","name":{"regex":"^mcp__","flags":"i"}},
        {"kind":"toolWith","name":"Edit","args":{"count":1,"file_path":{"regex":"ts$"},"replace_all":true,"x":"y"}},
        {"kind":"notTool","name":"Bash"},
        {"kind":"notTool","name":"Bash","args":{"command":"ls"}},
        {"kind":"onlyTools","allowed":["Read","Bash(git *)"]},
        {"kind":"toolCount","name":"Write","max":1},
        {"kind":"toolCount","name":"Write","exactly":0},
        {"kind":"toolSequence","names":["Read",{"regex":"Edit|Write"}]},
        {"kind":"mcp","server":"github","tool":"merge"},
        {"kind":"skill","id":"demo:greet"},
        {"kind":"subagent","name":"reviewer","checks":[{"kind":"output","matcher":"LGTM","regex":false}]},
        {"kind":"output","matcher":"done","regex":true,"flags":"i"},
        {"kind":"received","matcher":"x","regex":false},
        {"kind":"eachReply","matcher":"x","regex":false},
        {"kind":"replyCount","matcher":"x","regex":true,"min":1,"max":3},
        {"kind":"hookFired","event":"PreToolUse:Bash"},
        {"kind":"hookFired","event":"Stop","blocked":false},
        {"kind":"hookBlocked","event":"Stop"},
        {"kind":"hookFailed","event":"Stop"},
        {"kind":"turns","min":1,"max":3},
        {"kind":"servedTurns","min":2},
        {"kind":"wrote","path":"DONE"},
        {"kind":"didNotWrite","path":"DONE"},
        {"kind":"noWrite","matcher":".env","regex":false},
        {"kind":"wroteOnly","allowed":["state/",{"regex":"^docs/"}]},
        {"kind":"created","path":"DONE"},
        {"kind":"notCreated","path":"DONE"},
        {"kind":"blocked"},
        {"kind":"allowed"},
        {"kind":"cost","maxUsd":0.05},
        {"kind":"latency","maxMs":1500.0},
        {"kind":"tokens","max":10},
        {"kind":"inputTokens","max":10},
        {"kind":"outputTokens","max":10},
        {"kind":"cacheTokens","maxCreation":1,"maxRead":2},
        {"kind":"not","check":{"kind":"blocked"}},
        {"kind":"all","checks":[{"kind":"blocked"}]},
        {"kind":"any","checks":[{"kind":"allowed"}]}
    ]"#;
    let checks = Check::list_from_json(shapes).unwrap();
    let written: Vec<String> = checks.iter().map(|check| serde_json::to_string(check).unwrap()).collect();
    let expected: Vec<&str> = shapes.lines().filter_map(|line| line.trim().strip_prefix('{')).collect();
    let expected: Vec<String> = expected.iter().map(|line| format!("{{{}", line.trim_end_matches(','))).collect();
    assert_eq!(written, expected);
}

#[test]
fn other_spellings() {
    let read = |text| Check::from_json(text).unwrap();
    assert_eq!(read(r#"{"kind": "experimental_eachReply", "matcher": "x"}"#), Check::EachReply { matcher: "x".into() });
    assert_eq!(
        read(r#"{"kind": "subagent", "name": "a", "checks": null}"#),
        Check::Subagent { name: "a".into(), checks: vec![] }
    );
    assert_eq!(
        serde_json::from_str::<Check>(r#"{"kind": "turns", "min": 2, "max": null}"#).unwrap(),
        Check::Turns { count: Bounds::at_least(2) }
    );
}

#[test]
fn what_is_wrong_is_refused_at_its_place() {
    snapshot!([
        r"[",
        r"{}",
        r"[]",
        r"[7]",
        r#"[{"name": "Bash"}]"#,
        r#"[{"kind": 7}]"#,
        r#"[{"kind": "blocked"}, {"kind": "toolwith", "name": "Bash"}]"#,
        r#"[{"kind": "judged"}]"#,
        r#"[{"kind": "output", "matcher": "x"}, {"kind": "output", "matcher": "x", "flag": "i"}]"#,
        r#"[{"kind": "blocked", "name": "x"}]"#,
        r#"[{"kind": "output", "matcher": "x", "regex": true, "flags": "q"}]"#,
        r#"[{"kind": "output", "matcher": "x", "flags": "i"}]"#,
        r#"[{"kind": "output", "matcher": ""}]"#,
        r#"[{"kind": "tool"}]"#,
        r#"[{"kind": "tool", "name": {}}]"#,
        r#"[{"kind": "tool", "name": {"source": "x"}}]"#,
        r#"[{"kind": "tool", "name": {"regex": "x", "flags": "uv"}}]"#,
        r#"[{"kind": "tool", "name": " "}]"#,
        r#"[{"kind": "toolWith", "name": "Bash", "args": {}}]"#,
        r#"[{"kind": "toolWith", "name": "Bash", "args": {"a": null}}]"#,
        r#"[{"kind": "toolWith", "name": "Bash", "args": {"a": {"regex": "x", "flags": "gg"}}}]"#,
        r#"[{"kind": "onlyTools", "allowed": []}]"#,
        r#"[{"kind": "onlyTools", "allowed": ["Read", 7]}]"#,
        r#"[{"kind": "toolCount", "name": "Bash"}]"#,
        r#"[{"kind": "toolCount", "name": "Bash", "min": 3, "max": 1}]"#,
        r#"[{"kind": "toolCount", "name": "Bash", "exactly": 3, "max": 1}]"#,
        r#"[{"kind": "turns", "min": 0}]"#,
        r#"[{"kind": "turns", "max": 1.5}]"#,
        r#"[{"kind": "turns", "max": -1}]"#,
        r#"[{"kind": "servedTurns", "min": 0}]"#,
        r#"[{"kind": "toolSequence", "names": []}]"#,
        r#"[{"kind": "cost", "maxUsd": -1}]"#,
        r#"[{"kind": "cost", "maxUsd": "1"}]"#,
        r#"[{"kind": "cacheTokens"}]"#,
        r#"[{"kind": "all", "checks": []}]"#,
        r#"[{"kind": "not"}]"#,
        r#"[{"kind": "subagent", "name": "a", "checks": [{"kind": "any", "checks": [{"kind": "tol", "name": "Bash"}]}]}]"#,
    ]
    .map(|text| format!("{text}\n  {}\n", refused(text)))
    .concat());
}

#[test]
fn labels() {
    let label = |text| Check::from_json(text).unwrap().label();
    assert_eq!(label(r#"{"kind": "tool", "name": "Bash"}"#), "tool(Bash)");
    assert_eq!(label(r#"{"kind": "skill", "id": "demo:greet"}"#), "skill(demo:greet)");
    assert_eq!(label(r#"{"kind": "hookFired", "event": "Stop"}"#), "hookFired(Stop)");
    assert_eq!(label(r#"{"kind": "wrote", "path": "DONE"}"#), "wrote(DONE)");
    assert_eq!(label(r#"{"kind": "output", "matcher": "done", "regex": true, "flags": "i"}"#), "output(/done/i)");
    assert_eq!(label(r#"{"kind": "turns", "max": 3}"#), "turns");
    assert_eq!(label(r#"{"kind": "mcp", "server": "a", "tool": "b"}"#), "mcp");
}

fn text() -> impl Strategy<Value = String> {
    ".{0,6}".prop_map(|text| format!("x{text}"))
}

fn pattern() -> impl Strategy<Value = Pattern> {
    (text(), prop::sample::select(vec!["", "i", "gi", "su", "dgimsvy"]))
        .prop_map(|(source, flags)| Pattern::new(source, flags))
}

fn name() -> impl Strategy<Value = NameMatcher> {
    prop_oneof![text().prop_map(NameMatcher::Exact), pattern().prop_map(NameMatcher::Matches)]
}

fn matcher() -> impl Strategy<Value = TextMatcher> {
    prop_oneof![text().prop_map(TextMatcher::Contains), pattern().prop_map(TextMatcher::Matches)]
}

fn args() -> impl Strategy<Value = ArgMatcher> {
    let value = prop_oneof![
        text().prop_map(ArgValue::Text),
        any::<i64>().prop_map(|number| ArgValue::Number(number.into())),
        (-1e9..1e9).prop_map(|number| ArgValue::Number(serde_json::Number::from_f64(number).unwrap())),
        any::<bool>().prop_map(ArgValue::Bool),
        pattern().prop_map(ArgValue::Matches),
    ];
    prop::collection::btree_map(".{0,4}", value, 1..4).prop_map(ArgMatcher)
}

fn bounds() -> impl Strategy<Value = Bounds> {
    prop_oneof![
        any::<u64>().prop_map(Bounds::Exactly),
        (1..u64::MAX).prop_map(Bounds::at_least),
        any::<u64>().prop_map(Bounds::at_most),
        (any::<u64>(), any::<u64>())
            .prop_map(|(one, other)| Bounds::Range { min: Some(one.min(other)), max: Some(one.max(other)) }),
    ]
}

fn check() -> impl Strategy<Value = Check> {
    let leaf = prop_oneof![
        name().prop_map(|name| Check::Tool { name }),
        (name(), args()).prop_map(|(name, args)| Check::ToolWith { name, args }),
        (name(), prop::option::of(args())).prop_map(|(name, args)| Check::NotTool { name, args }),
        prop::collection::vec(text(), 1..3).prop_map(|allowed| Check::OnlyTools { allowed }),
        (name(), bounds()).prop_map(|(name, count)| Check::ToolCount { name, count }),
        prop::collection::vec(name(), 1..4).prop_map(|names| Check::ToolSequence { names }),
        (text(), text()).prop_map(|(server, tool)| Check::Mcp { server, tool }),
        text().prop_map(|id| Check::Skill { id }),
        matcher().prop_map(|matcher| Check::Output { matcher }),
        matcher().prop_map(|matcher| Check::NoWrite { matcher }),
        (matcher(), bounds()).prop_map(|(matcher, count)| Check::ReplyCount { matcher, count }),
        (text(), prop::option::of(any::<bool>())).prop_map(|(event, blocked)| Check::HookFired { event, blocked }),
        bounds().prop_map(|count| Check::Turns { count }),
        prop::collection::vec(matcher(), 0..3).prop_map(|allowed| Check::WroteOnly { allowed }),
        prop::collection::vec(name(), 0..3).prop_map(|allowed| Check::EgressOnly { allowed }),
        (0.0..1e12).prop_map(|max_usd| Check::Cost { max_usd }),
        (any::<u64>(), prop::option::of(any::<u64>()))
            .prop_map(|(creation, max_read)| Check::CacheTokens { max_creation: Some(creation), max_read }),
        Just(Check::Blocked),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|check| Check::Not { check: Box::new(check) }),
            prop::collection::vec(inner.clone(), 1..3).prop_map(|checks| Check::All { checks }),
            prop::collection::vec(inner.clone(), 1..3).prop_map(|checks| Check::Any { checks }),
            (text(), prop::collection::vec(inner, 0..3)).prop_map(|(name, checks)| Check::Subagent { name, checks }),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(check in check()) {
        prop_assert_eq!(check.validate("check").map_err(|error| error.to_string()), Ok(()));
        let json = serde_json::to_string(&check).unwrap();
        prop_assert_eq!(Check::from_json(&json).map_err(|error| error.to_string()), Ok(check));
    }
}
