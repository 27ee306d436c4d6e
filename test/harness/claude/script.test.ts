import { existsSync, readdirSync } from "node:fs";

import { expect, it } from "vitest";
import { assertRequestContains, runHarness, runHarnessTest, withHarness, type HarnessTestResult, type HarnessTestSpec } from "vigiles";
import { scriptModel } from "vigiles/claude-code";

import { onClaude } from "../clis.ts";

const DONE = { text: "done" };
const bash = (command: string) => ({ tool: "Bash", input: { command } });
const agent = { tool: "Agent", input: { description: "d", prompt: "Look.", subagent_type: "scout" } };
const SCOUT = { scout: { description: "Looks around.", prompt: "You look around." } };

interface Said {
  readonly spec: Omit<HarnessTestSpec, "claude">;
  readonly see: (result: HarnessTestResult, version: string) => void;
}

const SAID: Record<string, Said> = {
  "a text": { spec: { model: [{ text: "hello" }] }, see: ({ output, turns, exitCode }) => expect([output, turns, exitCode]).toEqual(["hello", 1, 0]) },
  "thoughts and a text": { spec: { model: [{ thinking: "hm", text: "hello" }] }, see: ({ output, turns }) => expect([output, turns]).toEqual(["hello", 1]) },
  "a text and a call in one message": {
    spec: { model: [{ text: "Let me look.", ...bash("echo a") }, DONE] },
    see: ({ turns, replies, toolCalls }) => expect([turns, replies, toolCalls?.length]).toEqual([2, ["done"], 1]),
  },
  "several calls in one turn": {
    spec: { model: [{ tools: [bash("echo a"), bash("echo b")] }, DONE] },
    see: ({ turns, toolCalls }) => expect([turns, toolCalls?.map(({ resultText, turn }) => [resultText, turn])]).toEqual([2, [["a", 1], ["b", 1]]]),
  },
  "429 with retry-after, then a text": {
    spec: { model: [{ error: { status: 429, retryAfter: 1 } }, { text: "at last" }] },
    see: ({ output, modelRequests, servedTurns, warnings }) => {
      expect([output, modelRequests.length, servedTurns]).toEqual(["at last", 2, 2]);
      expect(warnings.join()).toMatch(/429|rate_limit/);
    },
  },
  "500, then a text": { spec: { model: [{ error: { status: 500 } }, { text: "at last" }] }, see: ({ output, servedTurns }) => expect([output, servedTurns]).toEqual(["at last", 2]) },
  "529, then a text": { spec: { model: [{ error: { status: 529 } }, { text: "at last" }] }, see: ({ output }) => expect(output).toBe("at last") },
  "400, which the newer version asks about six times: one turn": {
    spec: { model: [{ error: { status: 400, message: "no such thing" } }], strictScript: true },
    see: (result, version) => {
      expect(result.result).toMatchObject({ isError: true, apiErrorStatus: 400 });
      expect([result.servedTurns, result.modelRequests.length, result.exitCode]).toEqual([1, version === "2.1.332" ? 6 : 1, 1]);
    },
  },
  "404, about which the CLI asks again without streaming: one turn": {
    spec: { model: [{ error: { status: 404 } }] },
    see: ({ result, servedTurns, modelRequests }) => expect([result?.isError, servedTurns, modelRequests.map(({ kind }) => kind)]).toEqual([true, 1, ["main", "main"]]),
  },
  "a connection that is cut, then a text": { spec: { model: [{ disconnect: true, text: "half of this" }, { text: "whole" }], env: { CLAUDE_CODE_MAX_RETRIES: "2" } }, see: ({ output, servedTurns }) => expect([output, servedTurns]).toEqual(["whole", 2]) },
  "a delay": { spec: { model: [{ delayMs: 400, text: "slow" }] }, see: ({ output, durationMs }) => expect([output, durationMs > 400]).toEqual(["slow", true]) },
  "the end of the token limit, and going on": { spec: { model: [{ text: "one", stop: "max_tokens" }, { text: "two" }, { text: "three" }, { text: "four" }] }, see: ({ servedTurns }) => expect(servedTurns).toBeGreaterThan(1) },
  "a refusal, after which the newer version asks once more": {
    spec: { model: [{ text: "I will not.", stop: "refusal" }, { text: "Something else." }] },
    see: ({ servedTurns }, version) => expect(servedTurns).toBe(version === "2.1.332" ? 2 : 1),
  },
  "token counts": {
    spec: { model: [{ ...DONE, usage: { inputTokens: 100, outputTokens: 10, cacheReadTokens: 7, cacheCreationTokens: 3 } }] },
    see: ({ usage }) => expect(usage).toMatchObject({ inputTokens: 100, outputTokens: 10, cacheReadTokens: 7, cacheCreationTokens: 3 }),
  },
  "functions of the request": {
    spec: { model: [bash("echo the answer is 42"), async (request) => ({ text: `I read: ${/the answer is \d+/.exec(request.messages.at(-1)?.text ?? "")?.[0]}` })] },
    see: ({ output }) => expect(output).toBe("I read: the answer is 42"),
  },
  "turns that nobody asked for are a warning": {
    spec: { model: [DONE, { text: "never said" }] },
    see: ({ warnings }) => expect(warnings.join()).toContain("1 of the 2 scripted turns of the main agent were never asked for"),
  },
  "a limit of turns": {
    spec: { model: [bash("echo a"), bash("echo b"), DONE], maxTurns: 1 },
    see: ({ result, exitCode, turns }) => expect([result?.subtype, exitCode, turns]).toEqual(["error_max_turns", 1, 1]),
  },
  "an API failure is no harness error: the trace says so": {
    spec: { model: [{ error: { status: 403 } }] },
    see: ({ result, exitCode }) => expect([result?.isError, exitCode]).toEqual([true, 1]),
  },
};

