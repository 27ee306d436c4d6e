//! Every spelling, run by the real bash: it starts the same programs with the same arguments.
//!
//! Commands run in a root that has nothing but shells and programs that write down how they were called. Anywhere else they would
//! do what they say, so without bubblewrap nothing runs.

#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;
use vigiles::hook::{DISASTER_CATALOG, DisasterCategory, DisasterEvent, alternate_spellings};

/// Programs that a command may name.
const NAMED: [&str; 9] = ["git", "rm", "cat", "curl", "ls", "npm", "docker", "kubectl", "psql"];

/// Programs that start another one.
const WRAPPERS: [&str; 7] = ["env", "sudo", "nice", "nohup", "timeout", "stdbuf", "setsid"];

/// Writes down its name and arguments.
const STUB: &str = r#"#!/real/bash
call="${0##*/}"
for word in "$@"; do call+=$'\x1f'"$word"; done
printf '%s\x1e' "$call" >> /log/calls
[[ -p /dev/stdin ]] && while read -r -t 2 _; do :; done
exit 0
"#;

/// Starts what follows its own options.
const WRAPPER: &str = r#"#!/real/bash
name="${0##*/}"
while [[ $1 == -* || $1 == *=* || ( $name == timeout && $1 =~ ^[0-9]+$ ) ]]; do
  case "$name $1" in "nice -n" | "sudo -u") shift ;; esac
  shift
done
exec "$@"
"#;

