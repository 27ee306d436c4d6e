//! Codex.

mod trust;

pub use trust::{trust_hash, trust_key};
