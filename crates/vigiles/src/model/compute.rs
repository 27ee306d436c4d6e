//! Functions that make turns.

use std::sync::Arc;

use crate::callback::guarded;
use crate::trace::ModelRequest;

use super::Turn;
use super::script::Compute;

/// Calls a function of the script's author; what it gives must be a turn that can be served.
pub(super) async fn compute(make: &Compute, request: Arc<ModelRequest>) -> Result<Turn, String> {
    let turn = guarded(|| make(request)).await?;
    turn.validate("the turn that was made").map_err(|error| error.to_string())?;
    Ok(turn)
}
