use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

use super::ConfineError;

/// When a run is confined. In JSON `"auto"`, `"strict"` and `false`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SandboxMode {
    /// What is trusted runs direct, anything else confined.
    #[default]
    Auto,
    /// Everything runs confined.
    Strict,
    /// Nothing is confined.
    Off,
}

impl<'de> Deserialize<'de> for SandboxMode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ModeVisitor)
    }
}

struct ModeVisitor;

impl Visitor<'_> for ModeVisitor {
    type Value = SandboxMode;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(r#""auto", "strict" or false"#)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<SandboxMode, E> {
        if value { Err(E::invalid_value(serde::de::Unexpected::Bool(value), &self)) } else { Ok(SandboxMode::Off) }
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<SandboxMode, E> {
        match value {
            "auto" => Ok(SandboxMode::Auto),
            "strict" => Ok(SandboxMode::Strict),
            _ => Err(E::invalid_value(serde::de::Unexpected::Str(value), &self)),
        }
    }
}

/// Whether a run is confined. Where it would have to be and cannot be, it is refused: it never runs direct instead.
///
/// | mode | trusted | confinement available | |
/// |---|---|---|---|
/// | off | any | any | direct |
/// | strict | any | yes | confined |
/// | strict | any | no | refused |
/// | auto | yes | any | direct |
/// | auto | no | yes | confined |
/// | auto | no | no | refused |
///
/// `available` is asked only where it matters; see [`confinement_available`](super::confinement_available).
pub fn decide_sandbox(
    mode: SandboxMode,
    trusted: bool,
    available: impl FnOnce() -> Result<(), ConfineError>,
) -> Result<bool, ConfineError> {
    match mode {
        SandboxMode::Off => Ok(false),
        SandboxMode::Auto if trusted => Ok(false),
        SandboxMode::Auto | SandboxMode::Strict => available().map(|()| true),
    }
}

/// What a caller says of the confinement of a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ScriptRoute {
    /// The mode; `None` is [`SandboxMode::Auto`] where `trusted` is false or `record_egress` is asked for, else
    /// [`SandboxMode::Off`].
    pub sandbox: Option<SandboxMode>,
    /// Whether the script is trusted; `None` is true.
    pub trusted: Option<bool>,
    /// Connections out are to be recorded.
    pub record_egress: bool,
    /// Connections to some hosts are to be allowed: always confined, whatever `sandbox` says.
    pub allow_egress: bool,
}

/// Whether a script runs confined. A mode that is given is decided as for an untrusted script, so `auto` confines it.
pub fn route_script(
    route: ScriptRoute,
    available: impl FnOnce() -> Result<(), ConfineError>,
) -> Result<bool, ConfineError> {
    if route.allow_egress {
        return decide_sandbox(SandboxMode::Strict, false, available);
    }
    let wanted = route.trusted == Some(false) || route.record_egress;
    let mode = route.sandbox.unwrap_or(if wanted { SandboxMode::Auto } else { SandboxMode::Off });
    decide_sandbox(mode, false, available)
}

#[cfg(test)]
mod tests {
    use SandboxMode::{Auto, Off, Strict};

    use super::*;

    #[expect(clippy::unnecessary_wraps, reason = "the answer of a machine that can")]
    fn yes() -> Result<(), ConfineError> {
        Ok(())
    }

    fn no() -> Result<(), ConfineError> {
        Err(ConfineError::Unavailable { reason: "no bwrap".into() })
    }

    fn word(result: &Result<bool, ConfineError>) -> &'static str {
        match result {
            Ok(true) => "confined",
            Ok(false) => "direct",
            Err(error) => {
                assert!(error.to_string().contains("no bwrap"), "{error}");
                "refused"
            }
        }
    }

    #[test]
    fn the_whole_table() {
        let mut seen = Vec::new();
        for mode in [Off, Strict, Auto] {
            for trusted in [true, false] {
                seen.push([word(&decide_sandbox(mode, trusted, yes)), word(&decide_sandbox(mode, trusted, no))]);
            }
        }
        let expected = [
            ["direct", "direct"],
            ["direct", "direct"],
            ["confined", "refused"],
            ["confined", "refused"],
            ["direct", "direct"],
            ["confined", "refused"],
        ];
        assert_eq!(seen, expected);
    }

    #[test]
    fn nobody_looks_for_bubblewrap_where_it_is_not_needed() {
        let never = || -> Result<(), ConfineError> { unreachable!("asked") };
        assert_eq!(word(&decide_sandbox(Off, false, never)), "direct");
        assert_eq!(word(&decide_sandbox(Auto, true, never)), "direct");
        assert_eq!(word(&route_script(ScriptRoute::default(), never)), "direct");
    }

    #[test]
    fn scripts_are_direct_unless_something_asks_for_confinement() {
        let route = |sandbox, trusted, record_egress, allow_egress| {
            let route = ScriptRoute { sandbox, trusted, record_egress, allow_egress };
            [word(&route_script(route, yes)), word(&route_script(route, no))]
        };
        let (direct, confined) = (["direct", "direct"], ["confined", "refused"]);
        assert_eq!(route(None, None, false, false), direct);
        assert_eq!(route(None, Some(true), false, false), direct);
        assert_eq!(route(None, Some(false), false, false), confined);
        assert_eq!(route(None, None, true, false), confined);
        assert_eq!(route(None, Some(true), true, false), confined);
        assert_eq!(route(Some(Auto), None, false, false), confined);
        assert_eq!(route(Some(Auto), Some(true), false, false), confined);
        assert_eq!(route(Some(Strict), Some(true), false, false), confined);
        assert_eq!(route(Some(Off), Some(false), false, false), direct);
        assert_eq!(route(Some(Off), None, true, false), direct, "an explicit `false` wins over recording");
        assert_eq!(route(Some(Off), None, false, true), confined, "an allow-list holds only in a network of its own");
    }
}
