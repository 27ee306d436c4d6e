import fc from "fast-check";
import { preToolUse, propertyHook, type PropertyHookOptions, type Random } from "vigiles";
import { describe, expect, test } from "vitest";

import { refusal, thrown } from "../support/thrown.ts";

interface Event {
  readonly tool_name: string;
  readonly tool_input: { readonly command: string; readonly extra?: unknown };
}

const seed: Event = { tool_name: "Bash", tool_input: { command: "git push --force origin main" } };
const words = ["git", "push", "--force", "-f", "origin", "main", "echo", "&&"];
const mutate = (event: Event, random: Random): Event => ({
  ...event,
  tool_input: { command: Array.from({ length: 1 + Math.floor(random() * 8) }, () => words[Math.floor(random() * words.length)]).join(" ") },
});
const denies = ({ tool_input: { command } }: Event) => /--force|-f/.test(command);
const sound = { "a forced push is denied": (denied: boolean, event: Event) => denied || !/push.* (?:--force|-f)/.test(event.tool_input?.command ?? "") };

describe("with a seed and mutations", () => {
  test("holds, and says how many events were tried", () => {
    expect(propertyHook({ seed, mutate, decide: denies, invariants: sound })).toEqual({ passed: true, iterations: 100 });
    expect(propertyHook({ seed, mutate, decide: denies, invariants: sound, iterations: 7 })).toEqual({ passed: true, iterations: 7 });
  });

  test("finds what breaks an invariant, and shrinks it", () => {
    const naive = ({ tool_input: { command } }: Event) => command.includes("--force");
    const result = propertyHook({ seed, mutate, decide: naive, invariants: { ...sound, other: () => true } });
    expect(result).toMatchObject({ passed: false, failedInvariant: "a forced push is denied" });
    expect(result.counterexample?.tool_input.command).toBe("push -f");
    expect(result.iterations).toBeGreaterThan(1);
  });

  test("is deterministic", () => {
    const search = () => {
      const tried: string[] = [];
      const decide = ({ tool_input: { command } }: Event) => tried.push(command) > 0 && command.length < 30;
      return { tried, result: propertyHook({ seed, mutate, decide, invariants: { short: (ok) => ok } }) };
    };
    expect(search()).toEqual(search());
    expect(search().result.passed).toBe(false);
  });

  test("tries the seed first, and different events after it", () => {
    const tried: string[] = [];
    propertyHook({ seed, mutate, decide: ({ tool_input: { command } }) => tried.push(command), invariants: { any: () => true } });
    expect(tried[0]).toBe(seed.tool_input.command);
    expect(new Set(tried).size).toBeGreaterThan(50);
    expect(propertyHook({ seed, mutate, decide: () => false, invariants: { holds: (ok) => ok } }).iterations).toBe(1);
  });

  test("gives numbers in [0, 1) that differ", () => {
    const numbers: number[] = [];
    propertyHook({ seed: 0, mutate: (_, random) => numbers.push(random()), decide: () => true, invariants: { any: () => true }, iterations: 2000 });
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBeLessThan(1);
    const mean = numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
    expect(mean).toBeGreaterThan(0.45);
    expect(mean).toBeLessThan(0.55);
  });

  test("shrinks lists, nested objects and numbers", () => {
    const event = { items: [1, 2, 50, 3], deep: { text: "aXb", other: [true] }, more: "noise" };
    const breaks = (one: typeof event) => (one.items ?? []).some((item) => item >= 10) && (one.deep?.text ?? "").includes("X");
    const result = propertyHook({ seed: event, mutate: (one) => one, decide: breaks, invariants: { fine: (broken) => !broken } });
    expect(result.counterexample).toEqual({ items: [12], deep: { text: "X" } });
  });

  test("a hook that throws breaks the invariant, and its error is told", () => {
    const boom = new Error("boom");
    const decide = ({ tool_input: { command } }: Event) => {
      if (command.includes("origin")) throw boom;
      return true;
    };
    expect(propertyHook({ seed, mutate, decide, invariants: { holds: (ok) => ok } })).toEqual({
      passed: false,
      iterations: 1,
      failedInvariant: "holds",
      error: boom,
      counterexample: { tool_input: { command: "origin" } },
    });
  });

  test("an event that was cut until the hook stumbles over what is missing is no counterexample", () => {
    const decide = ({ tool_input: { command } }: Event) => !command.includes("push");
    const result = propertyHook({ seed, mutate, decide, invariants: { holds: (ok) => ok } });
    expect(result).toEqual({ passed: false, iterations: 1, failedInvariant: "holds", counterexample: { tool_input: { command: "push" } } });
  });

  test("an invariant that throws is broken", () => {
    const result = propertyHook({ seed: 1, mutate: (one) => one, decide: () => 1, invariants: { throws: () => { throw new TypeError("x"); } } });
    expect(result).toMatchObject({ passed: false, failedInvariant: "throws", error: expect.any(TypeError) });
  });

  test("names the first invariant that is broken, and keeps to it while shrinking", () => {
    const result = propertyHook({
      seed: "abcdef",
      mutate: (one) => one,
      decide: (text) => text,
      invariants: { first: (text) => !text.includes("d"), second: (text) => text.length > 3 },
    });
    expect(result).toMatchObject({ failedInvariant: "first", counterexample: "d" });
  });
});

