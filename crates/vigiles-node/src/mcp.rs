//! Scripted MCP servers.

#![expect(clippy::unused_async, reason = "a socket needs the runtime that napi runs async functions in")]

use std::sync::Arc;

use napi::Status;
use napi::bindgen_prelude::{FnArgs, Promise, Result};
use napi::threadsafe_function::ThreadsafeFunction;
use napi_derive::napi;
use vigiles::mcp::{McpScript, McpServer, Reply, ReplyFn};

use crate::error::{Coded, to_json};

/// Makes the reply with a number for a call, both as JSON. It does not keep Node alive: a server that nobody closed must
/// not.
pub(crate) type MakeReply =
    ThreadsafeFunction<FnArgs<(u32, String)>, Promise<String>, FnArgs<(u32, String)>, Status, false, true>;

fn script(json: &str, make_reply: MakeReply) -> Result<McpScript> {
    let make_reply = Arc::new(make_reply);
    McpScript::from_json(json, |number| -> ReplyFn {
        let make_reply = Arc::clone(&make_reply);
        Arc::new(move |call| {
            let make_reply = Arc::clone(&make_reply);
            Box::pin(async move {
                let call = serde_json::to_string(&*call).map_err(|error| error.to_string())?;
                let promise = make_reply.call_async(FnArgs::from((number, call))).await;
                let reply = promise.map_err(reason)?.await.map_err(reason)?;
                Reply::from_json(&reply)
            })
        })
    })
    .coded()
}

fn reason(error: napi::Error) -> String {
    error.reason.clone()
}

/// An MCP server on a unix socket.
#[napi]
pub struct NativeMcpServer {
    server: McpServer,
}

#[napi]
impl NativeMcpServer {
    /// The directory of the socket.
    #[napi(catch_unwind)]
    pub fn socket_dir(&self) -> String {
        self.server.socket_dir().to_string_lossy().into_owned()
    }

    /// The entry in `mcpServers`, as JSON.
    #[napi(catch_unwind)]
    pub fn config(&self, hook_program: String) -> Result<String> {
        to_json(&self.server.config(hook_program))
    }

    /// The calls of tools, as JSON.
    #[napi(catch_unwind)]
    pub fn calls(&self) -> Result<String> {
        to_json(&self.server.calls().iter().map(|call| &**call).collect::<Vec<_>>())
    }

    /// The requests and notifications, as JSON.
    #[napi(catch_unwind)]
    pub fn requests(&self) -> Result<String> {
        to_json(&self.server.requests().iter().map(|request| &**request).collect::<Vec<_>>())
    }

    /// What went wrong, as a JSON list of texts.
    #[napi(catch_unwind)]
    pub fn problems(&self) -> Result<String> {
        to_json(&self.server.problems())
    }

    /// Ends it; what it was asked stays readable.
    #[napi(catch_unwind)]
    pub fn close(&mut self) {
        self.server.close();
    }
}

/// Starts an MCP server.
#[napi]
pub async fn start_mcp_server(script_json: String, temp_dir: String, make_reply: MakeReply) -> Result<NativeMcpServer> {
    let script = script(&script_json, make_reply)?;
    let server = McpServer::start(script, temp_dir).coded()?;
    Ok(NativeMcpServer { server })
}
