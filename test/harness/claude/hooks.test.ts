import { expect, it } from "vitest";
import { assertHookFired, assertRequestContains, hookBlocked, hookFailed, hookFired, withHarness, type HarnessTestResult, type HarnessTestSpec, type HookFire } from "vigiles";

import { onClaude } from "../clis.ts";

const bash = (command: string) => ({ tool: "Bash", input: { command } });
const DONE = { text: "done" };

/** Project settings with one hook for an event. */
function hook(event: string, command: string, more: Record<string, unknown> = {}): HarnessTestSpec["files"] {
  return { ".claude/settings.json": JSON.stringify({ hooks: { [event]: [{ ...(event.endsWith("ToolUse") ? { matcher: "Bash" } : {}), hooks: [{ type: "command", command, ...more }] }] } }) };
}

const decide = (decision: string, more: Record<string, unknown> = {}) =>
  `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: decision, permissionDecisionReason: "not today", ...more } })}'`;

interface Case {
  readonly command: string;
  readonly handler?: Record<string, unknown>;
  readonly fire: Partial<HookFire>;
  /** What became of `echo ran`: its answer, or that it was denied. */
  readonly call: { readonly denied: boolean; readonly resultText?: unknown };
}

const PRE_TOOL_USE: Record<string, Case> = {
  "exit 0": { command: "echo fine", fire: { exitCode: 0, blocked: false, effect: "none", stdout: "fine\n" }, call: { denied: false, resultText: "ran" } },
  "exit 0 in silence": { command: "true", fire: { exitCode: 0, blocked: false, effect: "none", stdout: "" }, call: { denied: false, resultText: "ran" } },
  "exit 1: a failure that blocks nothing": { command: "echo bad >&2; exit 1", fire: { exitCode: 1, blocked: false, effect: "none", stderr: "bad\n" }, call: { denied: false, resultText: "ran" } },
  "exit 2": { command: "echo bad >&2; exit 2", fire: { exitCode: 2, blocked: true, effect: "prevented", stderr: "bad\n" }, call: { denied: true } },
  "exit 2 beside JSON that allows": { command: `${decide("allow")}; echo bad >&2; exit 2`, fire: { exitCode: 2, blocked: true, effect: "prevented" }, call: { denied: true } },
  "a command that is not there": { command: "no-such-command", fire: { exitCode: 127, blocked: false, effect: "none" }, call: { denied: false, resultText: "ran" } },
  "a time limit that passes": { command: "sleep 5", handler: { timeout: 1 }, fire: { blocked: false, effect: "none", timedOut: true, outcome: "cancelled" }, call: { denied: false, resultText: "ran" } },
  "JSON that was cut": { command: `echo '{"nope": 1'`, fire: { exitCode: 0, blocked: false, effect: "none" }, call: { denied: false, resultText: "ran" } },
  "JSON deny": { command: decide("deny"), fire: { exitCode: 0, blocked: true, effect: "prevented" }, call: { denied: true } },
  "JSON ask, where nobody can be asked": { command: decide("ask"), fire: { exitCode: 0, blocked: true, effect: "prevented" }, call: { denied: true } },
  "JSON allow with another input": { command: decide("allow", { updatedInput: { command: "echo changed" } }), fire: { exitCode: 0, blocked: false, effect: "none" }, call: { denied: false, resultText: "changed" } },
  "continue: false, after which the tool still runs": { command: `echo '{"continue":false,"stopReason":"enough"}'`, fire: { exitCode: 0, blocked: false, effect: "halted" }, call: { denied: false, resultText: "ran" } },
};

