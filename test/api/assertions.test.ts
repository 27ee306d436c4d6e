import {
  AssertionError,
  assertCreated,
  assertHookAllowed,
  assertHookBlocked,
  assertHookFired,
  assertNotCreated,
  assertNoWrite,
  assertOutputContains,
  assertRequestContains,
  assertServedTurns,
  assertSkillResolved,
  assertToolCalls,
  assertToolCount,
  assertToolNotUsed,
  assertToolSequence,
  assertToolUsed,
  assertToolUsedWith,
  assertWroteOnly,
  NotObservedError,
  parseTrace,
  runHook,
  runScript,
  type TraceLike,
} from "vigiles";
import { describe, expect, test } from "vitest";

import { claude } from "../support/golden.ts";
import { refusal, thrown } from "../support/thrown.ts";

const edits = parseTrace(claude("d_write_read_edit"));
const skills = parseTrace(claude("h3_skill_plugin"));
const hooks = parseTrace(claude("f1_pretool_exit2"));
const failing = parseTrace(claude("f3_pretool_exit1"));
const noHooks = parseTrace(claude("c_bash"));
const json = parseTrace(claude("v5_json_output"));
const served: TraceLike = {
  turns: 2,
  modelRequests: [
    { system: "You are terse.", messages: [{ role: "user", text: "the injected rule" }] },
    { system: "You are terse.", messages: [{ role: "user", text: "and more" }] },
  ],
};
const files: TraceLike = { toolCalls: [], file: (path) => (path === "DONE" ? "yes" : null) };
const wrote: TraceLike = { filesWritten: ["src/a.ts", "state/cache.json"] };
const event = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "git push -f" } };
const blocks = runHook("echo no force-push >&2; exit 2", event);
const allows = runHook("exit 0", event);
const fails = runHook("exit 1", event);

