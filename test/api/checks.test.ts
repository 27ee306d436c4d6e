import fc from "fast-check";
import {
  all,
  allowed,
  any,
  assertChecks,
  blocked,
  cacheTokens,
  type Check,
  checkFromJSON,
  type CheckJSON,
  checkLabel,
  cost,
  didNotWrite,
  evalChecks,
  experimental_eachReply,
  experimental_replyCount,
  hookBlocked,
  hookFailed,
  hookFired,
  inputTokens,
  latency,
  mcp,
  not,
  notTool,
  NotObservedError,
  onlyTools,
  output,
  outputTokens,
  parseTrace,
  received,
  runHook,
  runHookAsync,
  runScript,
  skill,
  subagent,
  tokens,
  tool,
  toolSequence,
  toolWith,
  type TraceTarget,
  turns,
  wrote,
} from "vigiles";
import { describe, expect, test } from "vitest";

import { claude, codex } from "../support/golden.ts";
import { refusal, thrown } from "../support/thrown.ts";

const trace = parseTrace(claude("d_write_read_edit"));
const mcpRun = parseTrace(claude("j1_mcp"));
const agents = parseTrace(claude("i2_subagent_fg"));
const hooks = parseTrace(claude("f1_pretool_exit2"));
const skills = parseTrace(claude("h3_skill_plugin"));
const served = { modelRequests: [{ system: "terse", messages: [{ role: "user", text: "the rule" }] }] };
const cached = { usage: { cacheCreationTokens: 10, cacheReadTokens: 20 } };
const written = { filesWritten: ["a.txt"], toolCalls: [] };
const event = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } };
const blocking = runHook("exit 2", event);
const allowing = runHook("exit 0", event);

interface Row {
  readonly json: CheckJSON;
  readonly label: string;
  readonly check: Check;
  readonly holdsOn: object;
  /** The same check, or another of its kind, on what it does not hold on. */
  readonly broken: readonly [Check, object];
}

