//! A way out of a confined command's network that leads to some hosts only.

use std::fmt::Write as _;
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use command_fds::{CommandFdExt, FdMapping};

use super::hosts::{Host, resolve};
use super::{EgressAttempt, EgressDropped};
use crate::process::readable::wait_readable;

const TABLE: &str = "vigiles";
const DROPPED: &str = "dropped";

const NETWORK: i32 = 3;
const USER: i32 = 4;
const READY: i32 = 5;
const EXIT: i32 = 6;

/// How long slirp4netns may take to make its interface.
const PATIENCE: Duration = Duration::from_secs(10);

/// The programs that an allow-list needs.
#[derive(Debug)]
pub(in crate::process) struct AllowTools {
    pub(in crate::process) slirp4netns: PathBuf,
    pub(in crate::process) nft: PathBuf,
    pub(in crate::process) nsenter: PathBuf,
}

/// The hosts of an allow-list, with the addresses that they have now.
#[derive(Debug)]
pub(in crate::process) struct AllowList(Vec<Host>);

/// The entry, and what is wrong with it.
#[derive(Debug)]
pub(in crate::process) struct AllowListError(pub(in crate::process) String, pub(in crate::process) String);

impl AllowList {
    pub(in crate::process) fn resolve(entries: &[String]) -> Result<Self, AllowListError> {
        let resolve = |entry: &String| resolve(entry).map_err(|reason| AllowListError(entry.clone(), reason));
        entries.iter().map(resolve).collect::<Result<_, _>>().map(Self)
    }

    /// What the command finds in `/etc/hosts`: no resolver answers it, as names could carry data out.
    pub(in crate::process) fn hosts_file(&self) -> String {
        let mut text = "127.0.0.1 localhost\n::1 localhost\n".to_owned();
        for host in &self.0 {
            for address in host.addresses.iter().filter(|address| host.name != address.to_string()) {
                let _ = writeln!(text, "{address} {}", host.name);
            }
        }
        text
    }

    fn opens_caller(&self) -> bool {
        self.0.iter().any(Host::is_caller)
    }

    /// Rules of nftables: a counter for each host, everything else is refused and counted.
    fn rules(&self) -> String {
        let mut counters = format!("  counter {DROPPED} {{}}\n");
        let mut rules = String::new();
        for (index, host) in self.0.iter().enumerate() {
            let addresses: Vec<String> = host.addresses.iter().map(ToString::to_string).collect();
            let port =
                host.port.map_or_else(String::new, |port| format!("meta l4proto {{ tcp, udp }} th dport {port} "));
            let _ = writeln!(counters, "  counter host{index} {{}}");
            let _ =
                writeln!(rules, "    ip daddr {{ {} }} {port}counter name host{index} accept", addresses.join(", "));
        }
        // What the system itself says over IPv6 is nothing that the command tried.
        format!(
            "table inet {TABLE} {{\n{counters}  chain out {{\n    type filter hook output priority 0; policy drop;\n    \
             oif lo accept\n    meta l4proto ipv6-icmp drop\n{rules}    meta l4proto tcp counter name {DROPPED} reject with \
             tcp reset\n    counter name {DROPPED} reject\n  }}\n}}\n"
        )
    }
}

/// The namespaces of a sandbox: its network, and the user namespace that owns it where it has one.
#[derive(Debug)]
pub(in crate::process) struct Network {
    pub(in crate::process) net: OwnedFd,
    pub(in crate::process) user: Option<OwnedFd>,
}

/// The open way out. It ends when dropped.
pub(in crate::process) struct Gate<'a> {
    tools: &'a AllowTools,
    list: AllowList,
    network: Network,
    slirp: Child,
    /// Closed, it ends slirp4netns.
    _exit: PipeWriter,
}

impl<'a> Gate<'a> {
    /// Sets the rules, and only then opens the way. The error says which program failed and what it said.
    pub(in crate::process) fn open(tools: &'a AllowTools, list: AllowList, network: Network) -> io::Result<Self> {
        nft(tools, &network, &["-f", "-"], &list.rules())?;
        let (ready, ready_end) = io::pipe()?;
        let (exit_end, exit) = io::pipe()?;
        let mut command = Command::new(&tools.slirp4netns);
        command.args(["--configure", "--mtu=65520", "--disable-dns", "--netns-type=path"]);
        command.args([format!("--ready-fd={READY}"), format!("--exit-fd={EXIT}")]);
        if network.user.is_some() {
            command.arg(format!("--userns-path=/proc/self/fd/{USER}"));
        }
        if !list.opens_caller() {
            command.arg("--disable-host-loopback");
        }
        command.args([format!("/proc/self/fd/{NETWORK}"), "tap0".to_owned()]);
        command.env_clear().stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut mappings = network.mappings()?;
        mappings.push(FdMapping { parent_fd: ready_end.into(), child_fd: READY });
        mappings.push(FdMapping { parent_fd: exit_end.into(), child_fd: EXIT });
        command.fd_mappings(mappings).map_err(io::Error::other)?;
        let slirp = command.spawn()?;
        drop(command);
        let mut gate = Self { tools, list, network, slirp, _exit: exit };
        gate.wait_ready(ready)?;
        Ok(gate)
    }

    fn wait_ready(&mut self, mut ready: PipeReader) -> io::Result<()> {
        let mut said = [0; 1];
        let is_ready = wait_readable(&ready, Instant::now() + PATIENCE)?;
        if is_ready && ready.read(&mut said)? == 1 {
            return Ok(());
        }
        let _ = self.slirp.kill();
        let mut stderr = String::new();
        if let Some(pipe) = self.slirp.stderr.take() {
            pipe.take(64 * 1024).read_to_string(&mut stderr)?;
        }
        Err(io::Error::other(format!("slirp4netns did not open the way out: {}", stderr.trim())))
    }

