//! Checks over written files.

use std::path::{Component, Path, PathBuf};

use serde_json::Value;

use crate::trace::{ToolCall, Trace};

use super::super::error::EvalError;
use super::super::matcher::TextMatcher;
use super::super::observed;
use super::super::pattern::PatternTester;
use super::super::result::CheckResult;
use super::super::seen::{count_of, list, plural, quoted, quoted_list};
use super::super::target::Target;
use super::scene::{self, Scene};

pub(super) fn wrote(target: Target<'_>, path: &str) -> Result<CheckResult, EvalError> {
    let expected = format!("expected the run to write {}", quoted(path));
    let held = |by: &str| CheckResult::holds(format!("the run wrote {} ({by})", quoted(path)));
    let (trace, calls) = match target {
        Target::Run(run) => {
            let written = observed::files_written(run.files_written.as_deref())?;
            let found = written.iter().any(|written| same_path(written, path, None));
            return Ok(if found {
                held("recorded")
            } else {
                CheckResult::fails(format!("{expected}, but it wrote {}", wrote_list(written)))
            });
        }
        Target::Trace(trace) | Target::Subagent(trace, _) => (trace, written_by_calls(target)?),
    };
    if let Some(call) = calls.iter().find(|written| same_path(&written.path, path, root(trace))) {
        return Ok(held(&format!("by a call of {}", call.call.name)));
    }
    if matches!(target, Target::Subagent(..)) {
        return Ok(CheckResult::unknown(
            "VIGILES_NOT_OBSERVED",
            format!(
                "{expected}; of this subagent {}, and who wrote a file with a command is not recorded. Check the whole trace",
                calls_that_wrote(&calls)
            ),
        ));
    }
    if let Some(written) = trace.files_written() {
        if written.iter().any(|written| same_path(written, path, root(trace))) {
            return Ok(held("recorded"));
        }
        return Ok(provisional(
            target,
            CheckResult::fails(format!("{expected}, but it wrote {}", wrote_list(written))),
        ));
    }
    if trace.files_observed() {
        if trace.exists(path)? {
            return Ok(held("it is there after the run"));
        }
        return Ok(provisional(
            target,
            CheckResult::fails(format!("{expected}, but there is no such file after it; {}", calls_that_wrote(&calls))),
        ));
    }
    Ok(CheckResult::unknown(
        "VIGILES_NOT_OBSERVED",
        format!(
            "{expected}; {}, and a command may have written it. Give the directory the run worked in (`cwd` of parseTrace, `Open::work_dir` in Rust)",
            calls_that_wrote(&calls)
        ),
    ))
}

pub(super) fn did_not_write(target: Target<'_>, path: &str) -> Result<CheckResult, EvalError> {
    let expected = format!("expected the run not to write {}", quoted(path));
    let held = |how: &str| CheckResult::holds(format!("the run did not write {} ({how})", quoted(path)));
    let (trace, calls) = match target {
        Target::Run(run) => {
            let written = observed::files_written(run.files_written.as_deref())?;
            let found = written.iter().any(|written| same_path(written, path, None));
            return Ok(if found {
                CheckResult::fails(format!("{expected}, but it did; it wrote {}", wrote_list(written)))
            } else {
                held("recorded")
            });
        }
        Target::Trace(trace) | Target::Subagent(trace, _) => (trace, written_by_calls(target)?),
    };
    if let Some(call) = calls.iter().find(|written| same_path(&written.path, path, root(trace))) {
        return Ok(CheckResult::fails(format!(
            "{expected}, but a call of {} wrote {}",
            call.call.name,
            quoted(&call.path)
        )));
    }
    if matches!(target, Target::Subagent(..)) {
        return Ok(CheckResult::unknown(
            "VIGILES_NOT_OBSERVED",
            format!(
                "{expected}; none of its calls did, but who wrote a file with a command is not recorded. Check the whole trace"
            ),
        ));
    }
    if let Some(written) = trace.files_written() {
        if written.iter().any(|written| same_path(written, path, root(trace))) {
            return Ok(CheckResult::fails(format!("{expected}, but it did; it wrote {}", wrote_list(written))));
        }
        return Ok(provisional(target, held("recorded")));
    }
    if !trace.files_observed() {
        return Ok(CheckResult::unknown(
            "VIGILES_NOT_OBSERVED",
            format!(
                "{expected}; {}, but a command may have written it. Give the directory the run worked in (`cwd` of parseTrace, `Open::work_dir` in Rust)",
                calls_that_wrote(&calls)
            ),
        ));
    }
    if trace.exists(path)? {
        return Ok(CheckResult::unknown(
            "VIGILES_NOT_OBSERVED",
            format!(
                "{expected}; the file is there after it, and whether it was there before was not recorded. Start the run in a directory without it"
            ),
        ));
    }
    Ok(provisional(target, held("it is not there after the run")))
}

