//! Core of vigiles, the test framework for the harness around coding agents: hooks, skills, settings, plugins,
//! instruction files, subagents, MCP servers and prompts.
//!
//! | question | module |
//! |---|---|
//! | what did the agent do? | [`trace`] |
//! | was that right? | [`check`] |
//! | what does my script do? | [`process`] |
//! | what does my hook decide? | [`hook`] |
//! | what did my subagent answer? | [`agent_result`] |
//! | what does the assembled harness do when the model says this? | `harness` (feature `harness`) |
//! | which model would say it? | `model` (feature `model`) |
//! | which program would answer in place of the real one? | [`stub`] |
//! | which MCP server would answer it? | `mcp` (feature `mcp`) |
//! | how do I show that to a person, or a CI? | `report` (feature `report`) |
//! | which files are tests, or recordings? | `discover` (feature `discover`) |
//!
//! The crate returns data: it prints nothing, reads no environment variable and no working directory, and ends no
//! process. Errors are enums with a stable `code()`.

pub mod agent_result;
#[cfg(any(feature = "model", feature = "mcp"))]
mod callback;
pub mod check;
#[cfg(feature = "discover")]
pub mod discover;
#[cfg(feature = "harness")]
pub mod harness;
pub mod hook;
pub mod intercept;
#[cfg(feature = "mcp")]
pub mod mcp;
#[cfg(feature = "model")]
pub mod model;
pub mod process;
#[cfg(feature = "report")]
pub mod report;
pub mod stub;
mod tool;
pub mod trace;

/// The Rust of the README.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