const ROWS: readonly Row[] = [
  { check: tool("Edit"), json: { kind: "tool", name: "Edit" }, label: "tool(Edit)", holdsOn: trace, broken: [tool("Bash"), trace] },
  { check: tool(/^edit$/i), json: { kind: "tool", name: { regex: "^edit$", flags: "i" } }, label: "tool(/^edit$/i)", holdsOn: trace, broken: [tool(/^edit$/), trace] },
  {
    check: toolWith("Edit", { new_string: /^T/, replace_all: false }),
    json: { kind: "toolWith", name: "Edit", args: { new_string: { regex: "^T" }, replace_all: false } },
    label: "toolWith(Edit)",
    holdsOn: trace,
    broken: [toolWith("Edit", { new_string: "TWO", replace_all: true }), trace],
  },
  { check: notTool("Bash"), json: { kind: "notTool", name: "Bash" }, label: "notTool(Bash)", holdsOn: trace, broken: [notTool("Edit"), trace] },
  {
    check: notTool("Edit", { new_string: "ONE" }),
    json: { kind: "notTool", name: "Edit", args: { new_string: "ONE" } },
    label: "notTool(Edit)",
    holdsOn: trace,
    broken: [notTool("Edit", { new_string: "TWO" }), trace],
  },
  {
    check: onlyTools(["Read", "Edit(src/**)", "Write"]),
    json: { kind: "onlyTools", allowed: ["Read", "Edit(src/**)", "Write"] },
    label: "onlyTools",
    holdsOn: trace,
    broken: [onlyTools(["Read"]), trace],
  },
  { check: toolSequence(["Write", /^Edit$/]), json: { kind: "toolSequence", names: ["Write", { regex: "^Edit$" }] }, label: "toolSequence", holdsOn: trace, broken: [toolSequence(["Edit", "Write"]), trace] },
  { check: mcp("srv", "echo"), json: { kind: "mcp", server: "srv", tool: "echo" }, label: "mcp", holdsOn: { toolCalls: [{ name: "mcp__srv__echo", input: {} }] }, broken: [mcp("srv", "nope"), mcpRun] },
  { check: skill("demo-plugin:greet"), json: { kind: "skill", id: "demo-plugin:greet" }, label: "skill(demo-plugin:greet)", holdsOn: skills, broken: [skill("other"), skills] },
  {
    check: subagent("x", [tool("Bash"), output("SUB")]),
    json: { kind: "subagent", name: "x", checks: [{ kind: "tool", name: "Bash" }, { kind: "output", matcher: "SUB", regex: false }] },
    label: "subagent(x)",
    holdsOn: agents,
    broken: [subagent("x", [tool("Edit")]), agents],
  },
  { check: output("Edited"), json: { kind: "output", matcher: "Edited", regex: false }, label: "output(Edited)", holdsOn: trace, broken: [output("done"), trace] },
  { check: output(/^edited/i), json: { kind: "output", matcher: "^edited", regex: true, flags: "i" }, label: "output(/^edited/i)", holdsOn: trace, broken: [output(/^edited/), trace] },
  { check: received("rule"), json: { kind: "received", matcher: "rule", regex: false }, label: "received(rule)", holdsOn: served, broken: [received("absent"), served] },
  { check: experimental_eachReply(/./), json: { kind: "eachReply", matcher: ".", regex: true }, label: "eachReply(/./)", holdsOn: trace, broken: [experimental_eachReply("x"), { replies: ["x", "y"] }] },
  { check: experimental_replyCount("Edited"), json: { kind: "replyCount", matcher: "Edited", regex: false, min: 1 }, label: "replyCount(Edited)", holdsOn: trace, broken: [experimental_replyCount("Edited", { max: 0 }), trace] },
  { check: hookFired("PreToolUse"), json: { kind: "hookFired", event: "PreToolUse" }, label: "hookFired(PreToolUse)", holdsOn: hooks, broken: [hookFired("Stop"), hooks] },
  { check: hookBlocked("PreToolUse"), json: { kind: "hookBlocked", event: "PreToolUse" }, label: "hookBlocked(PreToolUse)", holdsOn: hooks, broken: [hookBlocked("Stop"), hooks] },
  { check: hookFailed("PreToolUse"), json: { kind: "hookFailed", event: "PreToolUse" }, label: "hookFailed(PreToolUse)", holdsOn: hooks, broken: [hookFailed("PreToolUse"), { hooks: [{ name: "PreToolUse", event: "PreToolUse", exitCode: 0, blocked: false }] }] },
  { check: turns({ min: 1, max: 6 }), json: { kind: "turns", min: 1, max: 6 }, label: "turns", holdsOn: trace, broken: [turns({ max: 5 }), trace] },
  { check: wrote("a.txt"), json: { kind: "wrote", path: "a.txt" }, label: "wrote(a.txt)", holdsOn: written, broken: [wrote("b.txt"), written] },
  { check: didNotWrite("b.txt"), json: { kind: "didNotWrite", path: "b.txt" }, label: "didNotWrite(b.txt)", holdsOn: written, broken: [didNotWrite("a.txt"), written] },
  { check: blocked(), json: { kind: "blocked" }, label: "blocked", holdsOn: blocking, broken: [blocked(), allowing] },
  { check: allowed(), json: { kind: "allowed" }, label: "allowed", holdsOn: allowing, broken: [allowed(), blocking] },
  { check: cost({ maxUsd: 0.0036 }), json: { kind: "cost", maxUsd: 0.0036 }, label: "cost", holdsOn: trace, broken: [cost({ maxUsd: 0.0035 }), trace] },
  { check: latency({ maxMs: 286 }), json: { kind: "latency", maxMs: 286 }, label: "latency", holdsOn: trace, broken: [latency({ maxMs: 285 }), trace] },
  { check: tokens({ max: 660 }), json: { kind: "tokens", max: 660 }, label: "tokens", holdsOn: trace, broken: [tokens({ max: 659 }), trace] },
  { check: inputTokens({ max: 600 }), json: { kind: "inputTokens", max: 600 }, label: "inputTokens", holdsOn: trace, broken: [inputTokens({ max: 599 }), trace] },
  { check: outputTokens({ max: 60 }), json: { kind: "outputTokens", max: 60 }, label: "outputTokens", holdsOn: trace, broken: [outputTokens({ max: 59 }), trace] },
  { check: cacheTokens({ maxCreation: 10, maxRead: 20 }), json: { kind: "cacheTokens", maxCreation: 10, maxRead: 20 }, label: "cacheTokens", holdsOn: cached, broken: [cacheTokens({ maxRead: 19 }), cached] },
  { check: not(tool("Bash")), json: { kind: "not", check: { kind: "tool", name: "Bash" } }, label: "not", holdsOn: trace, broken: [not(tool("Edit")), trace] },
  { check: all([tool("Edit"), turns({ min: 1 })]), json: { kind: "all", checks: [{ kind: "tool", name: "Edit" }, { kind: "turns", min: 1 }] }, label: "all", holdsOn: trace, broken: [all([tool("Edit"), tool("Bash")]), trace] },
  { check: any([tool("Bash"), tool("Edit")]), json: { kind: "any", checks: [{ kind: "tool", name: "Bash" }, { kind: "tool", name: "Edit" }] }, label: "any", holdsOn: trace, broken: [any([tool("Bash"), tool("Glob")]), trace] },
];

