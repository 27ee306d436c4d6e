//! Functions that make turns.

use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::task::Poll;

use crate::trace::ModelRequest;

use super::Turn;
use super::script::Compute;

/// Calls a function of the script's author. A panic in it is its failure, and ends neither the server nor the connection.
pub(super) async fn compute(make: &Compute, request: Arc<ModelRequest>) -> Result<Turn, String> {
    // Unwinding leaves nothing of ours half done: the function holds only its own state and the request.
    let mut computed = catch_unwind(AssertUnwindSafe(|| make(request))).map_err(|panic| panicked(&*panic))?;
    let turn = poll_fn(|context| {
        let polled = catch_unwind(AssertUnwindSafe(|| computed.as_mut().poll(context)));
        polled.unwrap_or_else(|panic| Poll::Ready(Err(panicked(&*panic))))
    });
    let turn = turn.await?;
    turn.validate("the turn that was made").map_err(|error| error.to_string())?;
    Ok(turn)
}

fn panicked(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("it panicked: {}", text.unwrap_or("without a text"))
}
