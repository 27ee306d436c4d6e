use std::net::{IpAddr, Ipv4Addr, ToSocketAddrs};

use super::request::split_authority;

/// By this address slirp4netns reaches the loopback of the caller.
pub(super) const CALLER: Ipv4Addr = Ipv4Addr::new(10, 0, 2, 2);

/// A host of an allow-list with its addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Host {
    pub(super) name: String,
    pub(super) port: Option<u16>,
    /// IPv4 only: the way out that slirp4netns makes has no other.
    pub(super) addresses: Vec<Ipv4Addr>,
}

impl Host {
    pub(super) fn is_caller(&self) -> bool {
        self.addresses == [CALLER]
    }
}

/// Reads one entry. The error says what is wrong with it.
pub(super) fn resolve(entry: &str) -> Result<Host, String> {
    let (name, port) = split_authority(entry.trim()).ok_or_else(|| {
        "it is no host; leave out the scheme and the path, as in \"packages.example.com:443\"".to_owned()
    })?;
    let literal = name.parse::<IpAddr>().ok();
    if name == "localhost" || literal.is_some_and(|address| address.is_loopback()) {
        return Err(format!(
            "that is the command's own loopback, which is always open to it; \"{CALLER}:port\" is the caller's"
        ));
    }
    if literal == Some(CALLER.into()) && port.is_none() {
        return Err("give the port: without it every server of this machine would be open".to_owned());
    }
    let addresses = match literal {
        Some(IpAddr::V4(address)) => vec![address],
        Some(IpAddr::V6(_)) => {
            return Err("IPv6 addresses cannot be allowed; give the name or an IPv4 address".to_owned());
        }
        None => {
            let found = (name.as_str(), port.unwrap_or(443))
                .to_socket_addrs()
                .map_err(|error| format!("its address cannot be found ({error})"))?;
            let mut found: Vec<Ipv4Addr> = found
                .filter_map(|address| match address.ip() {
                    IpAddr::V4(address) => Some(address),
                    IpAddr::V6(_) => None,
                })
                .collect();
            found.sort_unstable();
            found.dedup();
            if found.is_empty() {
                return Err("it has no IPv4 address".to_owned());
            }
            found
        }
    };
    Ok(Host { name, port, addresses })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_needs_no_resolver() {
        let host = resolve("192.0.2.7:8443").unwrap();
        assert_eq!((host.name.as_str(), host.port), ("192.0.2.7", Some(8443)));
        assert_eq!(host.addresses, [Ipv4Addr::new(192, 0, 2, 7)]);
    }

    #[test]
    fn what_cannot_be_allowed_says_why() {
        for (entry, why) in [
            ("https://example.com", "scheme"),
            ("", "no host"),
            ("a b", "no host"),
            ("127.0.0.1:80", "10.0.2.2:port"),
            ("[::1]:80", "10.0.2.2:port"),
            ("localhost:80", "10.0.2.2:port"),
            ("10.0.2.2", "give the port"),
            ("[2001:db8::1]:443", "IPv6"),
            ("name.invalid:443", "cannot be found"),
        ] {
            let said = resolve(entry).unwrap_err();
            assert!(said.contains(why), "{entry}: {said}");
        }
    }
}
