//! One run: directories, model, launches, trace.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::model::{ModelServer, Received, Report, Script, Step};
use crate::process::confine::Confinement;
use crate::process::{Command, FileChanges, Output, Program};
use crate::stub::StubCall;
use crate::trace::{RequestKind, Trace};

use super::driver::{Driver, Ended, Launch, Refusal, Setup, UserTurn};
use super::error::Context;
use super::{HarnessError, Place, Spec, confined, leftovers, stubs, written};

/// What a run takes from the process that starts it. Nothing else of that process reaches the CLI.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// Where the directories of the run are made.
    pub temp_dir: PathBuf,
    /// Where the CLI, hooks and tools look programs up: a `PATH`.
    pub path: OsString,
    /// The program `vigiles-hook`. Without it hooks of Codex run unseen, and stubs and intercepted tools are refused; and so
    /// is a confined run of a CLI that takes no unix socket, unless the caller is root.
    pub helper: Option<PathBuf>,
    /// Directories whose content a confined run does not see, such as the caller's home.
    pub hidden: Vec<PathBuf>,
    /// Files and directories that a confined run may read, although they may lie in there: the project, interpreters.
    pub shown: Vec<PathBuf>,
}

/// A run that can be judged.
#[derive(Debug)]
pub struct HarnessRun {
    /// What the agent did. It reads files of the place when it is asked for them. An owner that needs it apart from the
    /// rest takes it.
    pub trace: Option<Trace>,
    /// How the last launch ended.
    pub exit_code: Option<i32>,
    /// The signal that ended the last launch.
    pub signal: Option<i32>,
    /// What the CLI wrote to stderr, that of all launches one after the other.
    pub stderr: String,
    /// The command of the last launch.
    pub argv: Vec<OsString>,
    /// The wall time of all launches.
    pub duration: Duration,
    /// How the script was used.
    pub report: Report,
    /// The model requests.
    pub requests: Vec<Arc<Received>>,
    /// The calls of stubs, all answered.
    pub stub_calls: Vec<StubCall>,
    /// Whether it ran confined.
    pub confined: bool,
    /// What it changed in its work dir; `None` if that could not be read whole, which the trace's warnings then tell.
    pub files: Option<FileChanges>,
    /// The directories; they are removed with this unless the spec keeps them.
    pub place: Place,
}

/// Runs a harness in the real CLI against a scripted model.
///
/// Must be called in a tokio runtime with its drivers for I/O and time enabled.
pub async fn run(
    driver: Arc<dyn Driver>,
    binary: PathBuf,
    spec: Spec,
    script: Script,
    surroundings: &Surroundings,
) -> Result<HarnessRun, HarnessError> {
    spec.validate()?;
    if script.turns.is_empty() && script.subagents.is_empty() {
        return Err(HarnessError::Spec {
            field: "model".to_owned(),
            problem: "the script has no turn, so nothing could happen. Give at least `[{ text: \"done\" }]`".to_owned(),
        });
    }
    refuse(&*driver, &spec)?;
    driver.check(&spec, &script)?;
    let is_confined = confined::decide(&spec)?;
    let mut place = Place::new(&surroundings.temp_dir)?;
    if spec.keep {
        place.keep();
    }
    let scripted = scripted_tools(&script);
    let server = if is_confined {
        confined::start_model(driver.api(), script, &place)?
    } else {
        ModelServer::on_loopback(driver.api(), script).await?
    };
    let job = Job { driver, binary, spec, place, scripted, server, is_confined, surroundings: surroundings.clone() };
    let work = tokio::task::spawn_blocking(move || job.run());
    work.await.map_err(|error| HarnessError::io("run the CLI in", &surroundings.temp_dir, io::Error::other(error)))?
}

/// A run, on a thread that may block.
struct Job {
    driver: Arc<dyn Driver>,
    binary: PathBuf,
    spec: Spec,
    place: Place,
    /// The calls of the script, with their turns.
    scripted: Vec<(String, String)>,
    server: ModelServer,
    is_confined: bool,
    surroundings: Surroundings,
}

impl Job {
    fn run(mut self) -> Result<HarnessRun, HarnessError> {
        match self.judged() {
            Ok((Launches { last, launch, stderr, duration, files, .. }, trace, stub_calls)) => Ok(HarnessRun {
                trace: Some(trace),
                exit_code: last.exit_code,
                signal: last.signal,
                stderr,
                argv: launch.argv,
                duration,
                report: self.server.report(),
                requests: self.server.requests(),
                stub_calls,
                confined: self.is_confined,
                files: files.ok(),
                place: self.place,
            }),
            Err(error) => {
                if error.keeps_place() {
                    self.place.keep();
                }
                Err(error)
            }
        }
    }

