//! The trace of an agent run: what was seen of its tool calls, hooks, subagents, answers and cost.
//!
//! ```no_run
//! use vigiles::trace::Trace;
//!
//! let trace = Trace::from_path("run.jsonl")?;
//! assert!(trace.tool_calls().unwrap_or_default().iter().any(|call| &*call.name == "Bash"));
//! # Ok::<(), vigiles::trace::TraceError>(())
//! ```
//!
//! Reading makes one pass over the bytes and keeps only where things are; arguments, results and other
//! long texts are decoded when they are asked for. What a format does not record is `None`, never empty.

mod claude;
mod codex;
mod compact;
mod detect;
mod error;
mod id;
pub(crate) mod json;
mod lines;
mod model;
mod open;
mod parts;
mod plain;
mod render;
mod source;
mod text;
mod work_dir;

use std::borrow::Cow;

pub use error::TraceError;
pub use model::{
    HookFire, McpServer, ModelRequest, ParseError, PermissionDenial, RequestKind, RequestMessage, ResultText,
    RunResult, Subagent, ToolCall, TraceKind, Usage,
};
pub use open::Open;
pub use render::Field;
pub use text::{Span, Text};
pub use work_dir::ShError;

use json::decode;
pub(crate) use json::decode::mended;
use parts::Parts;
use source::Source;
use work_dir::WorkDir;

/// What one agent run was seen to do.
#[derive(Debug)]
pub struct Trace {
    kind: TraceKind,
    sources: Vec<Source>,
    parts: Parts,
    parse_errors: Vec<ParseError>,
    work_dir: Option<WorkDir>,
}

impl Trace {
    /// The format it was read from.
    pub fn kind(&self) -> TraceKind {
        self.kind
    }

    /// Every tool call in the order it was made, those of subagents included (they have a `parent_id`).
    ///
    /// `None` for `--output-format json`, which prints the result alone.
    pub fn tool_calls(&self) -> Option<&[ToolCall]> {
        self.parts.tool_calls.as_deref()
    }

    /// Every firing of a hook; `None` when the run was recorded without hook events.
    pub fn hooks(&self) -> Option<&[HookFire]> {
        self.parts.hooks.as_deref()
    }

    /// Whether [`Trace::hooks`] may lack firings: a stream without hook events tells only `SessionStart`,
    /// a session file only hooks that printed something or failed.
    pub fn hooks_partial(&self) -> bool {
        self.parts.hooks_partial
    }

    /// The agent's final answer; with several result events the last that is not empty.
    pub fn output(&self) -> Option<&str> {
        self.parts.output.as_deref()
    }

    /// The main agent's messages that call no tool, in order.
    pub fn replies(&self) -> Option<&[Text]> {
        self.parts.replies.as_deref()
    }

    /// What reached the model; only a run against a scripted model or through a recording proxy has it.
    pub fn model_requests(&self) -> Option<&[ModelRequest]> {
        self.parts.model_requests.as_deref()
    }

    /// The main agent's model turns: distinct assistant messages. Parallel calls in one message are one turn.
    pub fn turns(&self) -> Option<u32> {
        self.parts.turns
    }

    /// The subagents that started, nested as they were started.
    pub fn subagents(&self) -> Option<&[Subagent]> {
        self.parts.subagents.as_deref()
    }

    /// Cost, time and tokens, as the CLI counts them: tokens of the main agent alone, the cost of all.
    pub fn usage(&self) -> Option<&Usage> {
        self.parts.usage.as_ref()
    }

    /// Calls that were refused by permission rules or hooks.
    pub fn permission_denials(&self) -> Option<&[PermissionDenial]> {
        self.parts.permission_denials.as_deref()
    }

    /// How the CLI ended; `None` when it did not get to say so. With several result events the last.
    pub fn result(&self) -> Option<&RunResult> {
        self.parts.result.as_ref()
    }

    /// The skills the run offered, those of plugins as `plugin:name`.
    pub fn skills(&self) -> Option<&[String]> {
        self.parts.skills.as_deref()
    }

