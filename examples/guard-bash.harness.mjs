// A guard written in bash: what it refuses, what it lets through, and the disaster battery.
import { fileURLToPath } from "node:url";

import { assertBlocksDisasters, assertHookAllowed, assertHookBlocked, preToolUse, runHook } from "vigiles";

// An argument list needs no quoting, whatever the folder is called.
const guard = ["bash", fileURLToPath(new URL("hooks/guard.sh", import.meta.url))];
const bash = (command) => runHook(guard, preToolUse("Bash", { command }));

assertHookBlocked(bash("git push --force origin main"));

// A guard that refuses everything is not a guard either.
for (const harmless of ["git status", "git push origin main", "rm -rf ./build", "npm test"]) assertHookAllowed(bash(harmless));

// Seven calls that no agent should make. Each is described to the guard; nothing runs them.
assertBlocksDisasters(guard);
