use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::ConfineLimits;
use super::settings::Bind;

/// The command's home: an empty directory that is gone afterwards. The variable `HOME` names it.
pub const HOME: &str = "/tmp/home";

/// Writable places that are gone afterwards, with their modes.
pub(super) const TEMPORARY: [(&str, &str); 4] =
    [("/tmp", "1777"), (HOME, "0700"), ("/var/tmp", "1777"), ("/dev/shm", "1777")];

/// Hidden wherever they exist: homes, sockets of services, other people's disks.
pub(super) const HIDDEN: [&str; 5] = ["/root", "/home", "/run", "/mnt", "/media"];

/// Enough for the directories in which something is shown again.
const HIDDEN_BYTES: u64 = 1 << 20;

const UID: &str = "1000";

/// Where everything is. All paths are absolute and resolved.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) hidden: Vec<PathBuf>,
    pub(super) temporary: Vec<(PathBuf, &'static str)>,
    pub(super) copied: Vec<PathBuf>,
    pub(super) binds: Vec<Bind>,
    pub(super) cwd: PathBuf,
    pub(super) limits: ConfineLimits,
    /// Whether this bubblewrap can forbid further user namespaces (0.8 and later).
    pub(super) can_disable_userns: bool,
}

/// The arguments of the bubblewrap that makes the namespaces and mounts, up to the command.
///
/// `own_user` makes a user namespace, too: what anybody but root needs to make the others.
pub(super) fn namespaces_and_mounts(layout: &Layout, own_user: bool) -> Vec<OsString> {
    let mut arguments = Arguments::default();
    for namespace in ["pid", "net", "ipc", "uts", "cgroup"] {
        arguments.flag(&format!("--unshare-{namespace}"));
    }
    if own_user {
        arguments.own_user(layout);
    } else {
        // What setpriv needs to become another user. It keeps none of it.
        arguments.flags(&["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]);
    }
    arguments.flags(&["--die-with-parent", "--new-session", "--ro-bind", "/", "/", "--proc", "/proc"]);
    // On `/dev` anybody could fill the memory.
    arguments.flags(&["--dev", "/dev", "--remount-ro", "/dev"]);
    for mount in ordered_mounts(layout) {
        if let Mount::Bind(bind) = &mount {
            for directory in made_for(&bind.path, layout) {
                arguments.flags(&["--perms", "0755"]);
                arguments.path("--dir", directory);
            }
        }
        mount.add_to(&mut arguments, layout.limits);
    }
    for hidden in &layout.hidden {
        arguments.path("--remount-ro", hidden);
    }
    arguments.flags(&["--chdir", "/"]);
    arguments.0
}

/// The arguments of the second bubblewrap, with which root ends: it makes the user namespace in which the other user is uid 1000.
pub(super) fn user_namespace(layout: &Layout) -> Vec<OsString> {
    let mut arguments = Arguments::default();
    arguments.own_user(layout);
    arguments.flags(&["--die-with-parent", "--dev-bind", "/", "/", "--chdir", "/"]);
    arguments.0
}

/// The arguments that set the environment: all of it.
pub(super) fn environment(variables: &[(OsString, OsString)]) -> Vec<OsString> {
    let mut arguments = Arguments::default();
    arguments.flag("--clearenv");
    for (name, value) in variables {
        arguments.0.extend(["--setenv".into(), name.clone(), value.clone()]);
    }
    arguments.0
}

#[derive(Default)]
struct Arguments(Vec<OsString>);

impl Arguments {
    fn flag(&mut self, flag: &str) {
        self.0.push(flag.into());
    }

    fn flags(&mut self, flags: &[&str]) {
        self.0.extend(flags.iter().map(OsString::from));
    }

    fn path(&mut self, flag: &str, path: &Path) {
        self.0.extend([flag.into(), path.into()]);
    }

    fn own_user(&mut self, layout: &Layout) {
        self.flags(&["--unshare-user", "--uid", UID, "--gid", UID, "--cap-drop", "ALL"]);
        if layout.can_disable_userns {
            self.flag("--disable-userns");
        }
    }

    fn tmpfs(&mut self, path: &Path, bytes: u64, mode: &str) {
        self.flags(&["--size", &bytes.to_string(), "--perms", mode]);
        self.path("--tmpfs", path);
    }
}

enum Mount<'a> {
    Hidden(&'a Path),
    Temporary(&'a Path, &'a str),
    Copied(&'a Path),
    Bind(&'a Bind),
}

impl Mount<'_> {
    fn path(&self) -> &Path {
        match self {
            Self::Hidden(path) | Self::Temporary(path, _) | Self::Copied(path) => path,
            Self::Bind(bind) => &bind.path,
        }
    }

    fn add_to(&self, arguments: &mut Arguments, limits: ConfineLimits) {
        match self {
            Self::Hidden(path) => arguments.tmpfs(path, HIDDEN_BYTES, "0755"),
            Self::Temporary(path, mode) => arguments.tmpfs(path, limits.temp_bytes, mode),
            // Bubblewrap gives the directories above it the same rights, and they belong to who called it.
            Self::Copied(path) => arguments.tmpfs(path, limits.work_bytes, "0755"),
            Self::Bind(bind) => {
                arguments.flag(if bind.writable { "--bind" } else { "--ro-bind" });
                arguments.0.extend([bind.path.clone().into(), bind.path.clone().into()]);
            }
        }
    }
}

/// A mount hides what was mounted below it before, so the upper ones come first; at the same path, what is shown comes after what
/// is hidden.
fn ordered_mounts(layout: &Layout) -> Vec<Mount<'_>> {
    let mut mounts: Vec<Mount<'_>> = layout.hidden.iter().map(|path| Mount::Hidden(path)).collect();
    mounts.extend(layout.temporary.iter().map(|(path, mode)| Mount::Temporary(path, mode)));
    mounts.extend(layout.copied.iter().map(|path| Mount::Copied(path)));
    mounts.extend(layout.binds.iter().map(Mount::Bind));
    mounts.sort_by_key(|mount| mount.path().components().count());
    mounts
}

/// Directories above a path that are not there in the sandbox, from the root down. Bubblewrap would make them for their owner
/// alone, which the command may not be.
fn made_for<'a>(path: &'a Path, layout: &Layout) -> Vec<&'a Path> {
    let empty = || {
        let temporary = layout.temporary.iter().map(|(path, _)| path.as_path());
        layout.hidden.iter().chain(&layout.copied).map(PathBuf::as_path).chain(temporary)
    };
    let is_inside = |directory: &&Path| empty().any(|top| directory.starts_with(top) && *directory != top);
    let mut made: Vec<&Path> = path.ancestors().skip(1).filter(is_inside).collect();
    made.reverse();
    made
}

