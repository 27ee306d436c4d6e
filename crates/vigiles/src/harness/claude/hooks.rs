//! What the stream and the session file leave out of a firing, from the debug log and the configuration.
//!
//! | source | tells |
//! |---|---|
//! | stream | each firing: event, exit code, both streams |
//! | session file | command, call and duration, but only of a hook that printed something, failed or timed out |
//! | debug log (2.1.332) | command, exit code and duration of each firing, but not its call |
//! | configuration | the commands that match; with as many firings as commands, the one that is left is the last one's |

use std::collections::HashMap;

use crate::harness::settings::HookEntry;
use crate::hook::{MatcherStyle, Reach, reach};
use crate::trace::{HookFire, ToolCall};

/// One line of the debug log: a hook that ended.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Logged<'t> {
    name: &'t str,
    pub(super) command: &'t str,
    exit_code: i32,
    duration_ms: f64,
}

/// Reads `Hooks: <name> [<command>] finished with status <code> (<time>ms)`. A command may have several lines.
pub(super) fn logged(log: &str) -> Vec<Logged<'_>> {
    let mut found = Vec::new();
    let mut rest = log;
    while let Some(at) = rest.find(" Hooks: ") {
        rest = &rest[at + " Hooks: ".len()..];
        if let Some((entry, after)) = entry(rest) {
            found.push(entry);
            rest = after;
        }
    }
    found
}

fn entry(text: &str) -> Option<(Logged<'_>, &str)> {
    let (name, rest) = text.split_once(" [")?;
    if name.contains(['\n', ' ']) {
        return None;
    }
    let (command, rest) = rest.split_once("] finished with status ")?;
    let (status, rest) = rest.split_once(" (")?;
    let (time, rest) = rest.split_once("ms)")?;
    let entry = Logged { name, command, exit_code: status.parse().ok()?, duration_ms: time.parse().ok()? };
    Some((entry, rest))
}

/// Adds commands and durations to firings that have none, where only one answer is possible.
pub(super) fn complete(fires: &mut [HookFire], calls: &[ToolCall], log: &[Logged<'_>], configured: &[HookEntry]) {
    from_log(fires, log);
    from_configuration(fires, calls, configured);
}

fn from_log(fires: &mut [HookFire], log: &[Logged<'_>]) {
    let mut groups: HashMap<(&str, i32), Vec<&Logged<'_>>> = HashMap::new();
    for entry in log {
        groups.entry((entry.name, entry.exit_code)).or_default().push(entry);
    }
    for ((name, exit_code), entries) in groups {
        let mut same: Vec<&mut HookFire> =
            fires.iter_mut().filter(|fire| &*fire.name == name && fire.exit_code == Some(exit_code)).collect();
        // Another number of firings: the log is not of this run alone.
        if same.len() != entries.len() {
            continue;
        }
        let command = entries[0].command;
        if entries.iter().all(|entry| entry.command == command) {
            for fire in &mut same {
                fire.command.get_or_insert_with(|| command.into());
            }
        }
        if let ([fire], [entry]) = (same.as_mut_slice(), entries.as_slice()) {
            fire.duration_ms.get_or_insert(entry.duration_ms);
        } else {
            for fire in same {
                let of_command = entries.iter().filter(|entry| Some(entry.command) == fire.command.as_deref());
                let mut durations = of_command.map(|entry| entry.duration_ms);
                if let (Some(duration), None) = (durations.next(), durations.next()) {
                    fire.duration_ms.get_or_insert(duration);
                }
            }
        }
    }
}

/// Firings of one event that belong together: those of one call, or all of an event without calls.
type Occasion<'f> = (&'f str, Option<&'f str>);

fn from_configuration(fires: &mut [HookFire], calls: &[ToolCall], configured: &[HookEntry]) {
    let mut occasions: HashMap<(String, Option<String>), Vec<usize>> = HashMap::new();
    for (index, fire) in fires.iter().enumerate() {
        let occasion: Occasion<'_> = (&fire.name, fire.tool_use_id.as_deref());
        occasions.entry((occasion.0.to_owned(), occasion.1.map(str::to_owned))).or_default().push(index);
    }
    for ((name, call), members) in occasions {
        let event = &*fires[members[0]].event;
        let subject = match &call {
            Some(id) => calls.iter().find(|call| *call.id == **id).map(|call| &*call.name),
            None => name.split_once(':').map(|(_, subject)| subject),
        };
        let matching = |hook: &&HookEntry| {
            hook.event == event
                && hook.command().is_some()
                && subject.is_none_or(|subject| {
                    reach(hook.matcher.as_deref(), subject, MatcherStyle::Exact) == Reach::Selects
                })
        };
        let mut commands: Vec<&str> = configured.iter().filter(matching).filter_map(HookEntry::command).collect();
        // A command that stands twice runs once.
        commands.sort_unstable();
        commands.dedup();
        if let [only] = commands.as_slice() {
            for &index in &members {
                fires[index].command.get_or_insert_with(|| (*only).into());
            }
            continue;
        }
        // A condition may have kept one from running, an event without calls may have come several times.
        if commands.len() != members.len() {
            continue;
        }
        for &index in &members {
            if let Some(known) = &fires[index].command {
                commands.retain(|command| *command != &**known);
            }
        }
        let mut open = members.iter().filter(|&&index| fires[index].command.is_none());
        if let (Some(&index), None, [last]) = (open.next(), open.next(), commands.as_slice()) {
            fires[index].command = Some((*last).into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_is_read_with_commands_of_several_lines() {
        let log = "2026-01-01T00:00:00.000Z [DEBUG] Hooks: PreToolUse:Bash [exit 1] finished with status 1 (9ms)\n\
                   2026-01-01T00:00:00.000Z [DEBUG] Hooks: checkForNewResponses returning 0 responses, 0 hooks still pending\n\
                   2026-01-01T00:00:00.000Z [DEBUG] Hooks: Stop [echo a\necho b] finished with status 0 (3ms)\n";
        let expected = [("PreToolUse:Bash", "exit 1", 1, 9.0), ("Stop", "echo a\necho b", 0, 3.0)]
            .map(|(name, command, exit_code, duration_ms)| Logged { name, command, exit_code, duration_ms });
        assert_eq!(logged(log), expected);
    }
}
