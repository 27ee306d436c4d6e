import { AssertionError, fromNative, VigilesError } from "./errors.ts";
import { native } from "./native.ts";
import { recordCheck } from "./record.ts";

/** The type of one field of a result block. A list of strings is an enumeration. */
export type FieldType = "string" | "number" | "boolean" | "string[]" | readonly [string, ...string[]];

/** The fields of a result block, all required. */
export type Shape = Readonly<Record<string, FieldType>>;

/** What a `vigiles:ok` and a `vigiles:err` block hold. */
export interface OutputContract<Ok extends Shape = Shape, Err extends Shape = Shape> {
  readonly _ref: "output";
  readonly ok: Ok;
  readonly err: Err;
}

type FieldValue<T extends FieldType> = T extends "string"
  ? string
  : T extends "number"
    ? number
    : T extends "boolean"
      ? boolean
      : T extends "string[]"
        ? string[]
        : T extends readonly (infer Choice)[]
          ? Choice
          : never;

/** The object of a block of this shape. */
export type ShapeValue<S extends Shape> = { readonly [K in keyof S]: FieldValue<S[K]> };

// oxlint-disable-next-line typescript/no-explicit-any -- without a contract the block is whatever JSON object it is
type Loose = Record<string, any>;
type OkOf<C> = C extends OutputContract<infer Ok, Shape> ? ShapeValue<Ok> : Loose;
type ErrOf<C> = C extends OutputContract<Shape, infer Err> ? ShapeValue<Err> : Loose;

/** What a subagent said came out of its work. */
export type AgentResult<Ok = Loose, Err = Loose> =
  | { readonly kind: "ok"; readonly value: Ok }
  | { readonly kind: "err"; readonly error: Err }
  | { readonly kind: "malformed"; readonly reason: string };

/** Reads the one `vigiles:ok` or `vigiles:err` block of an answer. None, several, or one of another shape is `malformed`. */
export function parseAgentResult<C extends OutputContract | undefined = undefined>(answer: string, contract?: C): AgentResult<OkOf<C>, ErrOf<C>> {
  if (typeof answer !== "string") {
    throw new VigilesError("VIGILES_INVALID_ARGUMENT", `expected the text of an answer, such as trace.output, but got ${answer === null ? "null" : typeof answer}`);
  }
  const json = contract === undefined ? undefined : contractJSON(contract);
  return JSON.parse(fromNative(() => native().parseResultBlock(answer, json))) as AgentResult<OkOf<C>, ErrOf<C>>;
}

/** A contract for the core. JSON would leave out a field whose type is undefined or a function such as `String`, and it would not be required. */
export function contractJSON({ ok, err }: OutputContract): string {
  const track = (shape: Shape | undefined) => shape && Object.fromEntries(Object.entries(shape).map(([field, type]) => [field, type === undefined || typeof type === "function" ? String(type) : type]));
  return JSON.stringify({ ok: track(ok), err: track(err) });
}

/** Throws unless the subagent succeeded; returns the object of its block. */
export function assertAgentOk<C extends OutputContract | undefined = undefined>(answer: string | undefined, contract?: C): OkOf<C> {
  const result = parsed(answer, contract);
  if (result.kind === "ok") return result.value;
  const seen = result.kind === "err" ? `it returned an error result: ${JSON.stringify(result.error)}` : result.reason;
  throw new AssertionError(`expected the subagent to return a success result (a vigiles:ok block), but ${seen}`, "VIGILES_AGENT_RESULT");
}

/** Throws unless the subagent reported an error; returns the object of its block. */
export function assertAgentErr<C extends OutputContract | undefined = undefined>(answer: string | undefined, contract?: C): ErrOf<C> {
  const result = parsed(answer, contract);
  if (result.kind === "err") return result.error;
  const seen = result.kind === "ok" ? `it returned a success result: ${JSON.stringify(result.value)}` : result.reason;
  throw new AssertionError(`expected the subagent to return an error result (a vigiles:err block), but ${seen}`, "VIGILES_AGENT_RESULT");
}

/** Throws unless the predicate accepts the subagent's result. */
export function assertAgentResult<C extends OutputContract | undefined = undefined>(
  answer: string | undefined,
  accepts: (result: AgentResult<OkOf<C>, ErrOf<C>>) => boolean,
  contract?: C,
): void {
  const result = parsed(answer, contract);
  if (accepts(result)) return;
  const seen = result.kind === "malformed" ? `malformed: ${result.reason}` : `${result.kind}: ${JSON.stringify(result.kind === "ok" ? result.value : result.error)}`;
  throw new AssertionError(`expected the predicate to accept the subagent's result, but it does not. The result is ${seen}`, "VIGILES_AGENT_RESULT");
}

function parsed<C extends OutputContract | undefined>(answer: string | undefined, contract: C | undefined): AgentResult<OkOf<C>, ErrOf<C>> {
  recordCheck();
  if (typeof answer !== "string") {
    return { kind: "malformed", reason: "no answer was recorded: the run has no final output, or it failed before it" };
  }
  return parseAgentResult(answer, contract) as AgentResult<OkOf<C>, ErrOf<C>>;
}
