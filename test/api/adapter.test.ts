/** Harnesses of third parties. */
import { describe, expect, it } from "vitest";
import { preToolUse, runHarnessTest, runHook, withHarness, type HarnessTestSpec, type RunHookOptions, type TraceLike } from "vigiles";
import { adapterConformance, type HarnessAdapter, type HarnessDriver } from "vigiles/adapter";
import { claudeCodeAdapter } from "vigiles/claude-code";
import { codexAdapter } from "vigiles/codex";

import { MINI, miniAdapter, miniDriver } from "../support/mini-adapter.ts";

const DONE = { text: "done" };
const shell = (line: string) => ({ tool: "run", input: { line } });

describe("the conformance kit passes an adapter that is right", () => {
  it.each(adapterConformance(miniAdapter, { program: MINI }))("$name", async ({ run }) => await run());
});

const driven = (driver: Partial<HarnessDriver>, more: Partial<HarnessAdapter> = {}): HarnessAdapter => ({ ...miniAdapter, ...more, driver: { ...miniDriver, ...driver } });
const reads = (change: (trace: TraceLike) => TraceLike): HarnessAdapter => driven({ read: async (left, place) => change(await miniDriver.read(left, place)) });

function without<T extends object>(from: T, key: keyof T): T {
  return Object.fromEntries(Object.entries(from).filter(([name]) => name !== key)) as T;
}

/** One fault each, and the case of the kit that must find it. */
const FAULTS: Record<string, readonly [found: string, adapter: HarnessAdapter, says: string]> = {
  "a name that is none": ["is described", { ...miniAdapter, name: "My Agent" }, "small letters"],
  "a capability left out": ["is described", { ...miniAdapter, capabilities: { ...miniAdapter.capabilities, mcp: undefined as unknown as boolean } }, "nothing for mcp"],
  "no output": ["gives the model's text as the output", reads((trace) => without(trace, "output")), 'expected output to be "the seventh answer", but saw undefined (not recorded)'],
  "calls that are not recorded": ["gives the model's text as the output", reads((trace) => without(trace, "toolCalls")), "expected toolCalls to be [], but saw undefined"],
  "another prompt": ["tells the model what the user said", driven({ launch: (spec, place, turn) => miniDriver.launch(spec, place, { ...turn, prompt: "hello" }) }), "the prompt in a model request"],
  "results that are left out": ["runs a tool call in the work dir, and tells its result", reads((trace) => ({ ...trace, toolCalls: trace.toolCalls?.map((call) => without(call, "resultText")) })), "the result of the call"],
  "errors that are hidden": ["tells of a tool call that fails", reads((trace) => ({ ...trace, toolCalls: trace.toolCalls?.map((call) => ({ ...call, isError: false })) })), "a call with an error"],
  "the caller's environment": [
    "has an environment of its own",
    driven({ launch: async (spec, place, turn) => ({ ...(await miniDriver.launch(spec, place, turn)), env: { ...(process.env as Record<string, string>), HOME: place.home, MINI_MODEL_URL: place.modelUrl } }) }),
    "no variable of the caller",
  ],
  "instructions under another name": ["reads the project's instructions", { ...miniAdapter, dialect: { ...miniAdapter.dialect, instructions: "AGENT.md" } }, "AGENT.md in a model request"],
  "hooks that it claims": ["runs hooks, and tells what they did", { ...miniAdapter, capabilities: { ...miniAdapter.capabilities, hooks: true } }, "`dialect.shellHook`"],
  "hooks that it invents": ["says nothing of hooks that it does not see", reads((trace) => ({ ...trace, hooks: [] })), "expected hooks to be undefined (not recorded), but saw []"],
  "something that it should refuse": ["refuses a reasoning effort, and says why", driven({ refuses: { ...miniDriver.refuses, effort: undefined as unknown as string } }), "VIGILES_HARNESS_UNSUPPORTED"],
  "a session that is forgotten": ["goes on with a session", driven({ prepare: () => undefined, launch: async (spec, place, turn) => ({ ...(await miniDriver.launch(spec, place, turn)), env: { HOME: place.tmp + turn.index, MINI_MODEL_URL: place.modelUrl } }) }), ""],
};

describe("the conformance kit finds", () => {
  it.each(Object.entries(FAULTS))("%s", async (_name, [found, adapter, says]) => {
    const one = adapterConformance(adapter, { program: MINI }).find(({ name }) => name === found);
    await expect(one?.run()).rejects.toMatchObject({ message: expect.stringContaining(says) });
  });
});

