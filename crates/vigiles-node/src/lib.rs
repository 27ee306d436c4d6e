//! Node.js binding of the vigiles core: it forwards and does nothing else.
//!
//! Only strings, numbers, booleans, buffers and handles cross: objects that native code makes belong to another realm
//! under test runners, and fail `instanceof` and strict equality there. Data goes as JSON text. Errors carry
//! `{code, message}` as JSON in their message; the TypeScript side throws its own class.

#![expect(unreachable_pub, reason = "napi exports what is pub, and nothing links against this library")]

mod agent_result;
mod check;
mod error;
mod hook;
mod process;
mod trace;

use napi_derive::napi;

/// The version of the native part, as in `0.1.0`.
#[napi(catch_unwind)]
pub fn core_version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
