use std::fmt;

use serde::{Deserialize, Serialize};

use crate::check::{Pattern, PatternError, PatternTester};

use super::StubError;

/// A program that stands in for a real one.
#[derive(Debug, Clone, PartialEq)]
pub struct Stub {
    /// The program's name, as it is looked up in `PATH`.
    pub name: String,
    /// The first that matches a call answers it.
    pub rules: Vec<StubRule>,
}

/// Which calls are answered, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct StubRule {
    /// What the arguments must be, one by one.
    pub argv: Vec<Token>,
    /// Whether more arguments may follow.
    pub rest: bool,
    /// What some of the following arguments must be, in any order. Needs `rest`.
    pub contains: Vec<Token>,
    /// What it answers.
    pub reply: StubReply,
}

/// What one argument must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    /// Exactly this.
    Text(String),
    /// Something that matches.
    Matches(Pattern),
}

/// What a rule answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StubReply {
    /// The same to every call.
    Always(StubAnswer),
    /// One answer for each call that the rule matches, in the order they arrive. Further ones are not answered.
    InOrder(Vec<StubAnswer>),
}

/// What a stub prints, and how it ends.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct StubAnswer {
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// The exit code.
    pub exit_code: u8,
}

impl Token {
    fn is_match(&self, argument: &str, patterns: &dyn PatternTester) -> Result<bool, PatternError> {
        match self {
            Self::Text(text) => Ok(text == argument),
            Self::Matches(pattern) => patterns.is_match(pattern, argument),
        }
    }
}

impl StubRule {
    /// Whether the rule is for this call.
    pub fn is_match(&self, argv: &[String], patterns: &dyn PatternTester) -> Result<bool, PatternError> {
        let fits = if self.rest { argv.len() >= self.argv.len() } else { argv.len() == self.argv.len() };
        if !fits {
            return Ok(false);
        }
        for (token, argument) in self.argv.iter().zip(argv) {
            if !token.is_match(argument, patterns)? {
                return Ok(false);
            }
        }
        let following = argv.get(self.argv.len()..).unwrap_or_default();
        for token in &self.contains {
            let mut found = false;
            for argument in following {
                found = found || token.is_match(argument, patterns)?;
            }
            if !found {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Stub {
    /// Refuses what could not be served, or would serve what nobody meant. `place` is where it stands: `stubs[0]`.
    pub fn validate(&self, place: &str, patterns: &dyn PatternTester) -> Result<(), StubError> {
        let wrong = |field: String, problem: String| Err(StubError { place: format!("{place}{field}"), problem });
        if self.name.is_empty() || self.name == "." || self.name == ".." || self.name.contains(['/', '\\', '\0']) {
            let problem =
                format!("expected the name of a program, as it is looked up in PATH, but got {:?}", self.name);
            return wrong(".name".to_owned(), problem);
        }
        if self.rules.is_empty() {
            let problem = "there is no rule, so no call could be answered. Give one, such as { argv: [\"--version\"], reply: { kind: \"always\", stdout: \"1.0\\n\" } }";
            return wrong(".rules".to_owned(), problem.to_owned());
        }
        for (index, rule) in self.rules.iter().enumerate() {
            let at = |field: &str| format!(".rules[{index}].{field}");
            if !rule.contains.is_empty() && !rule.rest {
                let problem =
                    "it looks at arguments that follow, and the rule lets none follow. End `argv` with `rest`";
                return wrong(at("contains"), problem.to_owned());
            }
            if matches!(&rule.reply, StubReply::InOrder(answers) if answers.is_empty()) {
                return wrong(at("reply.answers"), "there is no answer, so no call could be answered".to_owned());
            }
            let lists = [("argv", &rule.argv), ("contains", &rule.contains)];
            for (field, tokens) in lists {
                for (position, token) in tokens.iter().enumerate() {
                    let Token::Matches(pattern) = token else { continue };
                    if let Some(flag) = pattern.flags.chars().find(|flag| "gy".contains(*flag)) {
                        let problem =
                            format!("the flag {flag} of {pattern} has no meaning for one argument. Leave it out");
                        return wrong(at(&format!("{field}[{position}]")), problem);
                    }
                    if let Err(error) = patterns.is_match(pattern, "") {
                        return wrong(at(&format!("{field}[{position}]")), error.to_string());
                    }
                }
            }
        }
        Ok(())
    }
}

/// As in a rule: `"pr"`, `/^v\d/`.
impl fmt::Display for Token {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(out, "{text:?}"),
            Self::Matches(pattern) => pattern.fmt(out),
        }
    }
}

/// The calls it is for: `["pr", "list", rest] contains ["--json"]`.
impl fmt::Display for StubRule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |tokens: &[Token]| tokens.iter().map(ToString::to_string).collect::<Vec<_>>();
        let mut argv = list(&self.argv);
        if self.rest {
            argv.push("rest".to_owned());
        }
        write!(out, "[{}]", argv.join(", "))?;
        if !self.contains.is_empty() {
            write!(out, " contains [{}]", list(&self.contains).join(", "))?;
        }
        Ok(())
    }
}
