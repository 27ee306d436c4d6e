/** A string is compared as it is, a RegExp is tested. */
export type NameMatcher = string | RegExp;

/** A string is looked for, a RegExp is tested. */
export type TextMatcher = string | RegExp;

/** What one call's arguments must have been: strings, numbers and booleans are compared, a RegExp is tested on a string. */
export type ArgMatcher = Readonly<Record<string, string | number | boolean | RegExp>>;

/** Limits of a count, both inclusive. */
export interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

/** `pass`, `fail`, or `error`: nobody can tell, because something was not recorded or the run was cut. */
export type Verdict = "pass" | "fail" | "error";

/** What a check said about one target. */
export interface CheckResult {
  readonly pass: boolean;
  /** 1 when it holds, 0 when not; a graded check has values between. */
  readonly score: number;
  readonly verdict: Verdict;
  /** What was expected, what was seen, and what to do next. */
  readonly message: string;
  /** With verdict `error`: why it could not be judged. */
  readonly code?: string;
}

/** A check as data. */
export interface CheckJSON {
  readonly kind: string;
  readonly [key: string]: unknown;
}

/** A claim about a run that can be judged, printed and written as JSON. */
export interface Check<T = unknown> {
  readonly kind: string;
  /** Judges one target. Never throws because of what it sees. */
  eval(target: T): Pick<CheckResult, "pass" | "score" | "message"> & Partial<CheckResult>;
  toJSON(): CheckJSON;
}

/** What {@link Check} objects of the vocabulary can be judged against. */
export type CheckTarget = object;
