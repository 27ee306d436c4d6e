/** Arguments of a tool call. */
export type ToolInput = Record<string, unknown>;

/** One tool the agent invoked. */
export interface ToolCall {
  /** The call's id as the model gave it. */
  readonly id?: string;
  /** The tool's name as called: `Bash`, `mcp__server__tool`, `Agent`. */
  readonly name: string;
  /** The arguments. */
  // oxlint-disable-next-line typescript/no-explicit-any -- predicates over arguments read fields without a cast, as in the guide
  readonly input: any;
  /** What the tool answered; absent while no answer was recorded. */
  readonly resultText?: string | undefined;
  /** Whether the answer was an error; absent while no answer was recorded. */
  readonly isError?: boolean;
  /** Refused by permission rules or a hook before it ran; absent when that was not recorded. */
  readonly denied?: boolean;
  /** The call that started the subagent this call belongs to; absent for the main agent. */
  readonly parentId?: string;
  /** Which model turn of its agent made the call, counted from 1; absent where turns are not told (Codex). */
  readonly turn?: number;
}

/** What a CLI does because of a hook's answer. */
export type HookEffect = "prevented" | "feedback" | "continued" | "halted" | "none";

/** One firing of a hook, as the CLI recorded it. */
export interface HookFire {
  /** `Event:Matcher`, or the bare event. */
  readonly name: string;
  /** The event, such as `PreToolUse`. */
  readonly event: string;
  /** The exit code; absent when the CLI ended the process, or did not tell. */
  readonly exitCode?: number;
  /**
   * Whether a documented block mechanism fired: exit 2, a JSON denial. An exit 1 blocks nothing. Absent for a hook that
   * started and whose end was not recorded.
   */
  readonly blocked?: boolean;
  /** What the CLI then did; absent where that was never measured. */
  readonly effect?: HookEffect;
  /** The CLI's own word: `success`, `error`, `cancelled`. */
  readonly outcome?: string;
  /** What it wrote to standard output, as far as the CLI recorded it. */
  readonly stdout?: string;
  /** What it wrote to standard error, as far as the CLI recorded it. */
  readonly stderr?: string;
  /** Both streams as the CLI joins them. */
  readonly output?: string;
  /** The command as configured; only a session file has it. */
  readonly command?: string;
  /** The tool call it belongs to; absent where it cannot be tied to one with certainty. */
  readonly toolUseId?: string;
  /** Milliseconds; only a session file has it. */
  readonly durationMs?: number;
  /** Whether the CLI ended it at its time limit; absent where that was not recorded. */
  readonly timedOut?: boolean;
}

/** A model request as it was sent, flattened to text. */
export interface ModelRequest {
  /** The system prompt. */
  readonly system: string;
  /** The messages in order; `role` is `user`, `assistant` or the API's own word. */
  readonly messages: readonly { readonly role: string; readonly text: string }[];
  /** Not a turn of an agent: a title, a classifier. */
  readonly sideChannel?: boolean;
  /** Who asked: `main`, `subagent`, or what the CLI wanted on its own account. */
  readonly kind?: "main" | "subagent" | "title" | "promptHook" | "webSearch" | "classifier" | "other";
  /** The type of the subagent that asked. */
  readonly agent?: string;
  /** The id that the CLI gave the subagent that asked. */
  readonly agentId?: string;
  /** The model that was asked. */
  readonly model?: string;
  /** Names of the tools that it offered; absent when it offered none. */
  readonly tools?: readonly string[];
}

/** A subagent's own part of a run. */
export interface SubagentTrace {
  /** The id of the call (Claude Code) or thread (Codex) that started it. */
  readonly id?: string;
  /** Its type, such as `Explore` or `plugin:reviewer`. */
  readonly name: string;
  /** Its own calls; `undefined` where the format does not show them (Codex). */
  readonly toolCalls?: readonly ToolCall[] | undefined;
  /** Its final answer. */
  readonly output?: string;
  /** Subagents that it started. */
  readonly subagents?: readonly SubagentTrace[];
}

/** Cost, time and tokens as the CLI counts them; a field is absent where it did not tell. */
export interface Usage {
  /** US dollars; with several result events the last figure, which holds all before. */
  readonly costUsd?: number;
  /** Milliseconds, as the CLI measured them; several result events are summed, as are the tokens. */
  readonly durationMs?: number;
  /** Tokens sent to the model. Claude Code leaves out those that its cache holds, Codex counts all. */
  readonly inputTokens?: number;
  /** Tokens that the model made. */
  readonly outputTokens?: number;
  /** Tokens written to the prompt cache. */
  readonly cacheCreationTokens?: number;
  /** Tokens read from the prompt cache. */
  readonly cacheReadTokens?: number;
}

/** A call that was refused by permission rules or a hook. */
export interface PermissionDenial {
  /** The tool's name as called. */
  readonly toolName: string;
  /** The id of the call: {@link ToolCall.id}. */
  readonly toolUseId: string;
  /** The arguments it was called with. */
  readonly toolInput: ToolInput;
}

/** How the CLI ended, in its own words. */
export interface RunResult {
  /** `success`, `error_max_turns`, `error_max_budget_usd`, `error_during_execution`; Codex: `completed`, `failed`. */
  readonly subtype: string;
  /** Whether the run failed. An API failure is subtype `success` with this set. */
  readonly isError: boolean;
  /** Why the CLI stopped, in its own word, such as `completed`; newer versions of Claude Code tell it. */
  readonly terminalReason?: string;
  /** HTTP status of the API failure that ended the run. */
  readonly apiErrorStatus?: number;
  /** The CLI's own count: 1 + tool results and synthetic messages. Model turns are `trace.turns`. */
  readonly numTurns?: number;
  /** What the CLI says went wrong; absent when it says nothing. */
  readonly errors?: readonly string[];
}

