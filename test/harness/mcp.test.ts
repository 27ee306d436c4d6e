/** Scripted MCP servers in the real CLIs. */
import { expect, it, onTestFinished } from "vitest";
import { assertChecks, assertRequestContains, mcp, mockMcpServer, not, withHarness, type HarnessTestResult, type HarnessTestSpec, type MockMcpServer, type MockMcpServerOptions } from "vigiles";
import { codexAdapter } from "vigiles/codex";

import { onClaude, onCodex } from "./clis.ts";

const DONE = { text: "done" };
const call = (tool: string, input: Record<string, unknown> = {}) => ({ tool, input });

interface Case {
  /** The servers by the names that the CLI knows them by. */
  readonly servers: Readonly<Record<string, MockMcpServerOptions>>;
  readonly spec: Omit<HarnessTestSpec, "mcpServers">;
  readonly see: (result: HarnessTestResult, servers: Readonly<Record<string, MockMcpServer>>) => void;
}

/** Starts the servers of a case, runs it and looks. */
async function play({ servers: scripts, spec, see }: Case, cli: Partial<HarnessTestSpec>, options: Parameters<typeof withHarness>[2] = {}): Promise<void> {
  const started = await Promise.all(Object.entries(scripts).map(async ([name, script]) => [name, await mockMcpServer(script)] as const));
  const servers = Object.fromEntries(started);
  const mcpServers = Object.fromEntries(started.map(([name, { config }]) => [name, config]));
  try {
    await withHarness({ ...spec, ...cli, mcpServers }, (result) => see(result, servers), options);
  } finally {
    for (const [, server] of started) await server.close();
  }
}

const CLAUDE: Record<string, Case> = {
  "is connected, is called, and its reply reaches the model": {
    servers: { demo: { instructions: "Say things twice.", tools: { echo: { description: "Says it again.", reply: { text: "echo: snow" } } } } },
    spec: { allowedTools: ["mcp__demo__echo"], model: [call("mcp__demo__echo", { text: "snow" }), DONE] },
    see: (result, { demo }) => {
      expect(result.mcpServers).toEqual([{ name: "demo", status: "connected" }]);
      assertChecks(result, [mcp("demo", "echo")]);
      expect(result.toolCalls).toMatchObject([{ name: "mcp__demo__echo", isError: false, denied: false, resultText: "echo: snow" }]);
      assertRequestContains(result, "echo: snow");
      // The server's own record and the trace tell of the same call.
      expect(demo?.calls).toEqual([{ index: 0, tool: "echo", arguments: { text: "snow" }, toolUseId: result.toolCalls?.[0]?.id }]);
      expect(demo?.requests.map(({ method }) => method)).toEqual(expect.arrayContaining(["initialize", "notifications/initialized", "tools/list", "tools/call"]));
      expect(demo?.problems).toEqual([]);
    },
  },
  "that fails to start is failed, and the run goes on": {
    servers: { demo: { failToStart: true, tools: { echo: { reply: DONE } } } },
    spec: { model: [DONE] },
    see: (result, { demo }) => {
      expect(result.mcpServers).toEqual([{ name: "demo", status: "failed" }]);
      expect(result.output).toBe("done");
      expect(demo?.requests).toEqual([]);
    },
  },
  "that is not allowed is not called": {
    servers: { demo: { tools: { echo: { reply: DONE } } } },
    spec: { allowedTools: ["Read"], model: [call("mcp__demo__echo", { text: "snow" }), DONE] },
    see: (result, { demo }) => {
      expect(result.mcpServers).toEqual([{ name: "demo", status: "connected" }]);
      expect(result.toolCalls).toMatchObject([{ name: "mcp__demo__echo", denied: true, isError: true, resultText: expect.stringContaining("requested permissions to use mcp__demo__echo") }]);
      expect(demo?.calls).toEqual([]);
    },
  },
  "whose tool is forbidden does not offer it": {
    servers: { demo: { tools: { keep: { reply: DONE }, drop: { reply: DONE } } } },
    spec: { disallowedTools: ["mcp__demo__drop"], allowedTools: ["mcp__demo__keep"], model: [call("mcp__demo__keep"), DONE] },
    see: (result, { demo }) => {
      assertChecks(result, [mcp("demo", "keep"), not(mcp("demo", "drop"))]);
      const offered = result.modelRequests.flatMap((request) => request.tools ?? []);
      expect(offered).not.toContain("mcp__demo__drop");
      expect(demo?.calls.map(({ tool }) => tool)).toEqual(["keep"]);
    },
  },
  "whose tool fails is a failed call": {
    servers: { demo: { tools: { echo: { reply: { text: "it broke", isError: true } } } } },
    spec: { allowedTools: ["mcp__demo__echo"], model: [call("mcp__demo__echo"), DONE] },
    see: (result) => {
      expect(result.toolCalls).toMatchObject([{ isError: true, denied: false, resultText: expect.stringContaining("it broke") }]);
      assertRequestContains(result, "it broke");
    },
  },
  "beside another one keeps its own record": {
    servers: { one: { tools: { who: { reply: { text: "I am one" } } } }, two: { tools: { who: { reply: { text: "I am two" } } } } },
    spec: { allowedTools: ["mcp__one", "mcp__two"], model: [{ tools: [call("mcp__one__who", { n: 1 }), call("mcp__two__who", { n: 2 })] }, call("mcp__two__who", { n: 3 }), DONE] },
    see: (result, { one, two }) => {
      expect(result.mcpServers).toEqual([{ name: "one", status: "connected" }, { name: "two", status: "connected" }]);
      expect(result.toolCalls?.map(({ name, resultText }) => [name, resultText])).toEqual([
        ["mcp__one__who", "I am one"],
        ["mcp__two__who", "I am two"],
        ["mcp__two__who", "I am two"],
      ]);
      expect([one, two].map((server) => server?.calls.map((made) => made.arguments))).toEqual([[{ n: 1 }], [{ n: 2 }, { n: 3 }]]);
    },
  },
  "gives replies in order, and one too few is a problem that the model sees": {
    servers: { demo: { tools: { next: { reply: [{ text: "first" }, { text: "second" }] } } } },
    spec: { allowedTools: ["mcp__demo__next"], model: [call("mcp__demo__next"), call("mcp__demo__next"), call("mcp__demo__next"), DONE] },
    see: (result, { demo }) => {
      expect(result.toolCalls).toMatchObject([{ resultText: "first" }, { resultText: "second" }, { isError: true, resultText: expect.stringContaining("Add a reply for it to the list") }]);
      expect(demo?.problems).toEqual([expect.stringContaining('call 3 of the tool "next" has no reply: its list has 2')]);
    },
  },
  "that is slow to connect is waited for": {
    servers: { demo: { delayMs: 800, tools: { echo: { reply: { text: "at last" } } } } },
    spec: { allowedTools: ["mcp__demo__echo"], model: [call("mcp__demo__echo"), DONE] },
    see: (result) => {
      expect(result.mcpServers).toEqual([{ name: "demo", status: "connected" }]);
      expect(result.toolCalls).toMatchObject([{ isError: false, resultText: "at last" }]);
    },
  },
  "answers with a function of the arguments": {
    servers: { demo: { tools: { add: { reply: async ({ a, b }: { a: number; b: number }, made) => ({ text: `${made.tool}: ${a + b}` }) } } } },
    spec: { allowedTools: ["mcp__demo__add"], model: [call("mcp__demo__add", { a: 2, b: 40 }), (request) => ({ text: request.messages.at(-1)?.text ?? "" })] },
    see: (result) => {
      expect(result.output).toContain("add: 42");
    },
  },
};

