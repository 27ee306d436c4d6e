// A guard that answers in JSON. Register it for PreToolUse with the matcher "Bash".
import { readFileSync } from "node:fs";

import { decide } from "./decide.mjs";

try {
  const { deny, reason } = decide(JSON.parse(readFileSync(0, "utf8")));
  if (deny) {
    const hookSpecificOutput = { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: reason };
    console.log(JSON.stringify({ hookSpecificOutput }));
  }
} catch (error) {
  // Node ends with exit 1 when an error is not caught, and exit 1 blocks nothing.
  console.error(`guard: the guard itself failed, so the call is refused: ${error}`);
  process.exitCode = 2;
}
