import { expect, it } from "vitest";
import { assertChecks, assertRequestContains, assertServedTurns, hookFired, output, tool, withHarness } from "vigiles";
import { scriptModel } from "vigiles/claude-code";

import { onClaude } from "./clis.ts";

onClaude("a harness of a hook and an instruction file", ({ program }) => {
  const guard = { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "echo no shell today >&2; exit 2" }] }] };

  it("is seen whole: the blocked call, the hook with its command and call, what reached the model", async () => {
    await withHarness(
      {
        claude: program,
        prompt: "List the files.",
        files: { "CLAUDE.md": "Answer in rhymes.", ".claude/settings.json": JSON.stringify({ hooks: guard }) },
        model: scriptModel([{ tool: "Bash", input: { command: "ls" } }, (request) => ({ text: `I was told ${request.messages.length} messages.` })]),
      },
      (result) => {
        assertChecks(result, [tool("Bash"), hookFired("PreToolUse"), output(/^I was told \d+ messages\.$/)]);
        assertRequestContains(result, "Answer in rhymes.");
        assertServedTurns(result, 2);
        // The newer version also tells how long it took.
        expect(result.hooks?.map(({ durationMs: _durationMs, ...fire }) => fire)).toEqual([
          {
            name: "PreToolUse:Bash",
            event: "PreToolUse",
            exitCode: 2,
            blocked: true,
            effect: "prevented",
            outcome: "error",
            stdout: "",
            stderr: "no shell today\n",
            output: "no shell today\n",
            command: "echo no shell today >&2; exit 2",
            toolUseId: result.toolCalls?.[0]?.id,
            timedOut: false,
          },
        ]);
        expect(result.toolCalls).toMatchObject([{ name: "Bash", denied: true, isError: true }]);
        expect(result.modelRequests.map((request) => request.kind)).toEqual(["main", "main"]);
      },
    );
  });
});
