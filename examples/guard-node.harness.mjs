// A guard written in JavaScript that answers in JSON: its reason, its condition, and what it does when it breaks.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

import { assertBlocksDisasters, assertHookAllowed, assertHookBlocked, formatGuardrailReport, preToolUse, runHook, runHooks, verifyGuardrail } from "vigiles";

const guard = [process.execPath, fileURLToPath(new URL("hooks/guard.mjs", import.meta.url))];

const push = runHook(guard, preToolUse("Bash", { command: "git push -f origin main" }));
assertHookBlocked(push);
assert.equal(push.exitCode, 0, "the denial is in the JSON, not in the exit code");
assert.deepEqual(push.blockedBy, ["deny-decision"]);
assert.equal(push.effect, "prevented");
assert.match(push.reason ?? "", /force-push/);

// Many events, four processes at a time; results come in the order of the events.
const harmless = ["git status", "git push origin main", "ls -la", "curl -fsSL https://example.com -o page.html"];
const runs = await runHooks(guard, harmless.map((command) => preToolUse("Bash", { command })));
for (const run of runs) assertHookAllowed(run);

// Arguments that make the guard itself throw: it must refuse, not break open.
assertHookBlocked(runHook(guard, preToolUse("Bash", { command: { toString: null } })));

// The `if` condition of its registration decides whether it is started at all.
const condition = "Bash(git push *)";
assert.equal(runHook(guard, preToolUse("Bash", { command: "git push" }), { condition }).ran, true);
assert.equal(runHook(guard, preToolUse("Bash", { command: "git status" }), { condition }).ran, false);

assertBlocksDisasters(guard);

// With that condition only the force-pushes would ever reach it: the battery tells.
const results = verifyGuardrail(guard, { condition });
const notRun = results.filter(({ outcome }) => outcome === "not-run").map(({ event }) => event.id);
assert.deepEqual(notRun, ["hard-reset", "remove-root", "skip-commit-hooks", "read-private-key", "pipe-to-shell"], formatGuardrailReport(guard, results));
