//! A plain HTTP client, and requests as Claude Code sends them.

use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::{HeaderMap, Method, Request};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, UnixStream};
use vigiles::model::{Api, ModelServer, Script};

/// Far above what an answer takes on a slow machine.
const SOON: Duration = Duration::from_secs(20);

/// The agent name that Claude Code sends.
pub(crate) const CLAUDE: &str = "claude-cli/2.1.332 (external, cli)";

pub(crate) async fn start(script: Script) -> ModelServer {
    ModelServer::on_loopback(Api::Messages, script).await.unwrap()
}

/// A request.
#[derive(Debug, Clone)]
pub(crate) struct Ask {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Bytes,
}

impl Ask {
    pub(crate) fn json(body: &Value) -> Self {
        Self {
            method: Method::POST,
            path: "/v1/messages?beta=true".to_owned(),
            headers: Vec::new(),
            body: body.to_string().into(),
        }
    }

    /// A turn of the main agent.
    pub(crate) fn main(text: &str) -> Self {
        Self::json(&conversation(text)).from(CLAUDE)
    }

    /// A turn of the subagent with this id.
    pub(crate) fn subagent(id: &str, text: &str) -> Self {
        Self::main(text).header("x-claude-code-agent-id", id)
    }

    pub(crate) fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    pub(crate) fn from(self, agent: &str) -> Self {
        self.header("user-agent", agent)
    }

    pub(crate) fn to(mut self, method: Method, path: &str) -> Self {
        self.method = method;
        path.clone_into(&mut self.path);
        self
    }

    pub(crate) fn with_body(mut self, body: impl Into<Bytes>) -> Self {
        self.body = body.into();
        self
    }
}

/// The body of an agent's turn.
pub(crate) fn conversation(text: &str) -> Value {
    json!({
        "model": "claude-sonnet-4-5",
        "max_tokens": 32000,
        "messages": [{ "role": "user", "content": text }],
        "tools": [{ "name": "Bash", "input_schema": { "type": "object" } }],
        "stream": true,
    })
}

/// What came back.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
    /// The connection ended before the answer did.
    pub(crate) cut: bool,
}

impl Answer {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        Some(self.headers.get(name)?.to_str().unwrap())
    }

    /// The texts of an answer, streamed or not; of an error its message.
    pub(crate) fn said(&self) -> String {
        if self.header("content-type") == Some("application/json") {
            let json = self.json();
            let text = if json["type"] == "error" { &json["error"]["message"] } else { &json["content"][0]["text"] };
            return text.as_str().unwrap().to_owned();
        }
        let text = self.text();
        let events = text.lines().filter_map(|line| line.strip_prefix("data: "));
        let events = events.map(|data| serde_json::from_str::<Value>(data).unwrap());
        events.filter_map(|event| event["delta"]["text"].as_str().map(str::to_owned)).collect()
    }
}

/// A connection that is kept.
pub(crate) struct Connection(SendRequest<Full<Bytes>>);

impl Connection {
    pub(crate) async fn to(server: &ModelServer) -> Self {
        match (server.url(), server.socket()) {
            (Some(url), _) => Self::over(TcpStream::connect(url.strip_prefix("http://").unwrap()).await.unwrap()).await,
            (None, Some(path)) => Self::over(UnixStream::connect(path).await.unwrap()).await,
            (None, None) => panic!("a server that listens nowhere"),
        }
    }

    async fn over(stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static) -> Self {
        let (sender, connection) = handshake(TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        Self(sender)
    }

    /// `None` where the connection ended without an answer.
    pub(crate) async fn try_send(&mut self, ask: Ask) -> Option<Answer> {
        tokio::time::timeout(SOON, self.exchange(ask)).await.expect("an answer, or the end of the connection")
    }

    async fn exchange(&mut self, ask: Ask) -> Option<Answer> {
        let mut request = Request::builder().method(ask.method).uri(ask.path).header("host", "model");
        for (name, value) in ask.headers {
            request = request.header(name, value);
        }
        self.0.ready().await.ok()?;
        let response = self.0.send_request(request.body(Full::new(ask.body)).unwrap()).await.ok()?;
        let (parts, mut stream) = response.into_parts();
        let (mut body, mut cut) = (Vec::new(), false);
        while let Some(frame) = stream.frame().await {
            match frame {
                Ok(frame) => body.extend_from_slice(&frame.into_data().unwrap_or_default()),
                Err(_) => cut = true,
            }
        }
        Some(Answer { status: parts.status.as_u16(), headers: parts.headers, body, cut })
    }

    pub(crate) async fn send(&mut self, ask: Ask) -> Answer {
        self.try_send(ask).await.expect("an answer")
    }
}

/// Asks over a connection of its own.
pub(crate) async fn send(server: &ModelServer, ask: Ask) -> Answer {
    Connection::to(server).await.send(ask).await
}