pub(super) fn created(scene: &Scene<'_>, path: &str) -> Result<CheckResult, EvalError> {
    if scene.trace.exists(path)? {
        return Ok(CheckResult::holds(format!("{} is there after the run", quoted(path))));
    }
    let calls = written_by_calls(scene.target())?;
    let failure =
        format!("expected {} to be there after the run, but it is not; {}", quoted(path), calls_that_wrote(&calls));
    Ok(scene.provisional(CheckResult::fails(failure)))
}

pub(super) fn not_created(scene: &Scene<'_>, path: &str) -> Result<CheckResult, EvalError> {
    if !scene.trace.exists(path)? {
        return Ok(scene.provisional(CheckResult::holds(format!("{} is not there after the run", quoted(path)))));
    }
    let calls = written_by_calls(scene.target())?;
    Ok(CheckResult::fails(format!(
        "expected {} not to be there after the run, but it is; {}",
        quoted(path),
        calls_that_wrote(&calls)
    )))
}

pub(super) fn no_write(
    target: Target<'_>,
    matcher: &TextMatcher,
    patterns: &dyn PatternTester,
) -> Result<CheckResult, EvalError> {
    let written = recorded(target)?;
    let mut found = Vec::new();
    for path in written {
        if matcher.is_match(path, patterns)? {
            found.push(path.as_str());
        }
    }
    let phrase = matcher.expected();
    if found.is_empty() {
        return Ok(provisional(
            target,
            CheckResult::holds(format!("no written path {}: the run wrote {}", matcher.found(), wrote_list(written))),
        ));
    }
    Ok(CheckResult::fails(format!(
        "expected no written path to {phrase}, but {} of {} {}: {}",
        found.len(),
        plural(count_of(written), "path"),
        if found.len() == 1 { "does" } else { "do" },
        quoted_list(found)
    )))
}

pub(super) fn wrote_only(
    target: Target<'_>,
    allowed: &[TextMatcher],
    patterns: &dyn PatternTester,
) -> Result<CheckResult, EvalError> {
    let written = recorded(target)?;
    let mut outside = Vec::new();
    for path in written {
        let mut fits = false;
        for matcher in allowed {
            fits = fits || matcher.is_match(path, patterns)?;
        }
        if !fits {
            outside.push(path.as_str());
        }
    }
    let listed = if allowed.is_empty() { "nothing".to_owned() } else { format!("only paths of {}", list(allowed)) };
    if outside.is_empty() {
        let held = if written.is_empty() {
            "the run wrote nothing".to_owned()
        } else {
            format!("the run wrote {listed}: {}", wrote_list(written))
        };
        return Ok(provisional(target, CheckResult::holds(held)));
    }
    let also = if outside.len() == written.len() { "" } else { " also" };
    Ok(CheckResult::fails(format!("expected the run to write {listed}, but it{also} wrote {}", quoted_list(outside))))
}

fn recorded(target: Target<'_>) -> Result<&[String], EvalError> {
    let recorded = match target {
        Target::Trace(trace) | Target::Subagent(trace, _) => trace.files_written(),
        Target::Run(run) => run.files_written.as_deref(),
    };
    Ok(observed::files_written(recorded)?)
}

