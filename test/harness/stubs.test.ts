/** Programs that stand in for real ones, and tool calls that are refused, in the real CLIs. */
import { expect, it } from "vitest";
import { experimental_stub, runHarnessTest, withHarness, type HarnessTestResult, type HarnessTestSpec } from "vigiles";
import type { HarnessAdapter } from "vigiles/adapter";
import { claudeCodeAdapter } from "vigiles/claude-code";
import { codexAdapter } from "vigiles/codex";

import { onClaude, onCodex, type Cli } from "./clis.ts";

const DONE = { text: "done" };
const { rest } = experimental_stub;

interface Case {
  readonly spec: (adapter: HarnessAdapter) => HarnessTestSpec;
  readonly see: (result: HarnessTestResult) => void;
}

const gh = experimental_stub("gh", [
  { argv: ["pr", "list", rest], contains: ["--json"], reply: { kind: "always", stdout: "[7]\n" } },
  { argv: ["pr", "view", /^\d+$/], reply: { kind: "inOrder", answers: [{ stdout: "open\n" }, { stderr: "gone\n", exitCode: 4 }] } },
]);

const CASES: Record<string, Case> = {
  "a stub answers a tool, call by call": {
    spec: ({ dialect: { shell } }) => ({ stubs: [gh], model: [shell("gh pr view 7 > first.txt; gh pr view 7 2> second.txt; echo $? > code.txt"), DONE] }),
    see: (result) => {
      expect(result.stubCalls).toEqual([
        { tool: "gh", argv: ["pr", "view", "7"], rule: 1, answer: 0 },
        { tool: "gh", argv: ["pr", "view", "7"], rule: 1, answer: 1 },
      ]);
      expect(["first.txt", "second.txt", "code.txt"].map((file) => result.file(file))).toEqual(["open\n", "gone\n", "4\n"]);
    },
  },
  "a stub answers a hook, and a script that the agent wrote": {
    spec: ({ dialect: { shell, shellHook } }) => ({
      ...shellHook?.("PreToolUse", "gh pr list --json number > hook.txt"),
      files: { "run.sh": "#!/bin/bash\ngh pr list --limit 3 --json title > script.txt\n" },
      stubs: [gh],
      model: [shell("./run.sh"), DONE],
    }),
    see: (result) => {
      expect(result.stubCalls.map(({ argv }) => argv)).toEqual([
        ["pr", "list", "--json", "number"],
        ["pr", "list", "--limit", "3", "--json", "title"],
      ]);
      expect([result.file("hook.txt"), result.file("script.txt")]).toEqual(["[7]\n", "[7]\n"]);
    },
  },
  "a stub goes before a program that is there": {
    spec: ({ dialect: { shell } }) => ({ stubs: [experimental_stub("ls", [{ argv: [rest], reply: { kind: "always", stdout: "nothing to see\n" } }])], model: [shell("ls -la > out.txt"), DONE] }),
    see: (result) => expect(result.file("out.txt")).toBe("nothing to see\n"),
  },
  "without stubs there are no calls": { spec: () => ({ model: [DONE] }), see: ({ stubCalls }) => expect(stubCalls).toEqual([]) },
  "a call that is intercepted does not run, and the rest does": {
    spec: ({ dialect: { shell } }) => ({
      interceptTools: [{ tool: "Bash", when: { command: /^touch secret/ }, denyReason: "not in a test" }],
      model: [shell("touch secret.txt"), shell("touch public.txt"), DONE],
    }),
    see: (result) => {
      expect(result.toolCalls?.map(({ denied }) => denied)).toEqual([true, false]);
      expect(result.toolCalls?.[0]?.resultText).toContain("not in a test");
      expect([result.file("secret.txt"), result.file("public.txt")]).toEqual([null, ""]);
      // Not a part of the harness under test.
      expect(result.hooks).toEqual([]);
    },
  },
  "the harness' own hooks are told apart from the one that intercepts": {
    spec: ({ dialect: { shell, shellHook } }) => ({ ...shellHook?.("PreToolUse", "true"), interceptTools: [{ tool: "Bash" }], model: [shell("touch a.txt"), DONE] }),
    see: (result) => {
      expect(result.file("a.txt")).toBeNull();
      expect(result.toolCalls?.[0]?.resultText).toContain("noted and not run");
      expect(result.hooks).toMatchObject([{ event: "PreToolUse", command: "true", blocked: false }]);
      expect(result.warnings).toEqual([]);
    },
  },
};

const suite =
  (adapter: HarnessAdapter) =>
  ({ program }: Cli): void => {
    it.concurrent.each(Object.entries(CASES))("%s", async (_name, { spec, see }) => await withHarness({ program, ...spec(adapter) }, see, { adapter }));

    it("a call without an answer fails the run, and says what to add", async () => {
      const { shell } = adapter.dialect;
      const failed = runHarnessTest({ program, stubs: [gh], model: [shell("gh pr close 7; gh pr close 7"), DONE] }, { adapter });
      await expect(failed).rejects.toMatchObject({
        code: "VIGILES_STUB_UNANSWERED",
        message: expect.stringMatching(/2 calls had no answer\n {2}gh pr close 7 \(x2\): no rule matches it\n(.*\n)+ {2}one for it: \{ argv: \["pr", "close", "7"\]/),
      });
    });
  };

onClaude("stubs and intercepted calls", suite(claudeCodeAdapter));
onCodex("stubs and intercepted calls", suite(codexAdapter));

onClaude("interception", ({ program }) => {
  it.each([
    ["--bare", { args: ["--bare"] }],
    ["disableAllHooks", { settings: { disableAllHooks: true } }],
  ])("is refused where no hook would run: %s", async (why, spec) => {
    const failed = runHarnessTest({ claude: program, interceptTools: [{ tool: "Bash" }], model: [DONE], ...spec });
    await expect(failed).rejects.toMatchObject({ code: "VIGILES_HARNESS_SPEC", message: expect.stringContaining(why) });
  });
}, ["2.1.332"]);
