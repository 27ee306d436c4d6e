//! The server as a client sees it: lines over a socket.

use std::io::{BufRead, BufReader, Write};
use std::net::Shutdown;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{McpScript, McpServer, Replies, Reply, ReplyFn, ReplyStep, Tool};

/// A runtime with a server in it.
struct Running {
    runtime: tokio::runtime::Runtime,
    server: McpServer,
    temp: tempfile::TempDir,
}

impl Running {
    fn new(script: McpScript) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let temp = tempfile::tempdir().unwrap();
        let server = runtime.block_on(async { McpServer::start(script, temp.path()) }).unwrap();
        Self { runtime, server, temp }
    }

    /// Sends bytes, ends the input and gives the lines that come back.
    fn exchange(&self, input: &[u8]) -> Vec<Value> {
        let mut stream = UnixStream::connect(self.server.socket()).unwrap();
        let mut write = stream.try_clone().unwrap();
        let input = input.to_vec();
        // Beside the reading: a server that answers while it is sent to would block both.
        let sending = std::thread::spawn(move || {
            let _ = write.write_all(&input);
            let _ = write.shutdown(Shutdown::Write);
        });
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let lines = BufReader::new(&mut stream).lines();
        let answers = lines.map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
        sending.join().unwrap();
        answers
    }

    fn ask(&self, message: &str) -> Vec<Value> {
        self.exchange(format!("{message}\n").as_bytes())
    }

    fn call(&self, tool: &str, arguments: &Value) -> Value {
        let params = json!({ "name": tool, "arguments": arguments });
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        self.ask(&message.to_string()).remove(0)
    }
}

fn tools() -> McpScript {
    let schema = serde_json::value::RawValue::from_string("{\n  \"type\": \"object\"\r\n}".to_owned()).unwrap();
    let described = Tool {
        description: Some("Says it again.".to_owned()),
        input_schema: Some(schema),
        ..Tool::new("echo", Reply::text("hello"))
    };
    McpScript::new([described, Tool::new("fail", Reply::error("it broke"))])
}

fn function(make: impl Fn(&str) -> Result<Reply, String> + Send + Sync + 'static) -> ReplyFn {
    let make = Arc::new(make);
    Arc::new(move |call| {
        let make = Arc::clone(&make);
        Box::pin(async move { make(call.arguments.get()) })
    })
}

