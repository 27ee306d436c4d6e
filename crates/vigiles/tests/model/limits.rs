//! Bodies that are large, broken or of another kind.

use hyper::Method;
use serde_json::json;
use vigiles::model::{Script, Turn};

use super::client::{Ask, Connection, conversation, send, start};

const LIMIT: usize = 50_000_000;

/// A request of just this many bytes.
fn body_of(length: usize) -> String {
    let empty = conversation("").to_string().len();
    let body = conversation(&"x".repeat(length - empty)).to_string();
    assert_eq!(body.len(), length);
    body
}

#[tokio::test]
async fn the_largest_body_is_taken_and_kept_whole() {
    let server = start(Script::new([Turn::text("read")])).await;
    let body = body_of(LIMIT);
    let answer = send(&server, Ask::main("").with_body(body.clone())).await;
    assert_eq!(answer.said(), "read");
    let request = server.request(0).unwrap();
    assert!(request.raw() == body.as_bytes());
    assert_eq!(request.flat().messages[0].text.len(), LIMIT - conversation("").to_string().len());
}

#[tokio::test]
async fn a_larger_one_is_refused_and_the_connection_goes_on() {
    let server = start(Script::new([Turn::text("next")])).await;
    let mut connection = Connection::to(&server).await;
    let answer = connection.send(Ask::main("").with_body(body_of(LIMIT + 1))).await;
    assert_eq!(answer.status, 413);
    assert_eq!(answer.json()["error"]["type"], "request_too_large");
    assert_eq!(answer.said(), "the request is larger than 50000000 bytes");
    assert_eq!(server.request_count(), 0);
    assert_eq!(connection.send(Ask::main("small")).await.said(), "next");
}

#[tokio::test]
async fn a_body_without_an_end_ends_the_connection() {
    let server = start(Script::new([Turn::text("next")])).await;
    // Above what is drained, too.
    let endless = vec![b'x'; LIMIT * 5 + (1 << 20)];
    if let Some(answer) = Connection::to(&server).await.try_send(Ask::main("").with_body(endless)).await {
        assert_eq!(answer.status, 413);
    }
    assert_eq!(send(&server, Ask::main("small")).await.said(), "next");
}

#[tokio::test]
async fn what_is_no_json_object() {
    let server = start(Script::new([Turn::text("next")])).await;
    let mut connection = Connection::to(&server).await;
    for (body, why) in [
        ("", "ends where a value is expected at byte 0"),
        ("{\"messages\":", "ends where a value is expected at byte 12"),
        ("{} {}", "trailing characters at byte 3"),
        ("[]", "it is no object"),
        ("null", "it is no object"),
        ("\"text\"", "it is no object"),
        ("messages=1", "expected a value at byte 0"),
    ] {
        let answer = connection.send(Ask::main("").with_body(body)).await;
        assert_eq!(answer.status, 400, "{body}");
        let expected = format!("expected a JSON object as the body of the request: {why}");
        assert_eq!(answer.said(), expected, "{body}");
    }
    assert_eq!((server.request_count(), server.report().turns), (0, 0));
    assert_eq!(connection.send(Ask::main("small")).await.said(), "next");
}

/// Nesting that would end a reader by recursion.
#[tokio::test]
async fn deep_nesting() {
    let server = start(Script::new([Turn::text("read")])).await;
    let deep = format!(r#"{{"messages":[{}{}]}}"#, "[".repeat(200_000), "]".repeat(200_000));
    assert_eq!(send(&server, Ask::main("").with_body(deep)).await.status, 200);
    assert_eq!(server.request(0).unwrap().flat().messages.len(), 1);
}

#[tokio::test]
async fn other_requests_are_no_turns() {
    let server = start(Script::new([Turn::text("next")])).await;
    let mut connection = Connection::to(&server).await;
    for (method, path, body, expected) in [
        (Method::HEAD, "/", "", ""),
        (Method::HEAD, "/v1/messages", "", ""),
        (Method::GET, "/api/hello", "", "{}"),
        (Method::GET, "/v1/messages", "", "{}"),
        (Method::PUT, "/v1/messages", "x", "{}"),
        (Method::OPTIONS, "/v1/messages", "", "{}"),
        (Method::DELETE, "/anything", "", "{}"),
        (Method::POST, "/v1/messages/count_tokens?beta=true", "{}", r#"{"input_tokens":10}"#),
        (Method::POST, "/v1/messages/count_tokens", "no json", r#"{"input_tokens":10}"#),
        (Method::POST, "/api/event_logging/batch", "{}", "{}"),
        (Method::POST, "/", "", "{}"),
    ] {
        let what = format!("{method} {path}");
        let answer = connection.send(Ask::json(&json!({})).to(method, path).with_body(body)).await;
        assert_eq!((answer.status, answer.text().as_str()), (200, expected), "{what}");
        assert_eq!(answer.header("content-type"), Some("application/json"), "{what}");
    }
    assert_eq!(server.request_count(), 0);
    assert_eq!(connection.send(Ask::main("small").to(Method::POST, "/some/prefix/v1/messages")).await.said(), "next");
}
