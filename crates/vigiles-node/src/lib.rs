//! Node.js binding of the vigiles core: it forwards and does nothing else.
//!
//! Only strings, numbers, booleans, buffers and handles cross: objects that native code makes belong to another realm
//! under test runners, and fail `instanceof` and strict equality there. Data goes as JSON text. Errors carry
//! `{code, message}` as JSON in their message; the TypeScript side throws its own class.

#![expect(unreachable_pub, reason = "napi exports what is pub, and nothing links against this library")]
#![cfg_attr(test, allow(dead_code, reason = "napi registers nothing in a test build"))]
#![expect(clippy::needless_pass_by_value, reason = "napi hands over what JavaScript gave, owned")]

mod adapter;
mod agent_result;
mod check;
mod error;
mod harness;
mod hook;
mod mcp;
mod model;
mod process;
mod report;
mod surfaces;
mod sweep;
mod trace;

use napi_derive::napi;

/// The version of the native part, as in `0.1.0`.
#[napi(catch_unwind)]
pub fn core_version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
