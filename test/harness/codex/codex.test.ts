import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { expect, it } from "vitest";
import { assertChecks, assertRequestContains, mcp, runHarnessTest, tool, toolWith, withHarness, type HarnessTestResult, type HarnessTestSpec, type HookFire } from "vigiles";
import { codexAdapter, startCodexMock } from "vigiles/codex";

import { onCodex } from "../clis.ts";

const DONE = { text: "done" };
const bash = (command: string) => ({ tool: "Bash", input: { command } });
const patch = (text: string) => ({ tool: "apply_patch", input: { patch: `*** Begin Patch\n${text}\n*** End Patch` } });
const SERVER = { command: process.execPath, args: [fileURLToPath(new URL("../../fixtures/mcp/echo-server.mjs", import.meta.url))] };

function hook(event: string, command: string, more: Record<string, unknown> = {}): Record<string, string> {
  return { ".codex/hooks.json": JSON.stringify({ hooks: { [event]: [{ ...(event.endsWith("ToolUse") ? { matcher: "Bash" } : {}), hooks: [{ type: "command", command, ...more }] }] } }) };
}

const tomlHook = (command: string) => `[[hooks.PreToolUse]]\nmatcher = "Bash"\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = "${command}"\n`;

const decide = (decision: string, more: Record<string, unknown> = {}) =>
  `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: decision, permissionDecisionReason: "not today", ...more } })}'`;

interface HookCase {
  readonly command: string;
  readonly handler?: Record<string, unknown>;
  readonly fire: Partial<HookFire>;
  readonly call: Record<string, unknown>;
}

const PRE_TOOL_USE: Record<string, HookCase> = {
  "exit 0": { command: "echo fine", fire: { exitCode: 0, blocked: false, stdout: "fine\n" }, call: { denied: false, resultText: "ran\n" } },
  "exit 1 blocks nothing": { command: "exit 1", fire: { exitCode: 1, blocked: false, effect: "none" }, call: { denied: false, resultText: "ran\n" } },
  "exit 2": { command: "echo bad >&2; exit 2", fire: { exitCode: 2, blocked: true, effect: "prevented", stderr: "bad\n" }, call: { denied: true, isError: true, resultText: expect.stringContaining("bad") } },
  "JSON deny": { command: decide("deny"), fire: { exitCode: 0, blocked: true, effect: "prevented" }, call: { denied: true, resultText: expect.stringContaining("not today") } },
  "a command that is not there": { command: "no-such-command", fire: { exitCode: 127, blocked: false }, call: { denied: false } },
  "a time limit that passes": { command: "sleep 5", handler: { timeout: 1 }, fire: { timedOut: true, blocked: false }, call: { denied: false } },
  "JSON allow with another input": { command: decide("allow", { updatedInput: { command: "echo changed" } }), fire: { blocked: false }, call: { denied: false, resultText: "changed\n" } },
};

onCodex("a PreToolUse hook", ({ program }) => {
  it.concurrent.each(Object.entries(PRE_TOOL_USE))("%s", async (_name, { command, handler, fire, call }) => {
    await withHarness(
      { codex: program, files: hook("PreToolUse", command, handler), model: [bash("echo ran"), DONE] },
      (result) => {
        expect(result.toolCalls).toMatchObject([{ name: "Bash", turn: 1, ...call }]);
        // The original command, not that of the recorder; tied to its call by the model's own id.
        expect(result.hooks).toMatchObject([{ name: "PreToolUse:Bash", event: "PreToolUse", command, toolUseId: result.toolCalls?.[0]?.id, ...fire }]);
        // Trusted: an untrusted hook, or trust that was bypassed, leaves a warning in the stream or no firing.
        expect(result.warnings).toEqual([]);
      },
      { adapter: codexAdapter },
    );
  });
});

interface Case {
  readonly spec: Omit<HarnessTestSpec, "codex">;
  readonly see: (result: HarnessTestResult) => void;
}

