//! File descriptors across the start of a child.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;

use command_fds::FdMapping;
use rustix::fs::MemfdFlags;

/// `O_CLOEXEC`, as `/proc/self/fdinfo` writes it.
const CLOSE_ON_EXEC: u32 = 0o2_000_000;

/// Arguments as bubblewrap reads them from a descriptor: not seen in the list of processes, and not limited in length.
pub(super) fn argument_file(arguments: &[OsString]) -> io::Result<OwnedFd> {
    let mut bytes = Vec::new();
    for argument in arguments {
        bytes.extend_from_slice(argument.as_bytes());
        bytes.push(0);
    }
    memory_file(&bytes)
}

/// A file without a name, at its beginning.
pub(super) fn memory_file(bytes: &[u8]) -> io::Result<OwnedFd> {
    let mut file = File::from(rustix::fs::memfd_create("vigiles", MemfdFlags::CLOEXEC)?);
    file.write_all(bytes)?;
    file.rewind()?;
    Ok(file.into())
}

/// Puts `/dev/null` in the place of every descriptor that this process would pass on by accident, as a shell or a test runner may
/// have left it: the channel to the runner itself can be among them.
pub(super) fn cover_inherited(mappings: &mut Vec<FdMapping>) -> io::Result<()> {
    for entry in fs::read_dir("/proc/self/fdinfo")? {
        let entry = entry?;
        let Some(number) = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else { continue };
        let is_taken = mappings.iter().any(|mapping| mapping.child_fd == number);
        // The one by which the directory is read is gone by now.
        let Ok(info) = fs::read_to_string(entry.path()) else { continue };
        if number > 2 && !is_taken && !closes_on_exec(&info) {
            mappings.push(FdMapping { parent_fd: File::open("/dev/null")?.into(), child_fd: number });
        }
    }
    Ok(())
}

fn closes_on_exec(info: &str) -> bool {
    let flags = info.lines().find_map(|line| line.strip_prefix("flags:"));
    flags.and_then(|flags| u32::from_str_radix(flags.trim(), 8).ok()).is_some_and(|flags| flags & CLOSE_ON_EXEC != 0)
}

#[cfg(test)]
mod tests {
    use super::closes_on_exec;

    #[test]
    fn reads_the_flag_from_what_the_kernel_writes() {
        assert!(closes_on_exec("pos:\t0\nflags:\t02100002\nmnt_id:\t15\n"));
        assert!(!closes_on_exec("pos:\t0\nflags:\t0100002\nmnt_id:\t15\n"));
        assert!(!closes_on_exec(""));
    }
}
