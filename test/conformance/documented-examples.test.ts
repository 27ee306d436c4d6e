/**
 * The examples that users find in the documentation of the testing API, character by character, around recorded runs:
 * what they import exists, they compile in strict mode, and they do what is said beside them.
 */
import { join } from "node:path";

import {
  allowed,
  assertAgentErr,
  assertAgentOk,
  assertAgentResult,
  assertBlocksDisasters,
  assertChecks,
  assertCreated,
  assertHookBlocked,
  assertHookFired,
  assertOutputContains,
  assertToolCalls,
  assertToolCount,
  assertToolSequence,
  assertToolUsedWith,
  blocked,
  cost,
  hookBlocked,
  hookFired,
  latency,
  mcp,
  output,
  outputContains,
  parseTrace,
  propertyHook,
  received,
  runHook,
  runScript,
  skill,
  skillResolved,
  subagent,
  tokens,
  tool,
  toolCount,
  type TraceLike,
  toolUsedWith,
  turns,
  usedTool,
  vigilesMatchers,
  wrote,
} from "vigiles";
import { experimental_agent } from "vigiles/spec";
import "vigiles/vitest";
import { describe, expect, test } from "vitest";

import { ROOT } from "../../scripts/lib/entries.mjs";
import { claude } from "../support/golden.ts";

expect.extend(vigilesMatchers);

const edits = parseTrace(claude("d_write_read_edit"));
const skills = parseTrace(claude("h3_skill_plugin"));
const hooks = parseTrace(claude("f1_pretool_exit2"));

/** A run with all that the examples ask for. */
const everything: TraceLike = {
  toolCalls: [
    { name: "Skill", input: { skill: "demo:greet" }, isError: false },
    { name: "mcp__github__merge_pr", input: {} },
    { name: "Read", input: { file_path: "src/billing.ts" } },
    { name: "Edit", input: { file_path: "src/billing.ts" } },
    { name: "Write", input: { file_path: "DONE" } },
  ],
  hooks: [
    { name: "PreToolUse:Edit", event: "PreToolUse", exitCode: 2, blocked: true },
    { name: "UserPromptSubmit", event: "UserPromptSubmit", exitCode: 0, blocked: false },
  ],
  output: "I am on it. Done.",
  modelRequests: [{ system: "", messages: [{ role: "user", text: "injected" }] }],
  subagents: [{ name: "demo:reviewer", toolCalls: [{ name: "Bash", input: {} }], output: "fine", subagents: [] }],
  turns: 3,
  usage: { costUsd: 0.01, durationMs: 500, inputTokens: 10, outputTokens: 5 },
  filesWritten: ["DONE"],
  file: (path) => (path === "DONE" ? "" : null),
};

describe("predicates", () => {
  const isRightFile = (i: { file_path: string }) => i.file_path === "src/billing.ts";

  test("over one run", () => {
    const trace = everything;
    expect([
      usedTool(trace, "Skill"), // boolean
      usedTool(trace, /^mcp__github__merge/), // boolean (regex)
      toolCount(trace, "Write"), // number
      skillResolved(trace, "demo:greet"), // boolean
      toolUsedWith(trace, "Edit", (i) => isRightFile(i)), // boolean (tool argument)
      outputContains(trace, /done/i), // boolean (the final answer)
      hookFired(trace, "PreToolUse:Edit"), // boolean (recorded from the stream)
      hookBlocked(trace, "PreToolUse"), // boolean
    ]).toEqual([true, true, 1, true, true, true, true, true]);
  });

  test("over recorded runs", () => {
    expect([usedTool(skills, "Skill"), usedTool(edits, "Skill"), usedTool(edits, /^mcp__github__merge/), toolCount(edits, "Write")]).toEqual([true, false, false, 1]);
    expect([skillResolved(skills, "demo-plugin:greet"), toolUsedWith(edits, "Edit", (i) => i.new_string === "TWO"), outputContains(edits, /edited/i)]).toEqual([true, true, true]);
    expect([hookFired(hooks, "PreToolUse:Bash"), hookFired(hooks, "PreToolUse:Edit"), hookBlocked(hooks, "PreToolUse")]).toEqual([true, false, true]);
  });
});