#[test]
fn each_message_has_its_answer() {
    let version = env!("CARGO_PKG_VERSION");
    let initialized = |protocol: &str| {
        json!({ "jsonrpc": "2.0", "id": 1, "result": {
        "protocolVersion": protocol, "capabilities": { "tools": {} }, "serverInfo": { "name": "demo", "version": version },
    } })
    };
    let failed = |id: Value, code: i32| json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code } });
    let result = |id: Value, result: Value| json!({ "jsonrpc": "2.0", "id": id, "result": result });
    let said =
        |text: &str, is_error: bool| json!({ "content": [{ "type": "text", "text": text }], "isError": is_error });
    let pong = |id: Value| result(id, json!({}));

    let cases: Vec<(&str, Vec<Value>)> = vec![
        // The protocol's start.
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}"#,
            vec![initialized("2024-11-05")],
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"1999-01-01"}}"#,
            vec![initialized("2025-11-25")],
        ),
        (r#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#, vec![failed(json!(1), -32602)]),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":7}}"#,
            vec![failed(json!(1), -32602)],
        ),
        (r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, vec![]),
        (r#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#, vec![failed(json!(1), -32601)]),
        // Ids come back as they were.
        (r#"{"jsonrpc":"2.0","id":"a\u00e9 1","method":"ping"}"#, vec![pong(json!("aé 1"))]),
        (r#"{"jsonrpc":"2.0","id":-7,"method":"ping","params":{}}"#, vec![pong(json!(-7))]),
        (r#"{"jsonrpc":"2.0","id":18446744073709551615,"method":"ping"}"#, vec![pong(json!(u64::MAX))]),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, vec![failed(Value::Null, -32600)]),
        (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, vec![failed(Value::Null, -32600)]),
        (r#"{"jsonrpc":"2.0","method":"ping"}"#, vec![]),
        // What is no message.
        ("{", vec![failed(Value::Null, -32700)]),
        ("hello", vec![failed(Value::Null, -32700)]),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping"} {}"#, vec![failed(Value::Null, -32700)]),
        ("1", vec![failed(Value::Null, -32600)]),
        ("null", vec![failed(Value::Null, -32600)]),
        (r#"{"id":1,"method":"ping"}"#, vec![failed(json!(1), -32600)]),
        (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, vec![failed(json!(1), -32600)]),
        (r#"{"jsonrpc":"2.0","id":1}"#, vec![failed(json!(1), -32600)]),
        (r#"{"jsonrpc":"2.0","id":1,"method":5}"#, vec![failed(json!(1), -32600)]),
        (r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#, vec![failed(Value::Null, -32600)]),
        // Answers to what was never asked.
        (r#"{"jsonrpc":"2.0","id":1,"result":null}"#, vec![]),
        (r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}"#, vec![]),
        // Batches.
        ("[]", vec![failed(Value::Null, -32600)]),
        (
            r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"ping"},["2.0",1,"ping"],{"jsonrpc":"2.0","id":2,"method":"nope"}]"#,
            vec![json!([pong(json!(1)), failed(Value::Null, -32600), failed(json!(2), -32601)])],
        ),
        (r#"[{"jsonrpc":"2.0","method":"notifications/initialized"}]"#, vec![]),
        // Tools.
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
            vec![result(
                json!(1),
                json!({ "tools": [
            { "name": "echo", "description": "Says it again.", "inputSchema": { "type": "object" } },
            { "name": "fail", "inputSchema": { "type": "object" } },
        ] }),
            )],
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}"#,
            vec![result(json!(1), said("hello", false))],
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fail","arguments":{"a":1}}}"#,
            vec![result(json!(1), said("it broke", true))],
        ),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nope"}}"#, vec![failed(json!(1), -32602)]),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#, vec![failed(json!(1), -32602)]),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, vec![failed(json!(1), -32602)]),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["echo",{}]}"#, vec![failed(json!(1), -32602)]),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":[1]}}"#,
            vec![failed(json!(1), -32602)],
        ),
        // What the server has none of.
        (r#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#, vec![result(json!(1), json!({ "resources": [] }))]),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"resources/templates/list"}"#,
            vec![result(json!(1), json!({ "resourceTemplates": [] }))],
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"prompts/list","params":{"cursor":"x"}}"#,
            vec![result(json!(1), json!({ "prompts": [] }))],
        ),
        // Empty lines and lines with another end.
        ("\n\r\n  ", vec![]),
        ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r", vec![pong(json!(1))]),
    ];

    let running = Running::new(tools());
    for (message, expected) in cases {
        let mut answers = running.ask(message);
        for answer in answers.iter_mut().flat_map(|answer| match answer {
            Value::Array(batch) => batch.iter_mut().collect::<Vec<_>>(),
            one => vec![one],
        }) {
            // Texts are for people; that each has one is enough.
            if let Some(error) = answer.get_mut("error").and_then(Value::as_object_mut) {
                assert!(error.remove("message").is_some_and(|text| text.as_str().is_some_and(|text| text.len() > 10)));
            }
        }
        assert_eq!(answers, expected, "{message}");
    }
}

#[test]
fn calls_and_requests_are_recorded_as_they_were_sent() {
    let running = Running::new(tools());
    running.exchange(
        concat!(
            r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#,
            "\n",
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            "\n",
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"z":1.50,"a":"\ud800"},"_meta":{"claudecode/toolUseId":"toolu_1"}}}"#,
            "\n",
            // The last line may have no end.
            r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"fail","_meta":{"progressToken":3}}}"#,
        )
        .as_bytes(),
    );
    let calls: Vec<String> =
        running.server.calls().iter().map(|call| serde_json::to_string(&**call).unwrap()).collect();
    assert_eq!(
        calls,
        [
            r#"{"index":0,"tool":"echo","arguments":{"z":1.50,"a":"\ud800"},"toolUseId":"toolu_1"}"#,
            r#"{"index":1,"tool":"fail","arguments":{}}"#,
        ]
    );
    let requests: Vec<String> = running.server.requests().iter().map(|request| request.method.clone()).collect();
    assert_eq!(requests, ["initialize", "notifications/initialized", "tools/call", "tools/call"]);
    let first = running.server.requests()[0].params.as_ref().unwrap().get().to_owned();
    assert_eq!(first, r#"{"protocolVersion":"2025-06-18"}"#);
    assert_eq!(running.server.problems(), Vec::<String>::new());
}

