// A subagent that ends its answer with one typed block, success or error. The block is read and checked against its
// contract: no model has to judge the answer.
import assert from "node:assert/strict";

import { assertAgentErr, assertAgentOk, assertAgentResult, parseAgentResult } from "vigiles";
import { experimental_agent } from "vigiles/spec";

const contract = experimental_agent.result(
  { files: "string[]", summary: "string", risk: ["low", "high"] },
  { reason: "string", step: "string" },
);

// What belongs into the instructions of the subagent, so that it knows.
assert.match(experimental_agent.contractSection(contract), /vigiles:ok/);

const block = (track, value) => `I looked at the code.\n\n\`\`\`vigiles:${track}\n${JSON.stringify(value)}\n\`\`\`\n`;

const done = block("ok", { files: ["src/billing.ts"], summary: "rounding fixed", risk: "low" });
assert.deepEqual(assertAgentOk(done, contract).files, ["src/billing.ts"]);
assertAgentResult(done, (result) => result.kind === "ok" && result.value.risk === "low", contract);

const failed = block("err", { reason: "the tests do not run", step: "npm test" });
assert.equal(assertAgentErr(failed, contract).step, "npm test");

// A missing field, a value outside the enumeration, two blocks, none: malformed, never a pass.
for (const bad of [
  block("ok", { files: [], summary: "no risk told" }),
  block("ok", { files: [], summary: "", risk: "none" }),
  done + failed,
  "Everything went fine.",
]) {
  assert.equal(parseAgentResult(bad, contract).kind, "malformed");
  assert.throws(() => assertAgentOk(bad, contract), { code: "VIGILES_AGENT_RESULT" });
}
