/** What a tool of a scripted MCP server answers: `text`, or `content`, or `structuredContent` alone. */
export interface McpReply {
  /** One text. */
  readonly text?: string;
  /** Content blocks, as MCP has them: `{ type: "text", text }`, `{ type: "image", data, mimeType }`, ... */
  readonly content?: readonly McpContent[];
  /** The same as an object, for clients that read it. Alone, it is sent as text too. */
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  /** Whether the tool failed. Default `false`. */
  readonly isError?: boolean;
  /** Milliseconds before it answers. Default 0. */
  readonly delayMs?: number;
}

/** One content block. */
export interface McpContent {
  /** `text`, `image`, `audio`, `resource_link` or `resource`. */
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A call of a tool that a scripted MCP server has. */
export interface McpCall {
  /** Its place among all calls of the server, from 0, in the order they arrived. */
  readonly index: number;
  /** The tool, by the server's own name for it: `echo`, not `mcp__demo__echo`. */
  readonly tool: string;
  /** The arguments; `{}` where there were none. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The id of the model's tool call, `toolCalls[].id` of the trace, where the CLI passes it on. Claude Code does. */
  readonly toolUseId?: string;
}

/** A request or notification that a scripted MCP server got. */
export interface McpRequest {
  /** `initialize`, `notifications/initialized`, `tools/list`, `tools/call`, ... */
  readonly method: string;
  /** Its parameters. */
  readonly params?: Readonly<Record<string, unknown>>;
}

/** One reply, or a function that makes it from the arguments. */
// oxlint-disable-next-line typescript/no-explicit-any -- what a model sends has the type that the function's author expects
export type McpReplyStep = McpReply | ((args: any, call: McpCall) => McpReply | Promise<McpReply>);

/** A tool of a scripted MCP server. */
export interface MockMcpTool {
  /** What the model is told of it. */
  readonly description?: string;
  /**
   * The JSON schema of its arguments, with `type: "object"`. Default: any object. Calls are not held against it: the CLI
   * and the model are what is tested.
   */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  /** One reply for all calls, or a list with one for each in the order they arrive. */
  readonly reply: McpReplyStep | readonly McpReplyStep[];
}

/** What a scripted MCP server offers and answers. */
export interface MockMcpServerOptions {
  /** What it calls itself. Default `demo`. The names of its tools come from the key in `mcpServers`, not from here. */
  readonly name?: string;
  /** How to use the server, for the model. */
  readonly instructions?: string;
  /** The tools by name: 1 to 64 letters, digits, `_` and `-`. */
  readonly tools: Readonly<Record<string, MockMcpTool>>;
  /** Milliseconds before each answer, that to `initialize` included: a slow server. Default 0. */
  readonly delayMs?: number;
  /** The program that a CLI starts for the server ends at once, with exit code 1: the server is `failed`. */
  readonly failToStart?: boolean;
}

/** A scripted MCP server that runs in this process. */
export interface MockMcpServer {
  /** Its entry for `mcpServers` of a spec or of `.mcp.json`. */
  readonly config: { readonly command: string; readonly args: readonly string[] };
  /** The directory of its socket, and of nothing else: what a confined CLI has to be shown. */
  readonly socketDir: string;
  /** Every call of a tool so far, in the order they arrived. */
  readonly calls: readonly McpCall[];
  /** Every request and notification so far, in the order they arrived. */
  readonly requests: readonly McpRequest[];
  /**
   * What went wrong so far, in words: a call for which a list has no reply, a function that threw, a call of a tool that
   * the server does not have, a message that is none. Empty after a run that went as scripted.
   */
  readonly problems: readonly string[];
  /** Ends it and every connection. What it was asked stays readable. */
  close(): Promise<void>;
  /** {@link close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
