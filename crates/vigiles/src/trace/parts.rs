//! The fields of a trace while it is put together.

use super::model::{HookFire, McpServer, ModelRequest, PermissionDenial, RunResult, Subagent, ToolCall, Usage};
use super::text::Text;

/// `None` = not recorded.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    pub(crate) tool_calls: Option<Vec<ToolCall>>,
    pub(crate) hooks: Option<Vec<HookFire>>,
    /// Some firings may be missing from `hooks`.
    pub(crate) hooks_partial: bool,
    pub(crate) output: Option<Box<str>>,
    pub(crate) replies: Option<Vec<Text>>,
    pub(crate) model_requests: Option<Vec<ModelRequest>>,
    pub(crate) turns: Option<u32>,
    pub(crate) subagents: Option<Vec<Subagent>>,
    pub(crate) usage: Option<Usage>,
    pub(crate) permission_denials: Option<Vec<PermissionDenial>>,
    pub(crate) result: Option<RunResult>,
    pub(crate) skills: Option<Vec<String>>,
    pub(crate) mcp_servers: Option<Vec<McpServer>>,
    pub(crate) model: Option<Box<str>>,
    pub(crate) session_id: Option<Box<str>>,
    pub(crate) prompt: Option<Box<str>>,
    pub(crate) cwd: Option<Box<str>>,
    pub(crate) files_written: Option<Vec<String>>,
    pub(crate) warnings: Vec<String>,
    pub(crate) complete: bool,
}
