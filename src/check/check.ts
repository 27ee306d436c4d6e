import { AssertionError, fromNative, VigilesError } from "../errors.ts";
import { native } from "../native.ts";
import { recordCheck } from "../record.ts";
import { isMatch } from "./patterns.ts";
import { isRun, runJSON, traceHandle } from "./target.ts";
import type { Check, CheckJSON, CheckResult, CheckTarget } from "./types.ts";

/** Marks checks of the vocabulary: the core judges them, all in one call. */
const DATA = Symbol("vigiles.check");

/** A check of the vocabulary. */
export function checkOf<T = CheckTarget>(data: CheckJSON): Check<T> {
  const members = {
    [DATA]: data,
    eval: (target: T) => evalNative(target as CheckTarget, [data])[0] as CheckResult,
    toJSON: () => data,
  };
  const check = { ...data };
  for (const key of Reflect.ownKeys(members)) {
    Object.defineProperty(check, key, { value: members[key as keyof typeof members], enumerable: false });
  }
  return check as unknown as Check<T>;
}

/**
 * Makes a check of its JSON form.
 *
 * @throws {VigilesError} `VIGILES_CHECK_*`: an unknown kind or key (the message names the nearest), a value that does
 * not fit.
 */
export function checkFromJSON(json: CheckJSON | string): Check {
  const text = typeof json === "string" ? json : JSON.stringify(json);
  const { checks } = JSON.parse(fromNative(() => native().describeChecks(`[${text}]`))) as { checks: CheckJSON[] };
  return checkOf(checks[0] as CheckJSON);
}

/** A short name for reports: `tool(Bash)`. */
export function checkLabel(check: Check): string {
  const data = dataOf(check);
  if (data === undefined) return check.kind;
  const { labels } = JSON.parse(fromNative(() => native().describeChecks(JSON.stringify([data])))) as { labels: string[] };
  return labels[0] ?? check.kind;
}

/**
 * Judges checks against one target: a trace, a plain object of that shape, or the result of a hook or script run.
 * Results are in the order of the checks.
 *
 * @throws {VigilesError} `VIGILES_NO_CHECKS` when the list is empty: it would pass whatever happened.
 */
export function evalChecks<T extends CheckTarget>(target: T, checks: readonly Check<T>[]): CheckResult[] {
  mustBeObject(target);
  const known = checks.map((check) => dataOf(check));
  const data = known.filter((one) => one !== undefined);
  // Own checks of the caller are judged by themselves; an empty list goes to the core for its error.
  const judged = data.length > 0 || checks.length === 0 ? evalNative(target, data) : [];
  return checks.map((check, index) => (known[index] === undefined ? completed(check.eval(target)) : (judged.shift() as CheckResult)));
}

/**
 * Throws unless every check holds; the message lists all that do not, with what was seen.
 *
 * @throws {AssertionError} when a check does not hold or cannot be judged.
 */
export function assertChecks<T extends CheckTarget>(target: T, checks: readonly Check<T>[]): void {
  const results = evalChecks(target, checks);
  recordCheck(results.length);
  const message = failureMessage(results);
  if (message !== undefined) throw new AssertionError(message, "VIGILES_CHECKS_FAILED");
}

/** What {@link assertChecks} would say; `undefined` when all results are passes. */
export function failureMessage(results: readonly CheckResult[]): string | undefined {
  return fromNative(() => native().formatCheckFailures(JSON.stringify(results))) ?? undefined;
}

function evalNative(target: CheckTarget, checks: readonly CheckJSON[]): CheckResult[] {
  mustBeObject(target);
  const json = JSON.stringify(checks);
  const results = isRun(target)
    ? fromNative(() => native().evalRunChecks(runJSON(target), json, isMatch))
    : fromNative(() => traceHandle(target, checks).evalChecks(json, isMatch));
  return JSON.parse(results) as CheckResult[];
}

function dataOf(check: Check<never>): CheckJSON | undefined {
  const data = (check as { [DATA]?: CheckJSON })[DATA];
  if (data !== undefined || typeof check.eval === "function") return data;
  // A check that was read from a file, as data.
  return check as unknown as CheckJSON;
}

function completed(result: Pick<CheckResult, "pass" | "score" | "message"> & Partial<CheckResult>): CheckResult {
  return { verdict: result.pass ? "pass" : "fail", ...result };
}

function mustBeObject(target: unknown): void {
  if (typeof target === "object" && target !== null) return;
  const seen = target === null ? "null" : typeof target;
  const hint = seen === "undefined" ? ". Is an await missing, or a return?" : "";
  throw new VigilesError("VIGILES_CHECK_TARGET", `expected a trace, or the result of runHook or runScript, to judge, but got ${seen}${hint}`);
}