describe("assertions", () => {
  test("over one run", () => {
    const r = everything;
    assertToolSequence(r, ["Read", "Edit"]); // ordering — Read before Edit
    assertToolCount(r, "Write", { max: 1 }); // budget — no runaway writes
    assertToolUsedWith(r, "Edit", (i) => i.file_path === "src/billing.ts"); // argument
    assertToolCalls(r, (calls) => /* any custom rule over the list */ calls.length > 0);
    assertHookFired(r, "UserPromptSubmit");
    assertOutputContains(r, /on it/);
    assertCreated(r, "DONE"); // a file was created
  });

  test("over a recorded run", () => {
    assertToolSequence(edits, ["Read", "Edit"]);
    assertToolCount(edits, "Write", { max: 1 });
    expect(() => assertToolUsedWith(edits, "Edit", (i) => i.file_path === "src/billing.ts")).toThrow(/accepted none of 2/);
    expect(() => assertHookFired(hooks, "UserPromptSubmit")).toThrow(/PreToolUse:Bash/);
  });

  test.each([
    ["exit 2", "exit 2"],
    ['decision:"block"', `echo '{"decision":"block","reason":"no"}'`],
    ['permissionDecision:"deny"', `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}'`],
  ])("assertHookBlocked(r) on %s", (_, command) => {
    const r = runHook(command, { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } });
    assertHookBlocked(r);
  });

  test("assertBlocksDisasters", () => {
    assertBlocksDisasters("bash hooks/guard.sh", { cwd: join(ROOT, "examples") }); // the hook denies every disaster
    expect(() => assertBlocksDisasters("exit 0")).toThrow(/force-push/);
  });
});

test("a subagent's typed outcome", () => {
  const { result } = experimental_agent;

  const contract = result(
    { files: "string[]", summary: "string" }, // the ok track
    { reason: "string", step: "string" }, // the err track
  );

  let r = { output: 'Done.\n\n```vigiles:ok\n{ "files": ["a.ts"], "summary": "all" }\n```' };
  const value = assertAgentOk(r.output, contract); // returns the validated `value`
  expect(value).toEqual({ files: ["a.ts"], summary: "all" });

  // The general predicate form, for rich detail:
  assertAgentResult(
    r.output,
    (res) => res.kind === "ok" && res.value.files.length > 0,
    contract,
  );

  r = { output: '```vigiles:err\n{ "reason": "no tests", "step": "test" }\n```' };
  const error = assertAgentErr(r.output, contract); // returns the validated `error`
  expect(error.step).toBe("test");
});

describe("the check vocabulary", () => {
  const cmd = "exit 2";
  const event = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } };

  test("is asserted over a run and over a hook", () => {
    assertChecks(everything, [tool("Edit"), output(/done/i)]);
    assertChecks(runHook(cmd, event), [blocked()]);
    assertChecks(runHook("exit 0", event), [allowed()]);
  });

  test("says what was used instead", () => {
    const readAndEdit = { toolCalls: [{ name: "Read" }, { name: "Edit" }] } as never;
    expect(() => assertChecks(readAndEdit, [tool("Bash")])).toThrow('expected the agent to use tool "Bash", but it used [Read, Edit]');
  });

  test("holds over what its table says", () => {
    const checks = [
      tool("Edit"),
      skill("demo:greet"),
      mcp("github", "merge_pr"),
      subagent("reviewer", [tool("Bash"), output("fine")]),
      output("on it"),
      output(/done/i),
      received("injected"),
      received(/^inj/),
      hookFired("PreToolUse"),
      turns({ min: 1, max: 3 }),
      wrote("DONE"),
      cost({ maxUsd: 0.05 }),
      latency({ maxMs: 1000 }),
      tokens({ max: 15 }),
    ];
    assertChecks(everything, checks);
    expect(everything).toPassAll(checks);
  });

  test("serializes", () => {
    expect(JSON.parse(JSON.stringify([tool("Bash"), skill("vigiles:test-harness")]))).toEqual([{ kind: "tool", name: "Bash" }, { kind: "skill", id: "vigiles:test-harness" }]);
  });
});

test("matchers", () => {
  const r = everything;
  expect(r).toPass(tool("Edit"));
  expect(r).not.toPass(tool("Glob"));
  expect(skills).toPass(skill("demo-plugin:greet"));
  expect(r).toPass(cost({ maxUsd: 0.05 }));
  expect(r).toPassAll([tool("Read"), tool("Edit")]);
  expect(r).toHaveCreated("DONE");
  expect(runHook("exit 2", { hook_event_name: "PreToolUse" })).toBlock();
  expect(runHook("exit 2", { hook_event_name: "PreToolUse" })).toPass(blocked());
  expect({ arms: { a: { metrics: { m: 1 } }, b: { metrics: { m: 0 } } } }).toBeatBaseline("b", "a", "m");
});

test("propertyHook", () => {
  const seed = { command: "git push" };
  const mutate = (e: typeof seed, rng: () => number) => ({ command: e.command + (rng() < 0.5 ? " --force" : "") });
  const decide = (e: typeof seed) => (e.command?.includes("--force") ? "deny" : "allow");
  const invariants = { "a forced push is denied": (decision: string, e: typeof seed) => !e.command?.includes("--force") || decision === "deny" };
  expect(propertyHook({ seed, mutate, decide, invariants }).passed).toBe(true);
});

test("scripts have both streams and no decision, and nobody looked at their files", () => {
  const result = runScript("echo out; echo notice >&2");
  expect([result.stdout, result.stderr, result.filesWritten]).toEqual(["out\n", "notice\n", undefined]);
  expect(result).not.toHaveProperty("decision");
});