/// Runs in the sandbox: says that it is ready, waits until it may go on, and becomes the command. Its first argument is where
/// the command starts, which is there only by then. Descriptor 6 is where it tells (`r`: ready, `d`: no such directory, `m`: no
/// such program), 7 where it waits; the command gets neither.
pub(super) const START: &str = r#"printf r >&6
read -r go <&7 || exit 125
cd -- "$1" 2>/dev/null || { printf d >&6; exit 125; }
shift
case "$1" in
  */*) [ -f "$1" ] && [ -x "$1" ] ;;
  *) command -v "$1" >/dev/null 2>&1 ;;
esac || {
  printf m >&6
  if [ -e "$1" ]; then echo "$1: not executable (try \`chmod +x\`)" >&2; exit 126; fi
  echo "$1: command not found in PATH=$PATH" >&2
  exit 127
}
exec 6>&- 7<&-
exec "$@""#;

/// Limits of the process, as `prlimit` takes them.
pub(super) fn resource_limits(limits: ConfineLimits, spare_processes: u32) -> [OsString; 3] {
    let processes = limits.processes.saturating_add(spare_processes);
    ["--core=0".into(), format!("--nproc={processes}").into(), format!("--fsize={}", limits.work_bytes).into()]
}

/// The value of a variable, the last one of its name.
pub(super) fn variable<'a>(variables: &'a [(OsString, OsString)], name: &str) -> Option<&'a OsStr> {
    variables.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value.as_os_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout() -> Layout {
        Layout {
            hidden: vec!["/home".into(), "/run".into()],
            temporary: vec![("/tmp".into(), "1777")],
            copied: vec!["/tmp/w/work".into()],
            binds: vec![
                Bind { path: "/home/me/bin".into(), writable: false },
                Bind { path: "/run/model".into(), writable: true },
            ],
            cwd: "/tmp/w/work".into(),
            limits: ConfineLimits { processes: 9, work_bytes: 111, temp_bytes: 222, entries: 1 },
            can_disable_userns: true,
        }
    }

    fn text(arguments: &[OsString]) -> String {
        arguments.join(OsStr::new(" ")).into_string().unwrap()
    }

    #[test]
    fn mounts_go_from_the_root_down() {
        let seen = text(&namespaces_and_mounts(&layout(), true));
        let expected = "--ro-bind / / --proc /proc --dev /dev --remount-ro /dev \
            --size 1048576 --perms 0755 --tmpfs /home --size 1048576 --perms 0755 --tmpfs /run \
            --size 222 --perms 1777 --tmpfs /tmp --bind /run/model /run/model \
            --size 111 --perms 0755 --tmpfs /tmp/w/work --perms 0755 --dir /home/me --ro-bind /home/me/bin /home/me/bin \
            --remount-ro /home --remount-ro /run --chdir /";
        assert!(seen.ends_with(expected), "{seen}");
    }

    #[test]
    fn only_root_keeps_what_it_needs_to_become_another_user() {
        let own = text(&namespaces_and_mounts(&layout(), true));
        assert!(own.contains("--unshare-user --uid 1000 --gid 1000 --cap-drop ALL --disable-userns"), "{own}");
        assert!(!own.contains("--cap-add"), "{own}");
        let root = text(&namespaces_and_mounts(&layout(), false));
        assert!(!root.contains("--unshare-user"), "{root}");
        assert!(text(&user_namespace(&layout())).contains("--unshare-user --uid 1000"));
        for namespace in ["pid", "net", "ipc", "uts", "cgroup"] {
            assert!(
                own.contains(&format!("--unshare-{namespace}")) && root.contains(&format!("--unshare-{namespace}"))
            );
        }
    }

    #[test]
    fn the_environment_is_cleared_and_set() {
        let variables = [("A".into(), "1".into()), ("B".into(), String::new().into())];
        assert_eq!(text(&environment(&variables)), "--clearenv --setenv A 1 --setenv B ");
    }
}
