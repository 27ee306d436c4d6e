use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{ConfineError, ConfineLimits, Confinement, SandboxMode, ScriptRoute, route_script};
use crate::process::EgressMode;

/// What a caller says of the confinement of a script or hook: the JSON form of those options.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct SandboxOptions {
    /// The mode; see [`ScriptRoute::sandbox`].
    pub sandbox: Option<SandboxMode>,
    /// Whether the script is trusted; `None` is true.
    pub trusted: Option<bool>,
    /// Records connections out, and lets none through.
    pub record_egress: bool,
    /// Lets connections to some hosts through.
    pub egress: Option<AllowedEgress>,
    /// What a confined command may use.
    pub limits: ConfineLimits,
    /// Directories whose content a confined command does not see, such as the caller's home.
    pub hidden: Vec<PathBuf>,
    /// Files and directories that it sees; see [`Confinement::show`].
    pub shown: Vec<PathBuf>,
    /// The program `vigiles-hook`; see [`Confinement::listen_helper`].
    pub listen_helper: Option<PathBuf>,
}

/// Connections that go through.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AllowedEgress {
    /// The hosts; see [`EgressMode::Allow`].
    pub allow: Vec<String>,
}

impl SandboxOptions {
    /// How the command is confined, with this work directory; `None` if it runs as the caller. See [`route_script`].
    pub fn confinement(
        &self,
        work_dir: Option<&Path>,
        available: impl FnOnce() -> Result<(), ConfineError>,
    ) -> Result<Option<Confinement>, ConfineError> {
        let route = ScriptRoute {
            sandbox: self.sandbox,
            trusted: self.trusted,
            record_egress: self.record_egress,
            allow_egress: self.egress.is_some(),
        };
        if !route_script(route, available)? {
            return Ok(None);
        }
        let mut confinement = work_dir.map_or_else(Confinement::without_work_dir, Confinement::new).limits(self.limits);
        confinement = self.hidden.iter().fold(confinement, Confinement::hide);
        confinement = self.shown.iter().fold(confinement, Confinement::show);
        if let Some(helper) = &self.listen_helper {
            confinement = confinement.listen_helper(helper);
        }
        Ok(Some(confinement.egress(match &self.egress {
            Some(egress) => EgressMode::Allow(egress.allow.clone()),
            None if self.record_egress => EgressMode::Record,
            None => EgressMode::Blocked,
        })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<SandboxOptions, String> {
        serde_json::from_str(json).map_err(|error| error.to_string())
    }

    #[test]
    fn modes_are_spelled_as_in_the_api() {
        for (json, mode) in [
            ("{}", None),
            (r#"{"sandbox": "auto"}"#, Some(SandboxMode::Auto)),
            (r#"{"sandbox": "strict"}"#, Some(SandboxMode::Strict)),
            (r#"{"sandbox": false}"#, Some(SandboxMode::Off)),
        ] {
            assert_eq!(read(json).unwrap().sandbox, mode, "{json}");
        }
        for json in [r#"{"sandbox": true}"#, r#"{"sandbox": "off"}"#, r#"{"sandbox": 1}"#] {
            let said = read(json).unwrap_err();
            assert!(said.contains(r#"expected "auto", "strict" or false"#), "{json}: {said}");
        }
    }

    #[test]
    fn what_is_asked_for_is_what_is_made() {
        let json = r#"{"sandbox": "strict", "egress": {"allow": ["a:1"]}, "limits": {"processes": 9}, "hidden": ["/h"], "shown": ["/s"]}"#;
        let made = read(json).unwrap().confinement(Some(Path::new("/w")), || Ok(())).unwrap();
        let limits = ConfineLimits { processes: 9, ..ConfineLimits::default() };
        let expected = Confinement::new("/w").limits(limits).hide("/h").show("/s");
        assert_eq!(made, Some(expected.egress(EgressMode::Allow(vec!["a:1".to_owned()]))));
        let recorded = read(r#"{"recordEgress": true}"#).unwrap().confinement(None, || Ok(())).unwrap();
        assert_eq!(recorded, Some(Confinement::without_work_dir().egress(EgressMode::Record)));
        assert_eq!(read("{}").unwrap().confinement(None, || Ok(())).unwrap(), None);
    }
}
