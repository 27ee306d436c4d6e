//! Requests and answers as bytes.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::HeaderMap;
use hyper::body::{Frame, SizeHint};

/// The head of a request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Head {
    pub(crate) headers: HeaderMap,
}

impl Head {
    /// A header as text; `None` also where it is no text.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// Seconds.
    pub(crate) retry_after: Option<u64>,
    pub(crate) content_type: &'static str,
    pub(crate) body: Body,
}

/// The bytes of an answer.
#[derive(Debug)]
pub(crate) enum Body {
    Whole(Bytes),
    /// The connection is cut after these bytes.
    Cut {
        bytes: Bytes,
        /// The connection had its chance to send them.
        sent: bool,
    },
}

impl Body {
    /// The bytes, or their first half and a cut.
    pub(crate) fn of(bytes: Vec<u8>, cut: bool) -> Self {
        let bytes = Bytes::from(bytes);
        if cut { Self::Cut { bytes: bytes.slice(..bytes.len() / 2), sent: false } } else { Self::Whole(bytes) }
    }
}

impl hyper::body::Body for Body {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let (Self::Whole(bytes) | Self::Cut { bytes, .. }) = &mut *self;
        let bytes = std::mem::take(bytes);
        if !bytes.is_empty() {
            return Poll::Ready(Some(Ok(Frame::data(bytes))));
        }
        match &mut *self {
            Self::Whole(_) => Poll::Ready(None),
            Self::Cut { sent: true, .. } => Poll::Ready(Some(Err(io::ErrorKind::ConnectionReset.into()))),
            // An error throws away what is not sent yet, and it is sent while the body has nothing more.
            Self::Cut { sent, .. } => {
                *sent = true;
                context.waker().wake_by_ref();
                Poll::Pending
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Self::Whole(bytes) if bytes.is_empty())
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Whole(bytes) => SizeHint::with_exact(bytes.len() as u64),
            Self::Cut { .. } => SizeHint::default(),
        }
    }
}
