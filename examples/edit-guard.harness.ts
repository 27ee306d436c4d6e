// A test script in TypeScript. Node runs it from 22.18 on; with an older one the project needs tsx, as this one has it.
import assert from "node:assert/strict";

import { fileToolEvents, runHooks, type HookEvent, type HookRunResult } from "vigiles";

// A guard for files: it must know a path in both spellings that CLIs send, relative and absolute.
const guard = String.raw`grep -Eq '"file_path": ?"([^"]*/)?\.env"' && { echo "secrets stay as they are" >&2; exit 2; }; exit 0`;

const events = (path: string): [HookEvent, HookEvent] => fileToolEvents(path, { event: "PreToolUse", root: "/repo" });
const verdicts = (runs: readonly HookRunResult[]): boolean[] => runs.map((run) => run.blocked);

assert.deepEqual(verdicts(await runHooks(guard, events(".env"))), [true, true]);
assert.deepEqual(verdicts(await runHooks(guard, events("src/.env.example"))), [false, false]);