describe.each(ROWS)("$label", ({ check, json, label, holdsOn, broken: [other, target] }) => {
  test("is data", () => {
    expect(check.kind).toBe(json.kind);
    expect(check.toJSON()).toEqual(json);
    expect(JSON.parse(JSON.stringify(check))).toEqual(json);
    expect(checkLabel(check)).toBe(label);
  });

  test("comes back from JSON, as an object and as text", () => {
    for (const back of [checkFromJSON(json), checkFromJSON(JSON.stringify(check))]) {
      expect(back.toJSON()).toEqual(json);
      expect(back.eval(holdsOn)).toEqual(check.eval(holdsOn));
    }
  });

  test("holds, and says what was seen", () => {
    expect(check.eval(holdsOn)).toStrictEqual({ pass: true, score: 1, verdict: "pass", message: expect.stringMatching(/\w/) });
    expect(() => assertChecks(holdsOn, [check])).not.toThrow();
  });

  test("does not hold, and says what was expected and what was seen", () => {
    expect(other.eval(target)).toStrictEqual({ pass: false, score: 0, verdict: "fail", message: expect.stringMatching(/^expected [^]*but /) });
    expect(thrown(() => assertChecks(target, [other]))).toMatchObject({ code: "VIGILES_CHECKS_FAILED", name: "AssertionError" });
  });

  test("is the contrary when it is negated", () => {
    expect(not(check).eval(holdsOn)).toMatchObject({ pass: false, verdict: "fail" });
    expect(not(other).eval(target)).toMatchObject({ pass: true, verdict: "pass" });
  });
});

test("every kind of check has a row", () => {
  const message = thrown(() => checkFromJSON({ kind: "nope" })).message;
  const known = message.slice(message.indexOf("Known: ") + 7).split(", ");
  const onlyAssertions = ["toolCount", "servedTurns", "noWrite", "wroteOnly", "egressOnly", "created", "notCreated"];
  expect(known.filter((kind) => !ROWS.some(({ json }) => json.kind === kind)).toSorted()).toEqual(onlyAssertions.toSorted());
});

