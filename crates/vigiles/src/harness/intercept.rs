//! The hook of a run that refuses tool calls.

use std::path::{Path, PathBuf};

use crate::intercept::Rules;

use super::driver::Setup;
use super::{HarnessError, Place};

fn rules(place: &Place) -> PathBuf {
    place.io().join("intercepts.json")
}

/// The command of the hook that refuses the calls; `None` where the spec asks for none. Writes its rules.
pub(super) fn install(setup: &Setup<'_>, mark: bool) -> Result<Option<String>, HarnessError> {
    let Some(command) = command(setup)? else { return Ok(None) };
    let path = rules(setup.place);
    let rules = Rules { mark, calls: setup.spec.intercept_tools.clone() };
    let text = serde_json::to_vec(&rules).map_err(|error| HarnessError::io("write", &path, error.into()))?;
    Place::write(&path, &text)?;
    Ok(Some(command))
}

/// The command of our hook; `None` where there is none.
pub(super) fn command(setup: &Setup<'_>) -> Result<Option<String>, HarnessError> {
    if setup.spec.intercept_tools.is_empty() {
        return Ok(None);
    }
    let helper = setup.helper.ok_or(HarnessError::HelperMissing { field: "interceptTools" })?;
    let quoted = |path: &Path| format!("'{}'", path.to_string_lossy().replace('\'', r"'\''"));
    Ok(Some(format!("{} intercept {}", quoted(helper), quoted(&rules(setup.place)))))
}
