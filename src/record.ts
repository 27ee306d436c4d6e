import { writeFileSync } from "node:fs";

import { VigilesError } from "./errors.ts";

/** Names the file that a test script reports to when `vigiles test` runs it. */
const CHECK_REPORT_ENV = "VIGILES_CHECK_REPORT";

/** What a test script did. */
export interface CheckReport {
  /** How many checks ran, passed or not. */
  readonly checks: number;
  /** Why the script skipped itself. */
  readonly skipped?: string;
}

interface Counter {
  checks: number;
  path?: string | undefined;
  skipped?: string;
}

// The package exists twice in a process that both imports and requires it; the count is one.
const COUNTER = Symbol.for("vigiles.checks");
const counter: Counter = ((globalThis as { [COUNTER]?: Counter })[COUNTER] ??= { checks: 0 });
arm();

/**
 * Counts checks for the report of `vigiles test`. Runs of hooks and scripts, assertions, matchers, `propertyHook` and
 * the disaster battery count by themselves; predicates, `evalChecks` and `decideHook`, which only answer, do not. Call it
 * in a script that checks with something else, so that it is not reported as having checked nothing.
 */
export function recordCheck(count = 1): void {
  if (!Number.isInteger(count) || count < 0) {
    throw new VigilesError("VIGILES_INVALID_ARGUMENT", `expected a number of checks, 0 or more, but got ${String(count)}`);
  }
  counter.checks += count;
}

/** A script was skipped outside of `vigiles test`. */
export class SkipError extends VigilesError {
  override readonly name: string = "SkipError";
}

/**
 * Ends a test script of `vigiles test` early: it is reported as skipped, with the reason.
 *
 * @throws {SkipError} outside of `vigiles test`: there, skip with the test runner's own means.
 */
export function skip(reason = "no reason given"): never {
  if (counter.path === undefined) {
    throw new SkipError("VIGILES_SKIPPED", `skipped: ${reason}. skip() ends a script that \`vigiles test\` runs; in a test runner use its own skip`);
  }
  counter.skipped = reason;
  process.exit(0);
}

/** Promises the parent a report. The variable is removed: a child of this process would overwrite the report. */
function arm(): void {
  const path = process.env[CHECK_REPORT_ENV];
  if (path === undefined || counter.path !== undefined) return;
  delete process.env[CHECK_REPORT_ENV];
  counter.path = path;
  process.on("exit", () => {
    const { checks, skipped } = counter;
    try {
      writeFileSync(path, JSON.stringify(skipped === undefined ? { checks } : { checks, skipped }));
    } catch {
      // The script's own result stands; the parent says that the report is missing.
    }
  });
}
