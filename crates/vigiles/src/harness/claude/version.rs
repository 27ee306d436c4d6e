//! Which version of the CLI a program is.

use std::cmp::Ordering;
use std::fs;
use std::path::Path;

use serde_json::Value;

/// A version: `2.1.332`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Version(u32, u32, u32);

impl Version {
    /// The first version that is known to write each hook's end into its debug log.
    pub(super) const TELLS_HOOKS_IN_DEBUG_LOG: Self = Self(2, 1, 332);

    /// The first version that is known to carry the cost of a session over when it is resumed.
    pub(super) const ADDS_UP_COST: Self = Self(2, 1, 332);

    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('.').map(|part| part.parse().ok());
        Some(Self(parts.next()??, parts.next()??, parts.next()??))
    }

    /// The version of a program as its npm package tells it. Asking the program itself would take a tenth of a second.
    pub(super) fn of(program: &Path) -> Option<Self> {
        let program = program.canonicalize().ok()?;
        let package = program.ancestors().skip(1).take(3).find_map(|dir| {
            let text = fs::read_to_string(dir.join("package.json")).ok()?;
            let package: Value = serde_json::from_str(&text).ok()?;
            package["name"]
                .as_str()
                .is_some_and(|name| name.starts_with("@anthropic-ai/claude-code"))
                .then_some(package)
        })?;
        Self::parse(package["version"].as_str()?)
    }

    pub(super) fn is_at_least(self, other: Self) -> bool {
        self.cmp(&other) != Ordering::Less
    }
}