describe("a driver", () => {
  const run = async (driver: Partial<HarnessDriver>, spec: Partial<HarnessTestSpec> = {}) => await runHarnessTest({ program: MINI, model: [DONE], ...spec }, { adapter: driven(driver) });

  it("gives a result like that of any CLI", async () => {
    await withHarness(
      { program: MINI, files: { "a.txt": "pear" }, model: [shell("cat a.txt; echo b > b.txt"), { text: "done" }] },
      (result) => {
        expect(result).toMatchObject({ output: "done", turns: 2, servedTurns: 2, exitCode: 0, prompt: "go" });
        expect(result.toolCalls).toMatchObject([{ name: "run", input: { line: "cat a.txt; echo b > b.txt" }, resultText: "pear" }]);
        expect(result.file("b.txt")).toBe("b\n");
        expect(result.modelRequests.map(({ tools }) => tools)).toEqual([["run"], ["run"]]);
        expect(result.stdout).toContain('"kind":"end"');
      },
      { adapter: miniAdapter },
    );
  });

  it("that throws is an error that names what was asked of it, and keeps nothing running", async () => {
    const boom = () => {
      throw new Error("it broke here");
    };
    for (const member of ["prepare", "launch", "failure", "read"] as const) {
      await expect(run({ [member]: boom })).rejects.toMatchObject({ code: "VIGILES_ADAPTER_FAILED", message: expect.stringMatching(new RegExp(`adapter of Mini failed in \`${member}\`: .*it broke here`)) });
    }
  });

  it("that gives something else than expected is told what", async () => {
    await expect(run({ launch: () => ({ argv: [], env: {} }) })).rejects.toMatchObject({ code: "VIGILES_ADAPTER_FAILED", message: expect.stringContaining("a command in `argv`, but it is empty") });
    await expect(run({ launch: () => ({ argv: [1 as unknown as string], env: {} }) })).rejects.toMatchObject({ message: expect.stringContaining("`argv[0]`: invalid type: integer `1`, expected a string") });
    await expect(run({ read: () => "a trace" as unknown as TraceLike })).rejects.toMatchObject({ code: "VIGILES_ADAPTER_FAILED", message: expect.stringContaining("`read`") });
    await expect(run({ read: () => ({ turns: "two" as unknown as number }) })).rejects.toMatchObject({ message: expect.stringMatching(/`read`.*turns/s) });
  });

  it("says what a launch failed of, with the command and the kept directory", async () => {
    await expect(run({ failure: () => "it lost its way" })).rejects.toMatchObject({ code: "VIGILES_CLI_FAILED", message: expect.stringMatching(/Mini ended without a result that can be judged: it lost its way\n {2}command: .*mini\.mjs\n {2}kept: /) });
  });

  it("with a member that is none is refused", async () => {
    await expect(run({ reed: () => ({}) } as unknown as Partial<HarnessDriver>)).rejects.toMatchObject({ code: "VIGILES_INVALID_ARGUMENT", message: expect.stringContaining('did you mean "read"') });
  });

  it("is needed for a harness that is not built in", async () => {
    await expect(runHarnessTest({ program: MINI, model: [DONE] }, { adapter: without(miniAdapter, "driver") })).rejects.toMatchObject({ code: "VIGILES_INVALID_ARGUMENT", message: expect.stringContaining("no harness named mini is built in") });
  });
});

describe("runHook with an adapter", () => {
  // The CLIs differ in what they do with a hook that ends with 2 and says nothing.
  const silent = (options: RunHookOptions) => runHook("exit 2", preToolUse("Bash", { command: "ls" }), options);

  it("judges by the rules of its CLI", () => {
    expect(silent({ adapter: codexAdapter })).toEqual({ ...silent({ cli: "codex" }), durationMs: expect.any(Number) });
    expect(silent({ adapter: claudeCodeAdapter })).toEqual({ ...silent({ cli: "claude-code" }), durationMs: expect.any(Number) });
    expect(silent({ adapter: codexAdapter }).note).not.toBe(silent({ adapter: claudeCodeAdapter }).note);
  });

  it("refuses one without rules, and two answers to one question", () => {
    expect(() => silent({ adapter: miniAdapter })).toThrow(/that of Mini has none: nobody knows what its CLI does/);
    expect(() => silent({ adapter: codexAdapter, cli: "codex" })).toThrow(/got both: leave one out/);
  });
});
