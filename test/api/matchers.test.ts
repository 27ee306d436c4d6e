import { blocked, hookFired, not, output, parseTrace, runHook, runHookAsync, tool, turns, vigilesMatchers } from "vigiles";
import "vigiles/vitest";
import { describe, expect, test } from "vitest";

import { claude, codex } from "../support/golden.ts";
import { refusal } from "../support/thrown.ts";

const trace = parseTrace(claude("d_write_read_edit"));
const event = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } };
const blocking = runHook("echo no >&2; exit 2", event);
const allowing = runHook("exit 0", event);
const unresolved = runHook("python3 /nonexistent/guard.py", event);
const files = { toolCalls: [], file: (path: string) => (path === "DONE" ? "" : null) };
const report = { arms: { vanilla: { metrics: { quality: 0.5, broken: Number.NaN, absent: undefined } }, gated: { metrics: { quality: 0.8, broken: 0.5 } } } };

/** What a failing `expect` says. */
function failure(assertion: () => unknown): string {
  try {
    assertion();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("expected the assertion to fail");
}

describe("toPass", () => {
  test("holds and does not", () => {
    expect(trace).toPass(tool("Edit"));
    expect(trace).not.toPass(tool("Bash"));
    expect(blocking).toPass(blocked());
    expect(allowing).not.toPass(blocked());
  });

  test("says the check's own message, and what held under not", () => {
    expect(failure(() => expect(trace).toPass(tool("Bash")))).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected the agent to use tool "Bash", but it used [Write, Read ×2, Edit ×2]"
    `);
    expect(failure(() => expect(trace).not.toPass(tool("Edit")))).toMatchInlineSnapshot(`
      "expected the check not to hold, but:
        ✓ the agent used tool "Edit" (2 calls)"
    `);
  });

  test("works on promises", async () => {
    await expect(runHookAsync("exit 2", event)).resolves.toPass(blocked());
    await expect(runHookAsync("exit 2", event)).resolves.not.toPass(not(blocked()));
  });

  test.each<[string, unknown]>([["a name", "Bash"], ["undefined", undefined], ["a builder that was not called", blocked]])("refuses %s for a check, negated or not", (_, check) => {
    for (const assertion of [() => expect(trace).toPass(check as never), () => expect(trace).not.toPass(check as never)]) expect(failure(assertion)).toMatch(/^expected a check/);
  });
});

describe("toPassAll", () => {
  test("holds and does not", () => {
    expect(trace).toPassAll([tool("Edit"), output("Edited"), turns({ max: 6 })]);
    expect(trace).not.toPassAll([tool("Edit"), output("done")]);
  });

  test("tells all that do not hold, and what held under not", () => {
    expect(failure(() => expect(trace).toPassAll([tool("Bash"), tool("Edit"), output("done")]))).toMatchInlineSnapshot(`
      "2 of 3 checks failed:
        ✗ expected the agent to use tool "Bash", but it used [Write, Read ×2, Edit ×2]
        ✗ expected the final answer to contain "done", but it is "Edited.""
    `);
    expect(failure(() => expect(trace).not.toPassAll([tool("Edit"), output("Edited")]))).toMatchInlineSnapshot(`
      "expected at least one check not to hold, but:
        ✓ the agent used tool "Edit" (2 calls)
        ✓ the final answer contains "Edited""
    `);
  });

  test("of no checks fails, negated or not", () => {
    for (const assertion of [() => expect(trace).toPassAll([]), () => expect(trace).not.toPassAll([])]) expect(failure(assertion)).toMatch(/at least one check/);
  });
});

describe("toHaveCreated", () => {
  test("holds and does not", () => {
    expect(files).toHaveCreated("DONE");
    expect(files).not.toHaveCreated("OTHER");
  });

  test("says what is there", () => {
    expect(failure(() => expect(files).toHaveCreated("OTHER"))).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected "OTHER" to be there after the run, but it is not; no recorded call wrote a file"
    `);
    expect(failure(() => expect(files).not.toHaveCreated("DONE"))).toMatchInlineSnapshot(`
      "expected the check not to hold, but:
        ✓ "DONE" is there after the run"
    `);
  });
});

