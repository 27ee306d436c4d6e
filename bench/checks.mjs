/** The file whose edit `toolWith` looks for. */
export const TARGET_FILE = "/home/dev/project/src/target.ts";

const TOOLS = ["Agent", "Bash", "Edit", "Grep", "Read", "Skill", "Write", "mcp__demo__echo"];

/**
 * The ten checks of the stream rows, as [name of the builder, ...arguments], so that each side builds its own form.
 * All hold for the generated streams.
 */
export const passingChecks = [
  ["tool", "Bash"],
  ["notTool", "WebFetch"],
  ["skill", "demo:greet"],
  ["output", /done/],
  ["hookFired", "PreToolUse"],
  ["turns", { max: 1_000_000 }],
  ["onlyTools", TOOLS],
  ["mcp", "demo", "echo"],
  ["cost", { maxUsd: 100 }],
  ["toolWith", "Edit", { file_path: TARGET_FILE }],
];

/** The same ten kinds, none of which holds: a side that answers "pass" to everything is found out. */
export const failingChecks = [
  ["tool", "WebFetch"],
  ["notTool", "Bash"],
  ["skill", "demo:part"],
  ["output", /undone/],
  ["hookFired", "Notification"],
  ["turns", { max: 1 }],
  ["onlyTools", TOOLS.slice(1)],
  ["mcp", "demo", "fail"],
  ["cost", { maxUsd: 0.5 }],
  ["toolWith", "Edit", { file_path: "/home/dev/project/src/other.ts" }],
];
