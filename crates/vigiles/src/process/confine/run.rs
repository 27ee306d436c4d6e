use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Instant;

use super::egress::{Egress, Watched};
use super::held::{Changes, Held};
use super::layout::{Plan, Role};
use super::listen::listen;
use super::sandbox::{Ending, Launched, Sandbox, Streams, setup};
use super::tools::Tools;
use super::{ConfineError, ConfinedRun, Confinement, probe};
use crate::process::files::shown;
use crate::process::launch::{Input, OutputTarget, SHELL, Started};
use crate::process::observe::observe;
use crate::process::{Command, Output, ProcessError, Program};

/// Runs a command confined.
pub(in crate::process) fn run(command: &Command, confinement: &Confinement) -> Result<Output, ProcessError> {
    run_with(probe::tools()?, command, confinement)
}

pub(super) fn run_with(tools: &Tools, command: &Command, confinement: &Confinement) -> Result<Output, ProcessError> {
    let egress = Egress::prepare(&confinement.egress)?;
    let plan = Plan::new(tools, command, confinement)?;
    let spawn_error = |source| ProcessError::Spawn { program: tools.bwrap.display().to_string(), source };
    let input = Input::fill(&command.stdin).map_err(spawn_error)?;
    let stdout = OutputTarget::of(command).map_err(spawn_error)?;
    let streams = Streams {
        stdin: input.stdio().map_err(spawn_error)?,
        stdout: stdout.stdio().map_err(spawn_error)?,
        hosts: egress.hosts_file(),
    };
    let sandbox = Sandbox::start(tools, &plan, &argv(&command.program), streams)?;

    let mounted = plan.mounted();
    let fill = |(path, role): (&PathBuf, &Role)| Held::fill(&sandbox, path, *role, &mounted, confinement.limits);
    let held = plan.layout.copied.iter().zip(&plan.roles).map(fill).collect::<Result<Vec<_>, _>>()?;
    sandbox.give_home()?;
    if !confinement.listeners.is_empty() {
        let network = sandbox.network()?;
        for (port, serve) in &confinement.listeners {
            let listener = listen(&network, *port, confinement.listen_helper.as_deref())?;
            serve.serve(listener).map_err(setup("serve its loopback"))?;
        }
    }
    let watched = egress.watch(&sandbox, confinement.listen_helper.as_deref())?;

    let start = Instant::now();
    let (child, ending) = sandbox.go()?;
    let output = observe(Started { child, stdin: input.pending() }, &command.stdin, &command.limits(start))?;
    finish(&plan, output, ending, held, watched)
}

fn argv(program: &Program) -> Vec<OsString> {
    match program {
        Program::Shell(text) => vec![SHELL.into(), "-c".into(), text.into()],
        Program::Argv(argv) => argv.clone(),
    }
}

fn finish(
    plan: &Plan,
    mut output: Output,
    ending: Ending,
    held: Vec<Held>,
    watched: Watched<'_>,
) -> Result<Output, ProcessError> {
    let launched = ending.wait();
    match launched.map_err(|source| ProcessError::Observe { doing: "wait for the end of the sandbox", source })? {
        Launched::Yes => {}
        Launched::NoProgram => output.launched = false,
        Launched::NoDirectory => {
            let reason =
                "it is hidden from the command, or may not be entered by it; give one in the work directory".to_owned();
            return Err(ConfineError::Path { doing: "start in", path: plan.layout.cwd.clone(), reason }.into());
        }
    }
    let (egress, egress_dropped) = watched.finish()?;
    let mut changes = held.into_iter().map(Held::settle).collect::<Result<Vec<_>, ConfineError>>()?.into_iter();
    // The first is the work directory; the others are told by nobody.
    let Changes { diff, withheld } = changes.next().unwrap_or_default();
    let shown = |paths: Vec<PathBuf>| paths.iter().map(|path| shown(path)).collect();
    output.confined = Some(ConfinedRun {
        files_written: shown(diff.written),
        files_changed: shown(diff.changed),
        files_deleted: shown(diff.deleted),
        files_withheld: shown(withheld),
        egress,
        egress_dropped,
    });
    Ok(output)
}
