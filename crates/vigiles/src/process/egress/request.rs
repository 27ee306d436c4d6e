/// Where a request to an HTTP proxy wants to go. `None` for what is no such request.
///
/// `head` is the request up to the empty line, or as much as came.
pub(super) fn destination(head: &[u8]) -> Option<(String, u16)> {
    let line = head.split(|byte| *byte == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?.trim_end();
    let mut words = line.split(' ');
    let (method, target, version) = (words.next()?, words.next()?, words.next()?);
    if !version.starts_with("HTTP/") {
        return None;
    }
    if method.eq_ignore_ascii_case("CONNECT") {
        let (host, port) = split_authority(target)?;
        return Some((host, port?));
    }
    let (scheme, rest) = target.split_once("://")?;
    let default_port = match scheme.to_ascii_lowercase().as_str() {
        "http" | "ws" => 80,
        "https" | "wss" => 443,
        "ftp" => 21,
        _ => return None,
    };
    let authority = rest.split(['/', '?', '#']).next()?;
    // What stands before the `@` are credentials.
    let authority = authority.rsplit('@').next()?;
    let (host, port) = split_authority(authority)?;
    Some((host, port.unwrap_or(default_port)))
}

/// `host`, `host:port`, `[v6]`, `[v6]:port`: the host in lower case without brackets, and the port.
pub(super) fn split_authority(text: &str) -> Option<(String, Option<u16>)> {
    let (host, port) = if let Some(rest) = text.strip_prefix('[') {
        let (host, rest) = rest.split_once(']')?;
        (host, if rest.is_empty() { None } else { Some(rest.strip_prefix(':')?) })
    } else if text.matches(':').count() > 1 {
        // An IPv6 address without brackets has no port.
        (text, None)
    } else {
        text.split_once(':').map_or((text, None), |(host, port)| (host, Some(port)))
    };
    let port = port.map(|port| port.parse().ok().filter(|port| *port != 0).ok_or(())).transpose().ok()?;
    let is_name = |char: char| char.is_ascii_alphanumeric() || "-._:%".contains(char) || !char.is_ascii();
    (!host.is_empty() && host.chars().all(is_name)).then(|| (host.to_ascii_lowercase(), port))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(head: &str) -> Option<String> {
        destination(head.as_bytes()).map(|(host, port)| format!("{host} {port}"))
    }

    #[test]
    fn reads_both_forms_of_a_request_to_a_proxy() {
        assert_eq!(seen("CONNECT Example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n").as_deref(), Some("example.com 443"));
        assert_eq!(seen("CONNECT [2001:db8::1]:8443 HTTP/1.1\r\n").as_deref(), Some("2001:db8::1 8443"));
        assert_eq!(seen("GET http://example.com/a?b HTTP/1.1\r\n").as_deref(), Some("example.com 80"));
        assert_eq!(seen("POST http://u:p@example.com:8080/ HTTP/1.0\r\n").as_deref(), Some("example.com 8080"));
        assert_eq!(seen("GET https://example.com?x HTTP/1.1").as_deref(), Some("example.com 443"));
    }

    #[test]
    fn anything_else_is_no_attempt() {
        for head in [
            "",
            "\r\n",
            "GET / HTTP/1.1\r\nHost: example.com\r\n",
            "CONNECT example.com HTTP/1.1",
            "CONNECT example.com:0 HTTP/1.1",
            "CONNECT example.com:99999 HTTP/1.1",
            "CONNECT :443 HTTP/1.1",
            "GET http:///x HTTP/1.1",
            "GET gopher://example.com/ HTTP/1.1",
            "GET http://example.com/",
            "\u{16}\u{3}\u{1} TLS",
        ] {
            assert_eq!(seen(head), None, "{head:?}");
        }
        assert_eq!(destination(b"CONNECT \xff:443 HTTP/1.1"), None);
    }
}
