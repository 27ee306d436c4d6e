/** A scripted MCP server, asked by raw JSON-RPC over the program that CLIs start, and by the official client. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { createInterface } from "node:readline";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { mockMcpServer, type McpCall, type MockMcpServer, type MockMcpServerOptions, VigilesError } from "vigiles";

async function start(options: MockMcpServerOptions): Promise<MockMcpServer> {
  const server = await mockMcpServer(options);
  onTestFinished(async () => await server.close());
  return server;
}

/** Sends messages to the server's program, ends its input, and gives what came back and how it ended. */
async function exchange({ command, args }: MockMcpServer["config"], messages: readonly unknown[]) {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"] });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = once(child, "close");
  child.stdin.on("error", () => {}); // of a program that ended at once
  child.stdin.end(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
  const answers: unknown[] = [];
  for await (const line of createInterface({ input: child.stdout })) answers.push(JSON.parse(line));
  const [exitCode] = (await ended) as [number | null];
  return { answers, exitCode, stderr };
}

const request = (id: number, method: string, params?: object) => ({ jsonrpc: "2.0", id, method, params });
const call = (id: number, name: string, args: object = {}) => request(id, "tools/call", { name, arguments: args });

async function connect(server: MockMcpServer): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command: server.config.command, args: [...server.config.args], stderr: "ignore" }));
  onTestFinished(async () => await client.close());
  return client;
}

describe("over JSON-RPC", () => {
  test("it answers what was scripted and keeps what it was asked", async () => {
    const server = await start({ tools: { echo: { reply: { text: "hello" } } } });
    const { answers, exitCode, stderr } = await exchange(server.config, [
      request(0, "server/discover"),
      request(1, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } }),
      { jsonrpc: "2.0", method: "notifications/initialized" },
      request(2, "tools/call", { name: "echo", arguments: { z: 1, a: "é" }, _meta: { "claudecode/toolUseId": "toolu_1" } }),
    ]);
    expect(answers).toMatchObject([
      { id: 0, error: { code: -32601 } },
      { id: 1, result: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "demo" } } },
      { id: 2, result: { content: [{ type: "text", text: "hello" }], isError: false } },
    ]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(server.calls).toStrictEqual([{ index: 0, tool: "echo", arguments: { z: 1, a: "é" }, toolUseId: "toolu_1" }]);
    expect(server.requests.map(({ method }) => method)).toEqual(["server/discover", "initialize", "notifications/initialized", "tools/call"]);
    expect(server.requests[1]?.params).toMatchObject({ clientInfo: { name: "x" } });
    expect(server.problems).toEqual([]);
  });

  test("a list of replies is given in order, to all clients together, and tells what is missing", async () => {
    const server = await start({ tools: { next: { reply: [{ text: "one" }, () => ({ text: "two" })] } } });
    const texts = [];
    for (const id of [1, 2, 3]) texts.push(...(await exchange(server.config, [call(id, "next", { id })])).answers);
    const problem = 'call 3 of the tool "next" has no reply: its list has 2. It was called with {"id":3}. Add a reply for it to the list, or give one reply for all calls';
    expect(texts).toMatchObject([
      { id: 1, result: { content: [{ text: "one" }] } },
      { id: 2, result: { content: [{ text: "two" }] } },
      { id: 3, result: { content: [{ text: problem }], isError: true } },
    ]);
    expect(server.problems).toEqual([problem]);
  });

  test("functions get the arguments and the call; one that fails is a failed tool and a problem", async () => {
    const seen: McpCall[] = [];
    const server = await start({
      tools: {
        sum: {
          reply: async ({ a, b }: { a: number; b: number }, one) => {
            seen.push(one);
            return { text: String(a + b), structuredContent: { sum: a + b } };
          },
        },
        throws: {
          reply: () => {
            throw new RangeError("out of apples");
          },
        },
        rejects: { reply: async () => await Promise.reject(new Error("no luck")) },
        nothing: { reply: (() => undefined) as never },
        wrong: { reply: (() => ({ text: 7 })) as never },
      },
    });
    const { answers } = await exchange(server.config, [call(1, "sum", { a: 2, b: 3 })]);
    expect(answers).toMatchObject([{ result: { content: [{ text: "5" }], structuredContent: { sum: 5 }, isError: false } }]);
    expect(seen).toEqual([{ index: 0, tool: "sum", arguments: { a: 2, b: 3 } }]);
    expect(seen).toEqual(server.calls);

    const failures: string[] = [];
    for (const tool of ["throws", "rejects", "nothing", "wrong"]) {
      const [answer] = (await exchange(server.config, [call(1, tool)])).answers as [{ result: { isError: boolean; content: [{ text: string }] } }];
      expect(answer.result.isError, tool).toBe(true);
      failures.push(answer.result.content[0].text);
    }
    expect(failures).toEqual([
      expect.stringContaining("out of apples"),
      expect.stringContaining("no luck"),
      expect.stringContaining("expected a reply, such as { text: \"done\" }, but got undefined"),
      expect.stringContaining("`text`: invalid type"),
    ]);
    expect(server.problems).toEqual(["throws", "rejects", "nothing", "wrong"].map((tool, index) => `the function that replies for the tool "${tool}" failed: ${failures[index]}`));
  });

  test("a slow reply holds up no other; a slow server delays all", async () => {
    const server = await start({ tools: { slow: { reply: { text: "slow", delayMs: 300 } }, quick: { reply: { text: "quick" } } } });
    expect((await exchange(server.config, [call(1, "slow"), call(2, "quick")])).answers).toMatchObject([{ id: 2 }, { id: 1 }]);

    const slow = await start({ delayMs: 150, tools: { quick: { reply: { text: "quick" } } } });
    const began = performance.now();
    await exchange(slow.config, [request(1, "ping")]);
    expect(performance.now() - began).toBeGreaterThan(149);
  });

  test("one that fails to start ends at once and says why", async () => {
    const server = await start({ failToStart: true, tools: { echo: { reply: { text: "hello" } } } });
    const { answers, exitCode, stderr } = await exchange(server.config, [request(1, "initialize")]);
    expect({ answers, exitCode }).toEqual({ answers: [], exitCode: 1 });
    expect(stderr).toMatch(/^no MCP server listens on /);
    expect(server.requests).toEqual([]);
  });

  test("closing ends its clients and removes its directory, and what was asked stays", async () => {
    const server = await mockMcpServer({ tools: { echo: { reply: { text: "hello" } } } });
    expect(statSync(server.socketDir).mode & 0o777).toBe(0o700);
    await exchange(server.config, [call(1, "echo")]);
    const { command, args } = server.config;
    const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
    const ended = once(child, "close");
    child.stdin.write(`${JSON.stringify(request(1, "ping"))}\n`);
    await once(child.stdout, "data");
    await server[Symbol.asyncDispose]();
    await server.close();
    expect(await ended).toEqual([0, null]);
    expect(existsSync(server.socketDir)).toBe(false);
    expect(server.calls).toHaveLength(1);
    expect((await exchange(server.config, [])).exitCode).toBe(1);
  });
});

