//! Reports, and the files that commands are about.

use std::path::{Path, PathBuf};

use napi::Result;
use napi_derive::napi;
use serde_json::json;
use vigiles::discover::{Found, discover, expand_glob};
use vigiles::report::{Suite, junit, summarize};

use crate::error::{Coded, from_json, to_json};
use crate::trace::open;

/// What happened in a recorded run, as text.
#[napi(catch_unwind)]
pub fn summarize_trace(path: String, options: String) -> Result<String> {
    summarize(&open(&options)?.read_path(path).coded()?).coded()
}

/// A recorded run as the JSON of a plain object.
#[napi(catch_unwind)]
pub fn trace_to_json(path: String, options: String) -> Result<String> {
    open(&options)?.read_path(path).coded()?.to_json().coded()
}

/// Results as the XML of `JUnit`; `suites` as JSON.
#[napi(catch_unwind)]
pub fn junit_report(name: String, suites: String) -> Result<String> {
    junit(&name, &from_json::<Vec<Suite>>("suites of results", &suites)?).coded()
}

/// The files below a folder whose name fits one of the globs, as JSON `{files, unreadable}`.
#[napi(catch_unwind)]
pub fn discover_files(folder: String, names: Vec<String>) -> Result<String> {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    found_json(&discover(Path::new(&folder), &names).coded()?)
}

/// The files that a glob names, as JSON `{files, unreadable}`.
#[napi(catch_unwind)]
pub fn expand_glob_pattern(base: String, pattern: String) -> Result<String> {
    found_json(&expand_glob(Path::new(&base), &pattern).coded()?)
}

fn found_json(found: &Found) -> Result<String> {
    let files: Vec<_> = found.files.iter().map(|path: &PathBuf| path.to_string_lossy()).collect();
    to_json(&json!({ "files": files, "unreadable": found.unreadable }))
}
