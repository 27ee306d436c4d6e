//! Connections out of a confined command: what becomes of them and what is known of them.

#[cfg(target_os = "linux")]
mod allow;
#[cfg(target_os = "linux")]
mod hosts;
#[cfg(target_os = "linux")]
mod record;
#[cfg(target_os = "linux")]
mod request;

use serde::{Deserialize, Serialize};

#[cfg(target_os = "linux")]
pub(super) use allow::{AllowList, AllowListError, AllowTools, Gate, Network};
#[cfg(target_os = "linux")]
pub(super) use record::{PROXY_PORT, Recorder, proxy_variables};

/// What becomes of a confined command's connections out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum EgressMode {
    /// All fail, none is recorded.
    #[default]
    Blocked,
    /// All fail. Those that go through the proxy of the environment (`HTTP_PROXY`, `HTTPS_PROXY`) are recorded: each gets a 403.
    /// A program that connects without asking for a proxy is blocked and not recorded.
    Record,
    /// Those to these hosts go through, others are dropped: `"name"` (every port) or `"name:port"`; an address may stand for a
    /// name. A name's addresses are those at the start of the run; the command resolves no other name. `10.0.2.2:port` is the
    /// caller's loopback. IPv4 only. Needs slirp4netns and nft.
    Allow(Vec<String>),
}

/// A connection out that a confined command tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EgressAttempt {
    /// The host's name or address, as the command gave it, or as the allow-list has it.
    pub host: String,
    /// The port. 0 for an entry of an allow-list that has none.
    pub port: u16,
    /// Milliseconds since the command's start; 0 where that is not known (allow-list).
    #[serde(default)]
    pub ts: u64,
    /// Whether it was let through. Absent where recording is all that was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed: Option<bool>,
    /// Packets sent, with an allow-list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub packets: Option<u64>,
    /// Bytes sent, headers included, with an allow-list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

/// What an allow-list kept from going out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EgressDropped {
    /// Packets.
    pub packets: u64,
    /// Bytes, headers included.
    pub bytes: u64,
}
