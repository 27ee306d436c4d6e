//! The server: connections in, answers out.

use std::convert::Infallible;
use std::net::Ipv4Addr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Body as _, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use tokio::runtime::Handle;
use tokio::task::JoinSet;

use super::ModelError;
use super::api::Api;
use super::desk::Desk;
use super::http::{Body, Head, Reply};
use super::received::Received;
use super::report::Report;
use super::script::Script;
use super::turn::ApiError;

/// The largest request body, in bytes: 50 MB, more than any model takes.
const MAX_BODY: usize = 50 * 1000 * 1000;

/// How many bytes beyond the largest body are read and thrown away. A client sends its whole request before it reads the
/// answer: a connection that is closed before would show it a reset, not the status.
const MAX_DRAINED: usize = 4 * MAX_BODY;

/// What a unix socket's path may have on Linux, without its closing NUL.
const MAX_SOCKET_PATH: usize = 107;

/// A scripted model on a loopback address, or a unix socket.
///
/// It lives in the tokio runtime it was started in, which needs its drivers for I/O and time, and ends when it is dropped.
///
/// Every request is kept whole until then, each in memory of just its size: what was asked is what tests look at, and the
/// requests of a session of 50 turns with 200 KB each are 10 MB.
#[derive(Debug)]
pub struct ModelServer {
    url: Option<String>,
    socket: Option<PathBuf>,
    doorway: Doorway,
}

/// A way to a [`ModelServer`] for sockets that listen somewhere else, such as in the network of a confined command.
#[derive(Debug, Clone)]
pub struct Doorway {
    desk: Arc<Desk>,
    /// Accept connections. Ending their tasks ends every connection.
    listeners: Arc<Mutex<JoinSet<()>>>,
    runtime: Handle,
}

impl Doorway {
    /// In the tokio runtime that is entered.
    fn new(desk: Desk) -> Self {
        Self { desk: Arc::new(desk), listeners: Arc::default(), runtime: Handle::current() }
    }

    /// Serves the connections of a socket that listens, until the server ends. May be called on any thread.
    pub fn serve(&self, listener: std::net::TcpListener) -> std::io::Result<()> {
        listener.set_nonblocking(true)?;
        let entered = self.runtime.enter();
        let listener = TcpListener::from_std(listener)?;
        drop(entered);
        self.accept(listener);
        Ok(())
    }

    fn accept(&self, listener: impl Listener) {
        let mut listeners = self.listeners.lock().unwrap_or_else(PoisonError::into_inner);
        listeners.spawn_on(accept(listener, Arc::clone(&self.desk)), &self.runtime);
    }
}

impl ModelServer {
    /// Starts a server on a free port of 127.0.0.1.
    pub async fn on_loopback(api: Api, script: Script) -> Result<Self, ModelError> {
        script.validate()?;
        let place = |source| ModelError::Listen { place: "127.0.0.1".to_owned(), source };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(place)?;
        let port = listener.local_addr().map_err(place)?.port();
        let doorway = Doorway::new(Desk::new(api, script));
        doorway.accept(listener);
        Ok(Self { url: Some(format!("http://127.0.0.1:{port}")), socket: None, doorway })
    }

    /// Starts a server on a unix socket; the file is removed with the server. One that is left of a server which is gone
    /// is replaced.
    pub fn on_unix_socket(api: Api, script: Script, path: impl Into<PathBuf>) -> Result<Self, ModelError> {
        script.validate()?;
        let path = path.into();
        let len = path.as_os_str().as_bytes().len();
        if len > MAX_SOCKET_PATH {
            return Err(ModelError::SocketPath { path, len });
        }
        let listener =
            bind(&path).map_err(|source| ModelError::Listen { place: path.display().to_string(), source })?;
        let doorway = Doorway::new(Desk::new(api, script));
        doorway.accept(listener);
        Ok(Self { url: None, socket: Some(path), doorway })
    }

    /// `http://127.0.0.1:PORT`; `None` on a unix socket.
    pub fn url(&self) -> Option<&str> {
        self.url.as_deref()
    }

    /// The unix socket's path.
    pub fn socket(&self) -> Option<&Path> {
        self.socket.as_deref()
    }

    /// The way to it for sockets that listen somewhere else.
    pub fn doorway(&self) -> Doorway {
        self.doorway.clone()
    }

    /// Every model request so far, in the order they arrived.
    pub fn requests(&self) -> Vec<Arc<Received>> {
        self.doorway.desk.received()
    }

    /// Counts the model requests, also from another thread and after the server has ended.
    pub fn counter(&self) -> Box<dyn Fn() -> usize + Send> {
        let desk = Arc::clone(&self.doorway.desk);
        Box::new(move || desk.count())
    }

    /// How many model requests there were so far.
    pub fn request_count(&self) -> usize {
        self.doorway.desk.count()
    }

    /// One model request, counted from 0 in the order they arrived.
    pub fn request(&self, index: usize) -> Option<Arc<Received>> {
        self.doorway.desk.one(index)
    }

    /// How the script was used so far.
    pub fn report(&self) -> Report {
        self.doorway.desk.report()
    }
}

