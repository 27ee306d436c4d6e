//! Stubs of a run: programs that go before the real ones.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::stub::{StubCall, Stubs, install as install_stubs, unanswered};

use super::driver::Setup;
use super::error::Context;
use super::{HarnessError, Place, Spec};

/// Installs the stubs of a spec beside the work dir; `None` where it has none.
pub(super) fn install(spec: &Spec, place: &Place, helper: Option<&Path>) -> Result<Option<Stubs>, HarnessError> {
    if spec.stubs.is_empty() {
        return Ok(None);
    }
    let helper = helper.ok_or(HarnessError::HelperMissing { field: "stubs" })?;
    let root = place.io().join("stubs");
    let installed = install_stubs(spec.stubs.clone(), &root, helper);
    installed.map(Some).map_err(|source| HarnessError::io("install stubs in", &root, source))
}

/// A `PATH` with the stubs before all others.
pub(super) fn before(stubs: &Stubs, path: &OsStr) -> OsString {
    let mut all = stubs.bin().into_os_string();
    all.push(":");
    all.push(path);
    all
}

/// The calls of a run that ended.
pub(super) fn calls(
    stubs: Option<&Stubs>,
    setup: &Setup<'_>,
    context: impl FnOnce() -> Context,
) -> Result<Vec<StubCall>, HarnessError> {
    let Some(stubs) = stubs else { return Ok(Vec::new()) };
    let calls =
        stubs.calls().map_err(|source| HarnessError::io("read the calls of stubs in", setup.place.root(), source))?;
    match unanswered(stubs.stubs(), &calls) {
        None => Ok(calls),
        Some(problem) => Err(HarnessError::StubUnanswered { problem, context: Box::new(context()) }),
    }
}