#[test]
fn replies_in_order_are_used_up_and_say_so() {
    let running = Running::new(McpScript::new([
        Tool::new("next", vec![Reply::text("one"), Reply::text("two")]),
        Tool::new("other", Reply::text("other")),
    ]));
    let text = |tool: &str| running.call(tool, &json!({ "n": 1 }))["result"]["content"][0]["text"].clone();
    assert_eq!([text("next"), text("other"), text("next")], ["one", "other", "two"]);
    let third = running.call("next", &json!({ "n": 3 }));
    assert_eq!(third["result"]["isError"], true);
    let problem = "call 3 of the tool \"next\" has no reply: its list has 2. It was called with {\"n\":3}. Add a reply for \
                   it to the list, or give one reply for all calls";
    assert_eq!(third["result"]["content"][0]["text"], problem);
    assert_eq!(running.server.problems(), [problem]);
}

#[test]
fn functions_answer_and_a_broken_one_is_a_failed_tool_and_a_problem() {
    let steps = vec![
        ReplyStep::Compute(function(|arguments| Ok(Reply::text(format!("got {arguments}"))))),
        ReplyStep::Compute(function(|_| Err("no idea".to_owned()))),
        ReplyStep::Compute(function(|_| panic!("oh no"))),
        ReplyStep::Compute(function(|_| Ok(Reply::default()))),
        Reply::text("still here").into(),
    ];
    let running = Running::new(McpScript::new([Tool::new("ask", Replies::InOrder(steps))]));
    let mut seen = Vec::new();
    for number in 0..5 {
        let answer = running.call("ask", &json!({ "n": number }));
        let result = &answer["result"];
        seen.push((result["content"][0]["text"].as_str().unwrap().to_owned(), result["isError"].as_bool().unwrap()));
    }
    let says_nothing = "it says nothing. Give `text`, `content` or `structuredContent`";
    let expected = [
        ("got {\"n\":0}", false),
        ("no idea", true),
        ("it panicked: oh no", true),
        (says_nothing, true),
        ("still here", false),
    ];
    assert_eq!(seen, expected.map(|(text, failed)| (text.to_owned(), failed)));
    let failed = |problem: &str| format!("the function that replies for the tool \"ask\" failed: {problem}");
    assert_eq!(running.server.problems(), [failed("no idea"), failed("it panicked: oh no"), failed(says_nothing)]);
}

#[test]
fn a_slow_reply_holds_up_no_other() {
    let slow = Reply { delay_ms: Some(400), ..Reply::text("slow") };
    let running = Running::new(McpScript::new([Tool::new("slow", slow), Tool::new("quick", Reply::text("quick"))]));
    let call = |id: u32, tool: &str| {
        format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"{tool}\"}}}}\n")
    };
    let answers = running.exchange([call(1, "slow"), call(2, "quick")].concat().as_bytes());
    assert_eq!(answers.iter().map(|answer| answer["id"].clone()).collect::<Vec<_>>(), [2, 1]);
}

