use thiserror::Error;

/// A stub that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{place} cannot be used: {problem}")]
pub struct StubError {
    /// Where it stands: `stubs[0].rules[1].argv`.
    pub place: String,
    /// What is wrong.
    pub problem: String,
}

impl StubError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        "VIGILES_STUB_INVALID"
    }
}
