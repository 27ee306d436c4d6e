//! Wildcards: `*` in commands and names, globs in paths.

/// Whether `pattern`, in which `*` stands for any text, matches all of `text`. `\*` is a star.
///
/// Linear in both but for the last star's retries, so that a hostile pattern cannot stall.
pub(super) fn wildcard(pattern: &str, text: &str) -> bool {
    matches(&Piece::parse(pattern), &text.chars().collect::<Vec<_>>())
}

/// As [`wildcard`], but a last ` *` or `:*` may also stand for nothing.
pub(super) fn command(pattern: &str, text: &str) -> bool {
    let prefix = pattern.strip_suffix(":*").or_else(|| pattern.strip_suffix(" *"));
    match prefix {
        Some(prefix) => wildcard(prefix, text) || wildcard(&format!("{prefix} *"), text),
        None => wildcard(pattern, text),
    }
}

/// Whether a command pattern fixes anything beside the name of the command.
pub(super) fn says_more_than_name(pattern: &str) -> bool {
    let pattern = pattern.strip_suffix(":*").unwrap_or(pattern);
    pattern.split_whitespace().skip(1).any(|word| word.chars().any(|c| c != '*'))
}

/// Whether a path glob matches `path` or a directory above it. Both are relative and use `/`.
pub(super) fn below(glob: &str, path: &str) -> bool {
    let glob: Vec<Vec<Piece>> = glob.split('/').filter(|part| !part.is_empty()).map(Piece::parse).collect();
    let path: Vec<Vec<char>> = path.split('/').map(|part| part.chars().collect()).collect();
    // Row by row over the path's names: which prefixes of the glob match the names so far.
    let ends_in_any_depth = glob.last().is_some_and(|part| is_any_depth(part));
    let mut reached = vec![false; glob.len() + 1];
    reached[0] = true;
    spread(&glob, &mut reached);
    for name in &path {
        let mut next = vec![false; glob.len() + 1];
        for (at, part) in glob.iter().enumerate().filter(|(at, _)| reached[*at]) {
            if is_any_depth(part) {
                next[at] = true;
            } else if matches(part, name) {
                next[at + 1] = true;
            }
        }
        // A last `**` stands for everything below, which is at least one name.
        let matched = if ends_in_any_depth { reached[glob.len() - 1] } else { next[glob.len()] };
        if matched {
            return true;
        }
        spread(&glob, &mut next);
        reached = next;
    }
    false
}

/// `**` may also stand for no directory at all.
fn spread(glob: &[Vec<Piece>], reached: &mut [bool]) {
    for at in 0..glob.len() {
        if reached[at] && is_any_depth(&glob[at]) {
            reached[at + 1] = true;
        }
    }
}

fn is_any_depth(part: &[Piece]) -> bool {
    matches!(part, [Piece::Any, Piece::Any])
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Piece {
    Char(char),
    Any,
}

impl Piece {
    fn parse(pattern: &str) -> Vec<Self> {
        let mut pieces = Vec::new();
        let mut chars = pattern.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '*' => pieces.push(Self::Any),
                '\\' if chars.peek() == Some(&'*') => {
                    chars.next();
                    pieces.push(Self::Char('*'));
                }
                c => pieces.push(Self::Char(c)),
            }
        }
        pieces
    }
}

fn matches(pattern: &[Piece], text: &[char]) -> bool {
    let (mut at, mut seen) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while seen < text.len() {
        match pattern.get(at) {
            Some(Piece::Any) => {
                retry = Some((at, seen));
                at += 1;
            }
            Some(Piece::Char(c)) if *c == text[seen] => {
                at += 1;
                seen += 1;
            }
            _ => {
                let Some((star, from)) = retry else { return false };
                retry = Some((star, from + 1));
                at = star + 1;
                seen = from + 1;
            }
        }
    }
    pattern[at..].iter().all(|piece| *piece == Piece::Any)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards() {
        for (pattern, text, expected) in [
            ("", "", true),
            ("*", "", true),
            ("a*c", "abbc", true),
            ("a*c", "abb", false),
            ("*.ts", "src/a.ts", true),
            ("git * main", "git push origin main", true),
            ("a\\*", "a*", true),
            ("a\\*", "ab", false),
            ("**", "x", true),
        ] {
            assert_eq!(wildcard(pattern, text), expected, "{pattern:?} {text:?}");
        }
        assert!(!wildcard(&"*a".repeat(200), &"a".repeat(199)));
    }

    #[test]
    fn globs() {
        for (glob, path, expected) in [
            ("src/**", "src/a/b.ts", true),
            ("src/**", "src", false),
            ("src/**", "src2/a", false),
            ("src/*.ts", "src/a.ts", true),
            ("src/*.ts", "src/a/b.ts", false),
            ("src/**/*.ts", "src/b.ts", true),
            ("src/**/*.ts", "src/a/c/b.ts", true),
            ("**/secret/**", "a/secret/b", true),
            ("**/secret/**", "secret/b", true),
            ("src/gen", "src/gen/deep/x", true),
            ("src/gen/", "src/gen/x", true),
            ("src/a", "src", false),
        ] {
            assert_eq!(below(glob, path), expected, "{glob:?} {path:?}");
        }
    }
}