    /// The MCP servers as the CLI saw them at start.
    pub fn mcp_servers(&self) -> Option<&[McpServer]> {
        self.parts.mcp_servers.as_deref()
    }

    /// The main agent's model.
    pub fn model(&self) -> Option<&str> {
        self.parts.model.as_deref()
    }

    /// The session (Claude Code) or thread (Codex).
    pub fn session_id(&self) -> Option<&str> {
        self.parts.session_id.as_deref()
    }

    /// The first prompt; only session files and `--replay-user-messages` have it.
    pub fn prompt(&self) -> Option<&str> {
        self.parts.prompt.as_deref()
    }

    /// The working directory that the CLI reported.
    pub fn cwd(&self) -> Option<&str> {
        self.parts.cwd.as_deref()
    }

    /// What a reader should know: what was not recorded, retried, or cut.
    pub fn warnings(&self) -> &[String] {
        &self.parts.warnings
    }

    /// Lines that could not be used.
    pub fn parse_errors(&self) -> &[ParseError] {
        &self.parse_errors
    }

    /// Whether the run was recorded to its end.
    pub fn complete(&self) -> bool {
        self.parts.complete
    }

    /// Files the run wrote, relative to its work dir; recorded by a confined run only.
    pub fn files_written(&self) -> Option<&[String]> {
        self.parts.files_written.as_deref()
    }

    /// Tells what reached the model: whoever served the model knows it.
    #[cfg(feature = "harness")]
    pub(crate) fn set_model_requests(&mut self, requests: Vec<ModelRequest>) {
        self.parts.model_requests = Some(requests);
    }

    /// Adds to the firings what a reader of other sources knows of them.
    #[cfg(feature = "harness")]
    pub(crate) fn complete_hooks(&mut self, complete: impl FnOnce(&mut [HookFire], &[ToolCall])) {
        if let Some(fires) = &mut self.parts.hooks {
            complete(fires, self.parts.tool_calls.as_deref().unwrap_or_default());
        }
    }

    /// Leaves out the firings whose standard output is such.
    #[cfg(feature = "harness")]
    pub(crate) fn drop_hooks(&mut self, is_such: impl Fn(&str) -> bool) {
        let is_own = |fire: &HookFire| {
            let text = fire.stdout.as_ref().or(fire.output.as_ref());
            text.and_then(|text| self.read(text).ok()).is_some_and(|text| is_such(&text))
        };
        let keep: Vec<bool> = self.parts.hooks.iter().flatten().map(|fire| !is_own(fire)).collect();
        let mut keep = keep.into_iter();
        if let Some(fires) = &mut self.parts.hooks {
            fires.retain(|_| keep.next().unwrap_or(true));
        }
    }

    /// Tells the firings of hooks, where the stream tells none.
    #[cfg(feature = "harness")]
    pub(crate) fn set_hooks(&mut self, hooks: Vec<HookFire>) {
        self.parts.hooks = Some(hooks);
        self.parts.hooks_partial = false;
    }

    /// Tells the calls and the number of turns, where the stream leaves some out.
    #[cfg(feature = "harness")]
    pub(crate) fn set_tool_calls(&mut self, calls: Vec<ToolCall>, turns: u32) {
        self.parts.tool_calls = Some(calls);
        self.parts.turns = Some(turns);
    }

    /// Takes a warning back that other sources have answered.
    #[cfg(feature = "harness")]
    pub(crate) fn drop_warning(&mut self, start: &str) {
        self.parts.warnings.retain(|warning| !warning.starts_with(start));
    }

    /// Corrects the token counts, where the last of several is that of all.
    #[cfg(feature = "harness")]
    pub(crate) fn set_tokens(&mut self, input: u64, cached: u64, output: u64) {
        if let Some(usage) = &mut self.parts.usage {
            usage.input_tokens = Some(input);
            usage.cache_read_tokens = Some(cached);
            usage.output_tokens = Some(output);
        }
    }

    /// Corrects the cost, where the stream of several launches tells that of the last alone.
    #[cfg(feature = "harness")]
    pub(crate) fn set_cost(&mut self, usd: f64) {
        if let Some(usage) = &mut self.parts.usage {
            usage.cost_usd = Some(usd);
        }
    }

