import { createRequire } from "node:module";
import { join } from "node:path";

import { VigilesError } from "./errors.ts";
import { knownOptions } from "./options.ts";
import { recordCheck } from "./record.ts";

/** A source of numbers in [0, 1), the same in every run. */
export type Random = () => number;

/** A generator of fast-check. */
export interface ArbitraryLike<E> {
  generate(random: never, biasFactor: number | undefined): { readonly value: E };
  shrink(value: E, context: unknown): unknown;
}

/** Options of {@link propertyHook}. */
export interface PropertyHookOptions<E, D> {
  /** The event that all others are made from. */
  readonly seed?: E;
  /** Makes another event of one; must not change the one it is given. */
  readonly mutate?: (event: E, random: Random) => E;
  /** A fast-check arbitrary of events, instead of `seed` and `mutate`. Needs fast-check in the project. */
  readonly arbitrary?: ArbitraryLike<E>;
  /** The decision of the hook. */
  readonly decide: (event: E) => D;
  /** What must hold for every decision, by name. */
  readonly invariants: Readonly<Record<string, (decision: D, event: E) => boolean>>;
  /** How many events. Default 100. */
  readonly iterations?: number;
}

/** What {@link propertyHook} found. */
export interface PropertyHookResult<E> {
  /** Whether every invariant held for every event. */
  readonly passed: boolean;
  /** How many events were tried. */
  readonly iterations: number;
  /** The smallest event found that breaks an invariant. */
  readonly counterexample?: E;
  /** The invariant it breaks. */
  readonly failedInvariant?: string;
  /** What the hook threw, when it threw: a hook that throws breaks every invariant. */
  readonly error?: unknown;
}

const OPTIONS = ["seed", "mutate", "arbitrary", "decide", "invariants", "iterations"] as const satisfies readonly (keyof PropertyHookOptions<unknown, unknown>)[];

/**
 * Tries a hook's decision on many events and shrinks what breaks an invariant. Deterministic: the same options give the
 * same result.
 *
 * @throws {VigilesError} `VIGILES_INVALID_ARGUMENT` without invariants, without a source of events, or when `decide` gives a promise;
 * `VIGILES_FAST_CHECK_MISSING`, `VIGILES_ARBITRARY_FAILED` with an arbitrary. Never because an invariant breaks.
 */
export function propertyHook<E, D>(options: PropertyHookOptions<E, D>): PropertyHookResult<E> {
  knownOptions("propertyHook", options, OPTIONS);
  recordCheck();
  const { iterations = 100 } = options;
  if (Object.keys(options.invariants).length === 0) {
    throw new VigilesError("VIGILES_INVALID_ARGUMENT", "expected at least one invariant, but there is none: the property would hold whatever the hook does");
  }
  if (!Number.isInteger(iterations) || iterations < 1) {
    throw new VigilesError("VIGILES_INVALID_ARGUMENT", `expected a number of iterations, 1 or more, but got ${iterations}`);
  }
  if (options.arbitrary !== undefined) return withFastCheck(options, options.arbitrary, iterations);
  const { seed, mutate } = options;
  if (seed === undefined || mutate === undefined) {
    throw new VigilesError("VIGILES_INVALID_ARGUMENT", "expected a seed event and a mutate function, or a fast-check arbitrary, to make events with");
  }
  const random = xorshift(1);
  // The seed itself first: a hook that is wrong on it needs no mutation to show it.
  for (let tried = 1; tried <= iterations; tried++) {
    const event = tried === 1 ? seed : mutate(seed, random);
    const broken = brokenBy(options, event);
    if (broken !== undefined) return { passed: false, iterations: tried, ...smallest(options, event, broken) };
  }
  return { passed: true, iterations };
}

interface Broken {
  readonly failedInvariant: string;
  readonly error?: unknown;
}

function brokenBy<E, D>({ decide, invariants }: PropertyHookOptions<E, D>, event: E): Broken | undefined {
  for (const [name, holds] of Object.entries(invariants)) {
    try {
      if (!settled(name, holds(settled("decide", decide(event)), event))) return { failedInvariant: name };
    } catch (error) {
      if (error instanceof AsyncHookError) throw error;
      return { failedInvariant: name, error };
    }
  }
  return undefined;
}

class AsyncHookError extends VigilesError {}

/** A promise is true whatever it will hold: every invariant over it would pass. */
function settled<T>(what: string, value: T): T {
  if (typeof (value as PromiseLike<unknown> | null | undefined)?.then !== "function") return value;
  throw new AsyncHookError("VIGILES_INVALID_ARGUMENT", `expected ${what} to answer at once, but it gave a promise: use runHook, not runHookAsync`);
}