describe("an assertion that holds says nothing", () => {
  test.each<[string, () => unknown]>([
    ["assertToolUsed", () => assertToolUsed(edits, "Edit")],
    ["assertToolUsed with a pattern", () => assertToolUsed(edits, /^(?:Edit|Write)$/)],
    ["assertToolNotUsed", () => assertToolNotUsed(edits, "Bash")],
    ["assertToolNotUsed with arguments", () => assertToolNotUsed(edits, "Edit", { new_string: "other" })],
    ["assertToolCount max", () => assertToolCount(edits, "Write", { max: 1 })],
    ["assertToolCount min and max", () => assertToolCount(edits, "Edit", { min: 1, max: 2 })],
    ["assertToolCount exactly", () => assertToolCount(edits, "Edit", { exactly: 2 })],
    ["assertToolCount exactly none", () => assertToolCount(edits, "Bash", { exactly: 0 })],
    ["assertToolSequence", () => assertToolSequence(edits, ["Read", "Edit"])],
    ["assertToolSequence with a gap and a pattern", () => assertToolSequence(edits, ["Write", /^Edit$/, "Read"])],
    ["assertToolUsedWith", () => assertToolUsedWith(edits, "Edit", (input) => input.new_string === "TWO")],
    ["assertToolCalls", () => assertToolCalls(edits, (calls) => calls.length === 5)],
    ["assertSkillResolved", () => assertSkillResolved(skills, "demo-plugin:greet")],
    ["assertOutputContains", () => assertOutputContains(edits, /edited/i)],
    ["assertRequestContains", () => assertRequestContains(served, "injected rule")],
    ["assertServedTurns", () => assertServedTurns(served, 2)],
    ["assertHookFired", () => assertHookFired(hooks, "PreToolUse:Bash")],
    ["assertHookFired blocked", () => assertHookFired(hooks, "PreToolUse", { blocked: true })],
    ["assertHookFired not blocked", () => assertHookFired(failing, "PreToolUse", { blocked: false })],
    ["assertHookBlocked", () => assertHookBlocked(blocks)],
    ["assertHookBlocked of a plain object", () => assertHookBlocked({ blocked: true })],
    ["assertHookAllowed", () => assertHookAllowed(allows)],
    ["assertHookAllowed of an exit 1", () => assertHookAllowed(fails)],
    ["assertCreated", () => assertCreated(files, "DONE")],
    ["assertNotCreated", () => assertNotCreated(files, "OTHER")],
    ["assertNoWrite", () => assertNoWrite(wrote, ".env")],
    ["assertNoWrite with a pattern", () => assertNoWrite(wrote, /\.env$/)],
    ["assertWroteOnly", () => assertWroteOnly(wrote, ["src/", /^state\//])],
  ])("%s", (_, assertion) => {
    expect(assertion()).toBeUndefined();
  });
});

describe("an assertion that does not hold says what was expected and what was seen", () => {
  const failure = (assertion: () => unknown) => {
    const error = thrown(assertion);
    expect(error).toBeInstanceOf(AssertionError);
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe("AssertionError");
    return error.message;
  };

  test("assertToolUsed", () => {
    expect(failure(() => assertToolUsed(edits, "Bash"))).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected the agent to use tool "Bash", but it used [Write, Read ×2, Edit ×2]"
    `);
    expect(failure(() => assertToolUsed(edits, "edit"))).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected the agent to use tool "edit", but it used [Write, Read ×2, Edit ×2]
          hint: did you mean "Edit"? Names are compared as they are, letter case included"
    `);
    expect(failure(() => assertToolUsed(edits, /^mcp__/))).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected the agent to use a tool matching /^mcp__/, but it used [Write, Read ×2, Edit ×2]"
    `);
  });

  test("assertToolNotUsed", () => {
    expect(failure(() => assertToolNotUsed(edits, "Read"))).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected the agent not to use tool "Read", but it made 2 calls:
            Read {"file_path":"/home/dev/work/332/d_write_read_edit/proj/a.txt"}
            Read {"file_path":"/home/dev/work/332/d_write_read_edit/proj/nope.txt"}"
    `);
    expect(failure(() => assertToolNotUsed(edits, "Edit", { new_string: /two/i }))).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected the agent not to use tool "Edit" with {new_string: /two/i}, but it made 1 call:
            Edit {"replace_all":false,"file_path":"/home/dev/work/332/d_write_read_edit/proj/a.txt","old_string":"two","new_string":"TWO"}"
    `);
  });

  test("assertToolCount", () => {
    expect(failure(() => assertToolCount(edits, "Edit", { max: 1 }))).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected the agent to make at most 1 call of tool "Edit", but it made 2; it used [Write, Read ×2, Edit ×2]"
    `);
    expect(failure(() => assertToolCount(edits, "Bash", { min: 1 }))).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected the agent to make at least 1 call of tool "Bash", but it made none; it used [Write, Read ×2, Edit ×2]"
    `);
    expect(failure(() => assertToolCount(edits, "Edit", { exactly: 1 }))).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected the agent to make exactly 1 call of tool "Edit", but it made 2; it used [Write, Read ×2, Edit ×2]"
    `);
  });

  test("assertToolSequence", () => {
    expect(failure(() => assertToolSequence(edits, ["Edit", "Write"]))).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected the agent to use ["Edit", "Write"] in this order, but after "Edit" (step 1) there is no call of "Write"; the calls in order are Write → Read → Edit ×2 → Read
          hint: "Write" was used, but only earlier"
    `);
  });

  test("assertToolUsedWith", () => {
    expect(failure(() => assertToolUsedWith(edits, "Write", (input) => input.file_path === "src/billing.ts"))).toMatchInlineSnapshot(`
      "expected a call of "Write" whose arguments the predicate accepts, but it accepted none of 1:
        {"file_path":"/home/dev/work/332/d_write_read_edit/proj/a.txt","content":"one\\ntwo\\n"}
      Correct the predicate if one of these should do"
    `);
    expect(failure(() => assertToolUsedWith(edits, "Bash", () => true))).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected the agent to use tool "Bash", but it used [Write, Read ×2, Edit ×2]"
    `);
  });

  test("assertToolUsedWith cuts long arguments", () => {
    const long = { toolCalls: [{ name: "Write", input: { content: "x".repeat(5000) } }] };
    const message = failure(() => assertToolUsedWith(long, "Write", () => false));
    expect(message.length).toBeLessThan(400);
    expect(message).toContain("5014 characters");
  });

  test("assertToolCalls", () => {
    const two = { toolCalls: [{ name: "Read", input: { file_path: "a" } }, { name: "Bash", input: { command: "ls" } }] };
    expect(failure(() => assertToolCalls(two, (calls) => calls.length < 2, "fewer than two calls"))).toMatchInlineSnapshot(`
      "expected of the tool calls: fewer than two calls, but it does not. Calls:
        Read {"file_path":"a"}
        Bash {"command":"ls"}
      Correct the rule if these calls should do"
    `);
    expect(failure(() => assertToolCalls({ toolCalls: [] }, () => false))).toMatchInlineSnapshot(`
      "expected of the tool calls: the rule holds, but it does not. Calls: none
      Correct the rule if these calls should do"
    `);
  });

  test("assertSkillResolved tells a skill that was not called from one that failed, and a prompt from a call", () => {
    expect(failure(() => assertSkillResolved(skills, "demo-plugin:other"))).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected skill "demo-plugin:other" to be used, but it was not called; the Skill calls are ["demo-plugin:greet", "greet"]
          hint: the run did not offer "demo-plugin:other"; it offered ["deep-research", "demo-plugin:greet", "dataviz", "update-config", "verify", "debug", "code-review", "simplify", "batch", "fewer-permission-prompts", "doctor", "loop", "claude-api", "workflow-authoring", "run", "run-skill-generator", "plugin-authoring"]"
    `);
    expect(failure(() => assertSkillResolved(parseTrace(claude("h2_skill_unknown")), "nope-skill"))).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected skill "nope-skill" to be used, but it was not called; the Skill calls are ["nosuch"]
          hint: the run did not offer "nope-skill"; it offered ["greet", "deep-research", "dataviz", "update-config", "verify", "debug", "code-review", "simplify", "batch", "fewer-permission-prompts", "doctor", "loop", "claude-api", "workflow-authoring", "run", "run-skill-generator", "plugin-authoring"]"
    `);
    expect(failure(() => assertSkillResolved(edits, "greet"))).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected skill "greet" to be used, but there is no Skill call; it used [Write, Read ×2, Edit ×2]
          hint: the run did not offer "greet"; it offered ["deep-research", "dataviz", "update-config", "verify", "debug", "code-review", "simplify", "batch", "fewer-permission-prompts", "doctor", "loop", "claude-api", "workflow-authoring", "run", "run-skill-generator", "plugin-authoring"]"
    `);
  });

  test("assertOutputContains", () => {
    expect(failure(() => assertOutputContains(edits, "on it"))).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected the final answer to contain "on it", but it is "Edited.""
    `);
    expect(failure(() => assertOutputContains({ output: "x".repeat(1000) }, /on it/))).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected the final answer to match /on it/, but it is "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" (first 200 of 1000 characters)"
    `);
  });

  test("assertRequestContains", () => {
    expect(failure(() => assertRequestContains(served, "absent"))).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected a model request to contain "absent", but none of 2 requests does; the last message sent, by "user", is "and more""
    `);
  });

  test("assertServedTurns", () => {
    expect(failure(() => assertServedTurns(served, 3))).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected the model to be asked for at least 3 turns, but it was asked for 2"
    `);
  });

  test("assertHookFired", () => {
    expect(failure(() => assertHookFired(hooks, "UserPromptSubmit"))).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected hook "UserPromptSubmit" to fire, but the hooks that fired are [PreToolUse:Bash]"
    `);
    expect(failure(() => assertHookFired(hooks, "PreToolUse", { blocked: false }))).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected hook "PreToolUse" to fire and block nothing, but 1 of 1 firing blocked: [PreToolUse:Bash exit 2 blocked]"
    `);
    expect(failure(() => assertHookFired(failing, "PreToolUse", { blocked: true }))).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected hook "PreToolUse" to block, but its only firing did not: [PreToolUse:Bash exit 1]
          hint: exit 1 fails the hook and blocks nothing: the run goes on. Exit 2, or JSON with a deny or block decision, blocks"
    `);
  });

  test("assertHookBlocked and assertHookAllowed", () => {
    expect(failure(() => assertHookBlocked(allows))).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected the hook to block, but it allowed: exit 0: Claude Code runs the tool"
    `);
    expect(failure(() => assertHookBlocked(fails))).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected the hook to block, but it allowed: exit 1: a hook that fails like this blocks nothing, Claude Code runs the tool; to block, exit 2, or exit 0 with hookSpecificOutput {hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason} on stdout"
    `);
    expect(failure(() => assertHookAllowed(blocks))).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected the hook to allow, but it blocked: exit 2 (no force-push): Claude Code does not run the tool"
    `);
    expect(failure(() => assertHookBlocked({ blocked: false }))).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected the hook to block, but it allowed: nothing more is told of it"
    `);
  });

  test("assertCreated and assertNotCreated", () => {
    expect(failure(() => assertCreated(files, "OTHER"))).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected "OTHER" to be there after the run, but it is not; no recorded call wrote a file"
    `);
    expect(failure(() => assertNotCreated(files, "DONE"))).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected "DONE" not to be there after the run, but it is; no recorded call wrote a file"
    `);
  });

  test("assertNoWrite and assertWroteOnly", () => {
    expect(failure(() => assertNoWrite(wrote, "src/"))).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected no written path to contain "src/", but 1 of 2 paths does: ["src/a.ts"]"
    `);
    expect(failure(() => assertWroteOnly(wrote, ["src/"]))).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected the run to write only paths of ["src/"], but it also wrote ["state/cache.json"]"
    `);
    expect(failure(() => assertWroteOnly(wrote, []))).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected the run to write nothing, but it wrote ["src/a.ts", "state/cache.json"]"
    `);
  });
});

describe("nothing passes and nothing fails on what was not recorded", () => {
  const script = runScript("true");
  test.each<[string, () => unknown]>([
    ["assertToolUsed", () => assertToolUsed(json, "Bash")],
    ["assertToolNotUsed", () => assertToolNotUsed(json, "Bash")],
    ["assertToolCount", () => assertToolCount(json, "Bash", { max: 1 })],
    ["assertToolSequence", () => assertToolSequence(json, ["Bash"])],
    ["assertToolUsedWith", () => assertToolUsedWith(json, "Bash", () => true)],
    ["assertToolCalls", () => assertToolCalls(json, () => true)],
    ["assertSkillResolved", () => assertSkillResolved(json, "greet")],
    ["assertHookFired", () => assertHookFired(noHooks, "PreToolUse")],
    ["assertHookFired of a hook that blocked nothing", () => assertHookFired(noHooks, "PreToolUse", { blocked: false })],
    ["assertRequestContains", () => assertRequestContains(edits, "x")],
    ["assertOutputContains", () => assertOutputContains({ toolCalls: [] }, "x")],
    ["assertServedTurns", () => assertServedTurns({ toolCalls: [] }, 1)],
    ["assertCreated", () => assertCreated(edits, "a.txt")],
    ["assertNotCreated", () => assertNotCreated(edits, "a.txt")],
    ["assertNoWrite of an unconfined script", () => assertNoWrite(script, /./)],
    ["assertWroteOnly of an unconfined script", () => assertWroteOnly(script, [/./])],
    ["assertNoWrite of a trace", () => assertNoWrite(edits, /./)],
  ])("%s", (_, assertion) => {
    expect(thrown(assertion).message).toMatch(/not recorded|recorded in this trace/);
  });

  test("and the message says how to record it", () => {
    expect(refusal(() => assertNoWrite(script, /./))).toMatchInlineSnapshot(`
      "VIGILES_CHECKS_FAILED: 1 of 1 check could not be judged:
        ? could not judge noWrite(/./): the list of written files was not recorded in this trace. Runs of a harness record it, and hooks and scripts that run confined (\`sandbox: "strict"\`); or judge an object that has \`filesWritten\`"
    `);
    expect(refusal(() => assertToolNotUsed(json, "Bash"))).toMatchInlineSnapshot(`
      "VIGILES_CHECKS_FAILED: 1 of 1 check could not be judged:
        ? could not judge notTool("Bash"): the list of tool calls was not recorded in this trace. Record with \`--output-format stream-json --verbose\`; \`--output-format json\` prints the result alone"
    `);
    expect(thrown(() => assertToolCalls(json, () => true))).toBeInstanceOf(NotObservedError);
  });

  test("a hook whose own code never ran neither blocked nor allowed", () => {
    const unresolved = runHook(["python3", "/nonexistent/guard.py"], event);
    expect(unresolved).toMatchObject({ unresolved: true, blocked: true });
    for (const assertion of [assertHookBlocked, assertHookAllowed]) expect(refusal(() => assertion(unresolved))).toMatch(/could not be judged[^]*never ran/);
  });

  test("a hook that ran into its time limit neither blocked nor allowed", () => {
    const slow = runHook("sleep 5", event, { timeoutMs: 50 });
    for (const assertion of [assertHookBlocked, assertHookAllowed]) expect(refusal(() => assertion(slow))).toMatch(/time limit/);
  });

  test("a run that was cut does not pass for one that did nothing", () => {
    const cut = parseTrace(claude("n1_kill_SIGTERM"));
    expect(refusal(() => assertToolNotUsed(cut, "Bash"))).toMatchInlineSnapshot(`
      "VIGILES_CHECKS_FAILED: 1 of 1 check could not be judged:
        ? so far the agent did not use tool "Bash": it used no tool, but the stream ended without a result event: what came after is unknown"
    `);
  });
});