/// A claim about the whole run. The run of one hook or script is always recorded to its end.
fn provisional(target: Target<'_>, result: CheckResult) -> CheckResult {
    match target {
        Target::Trace(trace) | Target::Subagent(trace, _) => scene::provisional(trace, result),
        Target::Run(_) => result,
    }
}

fn root(trace: &Trace) -> Option<&Path> {
    trace.work_dir().or_else(|| trace.cwd().map(Path::new))
}

/// Whether two spellings name one file. A relative path starts at `root`; where no root is known, it is taken to be
/// the end of the absolute one.
fn same_path(left: &str, right: &str, root: Option<&Path>) -> bool {
    let (left, right) = (normal(Path::new(left)), normal(Path::new(right)));
    match (left.is_absolute(), right.is_absolute(), root) {
        (true, false, None) => left.ends_with(&right),
        (false, true, None) => right.ends_with(&left),
        (true, false, Some(root)) => left == normal(&root.join(right)),
        (false, true, Some(root)) => normal(&root.join(left)) == right,
        _ => left == right,
    }
}

/// Without `.` and with `..` resolved by the letters alone: the file system of the run may be gone.
fn normal(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(parts.components().next_back(), Some(Component::Normal(_))) => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    parts
}

/// A file that a call wrote without an error.
struct Written<'a> {
    call: &'a ToolCall,
    path: String,
}

fn written_by_calls(target: Target<'_>) -> Result<Vec<Written<'_>>, EvalError> {
    let Some((trace, calls)) = calls_of_target(target)? else { return Ok(Vec::new()) };
    let mut written = Vec::new();
    for call in calls {
        if call.is_error != Some(false) {
            continue;
        }
        let field = match &*call.name {
            "Write" | "Edit" | "MultiEdit" => "file_path",
            "NotebookEdit" => "notebook_path",
            "apply_patch" => {
                written.extend(patched(&trace.input(call)?).into_iter().map(|path| Written { call, path }));
                continue;
            }
            _ => continue,
        };
        if let Some(Value::String(path)) = trace.input(call)?.get_mut(field).map(Value::take) {
            written.push(Written { call, path });
        }
    }
    Ok(written)
}

/// The calls to look at; a trace without its calls has none, as other evidence may decide.
fn calls_of_target(target: Target<'_>) -> Result<Option<(&Trace, Vec<&ToolCall>)>, EvalError> {
    match target {
        Target::Trace(trace) => Ok(trace.tool_calls().map(|calls| (trace, calls.iter().collect()))),
        Target::Subagent(trace, agent) => {
            let own = observed::subagent_calls(agent)?;
            let all = observed::tool_calls(trace)?;
            Ok(Some((trace, own.iter().filter_map(|&index| all.get(index)).collect())))
        }
        Target::Run(_) => Ok(None),
    }
}

/// The files of a patch that are there after it: from the list of changes, or from the patch itself.
fn patched(input: &Value) -> Vec<String> {
    if let Some(changes) = input.get("changes").and_then(Value::as_array) {
        let kept = changes.iter().filter(|change| change.get("kind").and_then(Value::as_str) != Some("delete"));
        return kept.filter_map(|change| change.get("path")?.as_str().map(str::to_owned)).collect();
    }
    let patch = ["input", "command", "patch"].iter().find_map(|field| input.get(field)?.as_str()).unwrap_or_default();
    let headers = ["*** Add File: ", "*** Update File: ", "*** Move to: "];
    patch
        .lines()
        .filter_map(|line| headers.iter().find_map(|header| line.strip_prefix(header)))
        .map(|path| path.trim().to_owned())
        .collect()
}

fn calls_that_wrote(calls: &[Written<'_>]) -> String {
    if calls.is_empty() {
        "no recorded call wrote a file".to_owned()
    } else {
        format!("the recorded calls wrote {}", quoted_list(calls.iter().map(|written| written.path.as_str())))
    }
}

fn wrote_list(written: &[String]) -> String {
    if written.is_empty() { "nothing".to_owned() } else { quoted_list(written.iter().map(String::as_str)) }
}
