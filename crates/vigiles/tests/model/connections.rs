//! Connections that live long, stall or break.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use vigiles::model::{ModelServer, Script, Turn};

use super::client::{Ask, Connection, conversation, send, start};

/// Far above what the end of a connection takes on a slow machine.
const SOON: Duration = Duration::from_secs(20);

fn texts(count: usize) -> Script {
    Script::new((1..=count).map(|index| Turn::text(format!("turn {index}"))))
}

async fn raw(server: &ModelServer) -> TcpStream {
    TcpStream::connect(server.url().unwrap().strip_prefix("http://").unwrap()).await.unwrap()
}

fn head(length: usize) -> String {
    format!("POST /v1/messages HTTP/1.1\r\nhost: model\r\ncontent-length: {length}\r\n\r\n")
}

#[tokio::test]
async fn one_connection_serves_many_requests() {
    let server = start(texts(100)).await;
    let mut connection = Connection::to(&server).await;
    for index in 1..=100 {
        assert_eq!(connection.send(Ask::main("next")).await.said(), format!("turn {index}"));
    }
}

#[tokio::test]
async fn a_client_that_goes_away_takes_nothing_with_it() {
    let server = start(texts(2)).await;
    let body = conversation("Hello").to_string();

    // In the middle of its head, in the middle of its body.
    raw(&server).await.write_all(b"POST /v1/mess").await.unwrap();
    let mut half = raw(&server).await;
    half.write_all(head(body.len()).as_bytes()).await.unwrap();
    half.write_all(&body.as_bytes()[..20]).await.unwrap();
    drop(half);
    assert_eq!(send(&server, Ask::main("first")).await.said(), "turn 1");
    assert_eq!(server.request_count(), 1);

    // After its request: that turn was asked for.
    let mut whole = raw(&server).await;
    whole.write_all(head(body.len()).as_bytes()).await.unwrap();
    whole.write_all(body.as_bytes()).await.unwrap();
    drop(whole);
    while server.request_count() < 2 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert_eq!(server.report().turns, 2);
}

#[tokio::test]
async fn what_is_no_http_is_refused() {
    let server = start(texts(1)).await;
    let mut stream = raw(&server).await;
    stream.write_all(b"\x16\x03\x01\x02\x00\x01\x00 is no HTTP\r\n\r\n").await.unwrap();
    let mut answer = Vec::new();
    let _ = tokio::time::timeout(SOON, stream.read_to_end(&mut answer)).await.expect("the connection ends");
    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 400"), "{}", String::from_utf8_lossy(&answer));
    assert_eq!(send(&server, Ask::main("first")).await.said(), "turn 1");
}

/// Far more than the buffers of a socket hold, read in small pieces with breaks.
#[tokio::test]
async fn a_slow_reader_gets_all_of_it() {
    let text = "0123456789".repeat(1_000_000);
    let server = start(Script::new([Turn::text(text.clone()), Turn::text("for another")])).await;
    let mut body = conversation("Hello");
    body["stream"] = false.into();
    let body = body.to_string();
    let mut slow = raw(&server).await;
    let request = head(body.len()).replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n") + &body;
    slow.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let mut piece = vec![0; 64 << 10];
    loop {
        let read = tokio::time::timeout(SOON, slow.read(&mut piece)).await.expect("more, or the end").unwrap();
        if read == 0 {
            break;
        }
        answer.extend_from_slice(&piece[..read]);
        if answer.len() % 7 == 0 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        if server.request_count() == 1 {
            assert_eq!(send(&server, Ask::main("another")).await.said(), "for another");
        }
    }
    let at = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
    let json: serde_json::Value = serde_json::from_slice(&answer[at + 4..]).unwrap();
    assert!(json["content"][0]["text"] == text);
}

#[tokio::test]
async fn the_end_of_the_server_ends_connections() {
    for close in [false, true] {
        let waiting = Turn { delay_ms: Some(3_600_000), ..Turn::text("never") };
        let mut server = start(Script::new([Turn::text("1"), waiting])).await;
        let mut idle = Connection::to(&server).await;
        assert_eq!(idle.send(Ask::main("first")).await.said(), "1");
        let mut busy = Connection::to(&server).await;
        let pending = tokio::spawn(async move { busy.try_send(Ask::main("second")).await.is_none() });
        while server.request_count() < 2 {
            tokio::task::yield_now().await;
        }
        if close {
            server.close();
            server.close();
            assert_eq!(server.report().turns, 2, "what was asked stays readable");
            assert_eq!(server.requests().len(), 2);
        } else {
            drop(server);
        }
        assert!(pending.await.unwrap(), "the waiting request ends without an answer");
        assert!(idle.try_send(Ask::main("third")).await.is_none());
    }
}

#[tokio::test]
async fn the_counter_outlives_the_server() {
    let server = start(texts(1)).await;
    let count = server.counter();
    send(&server, Ask::main("first")).await;
    drop(server);
    assert_eq!(std::thread::spawn(count).join().unwrap(), 1);
}
