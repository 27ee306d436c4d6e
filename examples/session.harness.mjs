// A recorded session, judged: did the hook fire, did it block, what did the agent do then?
//
// Recorded with `claude -p --output-format stream-json --verbose --include-hook-events`. The session file of the same run
// adds what the stream does not tell: the hook's command and the call it belongs to.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { assertChecks, assertHookFired, checkFromJSON, hookBlocked, not, notTool, output, parseTrace, tool, toolWith, turns } from "vigiles";

const fixture = (name) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

const trace = parseTrace(fixture("blocked-call.jsonl"), { session: fixture("blocked-call.session.jsonl") });

assertChecks(trace, [
  toolWith("Bash", { command: /created\.txt/ }),
  hookBlocked("PreToolUse:Bash"),
  output(/blocked/),
  turns({ max: 3 }),
  notTool(/^mcp__/),
  not(tool("Write")),
]);
assertHookFired(trace, "PreToolUse", { blocked: true });

const [call] = trace.toolCalls ?? [];
const [hook] = trace.hooks ?? [];
assert.equal(call?.denied, true);
assert.equal(hook?.toolUseId, call?.id);
assert.match(hook?.command ?? "", /exit 2/);

// What nobody recorded is undefined, never empty: no model requests and no file system here.
assert.equal(trace.modelRequests, undefined);
assert.throws(() => trace.file("created.txt"), { code: "VIGILES_NOT_OBSERVED" });

// The same kind of claims as a file. `npx vigiles check` reads it too.
assertChecks(trace, JSON.parse(readFileSync(fixture("checks.json"), "utf8")).map((check) => checkFromJSON(check)));
