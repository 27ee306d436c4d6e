import { runInNewContext } from "node:vm";

import {
  hookBlocked,
  hookFailed,
  hookFired,
  NotObservedError,
  outputContains,
  parseTrace,
  requestContains,
  skillResolved,
  toolCount,
  toolUsedWith,
  type TraceLike,
  usedTool,
  VigilesError,
} from "vigiles";
import { describe, expect, test } from "vitest";

import { claude, codex } from "../support/golden.ts";
import { refusal, thrown } from "../support/thrown.ts";

const edits = parseTrace(claude("d_write_read_edit"));
const hooks = parseTrace(claude("f1_pretool_exit2"));
const failing = parseTrace(claude("f3_pretool_exit1"));
const skills = parseTrace(claude("h3_skill_plugin"));
const subagents = parseTrace(claude("i2_subagent_fg"));

/** A plain object of the same shape, as a user's own runner might give. */
const plain: TraceLike = {
  toolCalls: [
    { name: "Read", input: { file_path: "a.ts" } },
    { name: "mcp__github__merge_pr", input: { number: 7 } },
    { name: "Read", input: { file_path: "b.ts" } },
  ],
  output: "All done.",
  hooks: [{ name: "Stop", event: "Stop", exitCode: 0, blocked: false }],
  modelRequests: [{ system: "You are terse.", messages: [{ role: "user", text: "the injected rule" }] }],
};

describe("usedTool and toolCount", () => {
  test("compare a name as it is", () => {
    expect(usedTool(edits, "Edit")).toBe(true);
    expect(usedTool(edits, "edit")).toBe(false);
    expect(usedTool(edits, "Bash")).toBe(false);
    expect(toolCount(edits, "Edit")).toBe(2);
    expect(toolCount(edits, "Bash")).toBe(0);
  });

  test("test a RegExp", () => {
    expect(usedTool(plain, /^mcp__github__merge/)).toBe(true);
    expect(usedTool(plain, /^merge/)).toBe(false);
    expect(toolCount(edits, /^(?:Read|Edit)$/)).toBe(4);
    expect(usedTool(edits, /^edit$/i)).toBe(true);
  });

  test("count the calls of subagents, and take Agent and Task for one tool", () => {
    expect(usedTool(subagents, "Bash")).toBe(true);
    for (const name of ["Agent", "Task", /^Agent$/, /^Task$/]) expect(toolCount(subagents, name), String(name)).toBe(1);
    const old = { toolCalls: [{ name: "Task", input: {} }] };
    for (const name of ["Agent", "Task", /^Agent$/, /^Task$/]) expect(usedTool(old, name), String(name)).toBe(true);
  });
});

describe("patterns", () => {
  test("with g or y give the same answer each time, and are left as they are", () => {
    for (const pattern of [/Edit/g, /Edit/y, /Edit/gy]) {
      pattern.lastIndex = 3;
      expect([usedTool(edits, pattern), usedTool(edits, pattern), toolCount(edits, pattern), toolCount(edits, pattern)], String(pattern)).toEqual([true, true, 2, 2]);
      expect(pattern.lastIndex).toBe(3);
    }
    expect(usedTool(edits, /dit/y)).toBe(false);
  });

  test("of another realm are patterns too", () => {
    const foreign = runInNewContext("/^edit$/i") as RegExp;
    expect(foreign).not.toBeInstanceOf(RegExp);
    expect(usedTool(edits, foreign)).toBe(true);
    expect(outputContains(plain, runInNewContext("/ALL DONE/i") as RegExp)).toBe(true);
  });

  test("have the features of JavaScript", () => {
    expect(usedTool(plain, /(?<=mcp__)github(?!_)/)).toBe(false);
    expect(usedTool(plain, /(?<=mcp__)github(?=__)/)).toBe(true);
    expect(outputContains({ output: "Grüße 😀" }, /^\p{Lu}\p{Ll}+\s\p{Emoji}$/u)).toBe(true);
    expect(outputContains({ output: "one\ntwo" }, /^two$/m)).toBe(true);
    expect(outputContains({ output: "one\ntwo" }, /^two$/)).toBe(false);
  });
});