onClaude("what a scripted model says", ({ program, version }) => {
  it.concurrent.each(Object.entries(SAID))("%s", async (_name, { spec, see }) => {
    await withHarness({ claude: program, ...spec }, (result) => see(result, version));
  });
});

const REFUSED: Record<string, { readonly spec: Omit<HarnessTestSpec, "claude">; readonly code: string; readonly message: RegExp }> = {
  "a script that ends too early": { spec: { model: [bash("echo some output")] }, code: "VIGILES_SCRIPT_OVERRUN", message: /request 2 of the main agent has no scripted turn: the script has 1 turn for it\. The request ends with: some output.*add turn 2/ },
  "a subagent without turns": { spec: { agents: SCOUT, model: [agent, DONE] }, code: "VIGILES_SCRIPT_OVERRUN", message: /request 1 of the subagent scout has no scripted turn.*add `subagents: \{ "scout": \[\.\.\.\] \}`/ },
  "turns left, strictly": { spec: { model: [DONE, DONE], strictScript: true }, code: "VIGILES_SCRIPT_UNUSED", message: /1 of the 2 scripted turns of the main agent were never asked for/ },
  "a function that throws": { spec: { model: [() => { throw new Error("oh no"); }] }, code: "VIGILES_SCRIPT_FAILED", message: /the function that makes a turn of the main agent failed: .*oh no/ },
  "a function that returns nonsense": { spec: { model: [() => 7 as never] }, code: "VIGILES_SCRIPT_FAILED", message: /expected it to return a turn.*but got number/ },
  "a function that returns an unknown field": { spec: { model: [() => ({ txt: "x" }) as never] }, code: "VIGILES_SCRIPT_FAILED", message: /unknown field `txt`/ },
  "an empty script": { spec: { model: [] }, code: "VIGILES_HARNESS_SPEC", message: /the script has no turn/ },
  "an empty turn": { spec: { model: [{}] }, code: "VIGILES_MODEL_TURN", message: /turn 1 of the model script.*it says nothing/ },
  "an input without a tool": { spec: { model: [{ input: { a: 1 } }] }, code: "VIGILES_MODEL_TURN", message: /it has `input` and no `tool`/ },
  "a field of a turn that is spelled wrong": { spec: { model: [DONE, { txet: "x" } as never] }, code: "VIGILES_MODEL_TURN", message: /turn 2 of the model script.*unknown field `txet`/ },
  "a tool that does not exist": { spec: { model: [{ tool: "Bsh", input: {} }, DONE] }, code: "VIGILES_TOOL_MISSING", message: /turn 1 of the script calls the tool "Bsh"/ },
  "a tool that the spec leaves out": { spec: { tools: ["Read"], model: [bash("ls"), DONE] }, code: "VIGILES_HARNESS_SPEC", message: /turn 1 of the script calls "Bash", and the tools that exist are only: Read/ },
  "a rule among the tools": { spec: { tools: ["Bash(git *)"], model: [DONE] }, code: "VIGILES_HARNESS_SPEC", message: /is a permission rule.*`allowedTools`/ },
  "no tool at all": { spec: { tools: [""], model: [DONE] }, code: "VIGILES_HARNESS_SPEC", message: /no tool would exist/ },
  "an effort that the CLI does not know": { spec: { effort: "heroic", model: [DONE] }, code: "VIGILES_CLI_REFUSED", message: /Unknown --effort value/ },
  "an option that the CLI does not know": { spec: { args: ["--no-such-option"], model: [DONE] }, code: "VIGILES_CLI_REFUSED", message: /--no-such-option/ },
  "a permission mode that the CLI does not know": { spec: { permissionMode: "anarchy", model: [DONE] }, code: "VIGILES_CLI_NOT_STARTED", message: /anarchy|permission-mode/ },
  "a path that leaves the work dir": { spec: { files: { "../x": "" }, model: [DONE] }, code: "VIGILES_HARNESS_SPEC", message: /leaves the directory/ },
  "a blank prompt": { spec: { prompt: " ", model: [DONE] }, code: "VIGILES_HARNESS_SPEC", message: /prompt 1 is blank/ },
  "a hook that never ends": { spec: { files: { ".claude/settings.json": '{"hooks":{"UserPromptSubmit":[{"hooks":[{"type":"command","command":"sleep 60"}]}]}}' }, timeoutMs: 1500, model: [DONE] }, code: "VIGILES_CLI_TIMED_OUT", message: /was ended after 1500 ms.*\n {2}command: .*claude -p/s },
  "a tool that never ends": { spec: { timeoutMs: 2500, model: [bash("sleep 60"), DONE] }, code: "VIGILES_CLI_TIMED_OUT", message: /Is a hook or tool waiting/ },
  "a CLI that is killed": { spec: { model: [bash("kill -9 $PPID"), DONE] }, code: "VIGILES_CLI_NO_RESULT", message: /signal 9.*without a result/ },
  "skills that are none": { spec: { skillsDir: "test/fixtures/output-styles", model: [DONE] }, code: "VIGILES_HARNESS_SPEC", message: /holds no `<name>\/SKILL\.md`/ },
  "a plugin that is not there": { spec: { pluginDir: "test/fixtures/plugins/none", model: [DONE] }, code: "VIGILES_PLUGIN_MISSING", message: /is no directory/ },
};

