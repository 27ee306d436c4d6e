import { AssertionError, fromNative, VigilesError } from "../errors.ts";
import { native } from "../native.ts";
import { recordCheck } from "../record.ts";
import { isMatch } from "./patterns.ts";
import { isRun, mustBeObject, runJSON, traceHandle } from "./target.ts";
import type { Check, CheckJSON, CheckResult, CheckTarget } from "./types.ts";

/**
 * Marks checks of the vocabulary: the core judges them, all in one call. Registered, because the package exists twice in
 * a process that both imports and requires it.
 */
const DATA = Symbol.for("vigiles.check");

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
  const text = typeof json === "string" ? json : toJSON(json);
  const { checks } = JSON.parse(fromNative(() => native().describeChecks(`[${text}]`))) as { checks: CheckJSON[] };
  const [check, ...more] = checks;
  if (check === undefined || more.length > 0) throw invalid(`expected the JSON of one check, but it is that of ${checks.length}`);
  return checkOf(check);
}

/** A short name for reports: `tool(Bash)`. */
export function checkLabel(check: Check): string {
  const data = dataOf(check);
  if (data === undefined) return check.kind;
  const { labels } = JSON.parse(fromNative(() => native().describeChecks(toJSON([data])))) as { labels: string[] };
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
  const known = listed(checks).map((check) => dataOf(check));
  const data = known.filter((one) => one !== undefined);
  // Own checks of the caller are judged by themselves; an empty list goes to the core for its error.
  const judged = data.length > 0 || checks.length === 0 ? evalNative(target, data) : [];
  return checks.map((check, index) => (known[index] === undefined ? completed(check, check.eval(target)) : (judged.shift() as CheckResult)));
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
  const json = toJSON(checks);
  const results = isRun(target)
    ? fromNative(() => native().evalRunChecks(runJSON(target), json, isMatch))
    : fromNative(() => traceHandle(target, checks).evalChecks(json, isMatch));
  return JSON.parse(results) as CheckResult[];
}

/** The data of checks that stand inside another one, which only the core can judge. */
export function innerData(outer: string, checks: readonly Check<never>[]): CheckJSON[] {
  return listed(checks).map((check) => {
    const data = dataOf(check);
    if (data !== undefined) return data;
    throw new VigilesError("VIGILES_CHECK_CUSTOM", `expected checks of the vocabulary inside ${outer}, but "${check.kind}" has an eval of its own. Give it to assertChecks beside ${outer}`);
  });
}

function listed<T>(checks: readonly T[]): readonly T[] {
  if (Array.isArray(checks)) return checks;
  throw invalid(`expected a list of checks, but got ${checks === undefined ? "undefined" : "something else"}: write [tool("Bash")]`);
}

function dataOf(check: Check<never>): CheckJSON | undefined {
  if (typeof check !== "object" || check === null) {
    const hint = typeof check === "function" ? ". Call it: blocked()" : "";
    throw invalid(`expected a check such as tool("Bash"), but got ${check === null ? "null" : `a value of type ${typeof check}`}${hint}`);
  }
  const data = (check as { [DATA]?: CheckJSON })[DATA];
  if (data !== undefined || typeof check.eval === "function") return data;
  // A check that was read from a file, as data.
  return check as unknown as CheckJSON;
}

/** The result of a check that the caller wrote: its eval can return anything. */
function completed(check: Check<never>, result: ReturnType<Check["eval"]>): CheckResult {
  if (typeof result?.pass !== "boolean" || typeof result.message !== "string") {
    const hint = typeof (result as unknown as PromiseLike<unknown> | undefined)?.then === "function" ? "a promise: eval must not be async" : "something else";
    throw new VigilesError("VIGILES_CHECK_RESULT", `expected the eval of "${check.kind}" to give { pass, score, message }, but it gave ${hint}`);
  }
  return { verdict: result.pass ? "pass" : "fail", ...result };
}

/** NaN and Infinity would become null, and a limit with them would be none: as text the core refuses them. */
function toJSON(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => (typeof member === "number" && !Number.isFinite(member) ? String(member) : member));
}

const invalid = (message: string) => new VigilesError("VIGILES_CHECK_INVALID", message);
