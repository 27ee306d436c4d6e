//! Calls functions that the author of a script gave.

use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::Poll;

/// Calls a function and waits for what it gives. A panic in it is its failure, and ends neither a server nor a
/// connection.
pub(crate) async fn guarded<T>(
    call: impl FnOnce() -> Pin<Box<dyn Future<Output = Result<T, String>> + Send>>,
) -> Result<T, String> {
    // Unwinding leaves nothing of ours half done: the function holds only its own state and what it was given.
    let mut running = catch_unwind(AssertUnwindSafe(call)).map_err(|panic| panicked(&*panic))?;
    poll_fn(|context| {
        let polled = catch_unwind(AssertUnwindSafe(|| running.as_mut().poll(context)));
        polled.unwrap_or_else(|panic| Poll::Ready(Err(panicked(&*panic))))
    })
    .await
}

fn panicked(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("it panicked: {}", text.unwrap_or("without a text"))
}