    fn judged(&self) -> Result<(Launches, Trace, Vec<StubCall>), HarnessError> {
        let Self { driver, binary, spec, place, server, surroundings, .. } = self;
        let model = confined::endpoint(&**driver, server);
        let helper = surroundings.helper.as_deref().filter(|program| program.is_file());
        let stubs = stubs::install(spec, place, helper)?;
        let path =
            stubs.as_ref().map_or_else(|| surroundings.path.clone(), |stubs| stubs::before(stubs, &surroundings.path));
        let setup = Setup { spec, place, binary, path: &path, model: &model, helper };
        let confinement = self.is_confined.then(|| confined::confinement(&setup, server, surroundings));
        let (launches, failure) = launch_all(&**driver, &setup, server, confinement.as_ref())?;
        let trace = judge(&**driver, &setup, server, &launches, failure, &self.scripted)?;
        let calls = stubs::calls(stubs.as_ref(), &setup, || launches.context(place))?;
        Ok((launches, trace, calls))
    }
}

/// Refuses a spec that asks for what the CLI has not got.
fn refuse(driver: &dyn Driver, spec: &Spec) -> Result<(), HarnessError> {
    match driver.refuses().iter().find(|refusal| spec.asks_for(&refusal.field)) {
        None => Ok(()),
        Some(Refusal { field, reason }) => {
            Err(HarnessError::Unsupported { cli: driver.cli(), field: field.clone(), reason: reason.clone() })
        }
    }
}

/// The trace of launches that left one which can be judged.
fn judge(
    driver: &dyn Driver,
    setup: &Setup<'_>,
    server: &ModelServer,
    launches: &Launches,
    failure: Option<HarnessError>,
    scripted: &[(String, String)],
) -> Result<Trace, HarnessError> {
    let (requests, report) = (server.requests(), server.report());
    let context = || Box::new(launches.context(setup.place));
    if let Some(problem) = report.failure.clone() {
        return Err(HarnessError::ScriptFailed { problem, context: context() });
    }
    if let Some(overrun) = report.overrun.clone() {
        return Err(HarnessError::ScriptOverrun { overrun: Box::new(overrun), context: context() });
    }
    if let Some(failure) = failure {
        return Err(failure);
    }
    if let Some((place, tool)) = missing_tool(scripted, &requests) {
        let problem =
            "the CLI does not have. Is the name spelled as the CLI spells it? A tool of an MCP server is `mcp__server__tool`"
                .to_owned();
        return Err(HarnessError::ToolMissing { place, tool, problem, context: context() });
    }
    if setup.spec.strict_script && !report.unused.is_empty() {
        return Err(HarnessError::ScriptUnused { unused: report.unused, context: context() });
    }
    let mut trace = driver.read(setup, &requests)?;
    complete(&mut trace, setup, &requests, &report);
    match &launches.files {
        Ok(files) => trace.set_files_written(files.written.clone()),
        Err(reason) => trace.warn(format!("which files the run wrote is not known: {reason}")),
    }
    if !launches.withheld.is_empty() {
        let withheld = launches.withheld.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        trace.warn(format!(
            "the confined run left what is not brought out of it (links out of the work dir, pipes, sockets): {withheld}"
        ));
    }
    Ok(trace)
}

/// What the stream cannot know.
fn complete(trace: &mut Trace, setup: &Setup<'_>, requests: &[Arc<Received>], report: &Report) {
    trace.set_model_requests(requests.iter().map(|request| (*request.flat()).clone()).collect());
    trace.set_prompt(setup.spec.all_prompts()[0]);
    for unused in &report.unused {
        trace.warn(format!("{unused}; `strictScript` makes that an error"));
    }
    if report.turns == 0 && report.side_requests > 0 {
        trace.warn(format!(
            "the CLI made {} requests on its own account and none for the agent: no scripted turn was served",
            report.side_requests
        ));
    }
}

struct Launches {
    last: Output,
    launch: Launch,
    stderr: String,
    duration: Duration,
    /// What changed in the work dir, or why nobody knows.
    files: Result<FileChanges, String>,
    /// What a confined launch left in the work dir and could not keep.
    withheld: BTreeSet<String>,
}

impl Launches {
    fn context(&self, place: &Place) -> Context {
        Context { stderr: self.stderr.clone(), argv: self.launch.argv.clone(), dir: place.root().to_owned() }
    }
}