onClaude("a run that gives no trace", ({ program }) => {
  it.concurrent.each(Object.entries(REFUSED))("%s", async (_name, { spec, code, message }) => {
    const refusal = runHarnessTest({ claude: program, ...spec });
    await expect(refusal).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    await expect(refusal).rejects.toBeInstanceOf(Error);
  });

  it("keeps the directory that the message names", async () => {
    const error = await runHarnessTest({ claude: program, model: [bash("ls")] }).catch((cause: Error) => cause);
    const kept = /kept: (.+)$/m.exec((error as Error).message)?.[1] ?? "";
    expect(readdirSync(kept).toSorted()).toEqual(["home", "io", "tmp", "work"]);
  });
});

onClaude("a fake CLI", () => {
  const fake = async (script: string) => await runHarnessTest({ claude: `${import.meta.dirname}/../../fixtures/fake-cli/${script}`, model: [DONE] }).catch((cause: Error) => cause);

  it("that exits with 0 and no result", async () => {
    expect(await fake("no-result.sh")).toMatchObject({ code: "VIGILES_CLI_NOT_STARTED", message: expect.stringContaining("exit code 0") });
  });

  it("whose stream was cut in the middle of its last line", async () => {
    expect(await fake("cut.sh")).toMatchObject({ code: "VIGILES_CLI_NOT_STARTED", message: expect.stringMatching(/exit code 0[^]*stderr: something broke/) });
  });

  it("that asks for a login", async () => {
    expect(await fake("login.sh")).toMatchObject({ code: "VIGILES_CLI_UNAUTHENTICATED", message: expect.stringContaining("Please run /login") });
  });

  it("that is not there", async () => {
    expect(await fake("missing.sh")).toMatchObject({ code: "VIGILES_CLI_MISSING" });
  });
}, ["2.1.332"]);

onClaude("a run", ({ program }) => {
  it("leaves nothing after cleanup, and its stream and trace can still be read", async () => {
    const result = await runHarness({ claude: program, model: scriptModel([DONE]) });
    expect(existsSync(result.cwd)).toBe(true);
    result.cleanup();
    expect(existsSync(result.cwd)).toBe(false);
    expect(result.stdout).toContain('"type":"result"');
    expect(result.output).toBe("done");
  });

  it("takes nothing of the caller's but PATH", async () => {
    process.env["VIGILES_TEST_SECRET"] = "hunter2";
    try {
      await withHarness({ claude: program, model: [bash("env"), DONE] }, (result) => {
        expect(result.toolCalls?.[0]?.resultText).not.toContain("hunter2");
        expect(result.toolCalls?.[0]?.resultText).toContain(`HOME=${result.cwd.replace(/work$/, "home")}`);
        assertRequestContains(result, "PATH=");
      });
    } finally {
      delete process.env["VIGILES_TEST_SECRET"];
    }
  });

  it("refuses a real model and fields that it does not know", async () => {
    await expect(runHarness({ model: [DONE] }, { model: "real" })).rejects.toMatchObject({ code: "VIGILES_INVALID_ARGUMENT", message: expect.stringContaining("vigiles/eval") });
    await expect(runHarnessTest({ model: [DONE], promt: "x" } as never)).rejects.toMatchObject({ message: expect.stringContaining('did you mean "prompt"?') });
  });
}, ["2.1.332"]);
