//! Turns made from their requests.

use std::sync::Arc;

use vigiles::model::{Script, Step, Turn};
use vigiles::trace::ModelRequest;

use super::client::{Ask, Connection, send, start};

/// A step made by a function.
pub(crate) fn step(make: impl Fn(&ModelRequest) -> Result<Turn, String> + Send + Sync + 'static) -> Step {
    let make = Arc::new(make);
    Step::Compute(Arc::new(move |request| {
        let make = Arc::clone(&make);
        Box::pin(async move { make(&request) })
    }))
}

fn script(steps: impl IntoIterator<Item = Step>) -> Script {
    Script { turns: steps.into_iter().collect(), ..Script::default() }
}

#[tokio::test]
async fn it_sees_its_request() {
    let echo = step(|request| Ok(Turn::text(format!("{} of {:?}", request.messages[0].text, request.tools))));
    let server = start(script([echo.clone(), echo])).await;
    assert_eq!(send(&server, Ask::main("one")).await.said(), r#"one of ["Bash"]"#);
    assert_eq!(send(&server, Ask::main("two")).await.said(), r#"two of ["Bash"]"#);
    assert_eq!(server.report().turns, 2);
}

/// What goes wrong fails the run with a reason, and the same connection serves on.
#[tokio::test]
async fn failures() {
    let panics_at_once = Step::Compute(Arc::new(|_| panic!("at once")));
    let panics_later = Step::Compute(Arc::new(|_| {
        Box::pin(async {
            tokio::task::yield_now().await;
            panic!("{}", "later".to_owned())
        })
    }));
    let panics_with_a_number = Step::Compute(Arc::new(|_| Box::pin(async { std::panic::panic_any(7) })));
    for (make, why) in [
        (step(|_| Err("no reason".to_owned())), "failed: no reason"),
        (panics_at_once, "failed: it panicked: at once"),
        (panics_later, "failed: it panicked: later"),
        (panics_with_a_number, "failed: it panicked: without a text"),
        (step(|_| Ok(Turn::default())), "the turn that was made of the model script cannot be served: it says nothing"),
        (step(|_| Ok(Turn::error(200))), "its error has status 200"),
    ] {
        let server = start(script([make, Turn::text("next").into()])).await;
        let mut connection = Connection::to(&server).await;
        let answer = connection.send(Ask::main("one")).await;
        assert_eq!(answer.status, 400);
        let failure = server.report().failure.unwrap();
        assert_eq!(answer.said(), failure);
        assert!(failure.starts_with("the function that makes a turn of the main agent failed"), "{failure}");
        assert!(failure.contains(why), "{failure}");
        assert_eq!(connection.send(Ask::main("two")).await.said(), "next");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_hundred_streams_at_once() {
    let long = "x".repeat(20_000);
    let echo = step(move |request| Ok(Turn::text(format!("{} {long}", request.messages[0].text))));
    let server = start(script(std::iter::repeat_n(echo, 1000))).await;
    let conversations = (0..200).map(|id| {
        let connection = Connection::to(&server);
        async move {
            let mut connection = connection.await;
            for turn in 0..5 {
                let text = format!("conversation {id}, turn {turn}");
                let answer = connection.send(Ask::main(&text)).await;
                let said = answer.said();
                assert!(said.starts_with(&format!("{text} x")), "{said:.60}");
                assert_eq!(said.len(), text.len() + 20_001);
            }
        }
    });
    futures_join(conversations).await;
    let report = server.report();
    assert_eq!((report.turns, server.request_count(), report.failure), (1000, 1000, None));
    assert_eq!(report.unused, []);
}

/// Runs futures at the same time on this task.
async fn futures_join(futures: impl IntoIterator<Item = impl Future<Output = ()>>) {
    let mut open: Vec<_> = futures.into_iter().map(Box::pin).collect();
    std::future::poll_fn(|context| {
        open.retain_mut(|future| future.as_mut().poll(context).is_pending());
        if open.is_empty() { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
}
