//! Any bytes as a trace.

#![no_main]

#[path = "../src/invariants.rs"]
mod invariants;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| invariants::trace(bytes));