describe("round trips through JSON", () => {
  const text = fc.string({ minLength: 1, unit: "grapheme" });
  const pattern = fc.tuple(fc.constantFrom("^a", "b$", "\\d+", "(?<=x)y", "/", "\\/", "[^\\]]", "\\u{1F600}"), fc.constantFrom("", "i", "m", "su", "iu", "v", "y", "gi")).filter(([source, flags]) => flags.includes("u") || !source.includes("{")).map(([source, flags]) => new RegExp(source, flags));
  const matcher = fc.oneof(text, pattern);
  const bounds = fc.tuple(fc.nat(50), fc.nat(50)).map(([a, b]) => ({ min: Math.min(a, b), max: Math.max(a, b) }));
  const args = fc.dictionary(text, fc.oneof(text, pattern, fc.boolean(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer()), { minKeys: 1, maxKeys: 4 });
  const { check } = fc.letrec<{ check: Check }>((tie) => ({
    check: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      matcher.map((name) => tool(name)),
      fc.tuple(matcher, args).map(([name, fields]) => toolWith(name, fields)),
      fc.tuple(matcher, args).map(([name, fields]) => notTool(name, fields)),
      fc.array(text, { minLength: 1 }).map((names) => onlyTools(names)),
      fc.array(matcher, { minLength: 1 }).map((names) => toolSequence(names)),
      fc.tuple(text, text).map(([server, name]) => mcp(server, name)),
      text.map((id) => skill(id)),
      matcher.map((one) => output(one)),
      matcher.map((one) => received(one)),
      matcher.map((one) => experimental_eachReply(one)),
      fc.tuple(matcher, bounds).map(([one, limits]) => experimental_replyCount(one, limits)),
      text.map((name) => hookFired(name)),
      bounds.map((limits) => turns(limits)),
      text.map((path) => wrote(path)),
      fc.nat().map((max) => tokens({ max })),
      fc.double({ min: 0, max: 1e6, noNaN: true }).map((maxUsd) => cost({ maxUsd })),
      fc.constant(blocked()),
      fc.tuple(text, fc.array(tie("check"), { maxLength: 2 })).map(([name, checks]) => subagent(name, checks)),
      tie("check").map((one) => not(one)),
      fc.array(tie("check"), { minLength: 1, maxLength: 3 }).map((checks) => all(checks)),
      fc.array(tie("check"), { minLength: 1, maxLength: 3 }).map((checks) => any(checks)),
    ),
  }));

  test("every check that can be built comes back, judges the same and never throws because of what it sees", () => {
    const targets = [trace, agents, hooks, blocking, runScript("true"), {}, { toolCalls: [], output: "", hooks: [], replies: [] }];
    fc.assert(
      fc.property(check, (one) => {
        const json = JSON.stringify(one);
        const back = checkFromJSON(json);
        expect(JSON.stringify(checkFromJSON(JSON.stringify(back)))).toBe(JSON.stringify(back));
        expect(back.toJSON()).toEqual(JSON.parse(json));
        for (const target of targets) {
          const result = one.eval(target);
          expect(back.eval(target)).toEqual(result);
          expect(result.message).not.toBe("");
          expect(result.pass).toBe(result.verdict === "pass");
        }
      }),
      { seed: 1, numRuns: 150 },
    );
  });
});

describe("a list of checks", () => {
  test("tells all that do not hold, in order, and what cannot be judged", () => {
    const checks = [tool("Bash"), tool("Edit"), output("done"), received("x"), turns({ max: 1 })];
    expect(refusal(() => assertChecks(trace, checks))).toMatchInlineSnapshot(`
      "VIGILES_CHECKS_FAILED: 3 of 5 checks failed and 1 could not be judged:
        ✗ expected the agent to use tool "Bash", but it used [Write, Read ×2, Edit ×2]
        ✗ expected the final answer to contain "done", but it is "Edited."
        ? could not judge received("x"): what the model was sent was not recorded in this trace. The CLIs do not record it: give it as \`modelRequests\` of a plain object when you have it from a proxy of your own
        ✗ expected the agent to take at most 1 turn, but it took 6"
    `);
    expect(evalChecks(trace, checks).map(({ verdict }) => verdict)).toEqual(["fail", "pass", "fail", "error", "fail"]);
  });

  test("takes checks as data, as a checks file has them", () => {
    const fromFile = JSON.parse('[{"kind":"tool","name":"Edit"},{"kind":"output","matcher":"done","regex":false}]') as Check[];
    expect(evalChecks(trace, fromFile).map(({ pass }) => pass)).toEqual([true, false]);
  });

  test("that is empty is refused", () => {
    for (const judge of [evalChecks, assertChecks]) expect(thrown(() => judge(trace, []))).toMatchObject({ code: "VIGILES_NO_CHECKS" });
    for (const compound of [all, any]) expect(thrown(() => compound([]).eval(trace))).toMatchObject({ code: "VIGILES_CHECK_INVALID" });
  });

  test.each<[string, unknown, RegExp]>([
    ["undefined", undefined, /list of checks/],
    ["a check alone", tool("Bash"), /list of checks/],
    ["a name", ["Bash"], /got a value of type string/],
    ["undefined in it", [undefined], /got a value of type undefined/],
    ["a builder that was not called", [blocked], /Call it/],
    ["an object without a kind", [{}], /kind/],
  ])("that is %s is refused", (_, checks, message) => {
    expect(thrown(() => evalChecks(trace, checks as never))).toMatchObject({ code: "VIGILES_CHECK_INVALID", message: expect.stringMatching(message) });
  });
});

