// A script that skills call: a result, both streams and the exit code. A script decides nothing, so there is no `blocked`.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

import { runScript } from "vigiles";

const script = fileURLToPath(new URL("scripts/next-version.sh", import.meta.url));
const next = (...args) => runScript(["bash", script, ...args]);

assert.equal(next("1.2.3", "minor").stdout, "1.3.0\n");
assert.equal(next("1.2.3", "major").stdout, "2.0.0\n");

const wrong = next("1.2", "minor");
assert.equal(wrong.exitCode, 64);
assert.equal(wrong.stdout, "");
assert.match(wrong.stderr, /usage/);

// A command that hangs is ended with all it started, and says so.
const slow = runScript("echo started; sleep 60", { timeoutMs: 200 });
assert.equal(slow.timedOut, true);
assert.equal(slow.stdout, "started\n");
assert.equal(slow.exitCode, null);
