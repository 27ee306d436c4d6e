//! Root and everybody else are confined in different ways. Where the tests run as root, they run as somebody else, too.

use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::support::{elsewhere, helper, needs_confinement, skip};

const USER: &str = "47123";

#[test]
fn everybody_else_is_confined_the_same_way() {
    needs_confinement!();
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let directory = tempfile::tempdir_in(elsewhere()).unwrap();
    fs::set_permissions(directory.path(), Permissions::from_mode(0o777)).unwrap();
    let program = directory.path().join("tests");
    fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    let own_helper = directory.path().join("vigiles-hook");
    if let Some(helper) = helper() {
        fs::copy(helper, &own_helper).unwrap();
    }
    let run = |program: &str, arguments: &[&str]| {
        let mut command = Command::new("setpriv");
        command.args(["--reuid", USER, "--regid", USER, "--clear-groups", "--", program]).args(arguments);
        command.env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin").env("VIGILES_TEST_ELSEWHERE", directory.path());
        command.env("VIGILES_TEST_HELPER", &own_helper);
        command.current_dir("/").output().unwrap()
    };
    let program = program.to_str().unwrap();
    if !run("test", &["-x", program]).status.success() {
        skip("another user may not enter the target directory", "no program is missing");
        return;
    }
    // Only root may open `/dev/net/tun` on some machines, so connections that go through are root's tests alone.
    let output = run(
        program,
        &[
            "--skip",
            "other_user",
            "--skip",
            "missing::without",
            "--skip",
            "a_list_lets_through",
            "--skip",
            "without_the_callers_loopback",
        ],
    );
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    let passed = said.split("test result: ok. ").nth(1).and_then(|rest| rest.split(' ').next()?.parse::<u32>().ok());
    std::io::stderr().write_all(&output.stderr).unwrap();
    assert!(passed.is_some_and(|count| count >= 45), "{said}");
}
