//! The environment.

use std::ffi::OsString;

use crate::harness::driver::{Endpoint, Setup};

use super::config;

/// A key of the right form that opens nothing.
const KEY: &str = "sk-ant-vigiles-scripted-model";

/// What the CLI and everything that it starts find. Nothing of the caller's but `PATH`.
pub(super) fn of(setup: &Setup<'_>) -> Vec<(OsString, OsString)> {
    let place = setup.place;
    let mut env: Vec<(OsString, OsString)> = vec![
        ("PATH".into(), setup.path.into()),
        ("HOME".into(), place.home().into()),
        ("TMPDIR".into(), place.tmp().into()),
        ("CLAUDE_CONFIG_DIR".into(), config::dir(place).into()),
        ("LANG".into(), "C.UTF-8".into()),
        ("TZ".into(), "UTC".into()),
        ("ANTHROPIC_API_KEY".into(), KEY.into()),
        // No request but those of the run, and a faster start.
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC".into(), "1".into()),
        ("DISABLE_TELEMETRY".into(), "1".into()),
        ("DISABLE_ERROR_REPORTING".into(), "1".into()),
        ("DISABLE_AUTOUPDATER".into(), "1".into()),
    ];
    // 2.1.197 would start without the servers that are slow to answer, and which are there would be a matter of luck.
    env.push(("MCP_CONNECTION_NONBLOCKING".into(), "0".into()));
    env.push(("ANTHROPIC_BASE_URL".into(), setup.model.url().into()));
    if let Endpoint::Socket(path) = setup.model {
        env.push(("ANTHROPIC_UNIX_SOCKET".into(), path.into()));
    }
    if !setup.spec.background_tasks {
        env.push(("CLAUDE_CODE_DISABLE_BACKGROUND_TASKS".into(), "1".into()));
    }
    if let Some(effort) = &setup.spec.effort {
        // The variable outranks the option.
        env.push(("CLAUDE_CODE_EFFORT_LEVEL".into(), effort.to_string().into()));
    }
    if setup.spec.permission_mode.as_deref() == Some("bypassPermissions") {
        // As root the CLI refuses this mode outside of what it takes for a sandbox. The scripted model asks for nothing
        // that the author of the script did not write.
        env.push(("IS_SANDBOX".into(), "1".into()));
    }
    env.extend(setup.spec.env.iter().map(|(name, value)| (name.into(), value.into())));
    env
}