    /// What went through to each host, and what was refused. Hosts that were not reached are left out.
    pub(in crate::process) fn counts(&self) -> io::Result<(Vec<EgressAttempt>, EgressDropped)> {
        let listing = nft(self.tools, &self.network, &["-j", "list", "counters", "table", "inet", TABLE], "")?;
        let mut dropped = EgressDropped::default();
        let mut reached = Vec::new();
        for (name, packets, bytes) in counters(&listing)? {
            if name == DROPPED {
                dropped = EgressDropped { packets, bytes };
            }
            let index = name.strip_prefix("host").and_then(|index| index.parse::<usize>().ok());
            let Some(host) = index.and_then(|index| self.list.0.get(index)) else { continue };
            if packets > 0 {
                reached.push(EgressAttempt {
                    host: host.name.clone(),
                    port: host.port.unwrap_or_default(),
                    ts: 0,
                    allowed: Some(true),
                    packets: Some(packets),
                    bytes: Some(bytes),
                });
            }
        }
        reached.sort_by(|one, other| (&one.host, one.port).cmp(&(&other.host, other.port)));
        Ok((reached, dropped))
    }
}

impl Drop for Gate<'_> {
    fn drop(&mut self) {
        // Both fail only if it has ended already.
        let _ = self.slirp.kill();
        let _ = self.slirp.wait();
    }
}

impl Network {
    fn mappings(&self) -> io::Result<Vec<FdMapping>> {
        let mut mappings = vec![FdMapping { parent_fd: self.net.try_clone()?, child_fd: NETWORK }];
        if let Some(user) = &self.user {
            mappings.push(FdMapping { parent_fd: user.try_clone()?, child_fd: USER });
        }
        Ok(mappings)
    }

    /// A command in this network, with its rights over it.
    pub(in crate::process) fn enter(&self, nsenter: &Path, program: &Path) -> io::Result<Command> {
        let mut command = Command::new(nsenter);
        command.arg(format!("--net=/proc/self/fd/{NETWORK}"));
        if self.user.is_some() {
            command.args([&format!("--user=/proc/self/fd/{USER}"), "--preserve-credentials"]);
        }
        command.arg("--").arg(program).env_clear().stderr(Stdio::piped());
        command.fd_mappings(self.mappings()?).map_err(io::Error::other)?;
        Ok(command)
    }
}

fn nft(tools: &AllowTools, network: &Network, arguments: &[&str], input: &str) -> io::Result<String> {
    let mut command = network.enter(&tools.nsenter, &tools.nft)?;
    let mut child = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    // A program that does not read its input says so by how it ends.
    let _ = child.stdin.take().map(|mut stdin| stdin.write_all(input.as_bytes()));
    let Output { status, stdout, stderr } = child.wait_with_output()?;
    if !status.success() {
        return Err(io::Error::other(format!("nft failed: {}", String::from_utf8_lossy(&stderr).trim())));
    }
    String::from_utf8(stdout).map_err(io::Error::other)
}

/// Name, packets and bytes of each counter in a listing of nft.
fn counters(listing: &str) -> io::Result<Vec<(String, u64, u64)>> {
    let listing: serde_json::Value = serde_json::from_str(listing)?;
    let objects = listing.get("nftables").and_then(serde_json::Value::as_array);
    let read = |object: &serde_json::Value| {
        let counter = object.get("counter")?;
        let number = |name| counter.get(name).and_then(serde_json::Value::as_u64);
        Some((counter.get("name")?.as_str()?.to_owned(), number("packets")?, number("bytes")?))
    };
    Ok(objects.into_iter().flatten().filter_map(read).collect())
}

#[cfg(test)]
mod tests {
    use super::super::hosts::CALLER;
    use super::*;

    #[test]
    fn rules_open_exactly_the_hosts() {
        let list = AllowList::resolve(&["192.0.2.7:8443".to_owned(), "192.0.2.8".to_owned()]).unwrap();
        let rules = list.rules();
        let port = "ip daddr { 192.0.2.7 } meta l4proto { tcp, udp } th dport 8443 counter name host0 accept";
        assert!(rules.contains(port), "{rules}");
        assert!(rules.contains("ip daddr { 192.0.2.8 } counter name host1 accept"), "{rules}");
        assert!(rules.contains("policy drop") && !list.opens_caller());
        assert_eq!(list.hosts_file(), "127.0.0.1 localhost\n::1 localhost\n", "an address needs no name");
    }

    #[test]
    fn a_listing_gives_its_counters() {
        let listing = r#"{"nftables": [{"metainfo": {"version": "1"}},
            {"counter": {"family": "inet", "name": "host0", "table": "vigiles", "handle": 1, "packets": 7, "bytes": 420}}]}"#;
        assert_eq!(counters(listing).unwrap(), [("host0".to_owned(), 7, 420)]);
        assert!(counters("not JSON").is_err());
    }

    #[test]
    fn the_caller_is_reached_by_an_address_of_its_own() {
        assert!(AllowList::resolve(&[format!("{CALLER}:80")]).unwrap().opens_caller());
        let AllowListError(entry, reason) = AllowList::resolve(&["localhost:80".to_owned()]).unwrap_err();
        assert!(entry == "localhost:80" && reason.contains("10.0.2.2"), "{reason}");
    }
}
