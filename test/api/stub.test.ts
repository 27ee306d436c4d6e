/** Stubs and intercepted calls before anything runs. */
import { describe, expect, it } from "vitest";
import { experimental_stub, runHarnessTest, type StubRule } from "vigiles";

import { MINI, miniAdapter } from "../support/mini-adapter.ts";

const { rest } = experimental_stub;
const DONE = { text: "done" };

describe("experimental_stub", () => {
  it("gives plain data", () => {
    const rules: StubRule[] = [{ argv: ["a", /b/i, rest], reply: { kind: "always" } }];
    expect(experimental_stub("gh", rules)).toEqual({ name: "gh", rules });
  });

  it.each<[problem: string, rules: unknown]>([
    ["experimental_stub[0].rules cannot be used: there is no rule", []],
    ["experimental_stub[0].rules[0].argv[0] cannot be used: the flag g of /a/g has no meaning for one argument", [{ argv: [/a/g], reply: { kind: "always" } }]],
    ["`rest` stands for all arguments that follow", [{ argv: [rest, "a"], reply: { kind: "always" } }]],
    ["unknown field `replies`", [{ argv: ["a"], replies: {} }]],
    ["invalid value: integer `300`, expected u8", [{ argv: ["a"], reply: { kind: "always", exitCode: 300 } }]],
  ])("refuses rules that could not be served: %s", (problem, rules) => {
    expect(() => experimental_stub("gh", rules as StubRule[])).toThrow(expect.objectContaining({ code: "VIGILES_STUB_INVALID", message: expect.stringContaining(problem) }));
  });
});

describe("a run", () => {
  it.each<[problem: string, spec: object]>([
    ["stubs[0] cannot be used: it has no `rules`", { stubs: [{ name: "gh", stdout: "x" }] }],
    ["stubs[1].name cannot be used: there are two stubs", { stubs: [1, 2].map(() => experimental_stub("gh", [{ argv: [], reply: { kind: "always" } }])) }],
    ["`interceptTools[0]` of the harness spec cannot be used: expected `tool` to name a tool", { interceptTools: [{ tool: " " }] }],
    ["unknown field `with`", { interceptTools: [{ tool: "Bash", with: {} }] }],
  ])("refuses what it could not do: %s", async (problem, spec) => {
    await expect(runHarnessTest({ program: MINI, model: [DONE], ...spec }, { adapter: miniAdapter })).rejects.toMatchObject({ code: "VIGILES_HARNESS_SPEC", message: expect.stringContaining(problem) });
  });

  it("has its stubs with any harness", async () => {
    const date = experimental_stub("date", [{ argv: [], reply: { kind: "always", stdout: "yesterday\n" } }]);
    const result = await runHarnessTest({ program: MINI, stubs: [date], model: [{ tool: "run", input: { line: "date" } }, DONE] }, { adapter: miniAdapter });
    expect([result.toolCalls?.[0]?.resultText, result.stubCalls]).toEqual(["yesterday\n", [{ tool: "date", argv: [], rule: 0, answer: 0 }]]);
    result.cleanup();
  });

  it("needs the program that answers", async () => {
    const before = process.env["VIGILES_HOOK_PROGRAM"];
    process.env["VIGILES_HOOK_PROGRAM"] = "/no/such/vigiles-hook";
    try {
      const date = experimental_stub("date", [{ argv: [], reply: { kind: "always" } }]);
      const failed = runHarnessTest({ program: MINI, stubs: [date], model: [{ tool: "run", input: { line: "date" } }, DONE] }, { adapter: miniAdapter });
      await expect(failed).rejects.toMatchObject({ code: "VIGILES_HOOK_PROGRAM_MISSING" });
    } finally {
      if (before === undefined) delete process.env["VIGILES_HOOK_PROGRAM"];
      else process.env["VIGILES_HOOK_PROGRAM"] = before;
    }
  });

  it("refuses to intercept where nothing could", async () => {
    const failed = runHarnessTest({ program: MINI, interceptTools: [{ tool: "run" }], model: [DONE] }, { adapter: miniAdapter });
    await expect(failed).rejects.toMatchObject({ code: "VIGILES_HARNESS_UNSUPPORTED" });
  });
});
