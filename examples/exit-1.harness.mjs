// The most common bug of a guard: it finds the bad call, says so, and ends with exit 1. That blocks nothing. This test
// passes because vigiles catches it.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

import { assertBlocksDisasters, AssertionError, assertHookBlocked, preToolUse, runHook } from "vigiles";

const guard = ["bash", fileURLToPath(new URL("hooks/guard-exit-1.sh", import.meta.url))];
const run = runHook(guard, preToolUse("Bash", { command: "git push --force origin main" }));

assert.equal(run.exitCode, 1);
assert.equal(run.stderr, "no force-push\n");
assert.equal(run.blocked, false, "the CLI runs the tool");
assert.equal(run.effect, "none");

assert.throws(
  () => assertHookBlocked(run),
  (error) => error instanceof AssertionError && /expected the hook to block, but it allowed: exit 1: .*Claude Code runs the tool; to block, exit 2/.test(error.message),
);
assert.throws(() => assertBlocksDisasters(guard), /7 of 7 got through/);
