//! Text that is safe to show on a terminal.

use std::borrow::Cow;
use std::fmt::Write;

/// `text` without characters that a terminal acts on: what an agent read may hold escape sequences.
///
/// Line breaks and tabs stay; other control characters are written as escapes, `\u{1b}`.
pub(super) fn printable(text: &str) -> Cow<'_, str> {
    let acts = |c: char| (c.is_control() && c != '\n' && c != '\t') || is_bidi(c);
    if !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if acts(c) { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

/// Characters that reorder the text around them, and so can make it read as something else.
fn is_bidi(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// On one line, at most `limit` characters long: runs of white space are one space.
pub(super) fn one_line(text: &str, limit: usize) -> String {
    // A little more than can be shown is enough to know that there is more.
    let words = text.split_whitespace().take(limit + 1);
    let mut line = String::new();
    for word in words {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if line.chars().nth(limit).is_some() {
            break;
        }
    }
    let line = printable(&line);
    match line.char_indices().nth(limit) {
        None => line.into_owned(),
        Some((end, _)) => format!("{}…", &line[..end]),
    }
}

/// The first `lines` lines of at most `limit` characters, each indented, and how much was left out.
pub(super) fn excerpt(text: &str, lines: usize, limit: usize) -> String {
    let text = text.trim();
    let end = text.char_indices().nth(limit).map_or(text.len(), |(end, _)| end);
    let shown: Vec<&str> = text[..end].lines().take(lines).collect();
    let kept = shown.join("\n");
    let mut block = String::new();
    for line in printable(&kept).lines() {
        let _ = writeln!(block, "  {line}");
    }
    let (all, kept) = (text.chars().count(), kept.chars().count());
    if kept < all {
        let _ = writeln!(block, "  … ({kept} of {all} characters)");
    }
    block
}

/// `1 call`, `3 calls`.
pub(super) fn plural(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Milliseconds as `740 ms`, `12.3 s`, `4 min 05 s`.
pub(super) fn duration(milliseconds: f64) -> String {
    if milliseconds < 1000.0 {
        return format!("{milliseconds:.0} ms");
    }
    let seconds = milliseconds / 1000.0;
    if seconds < 60.0 {
        return format!("{seconds:.1} s");
    }
    let minutes = (seconds / 60.0).floor();
    format!("{minutes:.0} min {:02.0} s", (seconds - minutes * 60.0).floor())
}

/// Rows as columns, the last one unpadded, each row indented.
pub(super) fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    let mut widths = [0; N];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut table = String::new();
    for row in rows {
        let cells: Vec<String> = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        let _ = writeln!(table, "  {}", cells.join("  ").trim_end());
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_acts_on_is_escaped() {
        assert_eq!(printable("a\u{1b}[31mb\n\tc"), "a\\u{1b}[31mb\n\tc");
        assert_eq!(printable("rm \u{202e}txt"), "rm \\u{202e}txt");
        assert!(matches!(printable("plain é"), Cow::Borrowed(_)));
    }

    #[test]
    fn one_line_cuts_at_characters() {
        assert_eq!(one_line("a\n  b\tc", 10), "a b c");
        assert_eq!(one_line("ééééé", 3), "ééé…");
        assert_eq!(one_line("ééé", 3), "ééé");
    }

    #[test]
    fn an_excerpt_says_what_it_leaves_out() {
        assert_eq!(excerpt("one\ntwo\nthree", 2, 100), "  one\n  two\n  … (7 of 13 characters)\n");
        assert_eq!(excerpt("  one\n", 2, 100), "  one\n");
    }

    #[test]
    fn durations_have_the_unit_that_fits() {
        let shown: Vec<String> = [0.4, 999.0, 1000.0, 59_940.0, 61_999.0, 3_600_000.0].map(duration).into();
        assert_eq!(shown, ["0 ms", "999 ms", "1.0 s", "59.9 s", "1 min 01 s", "60 min 00 s"]);
    }
}