/// A shell that is called by its name. One that reads a script from a stub gets nothing, and is written down.
const SHELL: &str = r#"#!/real/bash
if [[ $# -eq 0 ]]; then
  script=$(while IFS= read -r -t 2 line; do printf '%s\n' "$line"; done)
  [[ -n $script ]] && exec /real/bash -c "$script"
  printf '%s\x1e' "${0##*/}" >> /log/calls
  exit 0
fi
exec /real/bash "$@"
"#;

struct Stubs {
    dir: tempfile::TempDir,
}

impl Stubs {
    /// `None` where bubblewrap is missing: then nothing may run.
    fn new() -> Option<Self> {
        let bwrap = ["/usr/bin/bwrap", "/usr/local/bin/bwrap"].iter().any(|path| Path::new(path).exists());
        if !bwrap {
            return None;
        }
        let dir = tempfile::tempdir().expect("a directory");
        let bin = dir.path().join("bin");
        fs::create_dir(&bin).expect("a directory");
        let write = |name: &str, text: &str| {
            let path = bin.join(name);
            fs::write(&path, text).expect("a stub");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is executable");
        };
        let groups = [(&NAMED[..], STUB), (&WRAPPERS[..], WRAPPER), (&["bash", "sh"][..], SHELL)];
        for (names, text) in groups {
            for name in names {
                write(name, text);
            }
        }
        Some(Self { dir })
    }

    /// The calls of a command, sorted: what stands in a pipeline runs at the same time.
    fn calls(&self, command: &str) -> Vec<Vec<String>> {
        let log = self.dir.path().join("log");
        fs::create_dir_all(&log).expect("a directory");
        let calls = log.join("calls");
        fs::write(&calls, "").expect("an empty log");
        let bin: PathBuf = self.dir.path().join("bin");
        let mut bwrap = Command::new("bwrap");
        bwrap.args([
            "--unshare-all",
            "--die-with-parent",
            "--clearenv",
            "--tmpfs",
            "/",
            "--proc",
            "/proc",
            "--dev",
            "/dev",
        ]);
        for library in ["/lib", "/lib64", "/usr/lib", "/usr/lib64"] {
            bwrap.args(["--ro-bind-try", library, library]);
        }
        bwrap.args(["--ro-bind", "/bin/bash", "/real/bash"]).arg("--ro-bind").arg(&bin).arg("/usr/bin");
        bwrap.args(["--symlink", "/usr/bin", "/bin"]).arg("--bind").arg(&log).arg("/log");
        bwrap.args(["--dir", "/home/me", "--dir", "/home/me/repo", "--chdir", "/home/me"]);
        bwrap.args(["--setenv", "PATH", "/usr/bin", "--setenv", "HOME", "/home/me"]);
        bwrap.args(["--", "/real/bash", "-c", command]);
        let output = bwrap.output().expect("bubblewrap starts");
        let text = fs::read_to_string(&calls).expect("the log");
        let mut calls: Vec<Vec<String>> =
            text.split_terminator('\u{1e}').map(|call| call.split('\u{1f}').map(str::to_owned).collect()).collect();
        assert!(!calls.is_empty(), "{command}: nothing ran: {}", String::from_utf8_lossy(&output.stderr));
        calls.sort();
        calls
    }
}

fn command(event: &DisasterEvent) -> &str {
    event.input["command"].as_str().expect("a command")
}

fn family(event: &DisasterEvent) -> &str {
    event.id.split_once('~').expect("a family").1
}

/// Calls in one form, where a family changes arguments that mean the same.
fn meaning(calls: &[Vec<String>]) -> Vec<Vec<String>> {
    let one = |call: &Vec<String>| {
        let mut words: Vec<String> = Vec::new();
        for word in call.iter().filter(|word| !["-C", ".", "--no-pager"].contains(&word.as_str())) {
            match (call[0].as_str(), word.as_str()) {
                ("git", "-f") => words.push("--force".into()),
                ("git", "-n") => words.push("--no-verify".into()),
                ("rm", "-rf" | "-fr") => words.extend(["--recursive".into(), "--force".into()]),
                ("curl", "-fsSL") => words.extend(["--fail", "--silent", "--show-error", "--location"].map(Into::into)),
                _ => words.push(word.clone()),
            }
        }
        words[1..].sort();
        words
    };
    calls.iter().map(one).collect()
}

fn event(command: &str) -> DisasterEvent {
    DisasterEvent {
        id: "own".into(),
        category: DisasterCategory::DestructiveFs,
        label: "own".into(),
        tool: "Bash".into(),
        input: json!({ "command": command, "description": "kept" }),
    }
}

#[test]
fn every_spelling_runs_the_same() {
    let Some(stubs) = Stubs::new() else {
        eprintln!("SKIPPED every_spelling_runs_the_same: bwrap is not installed, and nothing may run without it");
        return;
    };
    let own = [
        "ls -la src | cat -n",
        "npm publish --access public",
        "docker rm -f app || true",
        "kubectl delete ns prod ; psql -c drop",
        "git commit -m \"a 'quoted' word\" && git push --force",
        "cat $(curl x) > out; rm -rf \"$HOME/x y\"",
    ];
    let events: Vec<DisasterEvent> = DISASTER_CATALOG.iter().cloned().chain(own.map(event)).collect();
    let mut tried = 0;
    for event in &events {
        let expected = stubs.calls(command(event));
        for spelling in alternate_spellings(std::slice::from_ref(event)) {
            let seen = stubs.calls(command(&spelling));
            let (seen, expected) = match family(&spelling) {
                "flags" | "flag-order" | "git-options" => (meaning(&seen), meaning(&expected)),
                _ => (seen, expected.clone()),
            };
            assert_eq!(seen, expected, "{}: {}", spelling.id, command(&spelling));
            tried += 1;
        }
    }
    assert!(tried > 400, "{tried}");
}

#[test]
fn the_battery_has_many_and_each_is_another_text() {
    let spellings = alternate_spellings(&*DISASTER_CATALOG);
    // The families of quoting, flags, privileges, paths and blanks alone are 136.
    assert!(spellings.len() > 300, "{}", spellings.len());
    let mut texts: Vec<&str> = spellings.iter().chain(DISASTER_CATALOG.iter()).map(command).collect();
    let count = texts.len();
    texts.sort_unstable();
    texts.dedup();
    assert_eq!(texts.len(), count);
    let mut ids: Vec<&str> = spellings.iter().map(|event| &*event.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), spellings.len());
}

#[test]
fn the_rest_of_an_event_stays_and_what_has_no_command_has_no_spelling() {
    let spelling = &alternate_spellings(&[event("rm -rf /")])[0];
    assert_eq!(spelling.input["description"], "kept");
    assert_eq!((&*spelling.id, &*spelling.label), ("own~double-quotes", "own (double quotes)"));
    let write = DisasterEvent { tool: "Write".into(), input: json!({ "file_path": "/etc/passwd" }), ..event("") };
    assert_eq!(alternate_spellings(&[write]), []);
}

#[test]
fn what_is_not_plain_is_only_wrapped() {
    let families = |command: &str| -> Vec<String> {
        alternate_spellings(&[event(command)]).iter().map(|spelling| family(spelling).to_owned()).collect()
    };
    for command in ["rm -rf \"$x\"", "x=1 rm y", "echo > z"] {
        let families = families(command);
        assert!(families.contains(&"eval".to_owned()) && !families.contains(&"backslash".to_owned()), "{command}");
    }
    assert_eq!(families("cat <<E\nrm\nE"), [""; 0]);
    // `cd` has no path and no `sudo`.
    let sudo = alternate_spellings(&[event("cd x && rm y")]).into_iter().find(|event| family(event) == "sudo");
    assert_eq!(command(&sudo.expect("a spelling")), "cd x && sudo rm y");
}
