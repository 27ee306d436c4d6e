//! What is in a directory, and what a command changed there: by content, not by time.
//!
//! Every path is opened beneath the directory's own file descriptor and through no symbolic link, so that nothing in the tree can
//! lead out of it.

mod copy;
mod diff;
mod snapshot;
mod tree;
#[cfg(feature = "harness")]
mod watch;

pub(super) use copy::{Owner, copy_back, copy_in};
pub(super) use diff::{TreeDiff, shown};
pub(super) use snapshot::{Access, Bounds, Snapshot, TreeError, snapshot};
pub(super) use tree::open_directory;
#[cfg(feature = "harness")]
pub(crate) use watch::Watch;