onClaude("a scripted MCP server", ({ program }) => {
  it.concurrent.each(Object.entries(CLAUDE))("%s", async (_name, one) => await play(one, { claude: program }));

  it("is found in the project's .mcp.json", async () => {
    const server = await mockMcpServer({ tools: { echo: { reply: { text: "hello" } } } });
    onTestFinished(async () => await server.close());
    const files = { ".mcp.json": JSON.stringify({ mcpServers: { local: server.config } }) };
    await withHarness({ claude: program, files, allowedTools: ["mcp__local__echo"], model: [call("mcp__local__echo"), DONE] }, (result) => {
      expect(result.mcpServers).toEqual([{ name: "local", status: "connected" }]);
      expect(server.calls).toHaveLength(1);
    });
  });
});

onClaude(
  "a scripted MCP server that takes long to connect to a CLI that does not wait",
  ({ program }) => {
    it("is pending, and its tools are not there yet", async () => {
      await play(
        {
          servers: { demo: { delayMs: 5000, tools: { echo: { reply: DONE } } } },
          spec: { env: { MCP_CONNECTION_NONBLOCKING: "1" }, allowedTools: ["mcp__demo__echo"], model: [call("mcp__demo__echo"), DONE] },
          see: (result, { demo }) => {
            expect(result.mcpServers).toEqual([{ name: "demo", status: "pending" }]);
            expect(result.toolCalls).toMatchObject([{ isError: true, resultText: expect.stringContaining("still connecting") }]);
            expect(demo?.calls).toEqual([]);
          },
        },
        { claude: program },
      );
    });
  },
  // The newer version waits in any case.
  ["2.1.197"],
);

const CODEX: Record<string, Case> = {
  "is called, and its reply reaches the model": {
    servers: { demo: { tools: { echo: { reply: ({ text }) => ({ text: `echo: ${text}` }) } } } },
    spec: { model: [call("mcp__demo__echo", { text: "snow" }), DONE] },
    see: (result, { demo }) => {
      assertChecks(result, [mcp("demo", "echo")]);
      assertRequestContains(result, "echo: snow");
      expect(demo?.calls).toMatchObject([{ index: 0, tool: "echo", arguments: { text: "snow" } }]);
      expect(demo?.problems).toEqual([]);
    },
  },
  "whose tool fails is a failed call": {
    servers: { demo: { tools: { echo: { reply: { text: "it broke", isError: true } } } } },
    spec: { model: [call("mcp__demo__echo"), DONE] },
    see: (result) => {
      expect(result.toolCalls).toMatchObject([{ name: "mcp__demo__echo", isError: true, denied: false }]);
      assertRequestContains(result, "it broke");
    },
  },
  "gives replies in order, from two servers": {
    servers: { one: { tools: { next: { reply: [{ text: "first" }, { text: "second" }] } } }, two: { tools: { next: { reply: { text: "other" } } } } },
    spec: { model: [call("mcp__one__next"), call("mcp__two__next"), call("mcp__one__next"), DONE] },
    see: (_result, { one, two }) => {
      expect([one?.calls.length, two?.calls.length, one?.problems]).toEqual([2, 1, []]);
    },
  },
  "that fails to start is not called, and the run goes on": {
    servers: { demo: { failToStart: true, tools: { echo: { reply: DONE } } } },
    spec: { model: [DONE] },
    see: (result, { demo }) => {
      expect(result.output).toBe("done");
      expect(demo?.requests).toEqual([]);
    },
  },
};

onCodex("a scripted MCP server", ({ program }) => {
  it.concurrent.each(Object.entries(CODEX))("%s", async (_name, one) => await play(one, { codex: program }, { adapter: codexAdapter }));
});
