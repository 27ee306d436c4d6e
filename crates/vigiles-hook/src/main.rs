//! Small programs that vigiles puts between a CLI and what it starts.
//!
//! | call | does |
//! |---|---|
//! | `vigiles-hook record LOG SHELL COMMAND` | runs a hook's command and writes down what it did |
//! | `vigiles-hook mcp SOCKET` | is an MCP server over stdio that a test scripts |
//!
//! It starts in about a millisecond: a hook that is watched must not become another hook.

mod mcp;
mod record;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let verb = arguments.next();
    let rest: Vec<_> = arguments.collect();
    match (verb.as_ref().and_then(|verb| verb.to_str()), rest.as_slice()) {
        (Some("record"), [log, shell, command]) => record::run(log.as_ref(), shell, command),
        (Some("mcp"), [socket]) => mcp::run(socket.as_ref()),
        (Some("--version"), []) => {
            say(&format!("vigiles-hook {}", env!("CARGO_PKG_VERSION")));
            ExitCode::SUCCESS
        }
        _ => {
            say("usage: vigiles-hook record LOG SHELL COMMAND\n       vigiles-hook mcp SOCKET");
            // Not 2: a CLI takes that for a hook's refusal.
            ExitCode::from(64)
        }
    }
}

/// Tells a person something; nobody may be there to read it.
fn say(text: &str) {
    use std::io::Write;

    let _ = writeln!(std::io::stderr(), "{text}");
}
