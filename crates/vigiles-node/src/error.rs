//! Errors of the core on their way to JavaScript.

use napi::{Error, Result};
use serde::de::DeserializeOwned;
use serde_json::json;

/// An error with its stable code.
pub(crate) fn coded(code: &str, message: impl std::fmt::Display) -> Error {
    Error::from_reason(json!({ "code": code, "message": message.to_string() }).to_string())
}

/// Reads an argument that crossed as JSON.
pub(crate) fn from_json<T: DeserializeOwned>(what: &str, text: &str) -> Result<T> {
    serde_json::from_str(text)
        .map_err(|error| coded("VIGILES_INVALID_ARGUMENT", format_args!("expected {what}, but {error}")))
}

/// Writes a result that crosses as JSON.
pub(crate) fn to_json<T: serde::Serialize + ?Sized>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|error| coded("VIGILES_INTERNAL", error))
}

macro_rules! coded_from {
    ($($error:ty),+ $(,)?) => {
        /// Turns the errors of the core into coded ones.
        pub(crate) trait Coded<T> {
            /// The value, or the error with its code.
            fn coded(self) -> Result<T>;
        }
        $(impl<T> Coded<T> for std::result::Result<T, $error> {
            fn coded(self) -> Result<T> {
                self.map_err(|error| coded(error.code(), error))
            }
        })+
    };
}

coded_from!(
    vigiles::trace::TraceError,
    vigiles::trace::ShError,
    vigiles::check::CheckError,
    vigiles::check::EvalError,
    vigiles::process::ProcessError,
    vigiles::process::confine::ConfineError,
    vigiles::agent_result::ContractError,
    vigiles::hook::EventError,
    vigiles::hook::GuardrailError,
    vigiles::discover::DiscoverError,
    vigiles::report::ReportError,
    vigiles::stub::StubError,
    vigiles::mcp::McpError,
    vigiles::model::ModelError,
    vigiles::harness::HarnessError,
    vigiles::harness::SurfaceError,
);