describe("with the official client", () => {
  test("it is a server with tools", async () => {
    const inputSchema = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
    const server = await start({
      name: "shop",
      instructions: "Ask before you buy.",
      tools: { z_buy: { description: "Buys.", inputSchema, reply: ({ text }) => ({ text: `bought ${text}` }) }, a_list: { reply: { content: [] } } },
    });
    const client = await connect(server);
    expect(client.getServerVersion()).toMatchObject({ name: "shop" });
    expect(client.getInstructions()).toBe("Ask before you buy.");
    expect(client.getServerCapabilities()).toEqual({ tools: {} });
    expect(await client.listTools()).toEqual({
      tools: [
        { name: "z_buy", description: "Buys.", inputSchema },
        { name: "a_list", inputSchema: { type: "object" } },
      ],
    });
    await client.ping();
    expect(await client.callTool({ name: "z_buy", arguments: { text: "milk" } })).toEqual({ content: [{ type: "text", text: "bought milk" }], isError: false });
    expect(await client.callTool({ name: "a_list" })).toEqual({ content: [], isError: false });
    await expect(client.callTool({ name: "nope" })).rejects.toMatchObject({ code: -32602 });
    expect(server.calls).toEqual([
      { index: 0, tool: "z_buy", arguments: { text: "milk" } },
      { index: 1, tool: "a_list", arguments: {} },
    ]);
    expect(server.problems).toEqual(['there is no tool "nope"; the server has z_buy, a_list']);
  });

  test("every kind of content passes its validation", async () => {
    const content = [
      { type: "text", text: "lines\nof ☃\u2028" },
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { type: "audio", data: "AAAA", mimeType: "audio/wav" },
      { type: "resource", resource: { uri: "file:///a.txt", text: "a" } },
      { type: "resource_link", uri: "file:///b.txt", name: "b" },
    ];
    const server = await start({ tools: { all: { reply: { content, structuredContent: { kinds: 5 }, isError: true } }, structured: { reply: { structuredContent: { n: [1] } } } } });
    const client = await connect(server);
    expect(await client.callTool({ name: "all" })).toEqual({ content, structuredContent: { kinds: 5 }, isError: true });
    expect(await client.callTool({ name: "structured" })).toEqual({ content: [{ type: "text", text: '{"n":[1]}' }], structuredContent: { n: [1] }, isError: false });
  });

  test("a hundred calls at once are answered, each with its own", async () => {
    const server = await start({ tools: { double: { reply: async ({ n }: { n: number }) => ({ text: String(2 * n) }) } } });
    const client = await connect(server);
    const numbers = Array.from({ length: 100 }, (_, index) => index);
    const results = await Promise.all(numbers.map(async (n) => await client.callTool({ name: "double", arguments: { n } })));
    expect(results).toEqual(numbers.map((n) => ({ content: [{ type: "text", text: String(2 * n) }], isError: false })));
    expect(server.calls.map(({ index }) => index)).toEqual(numbers);
  });

  test("two clients share one record", async () => {
    const server = await start({ tools: { next: { reply: [{ text: "1" }, { text: "2" }] } } });
    const [first, second] = [await connect(server), await connect(server)];
    await second.callTool({ name: "next", arguments: { from: "second" } });
    expect(await first.callTool({ name: "next", arguments: { from: "first" } })).toMatchObject({ content: [{ text: "2" }] });
    expect(server.calls.map((one) => one.arguments)).toEqual([{ from: "second" }, { from: "first" }]);
  });

  test("one that fails to start is a failed connection", async () => {
    const server = await start({ failToStart: true, tools: { echo: { reply: { text: "hello" } } } });
    await expect(connect(server)).rejects.toThrow(/closed/i);
  });
});