/** Takes the event apart as long as the same invariant stays broken. */
function smallest<E, D>(options: PropertyHookOptions<E, D>, event: E, broken: Broken): Omit<PropertyHookResult<E>, "passed" | "iterations"> {
  let counterexample = event;
  let found = broken;
  const LIMIT = 2000;
  let tries = 0;
  let improved = true;
  while (improved && tries < LIMIT) {
    improved = false;
    for (const candidate of simpler(counterexample)) {
      const stays = ++tries < LIMIT ? brokenBy(options, candidate as E) : undefined;
      if (stays === undefined || !isSame(stays, broken)) continue;
      counterexample = candidate as E;
      found = stays;
      improved = true;
      break;
    }
  }
  return { counterexample, ...found };
}

/** Whether two failures are one: an event that was cut until the hook stumbles over a missing field shows nothing about the first. */
function isSame(one: Broken, other: Broken): boolean {
  return one.failedInvariant === other.failedInvariant && "error" in one === "error" in other && String(one.error) === String(other.error);
}

/** Simpler forms of a JSON value, the simplest first. */
function* simpler(value: unknown): Generator {
  if (typeof value === "string") yield* shorter(value, "", (text, start, end) => text.slice(0, start) + text.slice(end));
  else if (Array.isArray(value)) yield* simplerItems(value);
  else if (typeof value === "object" && value !== null) yield* simplerMembers(value as Record<string, unknown>);
  else if (typeof value === "number" && value !== 0) yield* [0, Math.trunc(value / 2)].filter((smaller) => smaller !== value);
}

/** Cuts out halves, then quarters, down to single elements. */
function* shorter<T extends string | unknown[]>(value: T, empty: T, cut: (value: T, start: number, end: number) => T): Generator<T> {
  if (value.length === 0) return;
  yield empty;
  for (let size = Math.ceil(value.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < value.length; start += size) yield cut(value, start, start + size);
  }
}

function* simplerItems(items: unknown[]): Generator {
  yield* shorter(items, [], (list, start, end) => [...list.slice(0, start), ...list.slice(end)]);
  for (const [index, item] of items.entries()) {
    for (const less of simpler(item)) yield items.with(index, less);
  }
}

function* simplerMembers(members: Record<string, unknown>): Generator {
  for (const key of Object.keys(members)) {
    const { [key]: _, ...rest } = members;
    yield rest;
  }
  for (const [key, member] of Object.entries(members)) {
    for (const less of simpler(member)) yield { ...members, [key]: less };
  }
}

/** Marsaglia's xorshift with 32 bits (2003): shifts 13, 17, 5. */
function xorshift(seed: number): Random {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** The part of fast-check that is used. */
interface FastCheck {
  property(arbitrary: unknown, predicate: (event: never) => boolean): unknown;
  check(property: unknown, settings: { seed: number; numRuns: number }): { failed: boolean; numRuns: number; counterexample: [unknown] | null; errorInstance?: unknown };
}

function withFastCheck<E, D>(options: PropertyHookOptions<E, D>, arbitrary: ArbitraryLike<E>, iterations: number): PropertyHookResult<E> {
  const { check, property } = fastCheck();
  const run = check(
    property(arbitrary, (event: E) => brokenBy(options, event) === undefined),
    { seed: 1, numRuns: iterations },
  );
  if (!run.failed) return { passed: true, iterations: run.numRuns };
  if (run.counterexample === null) {
    throw new VigilesError("VIGILES_ARBITRARY_FAILED", `expected the arbitrary to give events, but it ended after ${run.numRuns} of ${iterations}`, { cause: run.errorInstance });
  }
  const counterexample = run.counterexample[0] as E;
  return { passed: false, iterations: run.numRuns, counterexample, ...brokenBy(options, counterexample) };
}

function fastCheck(): FastCheck {
  try {
    // The project's own: vigiles does not depend on it, and strict package managers show a package only what it depends on.
    return createRequire(join(process.cwd(), "package.json"))("fast-check") as FastCheck;
  } catch {
    return fastCheckBeside();
  }
}

function fastCheckBeside(): FastCheck {
  try {
    return createRequire(import.meta.url)("fast-check") as FastCheck;
  } catch (cause) {
    throw new VigilesError("VIGILES_FAST_CHECK_MISSING", "expected fast-check in the project to use an arbitrary, but it does not load. Install it: npm install --save-dev fast-check", { cause });
  }
}
