//! Runs a command where it can do no harm: bubblewrap with every namespace its own.
//!
//! ```no_run
//! use vigiles::process::{Command, confine::Confinement};
//!
//! let output = Command::shell("echo made > new.txt; cat ~/.ssh/id_ed25519")
//!     .confine(Confinement::new("/repo").hide("/home/me"))
//!     .run()?;
//! let confined = output.confined.expect("a confined run says what it wrote");
//! assert_eq!(confined.files_written, ["new.txt"]);
//! # Ok::<(), vigiles::process::ProcessError>(())
//! ```
//!
//! # What the command sees
//! - **Files.** The caller's root, read-only, under these empty directories: `/root`, `/home`, `/run`, `/mnt`, `/media`, `/tmp`,
//!   `/var/tmp`, and what [`Confinement::hide`] adds (give the caller's `HOME`). [`Confinement::show`],
//!   [`Confinement::bind_ro`] and [`Confinement::bind`] bring single paths back.
//! - **Its work directory**, at the same path as outside, writable. It is a copy in memory, of limited size. When the
//!   command has ended, what it changed there is copied back and told in [`ConfinedRun`].
//! - **A home** ([`HOME`]), `/tmp`, `/var/tmp` and `/dev/shm`: empty, writable, of limited size, gone afterwards.
//! - **An environment** of the variables that it is given, and `PATH`, `HOME` and `TMPDIR` where those are not among them.
//! - **A network** with nothing but a loopback of its own; no process, socket, semaphore or terminal of anybody else.
//! - **No way up.** It is uid 1000, has no capabilities, can gain none (`no_new_privs`), cannot make user namespaces, and
//!   inherits no file descriptor but its three streams. Called by root, it runs as a user that nobody else is, so what only
//!   root may read outside, it may not.
//!
//! # What ends with it
//! Every process that it left, however it hid: the first process of its namespace dies, and the kernel ends the others.
//! Streams are therefore complete as soon as the command has ended.
//!
//! # What it cannot leave behind
//! A link that leads out of the work directory, a device, a pipe, a socket, a set-user-ID bit: they are not copied back
//! ([`ConfinedRun::files_withheld`]). The copy back replaces files and never writes through a link, symbolic or hard.
//!
//! # What is not limited
//! Memory and processor time, save by the command's timeout; reading what the caller, or for root every user of the machine, may
//! read outside of the hidden directories; connecting to a unix socket that a service keeps outside of them.
//!
//! # How results differ
//! A signal that ends the command is seen as the exit code 128 + its number, as from a shell.

mod argv;
mod error;
mod limits;
mod mode;
mod options;
mod result;
mod settings;

#[cfg(target_os = "linux")]
mod descriptors;
#[cfg(target_os = "linux")]
mod egress;
#[cfg(target_os = "linux")]
mod held;
#[cfg(target_os = "linux")]
mod layout;
#[cfg(target_os = "linux")]
mod listen;
#[cfg(target_os = "linux")]
mod probe;
#[cfg(target_os = "linux")]
mod run;
#[cfg(target_os = "linux")]
mod sandbox;
#[cfg(target_os = "linux")]
mod shown;
#[cfg(target_os = "linux")]
mod tools;
#[cfg(not(target_os = "linux"))]
mod unsupported;

pub use argv::HOME;
pub use error::ConfineError;
pub use limits::ConfineLimits;
pub use mode::{SandboxMode, ScriptRoute, decide_sandbox, route_script};
pub use options::{AllowedEgress, SandboxOptions};
pub use result::ConfinedRun;
pub use settings::{Confinement, Listen};

#[cfg(target_os = "linux")]
pub use probe::confinement_available;
#[cfg(target_os = "linux")]
pub(super) use run::run;
#[cfg(not(target_os = "linux"))]
pub use unsupported::confinement_available;
#[cfg(not(target_os = "linux"))]
pub(super) use unsupported::run;
