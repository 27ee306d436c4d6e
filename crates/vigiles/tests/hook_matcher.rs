//! Which tools a matcher reaches, and matchers that reach nothing.

use proptest::prelude::*;
use vigiles::hook::Reach::{Misses, Selects, Uncompilable};
use vigiles::hook::{Cli, IssueKind, MatcherEntry, MatcherIssue, MatcherStyle, matcher_issues, reach};

#[test]
fn exact_style() {
    for (matcher, tool, expected) in [
        (None, "Bash", Selects),
        (Some(""), "Bash", Selects),
        (Some("*"), "Bash", Selects),
        (Some(".*"), "mcp__a__b", Selects),
        (Some("**"), "Bash", Uncompilable),
        (Some("Bash"), "Bash", Selects),
        (Some("bash"), "Bash", Misses),
        (Some("Ba"), "Bash", Misses),
        (Some("Edit"), "NotebookEdit", Misses),
        (Some("Edit|Write"), "Write", Selects),
        (Some("Edit|Write"), "Bash", Misses),
        (Some("Edit|Write"), "NotebookEdit", Misses),
        (Some("(Edit|Write)"), "NotebookEdit", Selects),
        (Some("^(Edit|Write)$"), "NotebookEdit", Misses),
        (Some("Edit |Write"), "Edit", Selects),
        (Some("Edit, Write"), "Write", Selects),
        (Some("Edit, Write"), "NotebookEdit", Misses),
        (Some("Edit Write"), "Write", Misses),
        (Some(" Bash "), "Bash", Selects),
        (Some("Write|Bash|"), "Bash", Selects),
        (Some("|Bash"), "Edit", Misses),
        (Some(","), "Bash", Misses),
        (Some("a-b|NotebookEd"), "NotebookEdit", Misses),
        (Some("a:b|NotebookEd"), "NotebookEdit", Selects),
        (Some("a\tb|NotebookEd"), "NotebookEdit", Selects),
        (Some("aéb|NotebookEd"), "NotebookEdit", Selects),
        (Some("my/tool"), "my/tool", Selects),
        (Some("my/tool"), "my/tools", Selects),
        (Some("Task"), "Agent", Selects),
        (Some("Agent"), "Task", Selects),
        (Some("as."), "Agent", Selects),
        (Some("(?i)bash"), "Bash", Uncompilable),
        (Some("Edit.*"), "NotebookEdit", Selects),
        (Some("^Edit$"), "NotebookEdit", Misses),
        (Some("mcp__github"), "mcp__github__get", Misses),
        (Some("mcp__github__.*"), "mcp__github__get", Selects),
        (Some("mcp__brave-search"), "mcp__brave-search__web", Misses),
        (Some("(Bash"), "Bash", Uncompilable),
        (Some("(?<=x)y"), "xy", Selects),
        (Some("\\d"), "a1", Selects),
    ] {
        assert_eq!(reach(matcher, tool, MatcherStyle::Exact), expected, "{matcher:?} {tool}");
    }
}

#[test]
fn regex_style() {
    for (matcher, tool, expected) in [
        (None, "Bash", Selects),
        (Some(""), "Bash", Selects),
        (Some("ash"), "Bash", Selects),
        (Some("^Bash$"), "Bash", Selects),
        (Some("*"), "Bash", Uncompilable),
        (Some("**"), "Bash", Uncompilable),
        (Some("Bash|apply_patch"), "apply_patch", Selects),
        (Some("Write"), "Bash", Misses),
    ] {
        assert_eq!(reach(matcher, tool, MatcherStyle::of(Cli::Codex)), expected, "{matcher:?} {tool}");
    }
}

#[test]
fn a_hostile_matcher_is_refused_and_not_compiled() {
    for matcher in ["(".repeat(100_000) + &")".repeat(100_000), "[".repeat(5000), "a".repeat(100_000) + "."] {
        assert_eq!(reach(Some(&matcher), "Bash", MatcherStyle::Exact), Uncompilable);
    }
}

fn issues_of(event: &str, matcher: &str, servers: &[&str], cli: Cli) -> Vec<MatcherIssue> {
    matcher_issues(&[MatcherEntry { event: event.to_owned(), matcher: Some(matcher.to_owned()) }], servers, cli)
}

