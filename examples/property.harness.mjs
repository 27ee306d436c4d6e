// A rule of the guard, tried on hundreds of commands instead of three: a force-push is refused, whatever is around it.
import assert from "node:assert/strict";

import { preToolUse, propertyHook } from "vigiles";

import { decide } from "./hooks/decide.mjs";

const before = ["", "cd repo && ", "GIT_TRACE=1 ", "git add -A; ", "true || "];
const after = ["", " origin main", " && echo done", " # deploy"];
const one = (random, list) => list[Math.floor(random() * list.length)];

const seed = preToolUse("Bash", { command: "git push --force" });
const mutate = (event, random) => ({ ...event, tool_input: { command: `${one(random, before)}git push ${one(random, ["--force", "-f"])}${one(random, after)}` } });

const result = propertyHook({ seed, mutate, decide, iterations: 500, invariants: { "refuses a force-push": ({ deny }) => deny } });
assert.deepEqual(result, { passed: true, iterations: 500 });

// A guard that only knows the long flag. The counterexample is shrunk to what matters.
const naive = (event) => ({ deny: String(event.tool_input?.command).includes("--force") });
const broken = propertyHook({ seed, mutate, decide: naive, invariants: { "refuses a force-push": ({ deny }, event) => deny || !/-f\b/.test(event.tool_input?.command) } });
assert.equal(broken.passed, false);
assert.equal(broken.failedInvariant, "refuses a force-push");
assert.deepEqual(broken.counterexample, { tool_input: { command: "-f" } });