/** An MCP server as the CLI saw it at start. */
export interface McpServerStatus {
  /** Its name in the configuration. */
  readonly name: string;
  /** The CLI's own word: `connected`, `failed`, `pending`. */
  readonly status: string;
}

/** A line that could not be used. */
export interface ParseError {
  /** Counted from 1. */
  readonly line: number;
  /** What is wrong with it. */
  readonly reason: string;
}

/** Which format a trace was read from. */
export type TraceKind = "claude-stream-json" | "claude-json" | "claude-session" | "codex-exec-json" | "plain";

/**
 * What an agent run was seen to do.
 *
 * A field that was not recorded is `undefined`, never empty. Any plain object of this shape is accepted wherever a
 * trace is.
 */
export interface TraceLike {
  /** Every call in order, those of subagents included. */
  readonly toolCalls?: readonly ToolCall[] | undefined;
  /** Every firing of a hook. Of a plain object each field may be left out. */
  readonly hooks?: readonly (Partial<HookFire> & { readonly name?: string })[] | undefined;
  /** Whether `hooks` may lack firings: checks then refuse a verdict that another firing could change. Default: no. */
  readonly hooksPartial?: boolean | undefined;
  /** The final answer. */
  readonly output?: string | undefined;
  /** The main agent's messages that call no tool. */
  readonly replies?: readonly string[] | undefined;
  /** What reached the model. */
  readonly modelRequests?: readonly ModelRequest[] | undefined;
  /** The main agent's model turns. */
  readonly turns?: number | undefined;
  /** Runs of subagents that the main agent started; theirs are inside them. */
  readonly subagents?: readonly SubagentTrace[] | undefined;
  /** Cost, time and tokens. */
  readonly usage?: Usage | undefined;
  /** Calls that were refused. */
  readonly permissionDenials?: readonly PermissionDenial[] | undefined;
  /** How the CLI ended. */
  readonly result?: RunResult | undefined;
  /** The skills the run offered, those of plugins as `plugin:name`. */
  readonly skills?: readonly string[] | undefined;
  /** MCP servers at the start of the run. */
  readonly mcpServers?: readonly McpServerStatus[] | undefined;
  /** The main agent's model. */
  readonly model?: string | undefined;
  /** The session's id; for Codex the thread's. */
  readonly sessionId?: string | undefined;
  /** The first prompt. */
  readonly prompt?: string | undefined;
  /** Paths of files the run wrote, relative to its work dir. */
  readonly filesWritten?: readonly string[] | undefined;
  /** Whether the run was recorded to its end. Default of a plain object: it was. */
  readonly complete?: boolean | undefined;
  /** A file as the run left it; `null` when there is none. */
  file?(path: string): string | null;
}

/** A trace read from a recording. Its fields are read when they are first asked for. */
export interface Trace extends TraceLike {
  /** The format it was read from. */
  readonly kind: TraceKind;
  /** Every call in the order it was made, those of subagents included. `undefined` for `--output-format json`. */
  readonly toolCalls: readonly ToolCall[] | undefined;
  /** `undefined` when the run was recorded without hook events. */
  readonly hooks: readonly HookFire[] | undefined;
  /** The final answer; with several result events the last that is not empty. */
  readonly output: string | undefined;
  /** The main agent's messages that call no tool. */
  readonly replies: readonly string[] | undefined;
  /** What reached the model; only a run against a scripted model or through a recording proxy has it. */
  readonly modelRequests: readonly ModelRequest[] | undefined;
  /** The main agent's model turns: distinct assistant messages. Parallel calls in one message are one turn. */
  readonly turns: number | undefined;
  /** Runs of subagents that the main agent started; theirs are inside them. */
  readonly subagents: readonly SubagentTrace[] | undefined;
  /** Cost, time and tokens, as the CLI counts them. */
  readonly usage: Usage | undefined;
  /** Calls that were refused. */
  readonly permissionDenials: readonly PermissionDenial[] | undefined;
  /** How the CLI ended; `undefined` while it has not. */
  readonly result: RunResult | undefined;
  /** The skills the run offered, those of plugins as `plugin:name`. */
  readonly skills: readonly string[] | undefined;
  /** MCP servers at the start of the run. */
  readonly mcpServers: readonly McpServerStatus[] | undefined;
  /** The main agent's model. */
  readonly model: string | undefined;
  /** The session's id; for Codex the thread's. */
  readonly sessionId: string | undefined;
  /** The first prompt; only session files and `--replay-user-messages` have it. */
  readonly prompt: string | undefined;
  /** The working directory that the CLI reported. */
  readonly cwd: string | undefined;
  /** Files of the work dir that are new or have another content; recorded by runs of a harness. */
  readonly filesWritten: readonly string[] | undefined;
  /** What a reader should know: what was not recorded, retried, or cut. */
  readonly warnings: readonly string[];
  /** Lines that could not be used. */
  readonly parseErrors: readonly ParseError[];
  /** Whether the run was recorded to its end. */
  readonly complete: boolean;
  /**
   * A file as the run left it; `null` when there is none. A relative path starts at the work dir.
   *
   * @throws {NotObservedError} when the work dir is not known: give `cwd` to {@link parseTrace}.
   */
  file(path: string): string | null;
  /**
   * Runs a shell command in the work dir, after the run, and gives its standard output without white space around it;
   * a command that fails gives what it printed all the same.
   *
   * @throws {NotObservedError} when the work dir is not known: give `cwd` to {@link parseTrace}.
   */
  sh(command: string): string;
}
