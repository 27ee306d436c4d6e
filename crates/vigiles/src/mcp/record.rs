//! What the server was asked.

use serde::Serialize;
use serde_json::value::RawValue;

/// A call of a tool that the server has.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct McpCall {
    /// Its place among all calls, from 0, in the order they arrived.
    pub index: usize,
    /// The tool, by the server's own name for it.
    pub tool: String,
    /// The arguments, as they were sent: a JSON object, `{}` where there were none.
    pub arguments: Box<RawValue>,
    /// The id of the model's tool call, where the CLI passes it on. Claude Code does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_use_id: Option<String>,
}

/// A request or notification.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct McpRequest {
    /// `initialize`, `notifications/initialized`, `tools/list`, ...
    pub method: String,
    /// The parameters, as they were sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub params: Option<Box<RawValue>>,
}
