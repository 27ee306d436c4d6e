// A policy gate in the assembled harness: the real CLI runs the hook, and a scripted model tries to get past it. Nothing
// reaches a model, and no key is needed. It runs on every CLI that is named by a variable, and skips itself without any.
import { readFileSync } from "node:fs";

import { assertChecks, assertHookFired, assertRequestContains, not, output, skip, tool, withHarness, wrote } from "vigiles";
import { claudeCodeAdapter } from "vigiles/claude-code";
import { codexAdapter } from "vigiles/codex";

const adapters = [claudeCodeAdapter, codexAdapter].filter(({ program }) => (process.env[program.variable] ?? "") !== "");
if (adapters.length === 0) skip("neither VIGILES_CLAUDE nor VIGILES_CODEX names a CLI");

const guard = readFileSync(new URL("hooks/guard.sh", import.meta.url), "utf8");
const settings = { hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "bash guard.sh" }] }] } };

for (const adapter of adapters) {
  await withHarness(
    {
      prompt: "Publish the branch.",
      files: { "guard.sh": guard },
      settings,
      model: [
        { tool: "Bash", input: { command: "git push --force origin main" } },
        { tool: "Bash", input: { command: "echo asked > request.txt" } },
        { text: "I asked for a review." },
      ],
    },
    (result) => {
      assertHookFired(result, "PreToolUse", { blocked: true });
      assertChecks(result, [tool("Bash"), wrote("request.txt"), not(wrote("pushed.txt")), output(/review/)]);
      // The model was told why, so that it can do something else.
      assertRequestContains(result, /force/i);
    },
    { adapter },
  );
}