#[test]
fn a_slow_server_delays_every_answer() {
    let running = Running::new(McpScript { delay: Duration::from_millis(120), ..tools() });
    let start = Instant::now();
    assert_eq!(running.ask(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).len(), 1);
    assert!(start.elapsed() >= Duration::from_millis(120));
}

#[test]
fn more_calls_than_are_answered_at_once_are_all_answered() {
    let slow = Reply { delay_ms: Some(1), ..Reply::text("done") };
    let running = Running::new(McpScript::new([Tool::new("slow", slow)]));
    let calls: Vec<String> = (0..1000)
        .map(|id| {
            format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"slow\"}}}}\n")
        })
        .collect();
    let mut ids: Vec<u64> =
        running.exchange(calls.concat().as_bytes()).iter().map(|answer| answer["id"].as_u64().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..1000).collect::<Vec<_>>());
    assert_eq!(running.server.calls().len(), 1000);
}

#[test]
fn what_is_too_large_is_refused_and_the_connection_goes_on() {
    let running = Running::new(tools());
    let mut input = vec![b' '; 17 << 20];
    input.extend_from_slice(b"\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n");
    let deep = format!("{{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\",\"params\":{}\n", "[".repeat(200_000));
    input.extend_from_slice(deep.as_bytes());
    input.extend_from_slice(format!("[{}]\n", vec!["1"; 1001].join(",")).as_bytes());
    // A text that is not UTF-8.
    input.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"\xff\"}\n");
    let codes: Vec<Value> = running
        .exchange(&input)
        .into_iter()
        .map(|answer| answer["error"].get("code").unwrap_or(&answer["result"]).clone())
        .collect();
    assert_eq!(codes, [json!(-32600), json!({}), json!(-32700), json!(-32600), json!(-32700)]);
    assert_eq!(running.server.problems().len(), 4);
}

#[test]
fn the_socket_is_private_and_gone_with_the_server() {
    let mut running = Running::new(tools());
    let dir = running.server.socket_dir().to_owned();
    assert_eq!(dir.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    assert_eq!(
        running.server.config("/opt/vigiles-hook"),
        json!({ "command": "/opt/vigiles-hook", "args": ["mcp", running.server.socket()] })
    );
    let mut open = UnixStream::connect(running.server.socket()).unwrap();
    open.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    // Asked once, so that it is surely connected and not only waiting to be.
    open.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n").unwrap();
    BufReader::new(&mut open).read_line(&mut String::new()).unwrap();
    running.server.close();
    // A client that is still there sees the end.
    assert_eq!(std::io::Read::read(&mut open, &mut [0]).unwrap(), 0);
    assert!(!dir.exists());
    assert_eq!(std::fs::read_dir(running.temp.path()).unwrap().count(), 0);
    running.runtime.shutdown_background();
}

#[test]
fn a_server_that_fails_to_start_has_no_socket() {
    let running = Running::new(McpScript { fail_to_start: true, ..tools() });
    assert!(!running.server.socket().exists());
    assert!(running.server.socket_dir().exists());
}

#[test]
fn a_directory_that_cannot_hold_a_socket_is_an_error() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let start = |dir: &std::path::Path| runtime.block_on(async { McpServer::start(tools(), dir) }).unwrap_err();
    let missing = start("/no/such/dir".as_ref());
    assert_eq!(missing.code(), "VIGILES_MCP_LISTEN");
    assert!(missing.to_string().contains("/no/such/dir"));

    let temp = tempfile::tempdir().unwrap();
    let long = temp.path().join("x".repeat(100));
    std::fs::create_dir(&long).unwrap();
    let error = start(&long);
    assert_eq!(error.code(), "VIGILES_MCP_LISTEN");
    assert!(error.to_string().contains("the system allows 107"), "{error}");
}