#[test]
fn kinds_and_suggestions() {
    use IssueKind::{InvalidRegex, McpForm, McpNarrow, McpUndeclared, ToolTypo};
    for (matcher, servers, expected) in [
        ("bash", [].as_slice(), Some((ToolTypo, Some("Bash")))),
        ("read", &[], Some((ToolTypo, Some("Read")))),
        ("Wirte", &[], Some((ToolTypo, Some("Write")))),
        ("WEBFETCH", &[], Some((ToolTypo, Some("WebFetch")))),
        ("Bash", &[], None),
        ("Task", &[], None),
        ("MyOwnTool", &[], None),
        ("**", &[], Some((InvalidRegex, Some("*")))),
        ("*Edit", &[], Some((InvalidRegex, Some(".*Edit")))),
        ("(Edit|Write", &[], Some((InvalidRegex, None))),
        ("*", &[], None),
        (".*", &[], None),
        ("", &[], None),
        ("Edit|write", &[], Some((ToolTypo, Some("Edit|Write")))),
        ("(Edit|write)", &[], None),
        ("Edit, Write", &[], None),
        ("Edit,Write,Bash", &[], None),
        ("Edit Write", &[], Some((ToolTypo, Some("Edit|Write")))),
        ("Bash|mcp__github", &[], Some((McpForm, Some("Bash|mcp__github__.*")))),
        ("Edit, Other", &[], None),
        ("mcp_github_create", &[], Some((McpForm, Some("mcp__github__.*")))),
        ("mcp_github_*", &[], Some((McpForm, Some("mcp__github__.*")))),
        ("mcp-github-create", &["github"], Some((McpForm, Some("mcp__github__.*")))),
        ("mcp__github", &[], Some((McpForm, Some("mcp__github__.*")))),
        ("^mcp__github$", &[], Some((McpForm, Some("mcp__github__.*")))),
        ("mcp__my server", &["my server"], Some((McpForm, None))),
        ("mcp__github__create_issue", &[], None),
        ("mcp__github__.*", &[], None),
        ("^mcp__github__get_.*$", &["github"], None),
        ("mcp__.*", &[], None),
        ("mcp__.*__write.*", &[], None),
        ("mcp__[a-z]+__.*", &[], Some((McpNarrow, Some("mcp__.*__.*")))),
        ("mcp__\\w+__.*", &[], Some((McpNarrow, Some("mcp__.*__.*")))),
        ("mcp__githbu__.*", &["github"], Some((McpUndeclared, Some("mcp__github__.*")))),
        ("mcp__jira__create", &["github"], Some((McpUndeclared, None))),
        ("mcp__jira__create", &[], None),
        ("mcp__ide__getDiagnostics", &["github"], None),
        ("mcp__plugin_x_y__.*", &["github"], None),
        ("mcp__claude_ai__.*", &["claude.ai"], None),
    ] {
        let found = issues_of("PreToolUse", matcher, servers, Cli::ClaudeCode);
        let found = found.first().map(|issue| (issue.kind, issue.suggestion.as_deref()));
        assert_eq!(found, expected, "{matcher:?} with {servers:?}");
    }
}

#[test]
fn codex_compiles_everything() {
    let kind = |matcher: &str| issues_of("PreToolUse", matcher, &[], Cli::Codex).first().map(|issue| issue.kind);
    assert_eq!(kind("*"), Some(IssueKind::InvalidRegex));
    assert_eq!(issues_of("PreToolUse", "*", &[], Cli::Codex)[0].suggestion.as_deref(), Some(".*"));
    assert_eq!(kind("ash"), None);
    assert_eq!(kind("bash"), Some(IssueKind::ToolTypo));
    assert_eq!(kind("mcp__github"), None);
    assert_eq!(kind("mcp_github"), Some(IssueKind::McpForm));
}

#[test]
fn matchers_of_other_events_are_no_tool_names() {
    assert!(issues_of("SessionStart", "startup", &[], Cli::ClaudeCode).is_empty());
    assert!(issues_of("SubagentStop", "bash", &[], Cli::ClaudeCode).is_empty());
    assert_eq!(issues_of("SessionStart", "(", &[], Cli::ClaudeCode)[0].kind, IssueKind::InvalidRegex);
}

#[test]
fn each_matcher_is_reported_once_and_messages_say_what_to_write() {
    let entry = |event: &str, matcher: Option<&str>| MatcherEntry {
        event: event.to_owned(),
        matcher: matcher.map(str::to_owned),
    };
    let entries = [
        entry("SubagentStop", Some("bash")),
        entry("PreToolUse", Some("bash")),
        entry("PostToolUse", Some("bash")),
        entry("PreToolUse", None),
    ];
    let issues = matcher_issues(&entries, &[], Cli::ClaudeCode);
    assert_eq!(issues.len(), 1);
    assert_eq!(
        issues[0].message,
        "expected the name of a tool, but no built-in tool is called \"bash\" (names are compared exactly), so its hooks \
         never run; write \"Bash\""
    );
}

proptest! {
    #[test]
    fn every_suggestion_fed_back_has_no_issue(
        matcher in prop_oneof![
            "[A-Za-z]{1,12}",
            "\\^?mcp[_-]{1,2}[a-z_-]{0,12}[_*.]{0,3}[a-z*]{0,6}\\$?",
            "[a-zA-Z_*.^$|()\\[\\]+-]{0,16}",
        ],
        servers in prop::collection::vec("[a-z_.-]{1,8}", 0..3),
        codex: bool,
        tool_event: bool,
    ) {
        let cli = if codex { Cli::Codex } else { Cli::ClaudeCode };
        let event = if tool_event { "PreToolUse" } else { "SessionStart" };
        let servers: Vec<&str> = servers.iter().map(String::as_str).collect();
        for issue in issues_of(event, &matcher, &servers, cli) {
            prop_assert!(!issue.message.is_empty());
            if let Some(suggestion) = issue.suggestion {
                prop_assert!(issues_of(event, &suggestion, &servers, cli).is_empty(), "{matcher:?} -> {suggestion:?}");
            }
        }
    }

    #[test]
    fn an_uncompilable_matcher_reaches_no_tool(matcher in ".{0,20}", tool in "[A-Za-z_]{1,10}", codex: bool) {
        let style = if codex { MatcherStyle::Regex } else { MatcherStyle::Exact };
        let one = reach(Some(&matcher), &tool, style);
        let other = reach(Some(&matcher), "Other", style);
        prop_assert_eq!(one == Uncompilable, other == Uncompilable);
    }
}
