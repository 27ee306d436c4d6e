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
  /** Refused before it ran; absent when that was not recorded. */
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
  readonly exitCode?: number;
  /** Whether a documented block mechanism fired: exit 2, a JSON denial. An exit 1 blocks nothing. */
  readonly blocked: boolean;
  /** What the CLI then did; absent where that was never measured. */
  readonly effect?: HookEffect;
  /** The CLI's own word: `success`, `error`, `cancelled`. */
  readonly outcome?: string;
  readonly stdout?: string;
  readonly stderr?: string;
  /** Both streams as the CLI joins them. */
  readonly output?: string;
  /** The command as configured; only a session file has it. */
  readonly command?: string;
  /** The tool call it belongs to; absent where it cannot be tied to one with certainty. */
  readonly toolUseId?: string;
  /** Milliseconds; only a session file has it. */
  readonly durationMs?: number;
  readonly timedOut?: boolean;
}

/** A model request as it was sent, flattened to text. */
export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly { readonly role: string; readonly text: string }[];
  /** Not a turn of an agent: a title, a classifier. */
  readonly sideChannel?: boolean;
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
  /** US dollars. */
  readonly costUsd?: number;
  /** Milliseconds. */
  readonly durationMs?: number;
  /** Claude Code counts uncached tokens here, Codex all. */
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheCreationTokens?: number;
  readonly cacheReadTokens?: number;
}

/** A call that was refused by permission rules or a hook. */
export interface PermissionDenial {
  readonly toolName: string;
  readonly toolUseId: string;
  readonly toolInput: ToolInput;
}

/** How the CLI ended, in its own words. */
export interface RunResult {
  /** `success`, `error_max_turns`, `error_max_budget_usd`, `error_during_execution`; Codex: `completed`, `failed`. */
  readonly subtype: string;
  /** Whether the run failed. An API failure is subtype `success` with this set. */
  readonly isError: boolean;
  readonly terminalReason?: string;
  /** HTTP status of the API failure that ended the run. */
  readonly apiErrorStatus?: number;
  /** The CLI's own count: 1 + tool results and synthetic messages. Model turns are `trace.turns`. */
  readonly numTurns?: number;
  readonly errors?: readonly string[];
}

/** An MCP server as the CLI saw it at start. */
export interface McpServerStatus {
  readonly name: string;
  /** `connected`, `failed`, ... */
  readonly status: string;
}

/** A line that could not be used. */
export interface ParseError {
  /** Counted from 1. */
  readonly line: number;
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
  readonly toolCalls?: readonly ToolCall[] | undefined;
  readonly hooks?: readonly (Partial<HookFire> & { readonly name?: string })[] | undefined;
  readonly output?: string | undefined;
  readonly replies?: readonly string[] | undefined;
  readonly modelRequests?: readonly ModelRequest[] | undefined;
  readonly turns?: number | undefined;
  readonly subagents?: readonly SubagentTrace[] | undefined;
  readonly usage?: Usage | undefined;
  readonly permissionDenials?: readonly PermissionDenial[] | undefined;
  readonly result?: RunResult | undefined;
  readonly skills?: readonly string[] | undefined;
  readonly mcpServers?: readonly McpServerStatus[] | undefined;
  readonly model?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly prompt?: string | undefined;
  readonly filesWritten?: readonly string[] | undefined;
  readonly complete?: boolean | undefined;
  /** A file as the run left it; `null` when there is none. */
  file?(path: string): string | null;
}

/** A trace read from a recording. Its fields are read when they are first asked for. */
export interface Trace extends TraceLike {
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
  readonly subagents: readonly SubagentTrace[] | undefined;
  readonly usage: Usage | undefined;
  readonly permissionDenials: readonly PermissionDenial[] | undefined;
  readonly result: RunResult | undefined;
  /** The skills the run offered, those of plugins as `plugin:name`. */
  readonly skills: readonly string[] | undefined;
  readonly mcpServers: readonly McpServerStatus[] | undefined;
  readonly model: string | undefined;
  readonly sessionId: string | undefined;
  /** The first prompt; only session files and `--replay-user-messages` have it. */
  readonly prompt: string | undefined;
  /** The working directory that the CLI reported. */
  readonly cwd: string | undefined;
  /** Files the run wrote; recorded by a confined run only. */
  readonly filesWritten: readonly string[] | undefined;
  /** What a reader should know: what was not recorded, retried, or cut. */
  readonly warnings: readonly string[];
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
