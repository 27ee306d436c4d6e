//! Settings beside the hooks, as far as a wrong one silences the others.

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::Ranged;

use super::document::{Document, below};
use super::{Problem, Settings};

/// Keys of `permissions` that hold rules.
const RULES: [&str; 4] = ["allow", "deny", "ask", "additionalDirectories"];

pub(super) fn check<'t>(
    document: &Document<'t>,
    root: &Object<'t>,
    settings: &mut Settings,
    problems: &mut Vec<Problem>,
) {
    for property in &root.properties {
        let name = property.name.as_str();
        let (value, pointer) = (&property.value, below("", name));
        match (name, value) {
            ("disableAllHooks", Value::BooleanLit(flag)) => settings.disable_all_hooks = flag.value,
            ("disableAllHooks", other) => problems.push(document.wrong(other, &pointer, "true or false")),
            ("permissions", Value::Object(permissions)) => check_permissions(document, permissions, problems),
            ("env", Value::Object(env)) => {
                for variable in &env.properties {
                    if !matches!(variable.value, Value::StringLit(_)) {
                        let pointer = below(&pointer, variable.name.as_str());
                        problems.push(document.wrong(&variable.value, &pointer, "the text of a variable"));
                    }
                }
            }
            ("permissions" | "env" | "hooks", other) if !matches!(other, Value::Object(_)) => {
                problems.push(document.wrong(other, &pointer, "an object"));
            }
            ("outputStyle" | "model" | "defaultMode", other) if !matches!(other, Value::StringLit(_)) => {
                problems.push(document.wrong(other, &pointer, "a string"));
            }
            _ => {}
        }
    }
    near_misses(document, root, settings);
}

fn check_permissions<'t>(document: &Document<'t>, permissions: &Object<'t>, problems: &mut Vec<Problem>) {
    for property in &permissions.properties {
        let name = property.name.as_str();
        let pointer = below("/permissions", name);
        match (&property.value, RULES.contains(&name)) {
            (Value::Array(rules), true) => {
                for (index, rule) in rules.elements.iter().enumerate() {
                    if !matches!(rule, Value::StringLit(_)) {
                        problems.push(document.wrong(
                            rule,
                            &format!("{pointer}/{index}"),
                            "a permission rule, a string",
                        ));
                    }
                }
            }
            (other, true) => problems.push(document.wrong(other, &pointer, "an array of permission rules")),
            (other, false) if name == "defaultMode" && !matches!(other, Value::StringLit(_)) => {
                problems.push(document.wrong(other, &pointer, "the name of a permission mode"));
            }
            _ => {}
        }
    }
}

/// Keys that are nearly those that matter here. Other unknown keys are a newer CLI's affair.
fn near_misses<'t>(document: &Document<'t>, root: &Object<'t>, settings: &mut Settings) {
    const KNOWN: [&str; 5] = ["hooks", "permissions", "env", "disableAllHooks", "outputStyle"];
    for property in &root.properties {
        let name = property.name.as_str();
        if KNOWN.contains(&name) {
            continue;
        }
        let near = KNOWN.iter().find(|known| strsim::levenshtein(&name.to_lowercase(), &known.to_lowercase()) <= 1);
        if let Some(near) = near {
            let (line, _) = document.position(property.range().start);
            let file = document.file.display();
            settings.warnings.push(format!("{file}:{line}: the key {name:?} is not read; is {near:?} meant?"));
        }
    }
}