describe("toBlock", () => {
  test("holds and does not", () => {
    expect(blocking).toBlock();
    expect(allowing).not.toBlock();
  });

  test("says what the hook did", () => {
    expect(failure(() => expect(allowing).toBlock())).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected the hook to block, but it allowed: exit 0: Claude Code runs the tool"
    `);
    expect(failure(() => expect(blocking).not.toBlock())).toMatchInlineSnapshot(`
      "expected the check not to hold, but:
        ✓ the hook blocked: exit 2 (no): Claude Code does not run the tool"
    `);
  });
});

describe("toBeatBaseline", () => {
  test("holds and does not", () => {
    expect(report).toBeatBaseline("vanilla", "gated", "quality");
    expect(report).toBeatBaseline("vanilla", "gated", "quality", 0.2);
    expect(report).not.toBeatBaseline("gated", "vanilla", "quality");
    expect(report).not.toBeatBaseline("vanilla", "gated", "quality", 0.4);
    expect(report).not.toBeatBaseline("vanilla", "vanilla", "quality");
  });

  test("says both means and the gap", () => {
    expect(failure(() => expect(report).toBeatBaseline("vanilla", "gated", "quality", 0.4))).toMatchInlineSnapshot(`"expected arm "gated" to beat "vanilla" on "quality" by more than 0.4, but quality: gated 0.8, vanilla 0.5, a gap of 0.30000000000000004"`);
    expect(failure(() => expect(report).not.toBeatBaseline("vanilla", "gated", "quality"))).toMatchInlineSnapshot(`"expected arm "gated" not to beat "vanilla" on "quality" by more than 0, but quality: gated 0.8, vanilla 0.5, a gap of 0.30000000000000004"`);
  });

  test.each<[string, unknown, [string, string, string, number?]]>([
    ["an arm that is not there", report, ["vanilla", "other", "quality"]],
    ["a metric that is not there", report, ["vanilla", "gated", "speed"]],
    ["a metric that one arm lacks", report, ["vanilla", "gated", "absent"]],
    ["a metric that is NaN", report, ["vanilla", "gated", "broken"]],
    ["a gap that is NaN", report, ["vanilla", "gated", "quality", Number.NaN]],
    ["no report", {}, ["vanilla", "gated", "quality"]],
    ["undefined", undefined, ["vanilla", "gated", "quality"]],
  ])("fails on %s, negated or not", (_, received, args) => {
    expect(failure(() => expect(received).toBeatBaseline(...args))).toMatch(/^expected /);
    expect(failure(() => expect(received).not.toBeatBaseline(...args))).toMatch(/^expected /);
  });
});

describe("what cannot be judged fails, negated or not", () => {
  test.each<[string, () => unknown, () => unknown]>([
    ["hooks that were not recorded", () => expect(parseTrace(codex("shell_ok"))).toPass(hookFired("Stop")), () => expect(parseTrace(codex("shell_ok"))).not.toPass(hookFired("Stop"))],
    ["one of several", () => expect(trace).toPassAll([tool("Edit"), hookFired("Stop")]), () => expect(trace).not.toPassAll([tool("Edit"), hookFired("Stop")])],
    ["one of several, another of which fails", () => expect(trace).toPassAll([tool("Bash"), hookFired("Stop")]), () => expect(trace).not.toPassAll([tool("Bash"), hookFired("Stop")])],
    ["files that were not recorded", () => expect(trace).toHaveCreated("a.txt"), () => expect(trace).not.toHaveCreated("a.txt")],
    ["a hook whose own code never ran", () => expect(unresolved).toBlock(), () => expect(unresolved).not.toBlock()],
    ["a hook that ran into its time limit", () => expect(runHook("sleep 5", event, { timeoutMs: 50 })).toBlock(), () => expect(runHook("sleep 5", event, { timeoutMs: 50 })).not.toBlock()],
    ["a trace where a hook run is asked for", () => expect(trace).toBlock(), () => expect(trace).not.toBlock()],
    ["undefined", () => expect(undefined).toBlock(), () => expect(undefined).not.toBlock()],
    ["a promise", () => expect(Promise.resolve(blocking)).toBlock(), () => expect(Promise.resolve(blocking)).not.toBlock()],
  ])("%s", (_, assertion, negated) => {
    expect(failure(assertion)).toMatch(/could not be judged|but got/);
    expect(failure(negated)).toMatch(/could not be judged|but got/);
  });
});

test("the matchers are plain functions, for expect.extend of any runner", () => {
  expect(Object.keys(vigilesMatchers).toSorted()).toEqual(["toBeatBaseline", "toBlock", "toHaveCreated", "toPass", "toPassAll"]);
  const held = vigilesMatchers.toPass(trace, tool("Edit"));
  expect([held.pass, held.message()]).toEqual([true, expect.stringContaining("not to hold")]);
  expect(refusal(() => vigilesMatchers.toBlock(unresolved))).toMatch(/^VIGILES_HOOK_UNRESOLVED/);
});
