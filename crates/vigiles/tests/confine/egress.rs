//! Connections out: recorded, or let through by a list.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;

use vigiles::process::confine::Confinement;
use vigiles::process::{EgressMode, Output};

use crate::support::{Caller, command, confined, helper, needs_confinement, skip, stderr, stdout};

/// `None`, loudly, where this machine cannot do it.
fn run(mode: EgressMode, script: &str) -> Option<Output> {
    let mut confinement = Confinement::without_work_dir().egress(mode);
    if let Some(helper) = helper() {
        confinement = confinement.listen_helper(helper);
    }
    match command(script).confine(confinement).run() {
        Ok(output) => Some(output),
        Err(error) => {
            assert_eq!(error.code(), "VIGILES_CONFINE_EGRESS_UNAVAILABLE", "{error}");
            // Recording needs root, or the helper program, whose own tests are with it.
            let is_root = rustix::process::geteuid().is_root();
            skip(&error.to_string(), if is_root { "slirp4netns" } else { "no program is missing" });
            None
        }
    }
}

#[test]
fn attempts_through_the_proxy_are_recorded_and_blocked() {
    needs_confinement!();
    let script = r#"exec bash -c '
        for line in "CONNECT registry.example:443 HTTP/1.1" "GET http://example.com/x HTTP/1.1" garbage; do
          exec 3<>/dev/tcp/127.0.0.1/${HTTP_PROXY##*:}; printf "$line\r\n\r\n" >&3; head -n1 <&3; exec 3>&-
        done
        [ "$http_proxy$https_proxy$HTTPS_PROXY" = "$HTTP_PROXY$HTTP_PROXY$HTTP_PROXY" ] && echo "$NODE_USE_ENV_PROXY"
    '"#;
    let Some(output) = run(EgressMode::Record, script) else { return };
    assert_eq!(stdout(&output).matches("HTTP/1.1 403 Forbidden").count(), 3, "{output:?}");
    assert!(stdout(&output).ends_with("1\n"), "{output:?}");
    let egress = confined(&output).egress.as_ref().unwrap();
    let seen: Vec<_> = egress.iter().map(|attempt| (attempt.host.as_str(), attempt.port, attempt.allowed)).collect();
    assert_eq!(seen, [("registry.example", 443, None), ("example.com", 80, None)]);
    assert_eq!(confined(&output).egress_dropped, None);
}

#[test]
fn a_command_that_connects_nowhere_has_an_empty_record() {
    needs_confinement!();
    let Some(output) = run(EgressMode::Record, "true") else { return };
    assert_eq!(confined(&output).egress.as_deref(), Some(&[][..]));
    assert_eq!(confined(&Caller::new().run("true")).egress, None, "not asked for, not recorded");
}

/// Answers one connection.
fn server() -> (u16, thread::JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let serve = move || {
        let mut stream = listener.accept().unwrap().0;
        stream.read_exact(&mut [0; 1]).unwrap();
        stream.write_all(b"answer\n").unwrap();
    };
    (port, thread::spawn(serve))
}

#[test]
fn a_list_lets_through_what_is_on_it_and_nothing_else() {
    needs_confinement!();
    let (port, serving) = server();
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    other.set_nonblocking(true).unwrap();
    let other_port = other.local_addr().unwrap().port();
    let ask = |port: u16| format!("bash -c 'exec 3<>/dev/tcp/10.0.2.2/{port} && echo x >&3 && head -n1 <&3'");
    let script = format!(
        "nft flush ruleset; {}; {}; bash -c 'exec 3<>/dev/tcp/192.0.2.1/80'
         bash -c 'exec 3<>/dev/udp/10.0.2.3/53 && echo x >&3'; true",
        ask(port),
        ask(other_port)
    );
    let list = vec![format!("10.0.2.2:{port}"), "192.0.2.77:443".to_owned()];
    let Some(output) = run(EgressMode::Allow(list), &script) else { return };
    assert_eq!(stdout(&output), "answer\n", "{output:?}");
    serving.join().unwrap();
    assert!(other.accept().is_err(), "nobody came");
    let egress = confined(&output).egress.as_ref().unwrap();
    assert_eq!(egress.len(), 1, "{egress:?}");
    assert_eq!((egress[0].host.as_str(), egress[0].port, egress[0].allowed), ("10.0.2.2", port, Some(true)));
    assert!(egress[0].packets.is_some_and(|count| count >= 3) && egress[0].bytes.is_some_and(|count| count > 100));
    let dropped = confined(&output).egress_dropped.unwrap();
    assert!(dropped.packets >= 3 && dropped.bytes > 0, "{dropped:?} {}", stderr(&output));
}

#[test]
fn without_the_callers_loopback_on_the_list_it_is_closed() {
    needs_confinement!();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let script = format!("cat /etc/hosts; bash -c 'exec 3<>/dev/tcp/10.0.2.2/{port}'; true");
    let Some(output) = run(EgressMode::Allow(vec!["192.0.2.77".to_owned()]), &script) else { return };
    assert!(listener.accept().is_err());
    assert_eq!(stdout(&output), "127.0.0.1 localhost\n::1 localhost\n");
    assert_eq!(confined(&output).egress.as_deref(), Some(&[][..]));
}

#[test]
fn a_host_that_nobody_knows_is_refused() {
    needs_confinement!();
    let confinement = Confinement::without_work_dir().egress(EgressMode::Allow(vec!["https://example.com".to_owned()]));
    let error = command("true").confine(confinement).run().unwrap_err();
    assert!(["VIGILES_CONFINE_EGRESS_HOST", "VIGILES_CONFINE_EGRESS_UNAVAILABLE"].contains(&error.code()), "{error}");
}