onClaude("a PreToolUse hook", ({ program, version }) => {
  it.concurrent.each(Object.entries(PRE_TOOL_USE))("%s", async (_name, { command, handler, fire, call }) => {
    await withHarness({ claude: program, files: hook("PreToolUse", command, handler)!, model: [bash("echo ran"), DONE] }, (result) => {
      expect(result.hooks).toMatchObject([{ name: "PreToolUse:Bash", event: "PreToolUse", command, toolUseId: result.toolCalls?.[0]?.id, ...fire }]);
      expect(result.toolCalls).toMatchObject([{ name: "Bash", ...call }]);
      expect(hookFailed(result, "PreToolUse")).toBe(fire.exitCode !== 0);
      // The older version keeps the time of a hook only where its session file has a record.
      expect(version === "2.1.197" || (result.hooks?.[0]?.durationMs ?? 0) > 0).toBe(true);
    });
  });

  it("two hooks on one matcher are told apart", async () => {
    const files = { ".claude/settings.json": JSON.stringify({ hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "true" }, { type: "command", command: "echo two >&2; exit 2" }] }] } }) };
    await withHarness({ claude: program, files, model: [bash("echo ran"), DONE] }, ({ hooks, toolCalls }) => {
      const seen = hooks?.map(({ command, blocked, toolUseId }) => [command, blocked, toolUseId]);
      const call = toolCalls?.[0]?.id;
      expect(seen?.toSorted()).toEqual([
        ["echo two >&2; exit 2", true, call],
        ["true", false, call],
      ]);
    });
  });

  it("parallel calls: each firing is tied to its own call", async () => {
    const command = `node -e "const e=JSON.parse(require('fs').readFileSync(0));if(e.tool_input.command.includes('bad')){console.error('no');process.exit(2)}console.log(e.tool_use_id)"`;
    const tools = ["echo a", "echo bad", "echo c"].map((text) => bash(text));
    await withHarness({ claude: program, files: hook("PreToolUse", command)!, model: [{ tools }, DONE] }, ({ hooks, toolCalls, turns }) => {
      expect(turns).toBe(2);
      const ids = toolCalls?.map(({ id }) => id) ?? [];
      expect(toolCalls?.map(({ denied }) => denied)).toEqual([false, true, false]);
      expect(hooks?.map(({ toolUseId }) => toolUseId).toSorted()).toEqual(ids.toSorted());
      for (const { toolUseId, stdout, blocked } of hooks ?? []) expect(blocked === true ? "" : stdout?.trim()).toBe(blocked === true ? "" : toolUseId);
    });
  });

  it("of a plugin runs with the plugin's directory", async () => {
    await withHarness(
      { claude: program, pluginDir: "test/fixtures/plugins/guard", model: [bash("rm -rf build"), DONE] },
      (result) => {
        assertHookFired(result, "PreToolUse", { blocked: true });
        expect(result.hooks).toMatchObject([{ command: expect.stringContaining("deny-rm.sh"), stderr: "rm is not for agents\n" }]);
      },
    );
  });
});

interface Other {
  readonly spec: Omit<HarnessTestSpec, "claude">;
  readonly see: (result: HarnessTestResult) => void;
}

