//! How failure messages show what was seen.

use std::borrow::Cow;
use std::fmt::Display;

use crate::trace::{HookFire, ToolCall};

/// Names listed in one message; a run with thousands of calls must not bury its message.
const LISTED: usize = 30;

/// `text` in quotes, on one line.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The first `limit` characters in quotes, and how long the whole is when that is more.
pub(super) fn excerpt(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => quoted(text),
        Some((end, _)) => {
            format!("{} (first {limit} of {} characters)", quoted(&text[..end]), text.chars().count())
        }
    }
}

/// The first `limit` characters, with an ellipsis when there are more.
pub(super) fn shortened(text: &str, limit: usize) -> Cow<'_, str> {
    match text.char_indices().nth(limit) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
    }
}

/// `1 call`, `3 calls`.
pub(super) fn plural(count: impl Into<u64>, noun: &str) -> String {
    let count = count.into();
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// `1 call, refused`, `3 calls, 1 of them refused`.
pub(super) fn calls_and_refusals(calls: &[&ToolCall]) -> String {
    let refused = calls.iter().filter(|call| call.denied == Some(true)).count();
    let counted = plural(count_of(calls), "call");
    match refused {
        0 => counted,
        1 if calls.len() == 1 => format!("{counted}, refused"),
        all if all == calls.len() => format!("{counted}, all refused"),
        some => format!("{counted}, {some} of them refused"),
    }
}

/// A length as the `u64` that messages and bounds count in.
pub(super) fn count_of<T>(items: &[T]) -> u64 {
    u64::try_from(items.len()).unwrap_or(u64::MAX)
}

/// `Read ×2, Edit`: distinct names in order of first appearance, with counts.
pub(super) fn tally<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for name in names {
        match counts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => counts.push((name, 1)),
        }
    }
    times(&counts, ", ")
}

/// `Read → Bash ×3 → Edit`: names in order, repetitions folded.
pub(super) fn in_order<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let mut runs: Vec<(&str, usize)> = Vec::new();
    for name in names {
        match runs.last_mut() {
            Some((last, count)) if *last == name => *count += 1,
            _ => runs.push((name, 1)),
        }
    }
    times(&runs, " → ")
}

fn times(counts: &[(&str, usize)], separator: &str) -> String {
    let mut parts: Vec<String> = counts
        .iter()
        .take(LISTED)
        .map(|&(name, count)| if count == 1 { name.to_owned() } else { format!("{name} ×{count}") })
        .collect();
    if counts.len() > LISTED {
        parts.push(format!("… {} more", counts.len() - LISTED));
    }
    parts.join(separator)
}

/// `it used [Read ×2, Edit]` or `it used no tool`.
pub(super) fn tools_used(calls: &[&ToolCall]) -> String {
    if calls.is_empty() {
        "it used no tool".to_owned()
    } else {
        format!("it used [{}]", tally(calls.iter().map(|call| &*call.name)))
    }
}

/// `the hooks that fired are [PreToolUse:Bash ×2, Stop]` or `no hook fired`.
pub(super) fn hooks_fired(hooks: &[HookFire]) -> String {
    if hooks.is_empty() {
        "no hook fired".to_owned()
    } else {
        format!("the hooks that fired are [{}]", tally(hooks.iter().map(|hook| &*hook.name)))
    }
}

/// `[a, b]`, each in quotes.
pub(super) fn quoted_list<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    list(texts.into_iter().map(quoted))
}

/// `[a, b]`.
pub(super) fn list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut more = 0_usize;
    for item in items {
        if parts.len() < LISTED { parts.push(item.to_string()) } else { more += 1 }
    }
    if more > 0 {
        parts.push(format!("… {more} more"));
    }
    format!("[{}]", parts.join(", "))
}

/// The candidate that `name` was probably meant to be: another spelling of the same letters, or a slip of the keys.
pub(super) fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let wanted = name.to_lowercase();
    let allowed = (wanted.chars().count() / 3).clamp(1, 3);
    candidates
        .into_iter()
        .filter(|candidate| *candidate != name)
        .map(|candidate| (strsim::osa_distance(&wanted, &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tallies_and_orders() {
        assert_eq!(tally(["Read", "Edit", "Read"]), "Read ×2, Edit");
        assert_eq!(in_order(["Read", "Bash", "Bash", "Read"]), "Read → Bash ×2 → Read");
        let many: Vec<String> = (0..40).map(|n| format!("t{n}")).collect();
        assert!(tally(many.iter().map(String::as_str)).ends_with("t29, … 10 more"));
    }

    #[test]
    fn excerpts_count_characters() {
        assert_eq!(excerpt("a\nb", 200), r#""a\nb""#);
        assert_eq!(excerpt("ääää", 2), r#""ää" (first 2 of 4 characters)"#);
    }

    #[test]
    fn nearest_accepts_slips_only() {
        assert_eq!(nearest("bash", ["Read", "Bash"]), Some("Bash"));
        assert_eq!(nearest("Wirte", ["Write", "Edit"]), Some("Write"));
        assert_eq!(nearest("Bash", ["Glob", "Bash"]), None);
        assert_eq!(nearest("Grep", ["Read"]), None);
    }
}
