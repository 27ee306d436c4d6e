// What an agent does with an MCP server: the real CLI connects to one that the test scripts, and its calls are kept. It runs
// on every CLI that is named by a variable, and skips itself without any.
import assert from "node:assert/strict";

import { assertChecks, assertRequestContains, mcp, mockMcpServer, output, skip, withHarness } from "vigiles";
import { claudeCodeAdapter } from "vigiles/claude-code";
import { codexAdapter } from "vigiles/codex";

const adapters = [claudeCodeAdapter, codexAdapter].filter(({ program }) => (process.env[program.variable] ?? "") !== "");
if (adapters.length === 0) skip("neither VIGILES_CLAUDE nor VIGILES_CODEX names a CLI");

for (const adapter of adapters) {
  const server = await mockMcpServer({
    tools: {
      find_issue: { description: "Finds an issue.", reply: ({ text }) => ({ text: `#7: The ${text} is open.` }) },
      close_issue: { reply: [{ text: "somebody else edits it, try again", isError: true }, { text: "closed" }] },
    },
  });
  try {
    await withHarness(
      {
        prompt: "Close the issue about the door.",
        mcpServers: { tracker: server.config },
        // Codex runs each tool of a spec's servers; Claude Code asks.
        ...(adapter === claudeCodeAdapter ? { allowedTools: ["mcp__tracker"] } : {}),
        model: [
          { tool: "mcp__tracker__find_issue", input: { text: "door" } },
          { tool: "mcp__tracker__close_issue", input: { number: 7 } },
          { tool: "mcp__tracker__close_issue", input: { number: 7 } },
          { text: "Issue 7 is closed." },
        ],
      },
      (result) => {
        assertChecks(result, [mcp("tracker", "find_issue"), mcp("tracker", "close_issue"), output(/closed/)]);
        // What the server said reached the model.
        assertRequestContains(result, "#7: The door is open.");
        assertRequestContains(result, "somebody else edits it");
        assert.deepEqual(server.calls.map((call) => [call.tool, call.arguments]), [
          ["find_issue", { text: "door" }],
          ["close_issue", { number: 7 }],
          ["close_issue", { number: 7 }],
        ]);
        // Nothing was asked that the script does not answer.
        assert.deepEqual(server.problems, []);
      },
      { adapter },
    );
  } finally {
    await server.close();
  }
}
