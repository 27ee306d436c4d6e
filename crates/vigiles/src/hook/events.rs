//! What is known of every event that hooks can be registered for.

/// One event.
pub(crate) struct EventFacts {
    /// `hook_event_name`.
    pub(crate) name: &'static str,
    /// It carries a tool call, so that matchers select tools and conditions are judged.
    pub(crate) tool_call: bool,
    /// Exit 2 and `decision: "block"` hold something back. The others only tell.
    pub(crate) can_block: bool,
}

const fn event(name: &'static str, tool_call: bool, can_block: bool) -> EventFacts {
    EventFacts { name, tool_call, can_block }
}

/// Events of both CLIs.
pub(crate) const ALL: &[EventFacts] = &[
    event("CwdChanged", false, false),
    event("FileChanged", false, false),
    event("Notification", false, false),
    event("PermissionDenied", true, false),
    event("PermissionRequest", true, true),
    event("PostCompact", false, true),
    event("PostToolUse", true, true),
    event("PostToolUseFailure", true, true),
    event("PreCompact", false, true),
    event("PreToolUse", true, true),
    event("SessionEnd", false, false),
    event("SessionStart", false, false),
    event("Setup", false, false),
    event("Stop", false, true),
    event("StopFailure", false, false),
    event("SubagentStart", false, false),
    event("SubagentStop", false, true),
    event("UserPromptSubmit", false, true),
];

/// What is known of an event, `None` for a name that nobody has documented.
pub(crate) fn facts(name: &str) -> Option<&'static EventFacts> {
    ALL.iter().find(|event| event.name == name)
}

/// Whether it carries a tool call.
pub(super) fn has_tool_call(name: &str) -> bool {
    facts(name).is_some_and(|event| event.tool_call)
}

/// Whether its answer can hold something back; an event that is not known is taken to be one.
pub(super) fn can_block(name: &str) -> bool {
    facts(name).is_none_or(|event| event.can_block)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_that_can_be_built_is_known() {
        for (cli, events) in crate::hook::EVENTS {
            for name in events {
                assert!(facts(name).is_some(), "{cli:?} {name}");
            }
        }
    }

    #[test]
    fn names_are_sorted_and_stand_once() {
        assert!(ALL.is_sorted_by(|a, b| a.name < b.name));
    }
}