describe("limits that say nothing are refused", () => {
  test.each<[string, () => unknown]>([
    ["no bounds", () => assertToolCount(edits, "Edit", {})],
    ["min 0", () => assertToolCount(edits, "Edit", { min: 0 })],
    ["min above max", () => assertToolCount(edits, "Edit", { min: 2, max: 1 })],
    ["NaN", () => assertToolCount(edits, "Edit", { min: 1, max: Number.NaN })],
    ["half a call", () => assertToolCount(edits, "Edit", { max: 1.5 })],
    ["exactly and max", () => assertToolCount(edits, "Edit", { exactly: 1, max: 2 })],
    ["an empty sequence", () => assertToolSequence(edits, [])],
    ["an argument without a value", () => assertToolNotUsed(edits, "Edit", { new_string: undefined } as never)],
    ["no arguments", () => assertToolNotUsed(edits, "Edit", {})],
    ["no turns", () => assertServedTurns(served, 0)],
    ["an empty name", () => assertToolUsed(edits, "")],
    ["no name", () => assertToolUsed(edits, undefined as never)],
    ["an empty text", () => assertOutputContains(edits, "")],
  ])("%s", (_, assertion) => {
    expect(thrown(assertion)).toMatchObject({ code: "VIGILES_CHECK_INVALID", message: expect.stringMatching(/^expected .* but /) });
  });
});

test("what a file function throws comes through as it is", () => {
  const error = Object.assign(new Error("disk on fire"), { code: "EIO" });
  const broken: TraceLike = { toolCalls: [], file: () => { throw error; } };
  expect(() => assertCreated(broken, "x")).toThrow(error);
});

test("an option of assertHookFired that is not known is refused: it would ask less than it seems to", () => {
  expect(refusal(() => assertHookFired(hooks, "PreToolUse", { block: false } as never))).toMatch(/^VIGILES_INVALID_ARGUMENT: expected options that assertHookFired knows, but got "block".*it knows blocked/);
});
