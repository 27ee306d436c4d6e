// A subagent whose answer a program reads: it ends with a block of a known form. The contract is in its instructions, and the answer
// that the main agent gets is held against it. Types of subagents are Claude Code's.
import assert from "node:assert/strict";

import { assertAgentErr, assertAgentOk, assertRequestContains, skip, withHarness } from "vigiles";
import { experimental_agent } from "vigiles/spec";

if ((process.env["VIGILES_CLAUDE"] ?? "") === "") skip("VIGILES_CLAUDE names no Claude Code");

const contract = experimental_agent.result({ files: "string[]", risk: ["low", "high"] }, { reason: "string" });

const agents = {
  reviewer: {
    description: "Reviews a change and tells its risk.",
    prompt: `You review changes.\n\n${experimental_agent.contractSection(contract)}`,
    tools: ["Read"],
  },
};
const review = { tool: "Agent", input: { subagent_type: "reviewer", description: "Review", prompt: "Review the change." } };

/** What the main agent is told when the subagent answers with this. */
const answered = async (text, use) =>
  await withHarness(
    { prompt: "Is the change safe?", agents, allowedTools: ["Agent", "Task", "Read"], model: { turns: [review, { text: "I have the review." }], subagents: { reviewer: [{ text }] } } },
    (result) => {
      // The subagent was told its contract.
      assertRequestContains(result, "vigiles:ok");
      const [subagent] = result.subagents ?? [];
      assert.equal(subagent?.name, "reviewer");
      use(subagent?.output ?? "");
    },
  );

await answered('Fine.\n\n```vigiles:ok\n{"files": ["src/login.ts"], "risk": "low"}\n```', (output) => {
  assert.equal(assertAgentOk(output, contract).risk, "low");
});
await answered('```vigiles:err\n{"reason": "the diff is empty"}\n```', (output) => {
  assert.equal(assertAgentErr(output, contract).reason, "the diff is empty");
});
await answered("Looks good to me!", (output) => {
  assert.throws(() => assertAgentOk(output, contract), { code: "VIGILES_AGENT_RESULT" });
});
