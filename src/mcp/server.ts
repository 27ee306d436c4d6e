import { tmpdir } from "node:os";

import { fromNative, fromNativeAsync, VigilesError } from "../errors.ts";
import { hookProgram, native } from "../native.ts";
import { knownOptions } from "../options.ts";
import type { McpCall, McpReply, McpReplyStep, McpRequest, MockMcpServer, MockMcpServerOptions, MockMcpTool } from "./types.ts";

/**
 * Starts a scripted MCP server, for the CLI of a run or any other client over stdio. Its replies can be functions of this
 * process, and it keeps what it was asked.
 *
 * ```ts
 * await using server = await mockMcpServer({ tools: { echo: { reply: { text: "hello" } } } });
 * await withHarness({ mcpServers: { demo: server.config }, allowedTools: ["mcp__demo__echo"], model }, (result) => { ... });
 * ```
 *
 * @throws {VigilesError} `VIGILES_MCP_SCRIPT` and `VIGILES_MCP_TOOL` for what cannot be offered, `VIGILES_MCP_LISTEN`
 * without a socket, `VIGILES_HOOK_PROGRAM_MISSING` without the program that CLIs start.
 */
export async function mockMcpServer(options: MockMcpServerOptions): Promise<MockMcpServer> {
  knownOptions("mockMcpServer", options, ["name", "instructions", "tools", "delayMs", "failToStart"]);
  const program = hookProgram() ?? missing();
  const { json, makeReply } = crossing(options);
  const server = await fromNativeAsync(async () => await native().startMcpServer(json, tmpdir(), makeReply));
  const read = <T>(text: () => string): T => JSON.parse(fromNative(text)) as T;
  const close = async () => fromNative(() => server.close());
  return {
    config: read<MockMcpServer["config"]>(() => server.config(program)),
    socketDir: fromNative(() => server.socketDir()),
    get calls() {
      return read<McpCall[]>(() => server.calls());
    },
    get requests() {
      return read<McpRequest[]>(() => server.requests());
    },
    get problems() {
      return read<string[]>(() => server.problems());
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A server's script as it crosses to native code: functions are numbers there, and `makeReply` calls the one with a number. */
function crossing({ tools, ...options }: MockMcpServerOptions): { json: string; makeReply: (number: number, call: string) => Promise<string> } {
  const functions: Exclude<McpReplyStep, McpReply>[] = [];
  const step = (reply: McpReplyStep): unknown => (typeof reply === "function" ? { function: functions.push(reply) - 1 } : reply);
  const listed = Object.entries(objectOf(tools)).map(([name, tool]) => {
    knownOptions(`the tool ${JSON.stringify(name)} of mockMcpServer`, tool, ["description", "inputSchema", "reply"]);
    const { reply, ...rest } = tool;
    return { ...rest, name, reply: Array.isArray(reply) ? reply.map((one: McpReplyStep) => step(one)) : step(reply as McpReplyStep) };
  });
  const makeReply = async (number: number, text: string): Promise<string> => {
    const make = functions[number];
    if (make === undefined) throw new VigilesError("VIGILES_INTERNAL", `no function ${number} in the script`);
    const call = JSON.parse(text) as McpCall;
    const reply: unknown = await make(call.arguments, call);
    // What has no JSON is no reply; native code says what one looks like.
    return JSON.stringify(reply) ?? String(reply);
  };
  return { json: JSON.stringify({ ...options, tools: listed }), makeReply };
}

function objectOf(tools: unknown): Readonly<Record<string, MockMcpTool>> {
  if (typeof tools === "object" && tools !== null && !Array.isArray(tools)) return tools as Record<string, MockMcpTool>;
  const seen = tools === null ? "null" : Array.isArray(tools) ? "an array" : typeof tools;
  throw new VigilesError("VIGILES_INVALID_ARGUMENT", `expected the tools of mockMcpServer by name, such as { echo: { reply: { text: "hello" } } }, but got ${seen}`);
}

function missing(): never {
  throw new VigilesError(
    "VIGILES_HOOK_PROGRAM_MISSING",
    "expected the program vigiles-hook, which a CLI starts to reach the server, but it is not there. It comes with the native package: install with optional dependencies. " +
      "In a checkout of vigiles run `npm run build:native`. The variable VIGILES_HOOK_PROGRAM names another one.",
  );
}
