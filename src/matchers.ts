import { checkOf, evalChecks, failureMessage } from "./check/check.ts";
import type { Check, CheckResult, CheckTarget } from "./check/types.ts";
import { assertion, blocked } from "./check/vocabulary.ts";
import { VigilesError } from "./errors.ts";
import { recordCheck } from "./record.ts";

/** What a matcher gives its test runner. */
export interface MatcherResult {
  /** Whether it holds, before any `.not`. */
  readonly pass: boolean;
  /** What the runner shows when the test fails: with `.not` when it holds, else when it does not. */
  readonly message: () => string;
}

/** The matchers as they are written in a test. */
export interface VigilesMatchers<R = unknown> {
  /** The check holds. */
  toPass(check: Check<never>): R;
  /** Every check holds. */
  toPassAll(checks: readonly Check<never>[]): R;
  /** The file is there after the run. */
  toHaveCreated(path: string): R;
  /** The hook blocked. */
  toBlock(): R;
  /** Arm `arm` of an eval report beats arm `baseline` on a metric by more than `by`. */
  toBeatBaseline(baseline: string, arm: string, metric: string, by?: number): R;
}

/** Matchers for `expect.extend`. `vigiles/vitest` and `vigiles/jest` register them and add their types. */
export const vigilesMatchers = {
  toPass: (received: unknown, check: Check<never>) => judged(received, [check]),
  toPassAll: (received: unknown, checks: readonly Check<never>[]) => judged(received, checks),
  toHaveCreated: (received: unknown, path: string) => judged(received, [checkOf(assertion.created(path))]),
  toBlock: (received: unknown) => judged(received, [blocked()]),
  toBeatBaseline(received: unknown, baseline: string, arm: string, metric: string, by = 0): MatcherResult {
    recordCheck();
    if (!Number.isFinite(by)) throw new VigilesError("VIGILES_INVALID_ARGUMENT", `expected the gap to beat as a number, but got ${by}`);
    const mean = (name: string) => metricOf(received, name, metric);
    const gap = mean(arm) - mean(baseline);
    const seen = `${metric}: ${arm} ${mean(arm)}, ${baseline} ${mean(baseline)}, a gap of ${gap}`;
    return {
      pass: gap > by,
      message: () => `expected arm "${arm}" ${gap > by ? "not " : ""}to beat "${baseline}" on "${metric}" by more than ${by}, but ${seen}`,
    };
  },
};

function judged(received: unknown, checks: readonly Check<never>[]): MatcherResult {
  const results = evalChecks(received as CheckTarget, checks as readonly Check<CheckTarget>[]);
  recordCheck(results.length);
  const undecided = results.filter((result) => result.verdict === "error");
  // Negation must not turn "nobody can tell" into a pass.
  if (undecided.length > 0) throw new VigilesError(undecided[0]?.code ?? "VIGILES_NOT_OBSERVED", failureMessage(results) ?? "");
  const pass = results.every((result) => result.pass);
  return { pass, message: () => (pass ? negated(results) : (failureMessage(results) ?? "")) };
}

function negated(results: readonly CheckResult[]): string {
  const held = results.map((result) => `\n  ✓ ${result.message}`).join("");
  return `expected ${results.length === 1 ? "the check" : "at least one check"} not to hold, but:${held}`;
}

function metricOf(report: unknown, arm: string, metric: string): number {
  const arms = (report as { arms?: Record<string, { metrics?: Record<string, number> }> } | undefined)?.arms;
  if (arms === undefined) {
    throw new VigilesError("VIGILES_CHECK_TARGET", "expected the report of an eval with arms, but got something else");
  }
  const metrics = arms[arm]?.metrics;
  if (metrics === undefined) {
    throw new VigilesError("VIGILES_UNKNOWN_ARM", `expected an arm "${arm}" in the report, but it has [${Object.keys(arms).join(", ")}]`);
  }
  const value = metrics[metric];
  if (value === undefined) {
    throw new VigilesError("VIGILES_UNKNOWN_METRIC", `expected a metric "${metric}" of arm "${arm}", but it has [${Object.keys(metrics).join(", ")}]`);
  }
  // With a metric that is not a number, a comparison is false, and its negation would pass.
  if (typeof value !== "number" || !Number.isFinite(value)) {
    throw new VigilesError("VIGILES_METRIC_INVALID", `expected metric "${metric}" of arm "${arm}" to be a number, but it is ${String(value)}: no run measured it`);
  }
  return value;
}