impl ModelServer {
    /// Ends the server and every connection. What it was asked stays readable.
    pub fn close(&mut self) {
        self.doorway.listeners.lock().unwrap_or_else(PoisonError::into_inner).abort_all();
        if let Some(path) = self.socket.take() {
            // Somebody may have cleaned up before.
            let _ = std::fs::remove_file(path);
        }
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.close();
    }
}

/// Listens on a path, also where a server that was killed left its socket.
fn bind(path: &Path) -> std::io::Result<UnixListener> {
    use std::io::ErrorKind::{AddrInUse, ConnectionRefused};
    use std::os::unix::fs::FileTypeExt;

    match UnixListener::bind(path) {
        Err(error) if error.kind() == AddrInUse => {
            // A plain file refuses connections, too.
            let is_socket = path.symlink_metadata()?.file_type().is_socket();
            let answers = || std::os::unix::net::UnixStream::connect(path);
            if !is_socket || !answers().is_err_and(|refusal| refusal.kind() == ConnectionRefused) {
                return Err(error);
            }
            std::fs::remove_file(path)?;
            UnixListener::bind(path)
        }
        bound => bound,
    }
}

/// Something that connections come from.
trait Listener: Send + Sync + 'static {
    type Stream: AsyncRead + AsyncWrite + Send + Unpin + 'static;

    fn next(&self) -> impl Future<Output = std::io::Result<Self::Stream>> + Send;
}

impl Listener for TcpListener {
    type Stream = TcpStream;

    async fn next(&self) -> std::io::Result<TcpStream> {
        let (stream, _) = self.accept().await?;
        // An answer leaves at once, it does not wait for more to send.
        stream.set_nodelay(true)?;
        Ok(stream)
    }
}

impl Listener for UnixListener {
    type Stream = UnixStream;

    async fn next(&self) -> std::io::Result<UnixStream> {
        self.accept().await.map(|(stream, _)| stream)
    }
}

/// Serves every connection that comes, until the task is dropped.
async fn accept(listener: impl Listener, desk: Arc<Desk>) {
    let mut connections = JoinSet::new();
    loop {
        match listener.next().await {
            Ok(stream) => serve(&mut connections, stream, &desk),
            // Out of file descriptors is no end: a connection that closes makes room.
            Err(_) => tokio::time::sleep(Duration::from_millis(5)).await,
        }
    }
}

fn serve<S>(connections: &mut JoinSet<()>, stream: S, desk: &Arc<Desk>)
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    while connections.try_join_next().is_some() {}
    let desk = Arc::clone(desk);
    connections.spawn(async move {
        let service = service_fn(move |request| respond(Arc::clone(&desk), request));
        // A client that goes away in the middle of an answer is its own affair.
        let _ = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
    });
}

type Answer = Response<Body>;

async fn respond(desk: Arc<Desk>, request: Request<Incoming>) -> Result<Answer, Infallible> {
    let (parts, body) = request.into_parts();
    let path = parts.uri.path();
    let api = desk.api();
    // Read in any case: a connection with half a request on it cannot be used again.
    let raw = read(body).await;
    if parts.method != Method::POST {
        return Ok(plain("{}"));
    }
    if api.counts_tokens(path) {
        return Ok(plain(r#"{"input_tokens":10}"#));
    }
    if !api.asks_model(path) {
        return Ok(plain("{}"));
    }
    let refuse = |status, message: String| {
        response(api.error(&ApiError { status, message: Some(message), ..ApiError::default() }))
    };
    match raw {
        Ok(raw) => Ok(response(desk.answer(&Head { headers: parts.headers }, raw).await)),
        Err(Unread::TooLarge) => Ok(refuse(413, format!("the request is larger than {MAX_BODY} bytes"))),
        // Only the log of a proxy would show it: the client is gone, or sends what is no HTTP.
        Err(Unread::Cut) => Ok(refuse(400, "the body of the request was cut".to_owned())),
    }
}

/// Why a body is not there.
enum Unread {
    TooLarge,
    Cut,
}

/// Reads a body into memory of just its size.
async fn read(mut body: Incoming) -> Result<Bytes, Unread> {
    // A client may announce more than it sends.
    const MAX_RESERVED: u64 = 1 << 20;
    let announced = usize::try_from(body.size_hint().lower().min(MAX_RESERVED)).unwrap_or_default();
    let mut bytes = Vec::with_capacity(announced);
    let mut length = 0;
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|_| Unread::Cut)?.into_data() else { continue };
        length += data.len();
        if length <= MAX_BODY {
            bytes.extend_from_slice(&data);
        } else if length > MAX_BODY + MAX_DRAINED {
            return Err(Unread::TooLarge);
        } else {
            bytes = Vec::new();
        }
    }
    if length > MAX_BODY { Err(Unread::TooLarge) } else { Ok(bytes.into_boxed_slice().into()) }
}

fn plain(json: &'static str) -> Answer {
    response(Reply {
        status: 200,
        retry_after: None,
        content_type: "application/json",
        body: Body::Whole(Bytes::from_static(json.as_bytes())),
    })
}

fn response(reply: Reply) -> Answer {
    let mut response = Response::new(reply.body);
    *response.status_mut() = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(reply.content_type));
    if let Some(seconds) = reply.retry_after {
        headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}
