// A plugin as a whole: its skill sends the agent to a subagent and a script, and a hook stops the way around. Each part may be
// right and the plugin still broken, when one names another that is not there. Plugins are Claude Code's.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { assertChecks, assertHookFired, assertRequestContains, output, skill, skip, tool, withHarness } from "vigiles";
import { loadPlugin } from "vigiles/claude-code";

if ((process.env["VIGILES_CLAUDE"] ?? "") === "") skip("VIGILES_CLAUDE names no Claude Code");

const dir = fileURLToPath(new URL("plugin", import.meta.url));
const plugin = loadPlugin(dir);
assert.deepEqual(plugin.warnings, []);

// What the skill names is in the plugin.
const [release] = plugin.skills;
const named = readFileSync(release?.file ?? "", "utf8").match(/(?<=`release-kit:)[a-z-]+(?=`)/g) ?? [];
assert.deepEqual(named, plugin.agents.map(({ name }) => name));

await withHarness(
  {
    prompt: "Release version 2.0.0.",
    pluginDir: dir,
    files: { "scripts/release.sh": "#!/bin/bash\necho released $1\n" },
    allowedTools: ["Bash", "Skill", "Agent", "Task"],
    model: {
      turns: [
        { tool: "Skill", input: { skill: "release-kit:release" } },
        { tool: "Agent", input: { subagent_type: "release-kit:notes", description: "Notes", prompt: "Write the notes." } },
        // The model takes a short cut, and is sent back.
        { tool: "Bash", input: { command: "npm publish" } },
        { tool: "Bash", input: { command: "scripts/release.sh 2.0.0" } },
        { text: "Version 2.0.0 is released." },
      ],
      subagents: { "release-kit:notes": [{ text: "- Faster start." }] },
    },
  },
  (result) => {
    assertChecks(result, [skill("release-kit:release"), tool("Bash"), output(/released/)]);
    // The skill's text, the notes and the hook's advice all reached the model.
    assertRequestContains(result, "Never run `npm publish` yourself");
    assertRequestContains(result, "Faster start");
    assertRequestContains(result, "Run scripts/release.sh instead");
    assertHookFired(result, "PreToolUse", { blocked: true });
    const commands = (result.toolCalls ?? []).filter(({ name }) => name === "Bash");
    assert.deepEqual(commands.map(({ denied, resultText }) => [denied, denied ? undefined : resultText]), [
      [true, undefined],
      [false, "released 2.0.0"],
    ]);
    assert.deepEqual(result.subagents?.map(({ name }) => name), ["release-kit:notes"]);
  },
);
