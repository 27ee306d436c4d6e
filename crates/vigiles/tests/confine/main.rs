//! Confined commands, for real: what they may do and what they must not get done. Without bubblewrap every test here is skipped,
//! and says so; where it is installed, none is. What a command must not get done is shown to work unconfined.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod egress;
mod escapes;
mod files;
mod leftovers;
mod limits;
mod missing;
mod other_user;
mod runs;
mod support;
