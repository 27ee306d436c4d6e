//! What can go wrong with a check: its definition, and its evaluation.

use crate::trace::TraceError;

use super::pattern::PatternError;

/// A check, or a list of checks, that says nothing that could be judged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// A list without checks: it would pass on everything.
    #[error(
        "expected at least one check, but the list is empty: it would pass whatever happened. Add a check, or remove the call"
    )]
    NoChecks,
    /// Not JSON at all.
    #[error("expected checks as JSON, but {0}")]
    Json(#[source] serde_json::Error),
    /// A kind that is not in the vocabulary.
    #[error("expected a kind of check at {path}, but {seen:?} is none.{}", hint(nearest.as_deref(), known))]
    UnknownKind {
        /// Where, such as `checks[2].kind`.
        path: String,
        /// The kind given.
        seen: String,
        /// The kind that was probably meant.
        nearest: Option<String>,
        /// All kinds.
        known: String,
    },
    /// A key that this kind of check, or a pattern in it, does not have.
    #[error("expected a key of {kind:?} at {path}, but {kind:?} has no such key.{}", hint(nearest.as_deref(), known))]
    UnknownKey {
        /// Where, such as `checks[2].flag`.
        path: String,
        /// The kind of check; `pattern` for a pattern.
        kind: String,
        /// The key that was probably meant.
        nearest: Option<String>,
        /// The keys of this kind.
        known: String,
    },
    /// A value that is missing, of another type, or makes the check pass or fail whatever happened.
    #[error("expected {expected} at {path}, but {seen}")]
    Invalid {
        /// Where, such as `checks[2].flags`.
        path: String,
        /// What belongs there.
        expected: String,
        /// What is there.
        seen: String,
    },
}

impl CheckError {
    /// The stable code of this kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoChecks => "VIGILES_NO_CHECKS",
            Self::Json(_) => "VIGILES_CHECK_JSON",
            Self::UnknownKind { .. } => "VIGILES_CHECK_UNKNOWN_KIND",
            Self::UnknownKey { .. } => "VIGILES_CHECK_UNKNOWN_KEY",
            Self::Invalid { .. } => "VIGILES_CHECK_INVALID",
        }
    }
}

fn hint(nearest: Option<&str>, known: &str) -> String {
    match nearest {
        Some(nearest) => format!(" Did you mean {nearest:?}?"),
        None => format!(" Known: {known}"),
    }
}

/// A question about a trace that has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvalError {
    /// The trace did not record it, or could not be read.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// A pattern could not be tested.
    #[error(transparent)]
    Pattern(#[from] PatternError),
}

impl EvalError {
    /// The stable code of this kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Trace(error) => error.code(),
            Self::Pattern(error) => error.code(),
        }
    }
}