const OTHER_EVENTS: Record<string, Other> = {
  "PostToolUse, exit 2: the text reaches the model, the answer stays": {
    spec: { files: hook("PostToolUse", "echo look again >&2; exit 2")!, model: [bash("echo ran"), DONE] },
    see: (result) => {
      expect(result.hooks).toMatchObject([{ event: "PostToolUse", exitCode: 2, blocked: true, effect: "feedback", command: "echo look again >&2; exit 2" }]);
      expect(result.toolCalls).toMatchObject([{ resultText: "ran", denied: false }]);
      assertRequestContains(result, "look again");
    },
  },
  "PostToolUse, additionalContext": {
    spec: { files: hook("PostToolUse", `echo '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"pineapple"}}'`)!, model: [bash("echo ran"), DONE] },
    see: (result) => assertRequestContains(result, "pineapple"),
  },
  "UserPromptSubmit, exit 2: the model is never asked": {
    spec: { files: hook("UserPromptSubmit", "echo no prompts >&2; exit 2")!, model: [DONE] },
    see: (result) => {
      expect(result.hooks).toMatchObject([{ exitCode: 2, blocked: true, effect: "prevented", command: "echo no prompts >&2; exit 2" }]);
      expect([result.modelRequests, result.turns, result.exitCode]).toEqual([[], 0, 0]);
      expect(result.warnings.join()).toContain("never asked for");
    },
  },
  "UserPromptSubmit, stdout": {
    spec: { files: hook("UserPromptSubmit", "echo remember pineapple")!, model: [DONE] },
    see: (result) => assertRequestContains(result, "remember pineapple"),
  },
  "SessionStart, stdout; SessionEnd runs and says nothing": {
    spec: {
      files: { ".claude/settings.json": JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ type: "command", command: "echo remember pineapple" }] }], SessionEnd: [{ hooks: [{ type: "command", command: "echo bye > ended" }] }] } }) },
      model: [DONE],
    },
    see: (result) => {
      assertRequestContains(result, "remember pineapple");
      expect(result.hooks).toMatchObject([{ name: "SessionStart:startup", event: "SessionStart", exitCode: 0, command: "echo remember pineapple" }]);
      expect([result.file("ended"), hookFired(result, "SessionEnd")]).toEqual(["bye\n", false]);
    },
  },
  "Stop, exit 2: the agent goes on, and the next Stop knows it": {
    spec: { files: hook("Stop", `grep -q '"stop_hook_active":true' && exit 0; echo go on >&2; exit 2`)!, model: [DONE, { text: "really done" }] },
    see: (result) => {
      expect(result.hooks).toMatchObject([
        { event: "Stop", exitCode: 2, blocked: true, effect: "continued" },
        { event: "Stop", exitCode: 0, blocked: false, effect: "none" },
      ]);
      expect(result.hooks?.every(({ command }) => command?.startsWith("grep"))).toBe(true);
      expect(result.output).toBe("really done");
      assertRequestContains(result, "go on");
    },
  },
  "SubagentStop, exit 2": {
    spec: {
      files: hook("SubagentStop", `grep -q '"stop_hook_active":true' && exit 0; echo deeper >&2; exit 2`)!,
      agents: { scout: { description: "Looks around.", prompt: "You look around." } },
      model: { turns: [{ tool: "Agent", input: { description: "look", prompt: "Look around.", subagent_type: "scout" } }, DONE], subagents: { scout: [{ text: "nothing" }, { text: "a cave" }] } },
    },
    see: (result) => {
      expect(hookBlocked(result, "SubagentStop")).toBe(true);
      expect(result.subagents).toMatchObject([{ name: "scout", output: expect.stringContaining("a cave") }]);
    },
  },
  "a prompt hook asks the model, and the script answers it": {
    spec: {
      files: { ".claude/settings.json": JSON.stringify({ hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "prompt", prompt: "Is this fine? $ARGUMENTS" }] }] } }) },
      model: { turns: [bash("echo ran"), DONE], side: { promptHook: [{ text: '{"ok": false, "reason": "not fine"}' }] } },
    },
    see: (result) => {
      expect(result.toolCalls).toMatchObject([{ denied: true, resultText: expect.stringContaining("not fine") }]);
      expect(result.modelRequests.map(({ kind }) => kind)).toContain("promptHook");
    },
  },
};

onClaude("a hook of another event", ({ program }) => {
  it.concurrent.each(Object.entries(OTHER_EVENTS))("%s", async (_name, { spec, see }) => {
    await withHarness({ claude: program, ...spec }, see);
  });

  it("settings that the CLI would ignore without a word are an error", async () => {
    const broken = [
      ['{ "hooks": { "PreToolUse": [ { "matcher": "Bash", "hooks": [ { "type": "command" } ] } ] } }', "expected `command` in a hook of the type \"command\""],
      ['{ "hooks": { "PreTolUse": [] } }', 'write "PreToolUse"'],
      ['{ "hooks": { "PreToolUse": [ ] }', "expected JSON, but"],
      ['{ "permissions": { "deny": "Bash" } }', "expected an array of permission rules, but got a string"],
    ] as const;
    for (const [text, message] of broken) {
      await expect(withHarness({ claude: program, files: { ".claude/settings.json": text }, model: [DONE] }, () => undefined)).rejects.toMatchObject({
        code: "VIGILES_SETTINGS_INVALID",
        message: expect.stringMatching(new RegExp(`settings\\.json:1:\\d+: .*${message.replaceAll(/[`"()]/g, ".")}`)),
      });
    }
  });
});
