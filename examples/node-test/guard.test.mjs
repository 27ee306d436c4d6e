import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { assertBlocksDisasters, assertChecks, AssertionError, parseTrace, preToolUse, runHookAsync, tool } from "vigiles";

const file = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const guard = ["bash", file("hooks/guard.sh")];

describe("guard", () => {
  test("refuses a force-push", async () => {
    const run = await runHookAsync(guard, preToolUse("Bash", { command: "git push -f" }));
    assert.equal(run.blocked, true, run.explanation);
  });

  test("passes the disaster battery", () => assertBlocksDisasters(guard));
});

test("a failed check is an ordinary error", () => {
  const trace = parseTrace(file("fixtures/blocked-call.jsonl"));
  assert.throws(() => assertChecks(trace, [tool("Write")]), (error) => error instanceof AssertionError && /but it used \[Bash\]/.test(error.message));
});
