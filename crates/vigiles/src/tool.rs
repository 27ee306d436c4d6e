//! The tools that the CLIs bring along, by name.

use crate::hook::Cli;

/// Names under which a CLI tells its hooks and traces of its own tools.
pub(crate) fn built_in(cli: Cli) -> &'static [&'static str] {
    match cli {
        Cli::ClaudeCode => CLAUDE_CODE,
        Cli::Codex => CODEX,
    }
}

/// The name that newer versions give a tool: `Task` has become `Agent`.
pub(crate) fn current_name(name: &str) -> &str {
    if name == "Task" { "Agent" } else { name }
}

const CLAUDE_CODE: &[&str] = &[
    "Agent",
    "AskUserQuestion",
    "Bash",
    "BashOutput",
    "CronCreate",
    "CronDelete",
    "CronList",
    "Edit",
    "EnterPlanMode",
    "EnterWorktree",
    "ExitPlanMode",
    "ExitWorktree",
    "Glob",
    "Grep",
    "KillShell",
    "LS",
    "ListAgents",
    "ListMcpResourcesTool",
    "Monitor",
    "MultiEdit",
    "NotebookEdit",
    "NotebookRead",
    "Read",
    "ReadMcpResourceTool",
    "ReportFindings",
    "ScheduleWakeup",
    "SendMessage",
    "Skill",
    "SlashCommand",
    "StructuredOutput",
    "Task",
    "TaskOutput",
    "TaskStop",
    "TodoWrite",
    "ToolSearch",
    "WebFetch",
    "WebSearch",
    "Workflow",
    "Write",
];

const CODEX: &[&str] = &["Bash", "apply_patch", "spawn_agent"];
