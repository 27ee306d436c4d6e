//! Machines that cannot confine. Root makes one: a mount of its own hides a program from the test, and from nobody else.

use std::path::Path;
use std::process::Command as StdCommand;

use vigiles::process::confine::{ConfineError, Confinement, SandboxOptions, confinement_available};
use vigiles::process::{Command, EgressMode, ProcessError};

use crate::support::{needs_confinement, skip};

/// Runs the test `inner` of this module where `programs` are no programs.
fn without(programs: &[&str], inner: &str) {
    needs_confinement!();
    if !rustix::process::geteuid().is_root() {
        skip("only root can hide a program", "no program is missing");
        return;
    }
    let directories = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"];
    let paths = programs.iter().flat_map(|name| directories.map(|directory| Path::new(directory).join(name)));
    let hide: Vec<String> = paths
        .filter(|path| path.exists())
        .map(|path| format!("mount --bind /dev/null {} &&", path.canonicalize().unwrap().display()))
        .collect();
    let program = std::env::current_exe().unwrap();
    let script = format!("{} exec {} --exact missing::{inner} --nocapture", hide.join(" "), program.display());
    let output =
        StdCommand::new("unshare").args(["--mount", "sh", "-c", &script]).env("VIGILES_TEST_MISSING", "1").output();
    let output = output.unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}{}", String::from_utf8_lossy(&output.stderr));
}

fn is_inner() -> bool {
    std::env::var_os("VIGILES_TEST_MISSING").is_some()
}

#[test]
fn without_bubblewrap_what_has_to_be_confined_is_refused() {
    without(&["bwrap"], "inner_bubblewrap");
}

/// Not a test of its own.
#[test]
fn inner_bubblewrap() {
    if !is_inner() {
        return;
    }
    let refused = |error: ConfineError| {
        assert_eq!(error.code(), "VIGILES_CONFINE_UNAVAILABLE");
        let said = error.to_string();
        assert!(said.contains("`bwrap` is not installed (package bubblewrap)"), "{said}");
        assert!(said.contains("apt install bubblewrap") && said.contains("Nothing was run"), "{said}");
    };
    refused(confinement_available().unwrap_err());
    let marker = tempfile::tempdir().unwrap();
    let script = format!("touch {}/ran", marker.path().display());
    match Command::shell(&script).confine(Confinement::without_work_dir()).run().unwrap_err() {
        ProcessError::Confine(error) => refused(error),
        other => unreachable!("{other:?}"),
    }
    assert!(!marker.path().join("ran").exists());
    let decided =
        |json: &str| serde_json::from_str::<SandboxOptions>(json).unwrap().confinement(None, confinement_available);
    for json in
        [r#"{"trusted": false}"#, r#"{"sandbox": "strict"}"#, r#"{"sandbox": "auto"}"#, r#"{"egress": {"allow": []}}"#]
    {
        refused(decided(json).unwrap_err());
    }
    for json in ["{}", r#"{"sandbox": false, "trusted": false}"#] {
        assert_eq!(decided(json).unwrap(), None, "{json}");
    }
}

#[test]
fn without_a_way_out_only_an_allow_list_is_refused() {
    without(&["slirp4netns"], "inner_slirp4netns");
    without(&["nft"], "inner_nft");
}

/// Not a test of its own.
#[test]
fn inner_slirp4netns() {
    allow_list_is_refused_for("`slirp4netns` is not installed (package slirp4netns)");
}

/// Not a test of its own.
#[test]
fn inner_nft() {
    allow_list_is_refused_for("`nft` is not installed (package nftables)");
}

fn allow_list_is_refused_for(reason: &str) {
    if !is_inner() {
        return;
    }
    assert!(Command::shell("exit 0").confine(Confinement::without_work_dir()).run().unwrap().success());
    let allow = Confinement::without_work_dir().egress(EgressMode::Allow(vec!["192.0.2.1:80".to_owned()]));
    let error = Command::shell("exit 0").confine(allow).run().unwrap_err();
    assert_eq!(error.code(), "VIGILES_CONFINE_EGRESS_UNAVAILABLE");
    let said = error.to_string();
    assert!(said.contains(reason) && said.contains("recordEgress"), "{said}");
}
