//! Core of vigiles, the test framework for the harness around coding agents.

pub mod hook;
pub mod process;
pub mod trace;
