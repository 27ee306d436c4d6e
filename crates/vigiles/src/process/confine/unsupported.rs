use super::{ConfineError, Confinement};
use crate::process::{Command, Output, ProcessError};

/// Whether commands can be confined here: only Linux has what that takes.
pub fn confinement_available() -> Result<(), ConfineError> {
    Err(ConfineError::Unavailable { reason: "commands can be confined on Linux only".to_owned() })
}

pub(in crate::process) fn run(_command: &Command, _confinement: &Confinement) -> Result<Output, ProcessError> {
    Err(ConfineError::Unavailable { reason: "commands can be confined on Linux only".to_owned() }.into())
}
