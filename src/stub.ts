import { fromNative } from "./errors.ts";
import { native } from "./native.ts";

/** What one argument of a call must be: exactly this, or something that matches. */
export type StubToken = string | RegExp;

/** Stands for all arguments that follow: the last of a rule's `argv`. */
export interface StubRest {
  readonly rest: true;
}

/** What a stub prints, and how it ends. */
export interface StubAnswer {
  /** Standard output. Default: nothing. */
  readonly stdout?: string;
  /** Standard error. Default: nothing. */
  readonly stderr?: string;
  /** 0 to 255. Default 0. */
  readonly exitCode?: number;
}

/** What a rule answers: the same to every call, or one answer for each call in the order they arrive. */
export type StubReply = ({ readonly kind: "always" } & StubAnswer) | { readonly kind: "inOrder"; readonly answers: readonly StubAnswer[] };

/** Which calls are answered, and how. */
export interface StubRule {
  /** What the arguments must be, one by one. Without `experimental_stub.rest` at its end there must be no more. */
  readonly argv: readonly (StubToken | StubRest)[];
  /** What some of the arguments that follow must be, in any order. Needs `experimental_stub.rest`. */
  readonly contains?: readonly StubToken[];
  /** The answer. */
  readonly reply: StubReply;
}

/** A program that stands in for a real one. */
export interface ToolStub {
  /** The program's name, as it is looked up in `PATH`. */
  readonly name: string;
  /** The first that matches a call answers it. */
  readonly rules: readonly StubRule[];
}

/** A call of a stub. */
export interface StubCall {
  /** The program's name. */
  readonly tool: string;
  /** Its arguments. */
  readonly argv: readonly string[];
  /** The rule that answered, counted from 0. */
  readonly rule: number;
  /** Which of the rule's answers it was, counted from 0. */
  readonly answer: number;
}

const REST: StubRest = Object.freeze({ rest: true });

/**
 * A program that stands in for a real one: for the field `stubs` of a run.
 *
 * ```ts
 * const gh = experimental_stub("gh", [
 *   { argv: ["pr", "list", experimental_stub.rest], contains: ["--json"], reply: { kind: "always", stdout: "[]" } },
 *   { argv: ["pr", "view", /^\d+$/], reply: { kind: "inOrder", answers: [{ stdout: "open" }, { stdout: "merged" }] } },
 * ]);
 * ```
 *
 * A call that no rule answers ends with 97 and fails the run: nothing is invented.
 *
 * @throws {VigilesError} `VIGILES_STUB_INVALID` for rules that could not be served.
 */
export const experimental_stub: { (name: string, rules: readonly StubRule[]): ToolStub; readonly rest: StubRest } = /* @__PURE__ */ Object.assign(
  (name: string, rules: readonly StubRule[]): ToolStub => {
    const stub = { name, rules };
    fromNative(() => native().checkStubs(JSON.stringify([plain(stub)]), "experimental_stub"));
    return stub;
  },
  { rest: REST },
);

/** The same value with each RegExp as `{regex, flags}`: it has no JSON of its own. */
export function plain(value: unknown): unknown {
  if (value instanceof RegExp) return { regex: value.source, flags: value.flags };
  if (Array.isArray(value)) return value.map((one: unknown) => plain(one));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plain(field)]));
}
