//! The facts of the Model Context Protocol.

/// The versions whose messages the server speaks, oldest first. What it says is the same in all of them.
const VERSIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", LATEST];

/// The newest of them.
const LATEST: &str = "2025-11-25";

/// The version to answer a client with: its own where the server speaks it, else the newest. The client decides then
/// whether it goes on.
pub(super) fn agreed(requested: &str) -> &str {
    if VERSIONS.contains(&requested) { requested } else { LATEST }
}

/// The longest name of a tool.
const MAX_NAME: usize = 64;

/// What is wrong with a tool's name. A model API takes these names alone; CLIs rewrite others, and a script could not
/// name the tool any more.
pub(super) fn name_problem(name: &str) -> Option<String> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if !name.is_empty() && name.len() <= MAX_NAME && name.bytes().all(fits) {
        return None;
    }
    Some(format!("expected a name of 1 to {MAX_NAME} letters, digits, `_` and `-`, as a model API takes it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_that_is_spoken_is_agreed_on_and_another_is_answered_with_the_newest() {
        assert_eq!(agreed("2024-11-05"), "2024-11-05");
        assert_eq!(agreed("2025-06-18"), "2025-06-18");
        assert_eq!(agreed("2099-01-01"), LATEST);
        assert_eq!(agreed(""), LATEST);
    }

    #[test]
    fn names_are_those_that_a_model_api_takes() {
        for good in ["echo", "a", "Read_file-2", &"x".repeat(64)] {
            assert_eq!(name_problem(good), None, "{good}");
        }
        for bad in ["", "two words", "dots.in", "a/b", "é", &"x".repeat(65)] {
            assert!(name_problem(bad).is_some(), "{bad}");
        }
    }
}
