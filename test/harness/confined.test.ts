/** Confined runs of the real CLIs. */
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";
import { assertChecks, assertRequestContains, assertWroteOnly, experimental_stub, hookBlocked, hookFired, mcp, mockMcpServer, output, received, runHarness, runHarnessTest, skill, tool, withHarness, type HarnessAdapter, type HarnessTestResult, type HarnessTestSpec } from "vigiles";
import { claudeCodeAdapter } from "vigiles/claude-code";
import { codexAdapter } from "vigiles/codex";

import { confinementMissing, skipping } from "../support/confinement.ts";
import { onClaude, onCodex, type Cli } from "./clis.ts";

const isSkipped = skipping("confined runs of the real CLIs", confinementMissing());

const DONE = { text: "done" };
const bash = (command: string) => ({ tool: "Bash", input: { command } });
const GUARD = "test/fixtures/plugins/guard";

/** How a tool's command was routed: a confined one is uid 1000 in a process namespace of its own. */
const WAY = "[ $(ls -d /proc/[0-9]* 2>/dev/null | wc -l) -lt 20 ] && [ $(id -u) = 1000 ] && echo confined || echo direct";

function onBoth(name: string, suite: (cli: Cli, adapter: HarnessAdapter) => void): void {
  describe.skipIf(isSkipped)("confined", () => {
    onClaude(name, (cli) => suite(cli, claudeCodeAdapter));
    onCodex(name, (cli) => suite(cli, codexAdapter));
  });
}

/** What the first call of the run said. */
const said = (result: HarnessTestResult) => result.toolCalls?.[0]?.resultText;

onBoth("a strict run", ({ program }, adapter) => {
  const confined = async (spec: Omit<HarnessTestSpec, "program">, see: (result: HarnessTestResult) => void) =>
    await withHarness({ sandbox: "strict", ...spec, program }, (result) => {
      expect(result.confined).toBe(true);
      see(result);
    }, { adapter });

  it("answers", async () => {
    await confined({ prompt: "Say done.", model: [DONE] }, (result) => {
      assertChecks(result, [output("done")]);
      assertRequestContains(result, "Say done.");
      expect([result.exitCode, result.filesWritten, result.filesChanged, result.filesDeleted]).toEqual([0, [], [], []]);
    });
  });

  it("calls tools in the work dir, and what they changed is told and kept", async () => {
    const files = { "kept.txt": "old", "changed.txt": "old", "removed.txt": "old" };
    await confined({ files, model: [bash(`${WAY}; cat kept.txt; echo new > changed.txt; rm removed.txt; mkdir -p src; echo x > src/new.txt; ln -s /etc/passwd out`), DONE] }, (result) => {
      assertChecks(result, [tool("Bash"), output("done")]);
      expect(said(result)).toContain("confined\nold");
      expect(result.filesWritten).toEqual(["changed.txt", "src/new.txt"]);
      expect([result.filesChanged, result.filesDeleted]).toEqual([["changed.txt"], ["removed.txt"]]);
      assertWroteOnly(result, ["changed.txt", "src/"]);
      expect([result.file("src/new.txt"), result.file("removed.txt"), result.file("out")]).toEqual(["x\n", null, null]);
      expect(result.warnings).toEqual([expect.stringContaining(": out")]);
    });
  });

  it("runs hooks, which block", async () => {
    const hook = adapter.dialect.shellHook?.("PreToolUse", `(${WAY}) >&2; exit 2`);
    await confined({ ...hook, model: [bash("touch ran"), DONE] }, (result) => {
      assertChecks(result, [hookFired("PreToolUse"), hookBlocked("PreToolUse")]);
      expect(result.hooks).toMatchObject([{ exitCode: 2, blocked: true, effect: "prevented", stderr: "confined\n" }]);
      expect(result.filesWritten).toEqual([]);
    });
  });

  it("goes on with a session", async () => {
    await confined({ prompts: ["one", "two"], model: [{ text: "first" }, bash("echo x > made"), { text: "second" }] }, (result) => {
      expect(result.modelRequests.at(-1)?.messages.map(({ text }) => text).join("\n")).toMatch(/one[^]*first[^]*two/);
      expect(result.filesWritten).toEqual(["made"]);
    });
  });

  it("has stubs for programs, and tool calls that are refused", async () => {
    const stubs = [experimental_stub("gh", [{ argv: ["pr", "list"], reply: { kind: "always", stdout: "none\n" } }])];
    await confined({ stubs, interceptTools: [{ tool: "Bash", when: { command: /push/ } }], model: [bash("gh pr list"), bash("git push"), DONE] }, (result) => {
      expect(said(result)).toContain("none");
      expect(result.stubCalls).toMatchObject([{ tool: "gh", argv: ["pr", "list"] }]);
      expect(result.toolCalls?.map(({ denied }) => denied)).toEqual([false, true]);
    });
  });

  it("reaches a scripted MCP server", async () => {
    const server = await mockMcpServer({ tools: { echo: { reply: { text: "echo: snow" } } } });
    onTestFinished(async () => await server.close());
    await confined({ ...adapter.dialect.allowMcp?.("demo"), mcpServers: { demo: server.config }, model: [{ tool: "mcp__demo__echo", input: {} }, DONE] }, (result) => {
      assertChecks(result, [mcp("demo", "echo")]);
      expect(server.calls).toHaveLength(1);
    });
  });

  it("sees nothing of the caller's: no home, key, variable, process or server", async () => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), "vigiles-home-")));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    writeFileSync(join(home, "key"), "sk-do-not-tell");
    const server = createServer((socket) => socket.end("reached"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const attack = `cat ${home}/key; bash -c 'cat </dev/tcp/127.0.0.1/${port}'; ls -d /proc/${process.pid} && echo seen; echo x > ${home}/written && echo written; true`;
    const seen = async (sandbox: "strict" | false) => {
      rmSync(join(home, "written"), { force: true });
      const result = await runHarnessTest({ program, sandbox, model: [bash(attack), DONE] }, { adapter });
      onTestFinished(() => result.cleanup());
      const text = said(result) ?? "";
      return [text.includes("sk-do-not-tell"), text.includes("reached"), text.includes("seen"), existsSync(join(home, "written"))];
    };
    expect(await seen(false)).toEqual([true, true, true, true]);
    expect(await seen("strict")).toEqual([false, false, false, false]);
  });

  it("leaves no process, also when it is ended at its time limit", async () => {
    const mark = `98${process.pid}.25`;
    const run = withHarness({ program, sandbox: "strict", timeoutMs: 4000, model: [bash(`setsid sleep ${mark} & sleep 60`), DONE] }, () => undefined, { adapter });
    await expect(run).rejects.toMatchObject({ code: "VIGILES_CLI_TIMED_OUT" });
    await withHarness({ program, sandbox: "strict", model: [bash(`(setsid sleep ${mark} >/dev/null 2>&1 &); true`), DONE] }, () => undefined, { adapter });
    await withHarness({ program, sandbox: false, model: [bash(`pgrep -f 'sleep ${mark.replace(".", "[.]")}' || echo none`), DONE] }, (result) => expect(said(result)).toContain("none"), { adapter });
  });

  it("has the limits that it is given", async () => {
    await confined({ sandboxLimits: { workBytes: 40_000_000 }, model: [bash("head -c 60000000 /dev/zero > big; ls -l big | cut -d' ' -f5; rm big"), DONE] }, (result) => {
      expect(said(result)).toContain("40000000");
    });
  });
});

