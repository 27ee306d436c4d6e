//! Small programs that vigiles puts between a CLI and what it starts.
//!
//! | call | does |
//! |---|---|
//! | `vigiles-hook record LOG SHELL COMMAND` | runs a hook's command and writes down what it did |
//! | `vigiles-hook stub ROOT NAME ARGUMENTS...` | answers for the program NAME by a test's rules |
//! | `vigiles-hook intercept RULES` | is a hook that refuses the tool calls of a file |
//! | `vigiles-hook mcp SOCKET` | is an MCP server over stdio that a test scripts |
//! | `vigiles-hook listen PORT` | listens on a port of a sandbox's loopback and hands the socket over on stdout |
//!
//! It starts in about a millisecond: a hook that is watched must not become another hook.

mod intercept;
#[cfg(target_os = "linux")]
mod listen;
mod mcp;
mod record;
mod stub;

use std::process::ExitCode;

const USAGE: &str = "usage: vigiles-hook record LOG SHELL COMMAND
       vigiles-hook stub ROOT NAME ARGUMENTS...
       vigiles-hook intercept RULES
       vigiles-hook mcp SOCKET
       vigiles-hook listen PORT";

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let verb = arguments.next();
    let rest: Vec<_> = arguments.collect();
    match (verb.as_ref().and_then(|verb| verb.to_str()), rest.as_slice()) {
        (Some("record"), [log, shell, command]) => record::run(log.as_ref(), shell, command),
        (Some("stub"), [root, name, argv @ ..]) => stub::run(root.as_ref(), &name.to_string_lossy(), argv),
        (Some("intercept"), [rules]) => intercept::run(rules.as_ref()),
        (Some("mcp"), [socket]) => mcp::run(socket.as_ref()),
        #[cfg(target_os = "linux")]
        (Some("listen"), [port]) => listen::run(port),
        (Some("--version"), []) => {
            say(&format!("vigiles-hook {}", env!("CARGO_PKG_VERSION")));
            ExitCode::SUCCESS
        }
        _ => {
            say(USAGE);
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