test("toolUsedWith asks the predicate for each call of the tool, until one is accepted", () => {
  const seen: string[] = [];
  const is = (path: string) => (input: { file_path: string }) => seen.push(input.file_path) > 0 && input.file_path === path;
  expect(toolUsedWith(plain, "Read", is("a.ts"))).toBe(true);
  expect(seen).toEqual(["a.ts"]);
  expect(toolUsedWith(plain, "Read", is("c.ts"))).toBe(false);
  expect(toolUsedWith(plain, /^mcp__/, (input) => input.number === 7)).toBe(true);
  expect(toolUsedWith(plain, "Write", () => true)).toBe(false);
  expect(toolUsedWith(edits, "Edit", (input) => input.new_string === "TWO")).toBe(true);
});

test("calls that a plain object has only in its subagents are seen by all alike", () => {
  const run: TraceLike = {
    toolCalls: [{ name: "Read", input: { file_path: "a.ts" } }],
    subagents: [{ name: "x", toolCalls: [{ name: "Bash", input: { command: "ls" } }], subagents: [{ name: "y", toolCalls: [{ name: "Bash", input: { command: "rm" } }] }] }],
  };
  expect([usedTool(run, "Bash"), toolCount(run, "Bash")]).toEqual([true, 2]);
  for (const command of ["ls", "rm"]) expect(toolUsedWith(run, "Bash", (input) => input.command === command), command).toBe(true);
  expect(toolUsedWith(run, "Read", (input) => input.file_path === "a.ts")).toBe(true);
});

test("toolUsedWith passes on what the predicate throws", () => {
  class Own extends Error {}
  expect(() => toolUsedWith(plain, "Read", () => { throw new Own("mine"); })).toThrow(Own);
});

test("skillResolved holds for the id as called, and for plugin:name when the call used the only bare name", () => {
  expect(skillResolved(skills, "demo-plugin:greet")).toBe(true);
  expect(skillResolved(skills, "greet")).toBe(true);
  expect(skillResolved(skills, "other:greet")).toBe(false);
  expect(skillResolved(parseTrace(claude("h2_skill_unknown")), "greet")).toBe(false);
  const bare = (offered: string[]) => ({ toolCalls: [{ name: "Skill", input: { skill: "greet" }, isError: false }], skills: offered });
  expect(skillResolved(bare(["demo:greet"]), "demo:greet")).toBe(true);
  expect(skillResolved(bare(["demo:greet", "other:greet"]), "demo:greet")).toBe(false);
});

test("outputContains looks for a string and tests a RegExp", () => {
  expect(outputContains(plain, "done")).toBe(true);
  expect(outputContains(plain, "Done")).toBe(false);
  expect(outputContains(plain, /done/i)).toBe(true);
  expect(outputContains(edits, /^Edited\.$/)).toBe(true);
});

test("requestContains looks into the system prompt and every message", () => {
  expect(requestContains(plain, "injected rule")).toBe(true);
  expect(requestContains(plain, /terse/)).toBe(true);
  expect(requestContains(plain, "absent")).toBe(false);
});

describe("hooks", () => {
  test("are named by label or by event", () => {
    expect([hookFired(hooks, "PreToolUse:Bash"), hookFired(hooks, "PreToolUse"), hookFired(hooks, "PreToolUse:Edit"), hookFired(hooks, "Stop")]).toEqual([true, true, false, false]);
    expect([hookFired(plain, "Stop"), hookFired(plain, "PreToolUse")]).toEqual([true, false]);
  });

  test("that exit 2 block and fail; that exit 1 fail and block nothing", () => {
    expect([hookBlocked(hooks, "PreToolUse"), hookFailed(hooks, "PreToolUse")]).toEqual([true, true]);
    expect([hookFired(failing, "PreToolUse"), hookBlocked(failing, "PreToolUse"), hookFailed(failing, "PreToolUse")]).toEqual([true, false, true]);
  });

  test("that deny by JSON block and do not fail", () => {
    const denied = parseTrace(claude("f2_pretool_json_deny"));
    expect([hookBlocked(denied, "PreToolUse"), hookFailed(denied, "PreToolUse")]).toEqual([true, false]);
  });

  test("with a name alone are checks", () => {
    expect(hookFired("PreToolUse").toJSON()).toEqual({ kind: "hookFired", event: "PreToolUse" });
    expect(hookBlocked("PreToolUse").eval(hooks)).toMatchObject({ pass: true });
    expect(hookFailed("PreToolUse").eval(plain)).toMatchObject({ pass: false });
  });
});

