//! Node.js binding of the vigiles core.

use napi_derive::napi;

/// The version of the native part, as in `0.1.0`.
#[napi(catch_unwind)]
pub fn core_version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
