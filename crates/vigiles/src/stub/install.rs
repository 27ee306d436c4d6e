use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::calls::{StubCall, read_calls};
use super::{Stub, answer};

/// Stubs that are installed.
#[derive(Debug, Clone, PartialEq)]
pub struct Stubs {
    root: PathBuf,
    stubs: Vec<Stub>,
}

/// Writes stubs below `root`, which need not exist. `program` is `vigiles-hook`, which answers for them.
pub fn install(stubs: Vec<Stub>, root: &Path, program: &Path) -> io::Result<Stubs> {
    let (bin, rules) = (root.join("bin"), root.join("rules"));
    fs::create_dir_all(&bin)?;
    fs::create_dir_all(&rules)?;
    fs::write(answer::log(root), "")?;
    for stub in &stubs {
        fs::write(answer::rules(root, &stub.name), serde_json::to_vec(stub)?)?;
        let quoted = |path: &Path| format!("'{}'", path.to_string_lossy().replace('\'', r"'\''"));
        let (program, root, name) = (quoted(program), quoted(root), quoted(Path::new(&stub.name)));
        let file = bin.join(&stub.name);
        fs::write(&file, format!("#!/bin/sh\nexec {program} stub {root} {name} \"$@\"\n"))?;
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755))?;
    }
    Ok(Stubs { root: root.to_owned(), stubs })
}

impl Stubs {
    /// The directory of the programs: it goes before others in `PATH`.
    pub fn bin(&self) -> PathBuf {
        self.root.join("bin")
    }

    /// The stubs.
    pub fn stubs(&self) -> &[Stub] {
        &self.stubs
    }

    /// Every call so far, in the order they arrived.
    pub fn calls(&self) -> io::Result<Vec<StubCall>> {
        read_calls(&answer::log(&self.root))
    }
}