describe("what was not recorded is refused, and the message says how to record it", () => {
  const nothing: TraceLike = {};
  const json = parseTrace(claude("v5_json_output"));
  const noHooks = parseTrace(claude("c_bash"));
  const partial = parseTrace(claude("g1b_all_hooks_noevents"));

  test.each<[string, () => unknown]>([
    ["usedTool", () => usedTool(json, "Bash")],
    ["toolCount", () => toolCount(json, "Bash")],
    ["toolUsedWith", () => toolUsedWith(json, "Bash", () => true)],
    ["skillResolved", () => skillResolved(json, "greet")],
    ["hookFired", () => hookFired(noHooks, "PreToolUse")],
    ["hookBlocked", () => hookBlocked(noHooks, "PreToolUse")],
    ["hookFailed", () => hookFailed(noHooks, "PreToolUse")],
    ["a hook of a stream that tells only SessionStart", () => hookFired(partial, "PreToolUse")],
    ["a hook of Codex", () => hookFired(parseTrace(codex("hooks_trusted")), "PreToolUse")],
    ["requestContains", () => requestContains(edits, "x")],
    ["outputContains", () => outputContains(nothing, "x")],
    ["usedTool of an empty object", () => usedTool(nothing, "Bash")],
    ["hookFired of an object without hooks", () => hookFired({ toolCalls: [] }, "Stop")],
  ])("%s", (_, ask) => {
    const error = thrown(ask);
    expect(error).toBeInstanceOf(NotObservedError);
    expect(error.code).toBe("VIGILES_NOT_OBSERVED");
    expect(error.message).toMatch(/not recorded/);
  });

  test("in words", () => {
    expect(refusal(() => usedTool(json, "Bash"))).toMatchInlineSnapshot(`"VIGILES_NOT_OBSERVED: could not judge tool("Bash"): the list of tool calls was not recorded in this trace. Record with \`--output-format stream-json --verbose\`; \`--output-format json\` prints the result alone"`);
    expect(refusal(() => hookFired(noHooks, "PreToolUse"))).toMatchInlineSnapshot(`"VIGILES_NOT_OBSERVED: could not judge hookFired("PreToolUse"): what every hook did was not recorded in this trace. Record with \`--output-format stream-json --verbose --include-hook-events\`"`);
    expect(refusal(() => requestContains(edits, "x"))).toMatchInlineSnapshot(`"VIGILES_NOT_OBSERVED: could not judge received("x"): what the model was sent was not recorded in this trace. The CLIs do not record it: give it as \`modelRequests\` of a plain object when you have it from a proxy of your own"`);
    expect(refusal(() => usedTool(nothing, "Bash"))).toMatchInlineSnapshot(`"VIGILES_NOT_OBSERVED: could not judge tool("Bash"): the list of tool calls was not recorded in this trace. The object that was given has no \`toolCalls\`: add it, or pass the trace itself"`);
  });

  test("SessionStart is recorded all the same", () => {
    expect(hookFired(partial, "SessionStart")).toBe(true);
  });
});

describe("a run that was cut", () => {
  const cut = parseTrace(claude("n1_kill_SIGTERM"));
  test("was seen to do what it did before", () => {
    expect(usedTool(cut, "Bash")).toBe(false);
    expect(toolCount(cut, "Bash")).toBe(0);
  });
});

test.each<[string, unknown]>([
  ["undefined", undefined],
  ["null", null],
  ["text", "trace"],
  ["a promise", Promise.resolve(plain)],
])("%s is no trace", (_, target) => {
  const asked = [() => usedTool(target as never, "Bash"), () => toolCount(target as never, "Bash"), () => toolUsedWith(target as never, "Bash", () => true)];
  for (const ask of asked) expect(refusal(ask)).toMatch(/^VIGILES_CHECK_TARGET: expected a trace.*but got/);
});

test("an object that is not of the shape is refused", () => {
  expect(thrown(() => usedTool({ toolCalls: "many" } as never, "Bash"))).toMatchObject({ code: "VIGILES_TRACE_INVALID" });
  const circular: Record<string, unknown> = { toolCalls: [] };
  circular["self"] = circular;
  const error = thrown(() => toolCount(circular, "Bash"));
  expect(error).toBeInstanceOf(VigilesError);
  expect(error).toMatchObject({ code: "VIGILES_TRACE_INVALID", cause: expect.any(TypeError) });
});