describe("what cannot be served is refused before anything starts", () => {
  const echo = { reply: { text: "hello" } };
  test.each<[string, unknown, string, string]>([
    ["no options", undefined, "VIGILES_INVALID_ARGUMENT", "expected the options of mockMcpServer to be an object, but got undefined"],
    ["no tools", {}, "VIGILES_INVALID_ARGUMENT", "expected the tools of mockMcpServer by name"],
    ["a list of tools", { tools: [echo] }, "VIGILES_INVALID_ARGUMENT", "but got an array"],
    ["an empty set of tools", { tools: {} }, "VIGILES_MCP_SCRIPT", "expected tools, but there is none"],
    ["an unknown option", { tools: { echo }, delayMS: 1 }, "VIGILES_INVALID_ARGUMENT", 'did you mean "delayMs"?'],
    ["an unknown field of a tool", { tools: { echo: { replies: {} } } }, "VIGILES_INVALID_ARGUMENT", 'expected options that the tool "echo" of mockMcpServer knows, but got "replies"'],
    ["a time that is none", { tools: { echo }, delayMs: -1 }, "VIGILES_MCP_SCRIPT", "`delayMs`: invalid value"],
    ["a name that no model can call", { tools: { "say it": echo } }, "VIGILES_MCP_TOOL", 'the tool "say it" of the MCP server cannot be used: expected a name of 1 to 64 letters'],
    ["a tool without reply", { tools: { echo: {} } }, "VIGILES_MCP_TOOL", "it has no `reply`"],
    ["an empty list", { tools: { echo: { reply: [] } } }, "VIGILES_MCP_TOOL", "its list of replies is empty"],
    ["a reply that says nothing", { tools: { echo: { reply: [{ text: "a" }, {}] } } }, "VIGILES_MCP_TOOL", "reply 2: it says nothing"],
    ["a text alone", { tools: { echo: { reply: "hello" } } }, "VIGILES_MCP_TOOL", 'expected a reply, such as { text: "done" }, but got "hello"'],
    ["a schema of another type", { tools: { echo: { ...echo, inputSchema: { type: "string" } } } }, "VIGILES_MCP_TOOL", "expected `inputSchema` to be a JSON schema with"],
  ])("%s", async (_name, options, code, message) => {
    const error: unknown = await mockMcpServer(options as MockMcpServerOptions).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(VigilesError);
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
  });
});
