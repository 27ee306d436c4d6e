//! Connections out, from the side of the sandbox.

use std::path::Path;
use std::sync::OnceLock;
use std::time::Instant;

use super::listen::listen;
use super::sandbox::{Sandbox, setup};
use super::{ConfineError, tools};
use crate::process::egress::{
    AllowList, AllowListError, AllowTools, EgressAttempt, EgressDropped, EgressMode, Gate, PROXY_PORT, Recorder,
};

/// What is to become of connections out, once the sandbox is there.
pub(super) enum Egress {
    Blocked,
    Record,
    Allow(&'static AllowTools, AllowList),
}

/// What watches them while the command runs.
pub(super) enum Watched<'a> {
    Nothing,
    Record(Recorder),
    Allow(Gate<'a>),
}

impl Egress {
    /// Refuses what this machine cannot do, and hosts that nobody knows.
    pub(super) fn prepare(mode: &EgressMode) -> Result<Self, ConfineError> {
        match mode {
            EgressMode::Blocked => Ok(Self::Blocked),
            EgressMode::Record => Ok(Self::Record),
            EgressMode::Allow(entries) => {
                let tools = allow_tools().map_err(no_way_out)?;
                let list = AllowList::resolve(entries)
                    .map_err(|AllowListError(entry, reason)| ConfineError::EgressHost { entry, reason })?;
                Ok(Self::Allow(tools, list))
            }
        }
    }

    pub(super) fn hosts_file(&self) -> Option<String> {
        match self {
            Self::Allow(_, list) => Some(list.hosts_file()),
            Self::Blocked | Self::Record => None,
        }
    }

    pub(super) fn watch(self, sandbox: &Sandbox, helper: Option<&Path>) -> Result<Watched<'static>, ConfineError> {
        Ok(match self {
            Self::Blocked => Watched::Nothing,
            Self::Record => {
                let listener = listen(&sandbox.network()?, PROXY_PORT, helper)?;
                Watched::Record(Recorder::start(listener, Instant::now()).map_err(setup("record connections"))?)
            }
            Self::Allow(tools, list) => {
                let gate = Gate::open(tools, list, sandbox.network()?);
                // The programs are there and may not do it: no `/dev/net/tun`, no tables of nftables in this kernel.
                Watched::Allow(gate.map_err(|error| no_way_out(error.to_string()))?)
            }
        })
    }
}

type Seen = (Option<Vec<EgressAttempt>>, Option<EgressDropped>);

impl Watched<'_> {
    pub(super) fn finish(self) -> Result<Seen, ConfineError> {
        Ok(match self {
            Self::Nothing => (None, None),
            Self::Record(recorder) => (Some(recorder.finish()), None),
            Self::Allow(gate) => {
                let (reached, dropped) = gate.counts().map_err(|source| ConfineError::Copy {
                    doing: "count the packets of",
                    path: "its network".into(),
                    source,
                    advice: "The command has run; its changes were not brought back",
                })?;
                (Some(reached), Some(dropped))
            }
        })
    }
}

fn no_way_out(reason: String) -> ConfineError {
    ConfineError::EgressUnavailable {
        wanted: "let some connections of a confined command through",
        reason,
        advice: "install what is missing (Debian, Ubuntu: `apt install slirp4netns nftables`), or record the connections \
                 and let none through (`recordEgress`)",
    }
}

fn allow_tools() -> Result<&'static AllowTools, String> {
    static FOUND: OnceLock<Result<AllowTools, String>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        Ok(AllowTools {
            slirp4netns: tools::find("slirp4netns", "slirp4netns")?,
            nft: tools::find("nft", "nftables")?,
            nsenter: tools::find("nsenter", "util-linux")?,
        })
    });
    found.as_ref().map_err(Clone::clone)
}