const CASES: Record<string, Case> = {
  "a text": { spec: { model: [{ text: "hello" }] }, see: ({ output, turns, exitCode, warnings }) => expect([output, turns, exitCode, warnings]).toEqual(["hello", 1, 0, []]) },
  "parallel calls": {
    spec: { model: [{ tools: [bash("echo a"), bash("echo b")] }, DONE] },
    see: (result) => {
      assertChecks(result, [tool("Bash"), toolWith("Bash", { command: "echo a" })]);
      expect([result.turns, result.toolCalls?.map(({ turn, resultText }) => [turn, resultText])]).toEqual([2, [[1, "a\n"], [1, "b\n"]]]);
    },
  },
  "a patch, and calls that leave no item in the stream": {
    spec: { model: [patch("*** Add File: a.txt\n+hello"), { tool: "view_image", input: { path: "no.png" } }, { tool: "nope", input: {} }, patch("*** Update File: missing.txt\n@@\n-x\n+y"), DONE] },
    see: (result) => {
      expect(result.file("a.txt")).toBe("hello\n");
      expect(result.toolCalls).toMatchObject([
        { name: "apply_patch", isError: false, turn: 1 },
        { name: "view_image", isError: true, denied: false, turn: 2, resultText: expect.stringContaining("unable to locate image") },
        { name: "nope", isError: true, denied: false, turn: 3, resultText: "unsupported call: nope" },
        { name: "apply_patch", isError: true, turn: 4 },
      ]);
    },
  },
  "an MCP server": {
    spec: { mcpServers: { demo: SERVER }, model: [{ tool: "mcp__demo__echo", input: { text: "hello" } }, DONE] },
    see: (result) => {
      assertChecks(result, [mcp("demo", "echo")]);
      assertRequestContains(result, "echo: hello");
    },
  },
  "AGENTS.md, and a skill named in the prompt": {
    spec: { prompt: "Use $greet now", files: { "AGENTS.md": "Be brief.", ".agents/skills/greet/SKILL.md": "---\nname: greet\ndescription: Greets.\n---\nSay ahoy.\n" }, model: [DONE] },
    see: (result) => {
      assertRequestContains(result, "Be brief.");
      assertRequestContains(result, "Say ahoy.");
    },
  },
  "UserPromptSubmit, exit 2: the model is never asked": {
    spec: { files: hook("UserPromptSubmit", "echo no >&2; exit 2"), model: [DONE] },
    see: ({ modelRequests, hooks, exitCode }) => {
      expect([modelRequests, exitCode]).toEqual([[], 0]);
      expect(hooks).toMatchObject([{ event: "UserPromptSubmit", blocked: true, effect: "prevented" }]);
    },
  },
  "Stop, exit 2: the agent goes on": {
    spec: { files: hook("Stop", `grep -q '"stop_hook_active":true' && exit 0; echo go on >&2; exit 2`), model: [DONE, { text: "really" }] },
    see: (result) => {
      expect(result.hooks?.map(({ blocked, effect }) => [blocked, effect])).toEqual([[true, "continued"], [false, "none"]]);
      expect(result.output).toBe("really");
      assertRequestContains(result, "go on");
    },
  },
  "hooks in config.toml, of the project and of the user": {
    spec: {
      files: { ".codex/config.toml": tomlHook("echo project > project.txt") },
      home: { ".codex/config.toml": `model_reasoning_effort = "low"\n\n${tomlHook("echo user > user.txt")}` },
      model: [bash("true"), DONE],
    },
    see: (result) => {
      // Hooks of one call run beside each other.
      const hooks = (result.hooks ?? []).toSorted((a, b) => ((a.command ?? "") < (b.command ?? "") ? -1 : 1));
      expect(hooks).toMatchObject([
        { event: "PreToolUse", command: "echo project > project.txt", blocked: false },
        { event: "PreToolUse", command: "echo user > user.txt", blocked: false },
      ]);
      expect([result.file("user.txt"), result.file("project.txt"), result.warnings]).toEqual(["user\n", "project\n", []]);
    },
  },
  "hooks given with the spec": {
    spec: { settings: { hooks: { SessionStart: [{ hooks: [{ type: "command", command: "echo remember pineapple" }] }] } }, model: [DONE] },
    see: (result) => {
      expect(result.hooks).toMatchObject([{ event: "SessionStart", command: "echo remember pineapple" }]);
      assertRequestContains(result, "remember pineapple");
    },
  },
  "several prompts in one thread": {
    spec: { prompts: ["first", "second"], model: [{ text: "one" }, { text: "two" }] },
    see: ({ output, replies, turns, usage, modelRequests }) => {
      expect([output, replies, turns]).toEqual(["two", ["one", "two"], 2]);
      // After a resume Codex tells the tokens of the whole thread: they are not counted twice.
      expect(usage).toMatchObject({ inputTokens: 20, outputTokens: 10 });
      expect(modelRequests[1]?.messages.map(({ text }) => text).join("\n")).toMatch(/first[^]*one[^]*second/);
    },
  },
  "a child thread has turns of its own": {
    spec: {
      modelName: "mock-model",
      model: {
        turns: [{ tool: "spawn_agent", input: { message: "Look around." } }, (request) => ({ tool: "wait_agent", input: { targets: [/"agent_id":"([^"]+)"/.exec(request.messages.at(-1)?.text ?? "")?.[1]] } }), DONE],
        subagents: { child: [{ text: "A cave." }] },
      },
    },
    see: ({ modelRequests, output }) => {
      expect(output).toBe("done");
      expect(modelRequests.filter(({ kind }) => kind === "subagent").map(({ agent }) => agent)).toEqual(["child"]);
    },
  },
  "400": { spec: { model: [{ error: { status: 400, message: "no such thing" } }] }, see: ({ result, exitCode, servedTurns }) => expect([result?.isError, exitCode, servedTurns]).toEqual([true, 1, 1]) },
  "429": { spec: { model: [{ error: { status: 429 } }] }, see: ({ result }) => expect(result).toMatchObject({ isError: true, errors: [expect.stringContaining("429")] }) },
  "500, then a text": { spec: { model: [{ error: { status: 500 } }, { text: "at last" }] }, see: ({ output }) => expect(output).toBe("at last") },
};

onCodex("what a run shows", ({ program }) => {
  it.concurrent.each(Object.entries(CASES))("%s", async (_name, { spec, see }) => {
    await withHarness({ codex: program, ...spec }, see, { adapter: codexAdapter });
  });
});

const REFUSED: Record<string, { readonly spec: Partial<HarnessTestSpec>; readonly code: string; readonly message: RegExp }> = {
  "an effort": { spec: { effort: "low" }, code: "VIGILES_HARNESS_UNSUPPORTED", message: /Codex has no `effort`: no mapping/ },
  "a list of tools": { spec: { tools: ["Bash"] }, code: "VIGILES_HARNESS_UNSUPPORTED", message: /Codex has no `tools`/ },
  "allowed tools": { spec: { allowedTools: ["Bash"] }, code: "VIGILES_HARNESS_UNSUPPORTED", message: /`allowedTools`/ },
  "a script that ends too early": { spec: { model: [bash("ls")] }, code: "VIGILES_SCRIPT_OVERRUN", message: /request 2 of the main agent/ },
  "hooks in TOML that the CLI would skip": { spec: { files: { ".codex/config.toml": "[hooks]\nPreTolUse = []\n" } }, code: "VIGILES_SETTINGS_INVALID", message: /config\.toml:2:\d+: .*write "PreToolUse"/ },
  "hooks that the CLI would skip": { spec: { files: { ".codex/hooks.json": '{"hooks":{"PreTolUse":[]}}' } }, code: "VIGILES_SETTINGS_INVALID", message: /write "PreToolUse"/ },
  "an option that it does not know": { spec: { args: ["--no-such-option"] }, code: "VIGILES_CLI_REFUSED", message: /--no-such-option/ },
  "a program that is not there": { spec: { codex: "/no/such/codex" }, code: "VIGILES_CLI_MISSING", message: /Codex was not found/ },
  "a tool that never ends": { spec: { timeoutMs: 2500, model: [bash("sleep 60"), DONE] }, code: "VIGILES_CLI_TIMED_OUT", message: /was ended after 2500 ms/ },
};

onCodex("a run that gives no trace", ({ program }) => {
  it.concurrent.each(Object.entries(REFUSED))("%s", async (_name, { spec, code, message }) => {
    const refusal = runHarnessTest({ codex: program, model: [DONE], ...spec }, { adapter: codexAdapter });
    await expect(refusal).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it("and the home is not below the directory for temporary files", async () => {
    await withHarness({ codex: program, model: [bash("echo $TMPDIR $CODEX_HOME"), DONE] }, ({ toolCalls, stderr }) => {
      const [tmp = "", home = ""] = toolCalls?.[0]?.resultText?.trim().split(" ") ?? [];
      expect(home.startsWith(`${tmp}/`)).toBe(false);
      expect(existsSync(home)).toBe(true);
      expect(stderr).not.toContain("PATH aliases");
    }, { adapter: codexAdapter });
  });
});

onCodex("startCodexMock", () => {
  it("speaks the Responses API to any client", async () => {
    const model = await startCodexMock([{ text: "hello" }]);
    try {
      const response = await fetch(`${model.url}/v1/responses`, { method: "POST", body: JSON.stringify({ model: "m", input: "hi" }) });
      expect(await response.json()).toMatchObject({ status: "completed", output: [{ type: "message", content: [{ text: "hello" }] }] });
      expect([model.count, model.requests[0]?.messages]).toEqual([1, [{ role: "user", text: "hi" }]]);
    } finally {
      await model.close();
    }
  });
});
