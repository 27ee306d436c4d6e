//! Regular expressions of checks: JavaScript's, tested by whoever can.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use regress::{Flags, Regex};

/// A JavaScript regular expression, as data.
///
/// `g` has no meaning for a single test and is dropped; `y` asks for a match that starts at the first character.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Pattern {
    /// The source between the slashes.
    pub source: String,
    /// The flags, any of `dgimsuvy`, each at most once.
    pub flags: String,
}

impl Pattern {
    /// A pattern with flags.
    pub fn new(source: impl Into<String>, flags: impl Into<String>) -> Self {
        Self { source: source.into(), flags: flags.into() }
    }

    /// What is wrong with the flags, in words that fit after "expected ..., but".
    pub(super) fn flag_problem(&self) -> Option<String> {
        let mut seen = Vec::new();
        for flag in self.flags.chars() {
            if !"dgimsuvy".contains(flag) {
                return Some(format!("{flag:?} is no regular expression flag (d, g, i, m, s, u, v, y are)"));
            }
            if seen.contains(&flag) {
                return Some(format!("the flag {flag:?} is given twice"));
            }
            seen.push(flag);
        }
        (seen.contains(&'u') && seen.contains(&'v')).then(|| "the flags u and v exclude each other".to_owned())
    }
}

/// As a literal: `/^docs\//i`.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("/")?;
        let mut escaped = false;
        for part in self.source.chars() {
            if part == '/' && !escaped {
                f.write_str("\\")?;
            }
            escaped = part == '\\' && !escaped;
            write!(f, "{part}")?;
        }
        write!(f, "/{}", self.flags)
    }
}

/// A pattern that could not be tested.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    /// Not a regular expression.
    #[error(
        "expected a JavaScript regular expression, but {pattern} is none: {reason}. Escape what is meant literally with a backslash, or pass a string to look for the text as it is"
    )]
    Invalid {
        /// The pattern.
        pattern: Pattern,
        /// What the engine says.
        reason: String,
    },
    /// The engine that was asked gave up, for instance at its time limit.
    #[error(
        "the regular expression {pattern} could not be tested: {reason}. A simpler pattern, one without nested repetition, does not run into limits"
    )]
    Engine {
        /// The pattern.
        pattern: Pattern,
        /// What the engine says.
        reason: String,
    },
}

impl PatternError {
    /// The stable code of this kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Invalid { .. } => "VIGILES_PATTERN_INVALID",
            Self::Engine { .. } => "VIGILES_PATTERN_ENGINE",
        }
    }
}

/// Tests patterns. Under Node that is V8, which the binding calls back; in Rust it is [`EcmaPatterns`].
pub trait PatternTester {
    /// Whether `pattern` matches somewhere in `text` (at its start with flag `y`).
    fn is_match(&self, pattern: &Pattern, text: &str) -> Result<bool, PatternError>;
}

/// JavaScript's semantics without a JavaScript engine: `regress` on UTF-16, each pattern compiled once.
///
/// The engine backtracks and has no time limit: give it patterns of people you trust.
#[derive(Debug, Default)]
pub struct EcmaPatterns {
    compiled: Mutex<HashMap<Pattern, Arc<Regex>>>,
}

impl EcmaPatterns {
    /// No pattern compiled yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn compile(&self, pattern: &Pattern) -> Result<Arc<Regex>, PatternError> {
        // Nothing is left half done when a holder of the lock panics, so a poisoned map is still good.
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(regex) = compiled.get(pattern) {
            return Ok(Arc::clone(regex));
        }
        let invalid = |reason: String| PatternError::Invalid { pattern: pattern.clone(), reason };
        if let Some(problem) = pattern.flag_problem() {
            return Err(invalid(problem));
        }
        let regex = Regex::with_flags(&pattern.source, Flags::from(pattern.flags.as_str()))
            .map_err(|error| invalid(error.to_string()))?;
        let regex = Arc::new(regex);
        compiled.insert(pattern.clone(), Arc::clone(&regex));
        Ok(regex)
    }
}

impl PatternTester for EcmaPatterns {
    fn is_match(&self, pattern: &Pattern, text: &str) -> Result<bool, PatternError> {
        let regex = self.compile(pattern)?;
        let units: Vec<u16> = text.encode_utf16().collect();
        // Without u or v JavaScript sees code units: a character outside the BMP is two.
        let found = if pattern.flags.contains(['u', 'v']) {
            regex.find_from_utf16(&units, 0).next()
        } else {
            regex.find_from_ucs2(&units, 0).next()
        };
        let sticky = pattern.flags.contains('y');
        Ok(found.is_some_and(|found| !sticky || found.start() == 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(source: &str, flags: &str, text: &str) -> bool {
        EcmaPatterns::new().is_match(&Pattern::new(source, flags), text).unwrap()
    }

    #[test]
    fn javascript_semantics() {
        assert!(test("done", "i", "All DONE."));
        assert!(test("^b", "m", "a\nb"));
        assert!(!test("^b", "", "a\nb"));
        assert!(!test("a.b", "", "a\u{2028}b"), "a dot stops at every JavaScript line end");
        assert!(test("a.b", "s", "a\nb"));
        assert!(test("^..$", "", "😀"), "two code units without u");
        assert!(test("^.$", "u", "😀"));
        assert!(!test(r"\d", "", "٣"), "only ASCII digits");
        assert!(test(r"(?<=a)b", "", "ab"));
        assert!(test(r"(.)\1", "", "xaab"));
    }

    #[test]
    fn sticky_means_at_the_first_character_and_global_means_nothing() {
        assert!(test("a", "y", "ab"));
        assert!(!test("b", "y", "ab"));
        let patterns = EcmaPatterns::new();
        let global = Pattern::new("a", "g");
        assert!(patterns.is_match(&global, "a").unwrap());
        assert!(patterns.is_match(&global, "a").unwrap(), "no state is kept between tests");
    }

    #[test]
    fn prints_as_a_literal() {
        assert_eq!(Pattern::new(r"^a/b\/c\\/", "i").to_string(), r"/^a\/b\/c\\\//i");
    }

    #[test]
    fn what_is_no_pattern_is_refused() {
        for (source, flags, says) in
            [("(", "", "/(/"), ("a", "z", "'z' is no"), ("a", "ii", "twice"), ("a", "uv", "exclude each other")]
        {
            let error = EcmaPatterns::new().is_match(&Pattern::new(source, flags), "a").unwrap_err();
            assert_eq!(error.code(), "VIGILES_PATTERN_INVALID");
            assert!(error.to_string().contains(says), "{error}");
        }
    }
}