    /// Tells what the user said: whoever started the run knows it.
    #[cfg(feature = "harness")]
    pub(crate) fn set_prompt(&mut self, prompt: &str) {
        self.parts.prompt = Some(prompt.into());
    }

    /// Tells which files the run wrote: whoever looked at its directory before and after knows it.
    #[cfg(feature = "harness")]
    pub(crate) fn set_files_written(&mut self, files: Vec<String>) {
        self.parts.files_written = Some(files);
    }

    /// Adds something that a reader should know.
    #[cfg(feature = "harness")]
    pub(crate) fn warn(&mut self, warning: String) {
        self.parts.warnings.push(warning);
    }

    /// Roughly how many bytes of memory it holds, for owners that keep a budget.
    pub fn memory(&self) -> usize {
        let held = |source: &Source| match source {
            Source::Bytes { bytes, .. } => bytes.capacity(),
            Source::File(_) => 0,
        };
        // A call has two ids of about 30 bytes beside itself.
        let calls = self.tool_calls().map_or(0, |calls| calls.len() * (size_of::<ToolCall>() + 64));
        let hooks = self.hooks().map_or(0, size_of_val);
        self.sources.iter().map(held).sum::<usize>() + calls + hooks
    }

    /// A text, decoded. Halves of surrogate pairs and bytes that are not UTF-8 are U+FFFD.
    pub fn read<'t>(&'t self, text: &'t Text) -> Result<Cow<'t, str>, TraceError> {
        let raw = |span: &Span| self.sources[span.source as usize].read(span.start, span.len);
        match text {
            Text::Kept(text) => Ok(Cow::Borrowed(text)),
            Text::At(span) => Ok(map_cow(raw(span)?, Text::decode)),
            Text::Raw(span) => Ok(map_cow(raw(span)?, String::from_utf8_lossy)),
            Text::Joined(texts) => {
                texts.iter().map(|text| self.read(text)).collect::<Result<String, _>>().map(Cow::Owned)
            }
        }
    }

    /// The arguments of a call.
    pub fn input(&self, call: &ToolCall) -> Result<serde_json::Value, TraceError> {
        Ok(decode::value_of(self.read(&call.input)?.as_bytes()))
    }

    /// The text a call was answered with; `None` while no answer was recorded.
    pub fn result_text<'t>(&'t self, call: &'t ToolCall) -> Result<Option<Cow<'t, str>>, TraceError> {
        call.result.as_ref().map(|text| self.read_result(text)).transpose()
    }

    /// A subagent's final answer; `None` where none was recorded.
    pub fn subagent_output<'t>(&'t self, agent: &'t Subagent) -> Result<Option<Cow<'t, str>>, TraceError> {
        agent.output.as_ref().map(|text| self.read_result(text)).transpose()
    }

    fn read_result<'t>(&'t self, text: &'t ResultText) -> Result<Cow<'t, str>, TraceError> {
        match text {
            ResultText::Text(text) => self.read(text),
            ResultText::Blocks(blocks) => Ok(Cow::Owned(text_blocks(&decode::value_of(self.read(blocks)?.as_bytes())))),
        }
    }
}

impl claude::Read for Trace {
    fn read<'t>(&'t self, text: &'t Text) -> Result<Cow<'t, str>, TraceError> {
        Self::read(self, text)
    }
}

/// The text blocks of a content array, a line break between them.
fn text_blocks(content: &serde_json::Value) -> String {
    let blocks = content.as_array().map(Vec::as_slice).unwrap_or_default();
    blocks.iter().filter_map(|block| block.get("text")?.as_str()).collect::<Vec<_>>().join("\n")
}

fn map_cow<'t>(bytes: Cow<'t, [u8]>, decode: impl for<'b> Fn(&'b [u8]) -> Cow<'b, str>) -> Cow<'t, str> {
    match bytes {
        Cow::Borrowed(bytes) => decode(bytes),
        Cow::Owned(bytes) => Cow::Owned(decode(&bytes).into_owned()),
    }
}
