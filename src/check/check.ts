import { AssertionError, fromNative, NotObservedError, VigilesError } from "../errors.ts";
import { native } from "../native.ts";
import { recordCheck } from "../record.ts";
import { isMatch } from "./patterns.ts";
import { isPromise, isRun, mustBeObject, runJSON, traceHandle } from "./target.ts";
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
export function checkLabel(check: Check<never>): string {
  const data = dataOf(check);
  if (data === undefined) return check.kind;
  const { labels } = JSON.parse(fromNative(() => native().describeChecks(toJSON([data])))) as { labels: string[] };
  return labels[0] ?? check.kind;
}

/**
 * Judges checks against one target: a trace, a plain object of that shape, or the result of a hook or script run.
 * Results are in the order of the checks. A check of your own that throws gets the verdict `error`.
 *
 * @throws {VigilesError} `VIGILES_NO_CHECKS` when the list is empty: it would pass whatever happened.
 */
export function evalChecks<T extends CheckTarget>(target: T, checks: readonly Check<T>[]): CheckResult[] {
  mustBeObject(target);
  const known = listed(checks).map((check) => dataOf(check));
  const data = known.filter((one) => one !== undefined);
  // Own checks of the caller are judged by themselves; an empty list goes to the core for its error.
  const judged = data.length > 0 || checks.length === 0 ? evalNative(target, data) : [];
  return checks.map((check, index) => (known[index] === undefined ? evalOwn(check, target) : (judged.shift() as CheckResult)));
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

/** The result of a check that the caller wrote: its eval can throw, or return anything. One bad check must not hide what the others found. */
function evalOwn<T>(check: Check<T>, target: T): CheckResult {
  let result: unknown;
  try {
    result = check.eval(target);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const code = error instanceof NotObservedError ? error.code : "VIGILES_CHECK_RESULT";
    return unjudged(code, `could not judge "${check.kind}": its eval threw: ${why}`);
  }
  const { pass, message } = (result ?? {}) as Partial<CheckResult>;
  if (typeof pass === "boolean" && typeof message === "string") return { verdict: pass ? "pass" : "fail", ...(result as Omit<CheckResult, "verdict">) };
  let hint = "something else";
  if (isPromise(result)) {
    hint = "a promise: eval must not be async";
    // Nobody waits for it; its rejection would end the process.
    result.then(undefined, () => {});
  }
  return unjudged("VIGILES_CHECK_RESULT", `could not judge "${check.kind}": expected its eval to give { pass, score, message }, but it gave ${hint}`);
}

const unjudged = (code: string, message: string): CheckResult => ({ pass: false, score: 0, verdict: "error", message, code });

/**
 * NaN and Infinity would become null, and a limit with them would be none: as text the core refuses them. Half a surrogate pair, which
 * UTF-8 cannot hold, becomes U+FFFD as it does in traces.
 */
function toJSON(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member === "string") return wellFormed(member);
    return typeof member === "number" && !Number.isFinite(member) ? String(member) : member;
  });
}

const wellFormed = (text: string) => text.replaceAll(/\p{Surrogate}/gu, "\uFFFD");

const invalid = (message: string) => new VigilesError("VIGILES_CHECK_INVALID", message);
