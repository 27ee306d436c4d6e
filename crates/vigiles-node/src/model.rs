//! Scripted models.

use std::sync::Arc;

use napi::Status;
use napi::bindgen_prelude::{Buffer, FnArgs, Promise, Result};
use napi::threadsafe_function::ThreadsafeFunction;
use napi_derive::napi;
use serde_json::json;
use vigiles::model::{Api, Compute, ModelServer, Script, Turn};

use crate::error::{Coded, coded, to_json};

/// Makes the turn with a number for a request, both as JSON. The answer of a function of the script's author.
pub(crate) type MakeTurn =
    ThreadsafeFunction<FnArgs<(u32, String)>, Promise<String>, FnArgs<(u32, String)>, Status, false>;

/// Reads a script whose functions are `{"function": NUMBER}`.
pub(crate) fn script(json: &str, make_turn: MakeTurn) -> Result<Script> {
    let make_turn = Arc::new(make_turn);
    Script::from_json(json, |number| -> Compute {
        let make_turn = Arc::clone(&make_turn);
        Arc::new(move |request| {
            let make_turn = Arc::clone(&make_turn);
            Box::pin(async move {
                let request = request.to_json().map_err(|error| error.to_string())?;
                let promise = make_turn.call_async(FnArgs::from((number, request))).await;
                let turn = promise.map_err(reason)?.await.map_err(reason)?;
                serde_json::from_str::<Turn>(&turn).map_err(|error| format!("it returned no turn: {error}"))
            })
        })
    })
    .coded()
}

fn reason(error: napi::Error) -> String {
    error.reason.clone()
}

pub(crate) fn api(name: &str) -> Result<Api> {
    match name {
        "anthropic-messages" => Ok(Api::Messages),
        "openai-responses" => Ok(Api::Responses),
        other => Err(coded("VIGILES_INVALID_ARGUMENT", format_args!("no model API is named {other}"))),
    }
}

/// A model server on loopback.
#[napi]
pub struct NativeModelServer {
    server: ModelServer,
}

#[napi]
impl NativeModelServer {
    /// `http://127.0.0.1:PORT`.
    #[napi(catch_unwind)]
    pub fn url(&self) -> String {
        self.server.url().unwrap_or_default().to_owned()
    }

    /// How many requests there were.
    #[napi(catch_unwind)]
    pub fn request_count(&self) -> u32 {
        u32::try_from(self.server.request_count()).unwrap_or(u32::MAX)
    }

    /// A request as JSON of its texts.
    #[napi(catch_unwind)]
    pub fn request(&self, index: u32) -> Result<Option<String>> {
        self.server.request(index as usize).map(|request| request.flat().to_json().coded()).transpose()
    }

    /// A request's body as it was sent.
    #[napi(catch_unwind)]
    pub fn request_body(&self, index: u32) -> Option<Buffer> {
        self.server.request(index as usize).map(|request| request.raw().to_vec().into())
    }

    /// How the script was used, as JSON.
    #[napi(catch_unwind)]
    pub fn report(&self) -> Result<String> {
        let report = self.server.report();
        to_json(&json!({
            "turns": report.turns,
            "sideRequests": report.side_requests,
            "unused": report.unused.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "overrun": report.overrun.map(|overrun| overrun.to_string()),
            "failure": report.failure,
        }))
    }

    /// Ends it; what it was asked stays readable.
    #[napi(catch_unwind)]
    pub fn close(&mut self) {
        self.server.close();
    }
}

/// Starts a model server.
#[napi]
pub async fn start_model(api_name: String, script_json: String, make_turn: MakeTurn) -> Result<NativeModelServer> {
    let script = script(&script_json, make_turn)?;
    let server = ModelServer::on_loopback(api(&api_name)?, script).await.coded()?;
    Ok(NativeModelServer { server })
}
