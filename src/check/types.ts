import type { TraceLike } from "../trace/types.ts";

/** A string is compared as it is, a RegExp is tested. */
export type NameMatcher = string | RegExp;

/** A string is looked for, a RegExp is tested. */
export type TextMatcher = string | RegExp;

/** What one call's arguments must have been: strings, numbers and booleans are compared, a RegExp is tested on a string. */
export type ArgMatcher = Readonly<Record<string, string | number | boolean | RegExp>>;

/** Limits of a count, both inclusive. */
export interface Bounds {
  /** At least so many. */
  readonly min?: number;
  /** At most so many. */
  readonly max?: number;
}

/** `pass`, `fail`, or `error`: nobody can tell, because something was not recorded or the run was cut. */
export type Verdict = "pass" | "fail" | "error";

/** What a check said about one target. */
export interface CheckResult {
  /** Whether the verdict is `pass`. */
  readonly pass: boolean;
  /** 1 when it holds, 0 when not; a graded check has values between. */
  readonly score: number;
  /** What the check says: an `error` is neither true nor false. */
  readonly verdict: Verdict;
  /** What was expected, what was seen, and what to do next. */
  readonly message: string;
  /** With verdict `error`: why it could not be judged. */
  readonly code?: string;
}

/** A check as data. */
export interface CheckJSON {
  /** What is claimed: `tool`, `output`. The other keys depend on it. */
  readonly kind: string;
  readonly [key: string]: unknown;
}

/** A claim about a target of type `T` that can be judged, printed and written as JSON. Without `T`, whether a target fits shows when it is judged. */
// oxlint-disable-next-line typescript/no-explicit-any -- a list of checks, as read from a file, is compared with no target
export interface Check<T = any> {
  /** What is claimed, as in {@link CheckJSON}; a name of your own for a check of your own. */
  readonly kind: string;
  /**
   * Judges one target, at once: not async. Those of the vocabulary never throw because of what they see.
   *
   * A property, not a method: parameters of methods are compared loosely, and a check over a hook would be one over a trace.
   */
  readonly eval: (target: T) => Pick<CheckResult, "pass" | "score" | "message"> & Partial<CheckResult>;
  /** The check as data, for {@link checkFromJSON}. */
  toJSON(): CheckJSON;
}

/** What checks can be judged against: a trace, the result of a hook or script run, or what your own checks take. */
export type CheckTarget = object;

/** What checks over a run take: a trace, or a plain object of that shape. */
export interface TraceTarget extends TraceLike {
  /** The result of a hook or script run has these, and is not a trace. */
  readonly stdoutBytes?: undefined;
}