describe("a check of the caller's own", () => {
  const words = (max: number): Check<{ readonly output?: string | undefined }> => ({
    kind: "words",
    eval: ({ output: text }) => {
      const count = text?.split(" ").length ?? 0;
      return { pass: count <= max, score: Math.min(1, max / count), message: `expected at most ${max} words, but there are ${count}` };
    },
    toJSON: () => ({ kind: "words", max }),
  });
  const target = { ...trace, output: "one two three four" };

  test("is judged beside those of the vocabulary, in its place", () => {
    const results = evalChecks(target, [words(2), tool("Edit"), words(9), tool("Bash")]);
    expect(results.map(({ pass, score }) => [pass, score])).toEqual([[false, 0.5], [true, 1], [true, 1], [false, 0]]);
    expect(results[0]).toEqual({ pass: false, score: 0.5, verdict: "fail", message: "expected at most 2 words, but there are 4" });
    expect(refusal(() => assertChecks(target, [words(2), tool("Edit"), tool("Bash")]))).toMatchInlineSnapshot(`
      "VIGILES_CHECKS_FAILED: 2 of 3 checks failed:
        ✗ expected at most 2 words, but there are 4
        ✗ expected the agent to use tool "Bash", but it used [Write, Read ×2, Edit ×2]"
    `);
    expect(evalChecks(target, [words(4)])).toHaveLength(1);
    expect(checkLabel(words(2))).toBe("words");
  });

  test("may say that it cannot tell", () => {
    const open: Check = { kind: "judged", eval: () => ({ pass: false, score: 0, verdict: "error", code: "NO_MODEL", message: "no model" }), toJSON: () => ({ kind: "judged" }) };
    expect(refusal(() => assertChecks(target, [open]))).toMatch(/could not be judged[^]*no model/);
  });

  test("inside another check is refused, as the core cannot ask it", () => {
    // Of a kind that the core has, so that it could be taken for it.
    const disguised: Check = { kind: "output", eval: () => ({ pass: true, score: 1, message: "" }), toJSON: () => ({ kind: "output", matcher: "x", regex: false }) };
    for (const build of [() => not(disguised), () => all([disguised]), () => any([tool("Edit"), disguised]), () => subagent("x", [disguised])]) {
      expect(thrown(build)).toMatchObject({ code: "VIGILES_CHECK_CUSTOM", message: expect.stringContaining("has an eval of its own") });
    }
  });

  test.each<[string, () => unknown, string]>([
    ["a promise", async () => ({ pass: true, score: 1, message: "" }), "a promise"],
    ["nothing", () => undefined, "something else"],
    ["a boolean", () => true, "something else"],
    ["no message", () => ({ pass: false }), "something else"],
  ])("that gives %s cannot be judged", (_, evaluate, seen) => {
    const check = { kind: "mine", eval: evaluate, toJSON: () => ({ kind: "mine" }) } as unknown as Check;
    const hint = seen === "a promise" ? ": eval must not be async" : "";
    expect(evalChecks(trace, [check, tool("Edit")])).toMatchObject([
      { pass: false, score: 0, verdict: "error", code: "VIGILES_CHECK_RESULT", message: `could not judge "mine": expected its eval to give { pass, score, message }, but it gave ${seen}${hint}` },
      { verdict: "pass" },
    ]);
  });

  test.each<[string, () => never, string, string]>([
    ["an error", () => { throw new TypeError("no such field"); }, "VIGILES_CHECK_RESULT", "no such field"],
    // oxlint-disable-next-line no-throw-literal -- what others throw is theirs to choose
    ["no error", () => { throw "a string"; }, "VIGILES_CHECK_RESULT", "a string"],
    ["that something was not recorded", () => { throw new NotObservedError("VIGILES_NOT_OBSERVED", "no hooks"); }, "VIGILES_NOT_OBSERVED", "no hooks"],
  ])("that throws %s cannot be judged, and hides nothing", (_, evaluate, code, why) => {
    const check: Check = { kind: "mine", eval: evaluate, toJSON: () => ({ kind: "mine" }) };
    expect(evalChecks(trace, [tool("Nope"), check, tool("Edit")])).toMatchObject([
      { verdict: "fail" },
      { pass: false, score: 0, verdict: "error", code, message: `could not judge "mine": its eval threw: ${why}` },
      { verdict: "pass" },
    ]);
    expect(refusal(() => assertChecks(trace, [check]))).toContain(why);
  });

  test("whose promise is rejected does not end the process", async () => {
    const check = { kind: "mine", eval: async () => { throw new Error("late"); }, toJSON: () => ({ kind: "mine" }) } as unknown as Check;
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", note);
    try {
      expect(evalChecks(trace, [check])).toMatchObject([{ verdict: "error", code: "VIGILES_CHECK_RESULT" }]);
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
    } finally {
      process.off("unhandledRejection", note);
    }
    expect(unhandled).toEqual([]);
  });
});