describe.skipIf(isSkipped)("which way a run takes", () => {
  onClaude("decided by sandbox and trusted", ({ program }) => {
    const plugin = { pluginDir: GUARD };
    const rows: [confined: boolean, spec: Partial<HarnessTestSpec>][] = [
      [false, {}],
      [true, { trusted: false }],
      [true, plugin],
      [false, { ...plugin, trusted: true }],
      [true, { plugin: GUARD }],
      [false, { ...plugin, sandbox: false }],
      [true, { sandbox: "strict", trusted: true }],
      [true, { sandbox: "auto", ...plugin }],
      [false, { sandbox: "auto" }],
    ];
    it.concurrent.each(rows)("confined: %s with %o", async (confined, spec) => {
      for (const run of [runHarnessTest, runHarness]) {
        const result = await run({ program, ...spec, model: [bash(WAY), DONE] });
        expect([result.confined, said(result)]).toEqual([confined, confined ? "confined" : "direct"]);
        result.cleanup();
      }
    });

    it("a plugin's skills and hooks work confined, also of a directory that only its owner may read", async () => {
      const dir = mkdtempSync(join(tmpdir(), "vigiles-plugin-"));
      onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
      for (const path of [".claude-plugin", "skills/greet", "hooks"]) mkdirSync(join(dir, path), { recursive: true });
      writeFileSync(join(dir, ".claude-plugin/plugin.json"), '{"name":"demo"}');
      writeFileSync(join(dir, "skills/greet/SKILL.md"), "---\nname: greet\ndescription: Greets.\n---\nGreet like a sailor.\n");
      writeFileSync(join(dir, "hooks/hooks.json"), JSON.stringify({ hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "echo mine > ${CLAUDE_PLUGIN_ROOT}/own; echo no >&2; exit 2" }] }] } }));
      await withHarness({ program, pluginDir: dir, allowedTools: ["Skill", "Bash"], model: [{ tool: "Skill", input: { skill: "demo:greet" } }, bash("ls"), DONE] }, (result) => {
        expect(result.confined).toBe(true);
        assertChecks(result, [skill("demo:greet"), received("like a sailor"), hookBlocked("PreToolUse")]);
      });
      expect(existsSync(join(dir, "own"))).toBe(false);
      expect(readFileSync(join(dir, ".claude-plugin/plugin.json"), "utf8")).toContain("demo");
    });
  });
});
