//! Typed answers of subagents.

use napi::Result;
use napi_derive::napi;
use vigiles::agent_result::{OutputContract, parse_agent_result, render_contract};

use crate::error::{Coded, to_json};

/// Reads the result block of an answer, as JSON `{kind, value | error | reason}`.
#[napi(catch_unwind)]
pub fn parse_result_block(answer: String, contract: Option<String>) -> Result<String> {
    let contract = contract.map(|json| OutputContract::from_json(&json).coded()).transpose()?;
    to_json(&parse_agent_result(&answer, contract.as_ref()))
}

/// The section of an instruction file that tells an agent its contract.
#[napi(catch_unwind)]
pub fn render_result_contract(contract: String) -> Result<String> {
    Ok(render_contract(&OutputContract::from_json(&contract).coded()?))
}