test("half a surrogate pair in a check is read as in a trace", () => {
  const half = "done \uD83D";
  expect(checkFromJSON({ kind: "output", matcher: half, regex: false }).toJSON()).toMatchObject({ matcher: "done \uFFFD" });
  expect(output(half).eval({ output: half })).toMatchObject({ pass: true });
});

describe("targets", () => {
  test("undefined, as of a function without return", () => {
    expect(refusal(() => assertChecks(undefined as never, [tool("Bash")]))).toMatchInlineSnapshot(`"VIGILES_CHECK_TARGET: expected a trace, or the result of runHook or runScript, to judge, but got undefined. Is an await missing, or a return?"`);
    expect(refusal(() => tool("Bash").eval(undefined as never))).toMatchInlineSnapshot(`"VIGILES_CHECK_TARGET: expected a trace, or the result of runHook or runScript, to judge, but got undefined. Is an await missing, or a return?"`);
  });

  test("a promise, as of a forgotten await", async () => {
    const run = runHookAsync("exit 2", event);
    expect(refusal(() => assertChecks(run as never, [blocked()]))).toMatchInlineSnapshot(`"VIGILES_CHECK_TARGET: expected a trace, or the result of runHook or runScript, to judge, but got a promise. Is an await missing, or a return?"`);
    await run;
  });

  test("of the wrong kind cannot be judged, and the message says what to use", () => {
    expect(blocked().eval(trace as never)).toMatchObject({ verdict: "error", code: "VIGILES_CHECK_TARGET" });
    expect(tool("Bash").eval(blocking as never)).toMatchObject({ verdict: "error", code: "VIGILES_CHECK_TARGET" });
    expect(blocked().eval(runScript("exit 2") as never)).toMatchObject({ verdict: "error", code: "VIGILES_CHECK_TARGET", message: expect.stringContaining("runHook") });
  });

  test("with fields of a trace is one, whatever else it has", () => {
    expect(output("done").eval({ output: "done", exitCode: 0, stdout: "" } as TraceTarget)).toMatchObject({ pass: true });
    expect(tool("Bash").eval({ toolCalls: [{ name: "Bash", input: {} }], exitCode: 1, blocked: false } as TraceTarget)).toMatchObject({ pass: true });
  });

  test("a trace whose fields were copied is judged like the trace", () => {
    for (const copy of [{ ...trace }, JSON.parse(JSON.stringify(trace)) as object, structuredClone(trace)]) {
      for (const check of [tool("Edit"), toolWith("Edit", { new_string: "TWO" }), output("Edited"), turns({ max: 6 }), cost({ maxUsd: 1 })]) {
        expect(check.eval(copy)).toEqual(check.eval(trace));
      }
    }
  });

  test("what was not recorded is an error, negated or not", () => {
    const codexRun = parseTrace(codex("shell_ok"));
    for (const check of [turns({ min: 1 }), hookFired("Stop"), cost({ maxUsd: 1 }), received("x")]) {
      expect(check.eval(codexRun)).toMatchObject({ pass: false, verdict: "error", code: "VIGILES_NOT_OBSERVED" });
      expect(not(check).eval(codexRun)).toMatchObject({ pass: false, verdict: "error", code: "VIGILES_NOT_OBSERVED" });
    }
    expect(any([cost({ maxUsd: 1 }), tool("Bash")]).eval(codexRun)).toMatchObject({ pass: true });
    expect(all([cost({ maxUsd: 1 }), tool("Bash")]).eval(codexRun)).toMatchObject({ pass: false, verdict: "error" });
    expect(all([cost({ maxUsd: 1 }), tool("Edit")]).eval(codexRun)).toMatchObject({ pass: false, verdict: "fail" });
  });
});

