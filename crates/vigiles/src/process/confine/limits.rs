use serde::Deserialize;

/// What a confined command may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct ConfineLimits {
    /// Processes and threads that live at the same time. Default 256.
    pub processes: u32,
    /// Bytes in the work directory, with what is there at the start, and in each directory of
    /// [`Confinement::copied`](super::Confinement::copied). Also the largest file that can be written anywhere, standard output to
    /// a file included. Default 512 MiB.
    pub work_bytes: u64,
    /// Bytes in each of the home, `/tmp`, `/var/tmp` and `/dev/shm`. Default 256 MiB.
    pub temp_bytes: u64,
    /// Files, directories and links in each copied directory, at the start and at the end. Default 200,000.
    pub entries: usize,
}

impl Default for ConfineLimits {
    fn default() -> Self {
        Self { processes: 256, work_bytes: 512 << 20, temp_bytes: 256 << 20, entries: 200_000 }
    }
}