describe("with an arbitrary of fast-check", () => {
  const events = fc.constantFrom("ls", "git push -f", "git push --force", "echo hi").map((command) => preToolUse("Bash", { command }));

  test("holds", () => {
    expect(propertyHook({ arbitrary: events, decide: () => true, invariants: { holds: (ok) => ok }, iterations: 20 })).toEqual({ passed: true, iterations: 20 });
  });

  test("finds what breaks an invariant, shrinks it, and does so again", () => {
    const arbitrary = fc.record({ tool_name: fc.constant("Bash"), n: fc.integer({ min: 0, max: 1000 }) });
    const search = () => propertyHook({ arbitrary, decide: ({ n }) => n < 17, invariants: { small: (ok) => ok } });
    expect(search()).toMatchObject({ passed: false, failedInvariant: "small", counterexample: { tool_name: "Bash", n: 17 } });
    expect(search()).toEqual(search());
  });

  test("tells what the hook threw", () => {
    const boom = new Error("boom");
    expect(propertyHook({ arbitrary: fc.integer(), decide: () => { throw boom; }, invariants: { holds: () => true } })).toMatchObject({ passed: false, counterexample: 0, error: boom });
  });

  test("that gives no events is an error, not a pass", () => {
    const arbitrary = fc.integer().map((): number => { throw new Error("cannot generate"); });
    expect(() => propertyHook({ arbitrary, decide: () => true, invariants: { holds: () => true } })).toThrow("cannot generate");
  });
});

describe("refuses", () => {
  const refused = (options: Partial<PropertyHookOptions<Event, boolean>>) =>
    refusal(() => propertyHook({ seed, mutate, decide: denies, invariants: sound, ...options } as PropertyHookOptions<Event, boolean>));

  test("no invariants", () => expect(refused({ invariants: {} })).toMatchInlineSnapshot(`"VIGILES_INVALID_ARGUMENT: expected at least one invariant, but there is none: the property would hold whatever the hook does"`));
  test("no source of events", () => {
    expect(refused({ seed: undefined } as never)).toMatchInlineSnapshot(`"VIGILES_INVALID_ARGUMENT: expected a seed event and a mutate function, or a fast-check arbitrary, to make events with"`);
    expect(refused({ mutate: undefined } as never)).toMatch(/^VIGILES_INVALID_ARGUMENT/);
  });
  test.each([0, -1, 1.5, Number.NaN])("%d iterations", (iterations) => expect(refused({ iterations })).toMatch(/^VIGILES_INVALID_ARGUMENT: expected a number of iterations/));

  test("a promise, which would make every invariant hold", () => {
    const decide = async (event: Event) => denies(event);
    const invariants = { holds: () => true };
    expect(refusal(() => propertyHook({ seed, mutate, decide, invariants }))).toMatchInlineSnapshot(`"VIGILES_INVALID_ARGUMENT: expected decide to answer at once, but it gave a promise: use runHook, not runHookAsync"`);
    expect(refusal(() => propertyHook({ arbitrary: fc.constant(seed), decide, invariants }))).toMatch(/promise/);
    const asyncInvariant = { "is checked": async () => false } as never;
    expect(thrown(() => propertyHook({ seed, mutate, decide: denies, invariants: asyncInvariant }))).toMatchObject({ code: "VIGILES_INVALID_ARGUMENT", message: expect.stringContaining("is checked") });
  });
});

test("an option that is not known is refused, before the hook is asked", () => {
  const decide = () => {
    throw new Error("asked");
  };
  expect(refusal(() => propertyHook({ seed, mutate, decide, invariants: sound, iteration: 5 } as never))).toMatch(
    /^VIGILES_INVALID_ARGUMENT: expected options that propertyHook knows, but got "iteration".*did you mean "iterations"/,
  );
});