describe("limits and arguments that JSON cannot hold are refused, not dropped", () => {
  test.each<[string, () => Check]>([
    ["turns NaN", () => turns({ min: 1, max: Number.NaN })],
    ["turns Infinity", () => turns({ min: 1, max: Number.POSITIVE_INFINITY })],
    ["cost NaN", () => cost({ maxUsd: Number.NaN })],
    ["tokens NaN", () => tokens({ max: Number.NaN })],
    ["cacheTokens NaN beside a limit", () => cacheTokens({ maxRead: Number.NaN, maxCreation: 1 })],
    ["replyCount NaN", () => experimental_replyCount("x", { min: 1, max: Number.NaN })],
    ["an argument that is undefined", () => toolWith("Edit", { new_string: "TWO", old_string: undefined } as never)],
    ["an argument that is null", () => toolWith("Edit", { new_string: null } as never)],
    ["an argument that is NaN", () => toolWith("Edit", { new_string: "TWO", count: Number.NaN })],
    ["an argument that is an object", () => toolWith("Edit", { new_string: {} } as never)],
    ["an argument that is a function", () => toolWith("Edit", { new_string: "TWO", old_string: () => true } as never)],
  ])("%s", (_, build) => {
    expect(thrown(() => build().eval(trace))).toMatchObject({ code: "VIGILES_CHECK_INVALID", message: expect.stringMatching(/^expected /) });
    expect(thrown(() => build().eval(hooks))).toMatchObject({ code: "VIGILES_CHECK_INVALID" });
  });

  test("a bound that is undefined is absent", () => {
    expect(turns({ min: 1, max: undefined } as never).eval(trace)).toMatchObject({ pass: true });
  });
});

describe("checkFromJSON refuses", () => {
  test.each<[string, unknown]>([
    ["an unknown kind, naming the nearest", { kind: "tol", name: "Bash" }],
    ["an unknown key, naming the nearest", { kind: "tool", nam: "Bash" }],
    ["a missing value", { kind: "tool" }],
    ["a value of the wrong type", { kind: "turns", min: "1" }],
    ["a nested check, with its place", { kind: "all", checks: [{ kind: "tool", name: "x" }, { kind: "not", check: { kind: "turns" } }] }],
    ["text that is no JSON", "{"],
    ["several checks", '{"kind":"blocked"},{"kind":"allowed"}'],
    ["none", ""],
  ])("%s", (_, json) => {
    expect(refusal(() => checkFromJSON(json as string))).toMatchSnapshot();
  });
});

test("a pattern that is none cannot be judged, and the message says what V8 says", () => {
  const check = checkFromJSON({ kind: "output", matcher: "(", regex: true });
  expect(check.eval(trace)).toMatchObject({ verdict: "error", code: "VIGILES_PATTERN_INVALID", message: expect.stringContaining("Unterminated group") });
  expect(not(check).eval(trace)).toMatchObject({ pass: false, verdict: "error" });
});
