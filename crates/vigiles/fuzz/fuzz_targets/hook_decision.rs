//! Any bytes as the answer of a hook.

#![no_main]

#[path = "../src/invariants.rs"]
mod invariants;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| invariants::hook_decision(bytes));