/// The launches, up to the first that left nothing to judge, and why it did not.
fn launch_all(
    driver: &dyn Driver,
    setup: &Setup<'_>,
    server: &ModelServer,
    confinement: Option<&Confinement>,
) -> Result<(Launches, Option<HarnessError>), HarnessError> {
    let Setup { spec, place, .. } = *setup;
    Place::write_files(&place.home(), &spec.home)?;
    if let Some(plugin) = &spec.plugin {
        Place::copy_tree(plugin, &place.work())?;
    }
    Place::write_files(&place.work(), &spec.files)?;
    driver.prepare(setup)?;

    let watch = written::watch(&place.work());
    let mut withheld = BTreeSet::new();
    let stdout = place.stdout();
    let mut done: Option<Launches> = None;
    let prompts = spec.all_prompts();
    for (index, &prompt) in prompts.iter().enumerate() {
        let before = server.request_count();
        let turn = UserTurn { prompt, index, stdout: &stdout };
        let mut launch = driver.launch(setup, &turn)?;
        launch.env.push((leftovers::MARK.into(), place.root().into()));
        let part = place.stdout_of(index);
        let output = execute(setup, &launch, &part, confinement)?;
        match &output.confined {
            Some(confined) => withheld.extend(confined.files_withheld.iter().cloned()),
            // What a confined launch leaves ends with it.
            None => leftovers::end(place.root()),
        }
        let requests = server.request_count() - before;
        let failure = driver.failure(setup, &Ended { launch: &launch, output: &output, stdout: &part, requests });
        append(&part, &stdout, prompts.len() == 1)?;
        let (mut stderr, duration) = done.map_or((String::new(), Duration::ZERO), |done| (done.stderr, done.duration));
        stderr.push_str(&output.stderr.text_lossy());
        let duration = duration + output.duration;
        let unknown = Err("a launch failed".to_owned());
        let launches = Launches { last: output, launch, stderr, duration, files: unknown, withheld: BTreeSet::new() };
        if failure.is_some() {
            return Ok((launches, failure));
        }
        done = Some(launches);
    }
    let mut done =
        done.ok_or_else(|| HarnessError::Spec { field: "prompts".to_owned(), problem: "there is none".to_owned() })?;
    done.files = watch.and_then(|watch| watch.finish());
    done.withheld = withheld;
    Ok((done, None))
}

fn execute(
    setup: &Setup<'_>,
    launch: &Launch,
    stdout: &Path,
    confinement: Option<&Confinement>,
) -> Result<Output, HarnessError> {
    let command = Command {
        program: Program::Argv(launch.argv.clone()),
        cwd: Some(setup.place.work()),
        env: launch.env.clone(),
        stdin: launch.stdin.clone(),
        timeout: Some(setup.spec.timeout()),
        // To a file: a CLI whose reader is slow drops the rest of its stream and exits with 0.
        stdout_file: Some(stdout.to_owned()),
        confinement: confinement.cloned(),
        ..Command::shell("")
    };
    Ok(command.run()?)
}

/// Adds the stream of one launch to that of the run.
fn append(part: &Path, whole: &Path, is_only: bool) -> Result<(), HarnessError> {
    if is_only {
        return fs::rename(part, whole).map_err(|source| HarnessError::io("move", part, source));
    }
    let whole_file = File::options().append(true).create(true).open(whole);
    let copied = whole_file.and_then(|mut whole| io::copy(&mut File::open(part)?, &mut whole));
    copied.map_err(|source| HarnessError::io("append to", whole, source))?;
    Ok(())
}

/// Tools that the main agent's script calls, with the turn that does.
fn scripted_tools(script: &Script) -> Vec<(String, String)> {
    let turns = script.turns.iter().enumerate().filter_map(|(index, step)| match step {
        Step::Turn(turn) => Some((index, turn)),
        Step::Compute(_) => None,
    });
    turns
        .flat_map(|(index, turn)| turn.calls().into_iter().map(move |call| (format!("turn {}", index + 1), call.tool)))
        .collect()
}

/// A scripted tool that the CLI answered it does not have. A subagent's tools are limited on purpose: they do not count.
fn missing_tool(scripted: &[(String, String)], requests: &[Arc<Received>]) -> Option<(String, String)> {
    let main: Vec<_> =
        requests.iter().map(|request| request.flat()).filter(|flat| flat.kind == Some(RequestKind::Main)).collect();
    let said = |tool: &str| {
        let answer = format!("<tool_use_error>Error: No such tool available: {tool}</tool_use_error>");
        main.iter().flat_map(|request| &request.messages).any(|message| message.text.contains(&answer))
    };
    scripted.iter().find(|(_, tool)| said(tool)).cloned()
}
