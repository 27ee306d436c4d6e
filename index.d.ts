// The public types of `vigiles`, rolled up from src/index.ts by `npm run build:contract`: read it in review, do not edit it.
// Packages get the same declarations from dist/.

//#region src/agent-result.d.ts
/** The type of one field of a result block. A list of strings is an enumeration. */
type FieldType = "string" | "number" | "boolean" | "string[]" | readonly [string, ...string[]];
/** The fields of a result block, all required. */
type Shape = Readonly<Record<string, FieldType>>;
/** What a `vigiles:ok` and a `vigiles:err` block hold. */
interface OutputContract<Ok extends Shape = Shape, Err extends Shape = Shape> {
  readonly _ref: "output";
  readonly ok: Ok;
  readonly err: Err;
}
type FieldValue<T extends FieldType> = T extends "string" ? string : T extends "number" ? number : T extends "boolean" ? boolean : T extends "string[]" ? string[] : T extends readonly (infer Choice)[] ? Choice : never;
/** The object of a block of this shape. */
type ShapeValue<S extends Shape> = { readonly [K in keyof S]: FieldValue<S[K]> };
type Loose = Record<string, any>;
type OkOf<C> = C extends OutputContract<infer Ok, Shape> ? ShapeValue<Ok> : Loose;
type ErrOf<C> = C extends OutputContract<Shape, infer Err> ? ShapeValue<Err> : Loose;
/** What a subagent said came out of its work. */
type AgentResult<Ok = Loose, Err = Loose> = {
  readonly kind: "ok";
  readonly value: Ok;
} | {
  readonly kind: "err";
  readonly error: Err;
} | {
  readonly kind: "malformed";
  readonly reason: string;
};
/** Reads the one `vigiles:ok` or `vigiles:err` block of an answer. None, several, or one of another shape is `malformed`. */
declare function parseAgentResult<C extends OutputContract | undefined = undefined>(answer: string, contract?: C): AgentResult<OkOf<C>, ErrOf<C>>;
/** Throws unless the subagent succeeded; returns the object of its block. */
declare function assertAgentOk<C extends OutputContract | undefined = undefined>(answer: string | undefined, contract?: C): OkOf<C>;
/** Throws unless the subagent reported an error; returns the object of its block. */
declare function assertAgentErr<C extends OutputContract | undefined = undefined>(answer: string | undefined, contract?: C): ErrOf<C>;
/** Throws unless the predicate accepts the subagent's result. */
declare function assertAgentResult<C extends OutputContract | undefined = undefined>(answer: string | undefined, accepts: (result: AgentResult<OkOf<C>, ErrOf<C>>) => boolean, contract?: C): void;
//#endregion
//#region src/trace/types.d.ts
/** Arguments of a tool call. */
type ToolInput = Record<string, unknown>;
/** One tool the agent invoked. */
interface ToolCall {
  /** The call's id as the model gave it. */
  readonly id?: string;
  /** The tool's name as called: `Bash`, `mcp__server__tool`, `Agent`. */
  readonly name: string;
  /** The arguments. */
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
type HookEffect = "prevented" | "feedback" | "continued" | "halted" | "none";
/** One firing of a hook, as the CLI recorded it. */
interface HookFire {
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
interface ModelRequest {
  /** The system prompt. */
  readonly system: string;
  /** The messages in order; `role` is `user`, `assistant` or the API's own word. */
  readonly messages: readonly {
    readonly role: string;
    readonly text: string;
  }[];
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
interface SubagentTrace {
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
interface Usage {
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
interface PermissionDenial {
  /** The tool's name as called. */
  readonly toolName: string;
  /** The id of the call: {@link ToolCall.id}. */
  readonly toolUseId: string;
  /** The arguments it was called with. */
  readonly toolInput: ToolInput;
}
/** How the CLI ended, in its own words. */
interface RunResult {
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
interface McpServerStatus {
  /** Its name in the configuration. */
  readonly name: string;
  /** The CLI's own word: `connected`, `failed`, `pending`. */
  readonly status: string;
}
/** A line that could not be used. */
interface ParseError {
  /** Counted from 1. */
  readonly line: number;
  /** What is wrong with it. */
  readonly reason: string;
}
/** Which format a trace was read from. */
type TraceKind = "claude-stream-json" | "claude-json" | "claude-session" | "codex-exec-json" | "plain";
/**
 * What an agent run was seen to do.
 *
 * A field that was not recorded is `undefined`, never empty. Any plain object of this shape is accepted wherever a
 * trace is.
 */
interface TraceLike {
  /** Every call in order, those of subagents included. */
  readonly toolCalls?: readonly ToolCall[] | undefined;
  /** Every firing of a hook. Of a plain object each field may be left out. */
  readonly hooks?: readonly (Partial<HookFire> & {
    readonly name?: string;
  })[] | undefined;
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
interface Trace extends TraceLike {
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
//#endregion
//#region src/check/types.d.ts
/** A string is compared as it is, a RegExp is tested. */
type NameMatcher = string | RegExp;
/** A string is looked for, a RegExp is tested. */
type TextMatcher = string | RegExp;
/** What one call's arguments must have been: strings, numbers and booleans are compared, a RegExp is tested on a string. */
type ArgMatcher = Readonly<Record<string, string | number | boolean | RegExp>>;
/** Limits of a count, both inclusive. */
interface Bounds {
  /** At least so many. */
  readonly min?: number;
  /** At most so many. */
  readonly max?: number;
}
/** `pass`, `fail`, or `error`: nobody can tell, because something was not recorded or the run was cut. */
type Verdict = "pass" | "fail" | "error";
/** What a check said about one target. */
interface CheckResult {
  /** Whether the verdict is `pass`. */
  readonly pass: boolean;
  /** 1 when it holds, 0 when not; a graded check has values between. */
  readonly score: number;
  /** What the check says: an `error` is neither true nor false. */
  readonly verdict: Verdict;
  /** What was expected, what was seen, and what to do next. */
  readonly message: string;
  /** With verdict `error`: why it could not be judged. */
  readonly code?: string;
}
/** A check as data. */
interface CheckJSON {
  /** What is claimed: `tool`, `output`. The other keys depend on it. */
  readonly kind: string;
  readonly [key: string]: unknown;
}
/** A claim about a target of type `T` that can be judged, printed and written as JSON. Without `T`, whether a target fits shows when it is judged. */
interface Check<T = any> {
  /** What is claimed, as in {@link CheckJSON}; a name of your own for a check of your own. */
  readonly kind: string;
  /**
   * Judges one target, at once: not async. Those of the vocabulary never throw because of what they see.
   *
   * A property, not a method: parameters of methods are compared loosely, and a check over a hook would be one over a trace.
   */
  readonly eval: (target: T) => Pick<CheckResult, "pass" | "score" | "message"> & Partial<CheckResult>;
  /** The check as data, for {@link checkFromJSON}. */
  toJSON(): CheckJSON;
}
/** What checks can be judged against: a trace, the result of a hook or script run, or what your own checks take. */
type CheckTarget = object;
/** What checks over a run take: a trace, or a plain object of that shape. */
interface TraceTarget extends TraceLike {
  /** The result of a hook or script run has these, and is not a trace. */
  readonly stdoutBytes?: undefined;
}
//#endregion
//#region src/model/types.d.ts
/**
 * One answer of a scripted model. The fields combine: a text and tool calls are one message. `error` and `disconnect`
 * stand for the whole answer.
 */
interface ModelTurn {
  /** What the model thinks before it speaks. */
  readonly thinking?: string;
  /** What it says. */
  readonly text?: string;
  /** One tool that it calls. */
  readonly tool?: string;
  /** The arguments of `tool`. Default: none. */
  readonly input?: ToolInput;
  /** Several tools that it calls at once. */
  readonly tools?: readonly {
    readonly tool: string;
    readonly input?: ToolInput;
  }[];
  /** Why it stopped, where that is not the end of its turn or a tool call: `max_tokens`, `refusal`, ... */
  readonly stop?: string;
  /** An HTTP error in place of an answer. */
  readonly error?: {
    /** 400 to 599. */readonly status: number; /** The API's name of the error. Default: the usual one of the status, such as `rate_limit_error` of 429. */
    readonly type?: string; /** Its text. */
    readonly message?: string; /** Seconds of the `retry-after` header. */
    readonly retryAfter?: number;
  };
  /** Milliseconds before the answer begins. */
  readonly delayMs?: number;
  /** Cuts the connection in the middle of the answer. */
  readonly disconnect?: boolean;
  /** The token counts of the answer. Default: 10 in, 5 out, nothing cached. */
  readonly usage?: {
    readonly inputTokens?: number;
    readonly outputTokens?: number;
    readonly cacheCreationTokens?: number;
    readonly cacheReadTokens?: number;
  };
}
/** One step of a script: a turn, or a function that makes it from the request. */
type ModelStep = ModelTurn | ((request: ModelRequest) => ModelTurn | Promise<ModelTurn>);
/** Requests that a CLI makes on its own account, not as a turn of an agent. */
type SideRequestKind = "title" | "promptHook" | "webSearch" | "classifier" | "other";
/** What a scripted model says, and to whom. */
interface ModelScript {
  /** The main agent's turns. */
  readonly turns: readonly ModelStep[];
  /**
   * The turns of subagents, by type (`Explore`, `my-plugin:reviewer`). They are told apart by a header of the request,
   * so agents that run at the same time cannot take each other's turns.
   */
  readonly subagents?: Readonly<Record<string, readonly ModelStep[]>>;
  /** Answers to requests of the CLI itself; a kind without one is answered with `{}`. */
  readonly side?: Readonly<Partial<Record<SideRequestKind, readonly ModelStep[]>>>;
}
//#endregion
//#region src/model/start.d.ts
/** Which model API a server speaks. */
type ModelApi = "anthropic-messages" | "openai-responses";
//#endregion
//#region src/run/sandbox.d.ts
/**
 * When a run is confined. `"auto"`: unless it is trusted. `"strict"`: always. `false`: never. Where a run would have to be
 * confined and cannot be, it is refused: it never runs unconfined instead.
 */
type SandboxMode = "auto" | "strict" | false;
/** What a confined command may use. */
interface SandboxLimits {
  /** Processes and threads at the same time. Default 256. */
  readonly processes?: number;
  /** Bytes in the work directory, with what is there at the start; also the largest file. Default 512 MiB. */
  readonly workBytes?: number;
  /** Bytes in each of the home and the directories for temporary files. Default 256 MiB. */
  readonly tempBytes?: number;
  /** Files, directories and links in the work directory. Default 200 000. */
  readonly entries?: number;
}
/** Options of a run that can be confined. */
interface SandboxOptions {
  /**
   * When it is confined. Default `"auto"` with `trusted: false` or `recordEgress`, else `false`. A mode that is given is
   * decided as for an untrusted command, so `"auto"` confines.
   */
  readonly sandbox?: SandboxMode;
  /** Whether it may run unconfined. Default `true`. */
  readonly trusted?: boolean;
  /** Records connections out through a proxy that lets none through: `egress` of the result. Default `false`. */
  readonly recordEgress?: boolean;
  /**
   * Connections that go through, `name` or `name:port`; all others are dropped. Always confined. Needs slirp4netns and
   * nft. `10.0.2.2:port` is a port of this machine's loopback.
   */
  readonly egress?: {
    readonly allow: readonly string[];
  };
  /** What it may use when it is confined. */
  readonly sandboxLimits?: SandboxLimits;
}
//#endregion
//#region src/stub.d.ts
/** What one argument of a call must be: exactly this, or something that matches. */
type StubToken = string | RegExp;
/** Stands for all arguments that follow: the last of a rule's `argv`. */
interface StubRest {
  readonly rest: true;
}
/** What a stub prints, and how it ends. */
interface StubAnswer {
  /** Standard output. Default: nothing. */
  readonly stdout?: string;
  /** Standard error. Default: nothing. */
  readonly stderr?: string;
  /** 0 to 255. Default 0. */
  readonly exitCode?: number;
}
/** What a rule answers: the same to every call, or one answer for each call in the order they arrive. */
type StubReply = ({
  readonly kind: "always";
} & StubAnswer) | {
  readonly kind: "inOrder";
  readonly answers: readonly StubAnswer[];
};
/** Which calls are answered, and how. */
interface StubRule {
  /** What the arguments must be, one by one. Without `experimental_stub.rest` at its end there must be no more. */
  readonly argv: readonly (StubToken | StubRest)[];
  /** What some of the arguments that follow must be, in any order. Needs `experimental_stub.rest`. */
  readonly contains?: readonly StubToken[];
  /** The answer. */
  readonly reply: StubReply;
}
/** A program that stands in for a real one. */
interface ToolStub {
  /** The program's name, as it is looked up in `PATH`. */
  readonly name: string;
  /** The first that matches a call answers it. */
  readonly rules: readonly StubRule[];
}
/** A call of a stub. */
interface StubCall {
  /** The program's name. */
  readonly tool: string;
  /** Its arguments. */
  readonly argv: readonly string[];
  /** The rule that answered, counted from 0. */
  readonly rule: number;
  /** Which of the rule's answers it was, counted from 0. */
  readonly answer: number;
}
/**
 * A program that stands in for a real one: for the field `stubs` of a run.
 *
 * ```ts
 * const gh = experimental_stub("gh", [
 *   { argv: ["pr", "list", experimental_stub.rest], contains: ["--json"], reply: { kind: "always", stdout: "[]" } },
 *   { argv: ["pr", "view", /^\d+$/], reply: { kind: "inOrder", answers: [{ stdout: "open" }, { stdout: "merged" }] } },
 * ]);
 * ```
 *
 * A call that no rule answers ends with 97 and fails the run: nothing is invented.
 *
 * @throws {VigilesError} `VIGILES_STUB_INVALID` for rules that could not be served.
 */
declare const experimental_stub: {
  (name: string, rules: readonly StubRule[]): ToolStub;
  readonly rest: StubRest;
};
//#endregion
//#region src/harness/spec.d.ts
/** Tool calls that are refused instead of run. The trace shows them, denied; the model is told `denyReason`. */
interface ToolIntercept {
  /** The tool's name. */
  readonly tool: string;
  /** What the arguments must be. Default: all calls of the tool. */
  readonly when?: ArgMatcher;
  /** What the model is told. Default: that the call was noted and not run. */
  readonly denyReason?: string;
}
/** A harness, what the user says to it, and what its model answers. */
interface HarnessTestSpec {
  /** What the model says: turns, or {@link scriptModel}. Nothing reaches a real model. */
  readonly model: readonly ModelStep[] | ModelScript;
  /** What the user says. Default `go`. */
  readonly prompt?: string;
  /** What the user says, one after the other in one session; in place of `prompt`. */
  readonly prompts?: readonly string[];
  /** Files of the work dir: relative path to text. A text that begins with `#!` becomes executable. */
  readonly files?: Readonly<Record<string, string>>;
  /** Files of the home directory: relative path to text. */
  readonly home?: Readonly<Record<string, string>>;
  /** Settings beside those in `files`. `{cwd}` in its texts is the work dir. */
  readonly settings?: unknown;
  /** A repository or plugin whose files are copied into the work dir. Its skills are not registered by that. */
  readonly plugin?: string;
  /** Plugins to install for the run. */
  readonly pluginDir?: string | readonly string[];
  /** A directory of loose skills, `<name>/SKILL.md`. */
  readonly skillsDir?: string;
  /** Tools that may run without a question. Default Read, Edit, Write, Bash. Permission rules are fine. */
  readonly allowedTools?: readonly string[];
  /** Tools that may not run. */
  readonly disallowedTools?: readonly string[];
  /** Tools that exist. Default: all. */
  readonly tools?: readonly string[];
  /** MCP servers by name, as in `.mcp.json`. */
  readonly mcpServers?: Readonly<Record<string, object>>;
  /** Subagents by name. */
  readonly agents?: Readonly<Record<string, object>>;
  /** Variables beside the clean environment, for the CLI and all that it starts. */
  readonly env?: Readonly<Record<string, string>>;
  /** Programs that stand in for real ones, wherever hooks and tools of the run look them up: {@link experimental_stub}. */
  readonly stubs?: readonly ToolStub[];
  /** Tool calls that are refused instead of run: to see what the model calls without letting it happen. */
  readonly interceptTools?: readonly ToolIntercept[];
  /** The most model turns of one launch. */
  readonly maxTurns?: number;
  /** The CLI's permission mode. Default: the CLI's. */
  readonly permissionMode?: string;
  /** The reasoning effort. Default: the CLI's. */
  readonly effort?: string | number;
  /** The model that the CLI is told to use; it answers with the script. */
  readonly modelName?: string;
  /** An output style's file. */
  readonly outputStyle?: string;
  /** Lets subagents and commands run in the background. Default: they run in the foreground, in a fixed order. */
  readonly backgroundTasks?: boolean;
  /** Further arguments for the CLI. */
  readonly args?: readonly string[];
  /** The program of Claude Code. Default: the variable `VIGILES_CLAUDE`, then `claude` in `PATH`. */
  readonly claude?: string;
  /** The program of Codex. Default: the variable `VIGILES_CODEX`, then `codex` in `PATH`. */
  readonly codex?: string;
  /** The program of whichever CLI the adapter drives; before `claude` and `codex`. */
  readonly program?: string;
  /**
   * When the run is confined. Default `"auto"`: unless it is trusted. A confined run has no network but the model, and sees of
   * this machine's files the system, the project and what the spec names, to read.
   */
  readonly sandbox?: SandboxMode;
  /** Whether everything in the run is trusted. Default: unless it has `plugin` or `pluginDir`. */
  readonly trusted?: boolean;
  /** What a confined run may use. */
  readonly sandboxLimits?: SandboxLimits;
  /** Milliseconds that one launch may take. Default 60,000. */
  readonly timeoutMs?: number;
  /** Whether turns that nobody asked for fail the run. Default: they are a warning. */
  readonly strictScript?: boolean;
  /** Keeps the directories of the run when it is cleaned up. */
  readonly keep?: boolean;
  /** The whole stream is always recorded; the field is accepted for scripts that ask for it. */
  readonly transcript?: boolean;
}
//#endregion
//#region src/harness/driver.d.ts
/** Where a run happens. */
interface HarnessPlace {
  /** The work dir. The files of the spec are in it. */
  readonly cwd: string;
  /** `HOME` of the run. The CLI's own configuration belongs there. */
  readonly home: string;
  /** `TMPDIR` of the run. */
  readonly tmp: string;
  /** The CLI's program. */
  readonly program: string;
  /** `PATH` of the run. */
  readonly path: string;
  /** Where the scripted model listens: `http://127.0.0.1:PORT`. */
  readonly modelUrl: string;
}
/** What the user says in one launch. */
interface HarnessUserTurn {
  /** The text. */
  readonly prompt: string;
  /** Which one of the run it is, from 0. All but the first go on with the session of those before. */
  readonly index: number;
  /** What the CLI wrote to standard output so far. Not there before the first launch. */
  readonly stdoutFile: string;
}
/** The command of one launch. */
interface HarnessLaunch {
  /** The program and its arguments. */
  readonly argv: readonly string[];
  /**
   * Its variables. `PATH`, `HOME` and `TMPDIR` are those of the place unless given; `env` of the spec is added. Nothing of the
   * caller's is.
   */
  readonly env?: Readonly<Record<string, string>>;
  /** What it reads on standard input. Default: nothing. */
  readonly stdin?: string;
}
/** How a launch ended. */
interface HarnessEnded {
  /** Absent when a signal ended it. */
  readonly exitCode?: number;
  readonly stderr: string;
  /** What it wrote to standard output. */
  readonly stdoutFile: string;
  /** How many model requests it made. */
  readonly requests: number;
}
/** What launches left. */
interface HarnessLeft {
  /** What the CLI wrote to standard output, that of all launches one after the other. */
  readonly stdoutFile: string;
  /** What reached the model. */
  readonly modelRequests: readonly ModelRequest[];
}
/**
 * How to drive a CLI. Directories, model, time limit, processes, the script's soundness and cleaning up are not its
 * business. What a member throws is the message of `VIGILES_ADAPTER_FAILED`.
 */
interface HarnessDriver {
  /** Fields of a spec that the CLI has nothing for, with the reason. A spec that asks for one is refused before anything is made. */
  readonly refuses?: Readonly<Partial<Record<keyof HarnessTestSpec, string>>>;
  /** Writes the CLI's configuration and the harness under test. */
  prepare?(spec: HarnessTestSpec, place: HarnessPlace): void | Promise<void>;
  /** The command of one launch. */
  launch(spec: HarnessTestSpec, place: HarnessPlace, turn: HarnessUserTurn): HarnessLaunch | Promise<HarnessLaunch>;
  /**
   * Says why a launch left nothing to judge; nothing if it left something. A launch that was ended at its time limit, or
   * never asked the model, has failed without being asked about.
   */
  failure?(ended: HarnessEnded, place: HarnessPlace): string | undefined | Promise<string | undefined>;
  /** Reads what the launches left. What it does not know it leaves out: an empty list says that there was nothing. */
  read(left: HarnessLeft, place: HarnessPlace): TraceLike | Promise<TraceLike>;
}
//#endregion
//#region src/harness/adapter.d.ts
/** What a harness can do in tests. What it cannot do is refused, with the reason, before anything runs. */
interface HarnessCapabilities {
  /** Hooks are recorded in the trace. */
  readonly hooks: boolean;
  /** The run tells which skill was called. */
  readonly skills: boolean;
  /** The run tells the calls of subagents. */
  readonly subagentCalls: boolean;
  /** MCP servers can be given. */
  readonly mcp: boolean;
  /** Plugins can be installed for a run. */
  readonly plugins: boolean;
  /** The tools that exist can be limited. */
  readonly tools: boolean;
  /** The reasoning effort can be set. */
  readonly effort: boolean;
  /** A session can be resumed: `prompts`. */
  readonly resume: boolean;
}
/** A skill, as a {@link HarnessDialect} writes it. */
interface DialectSkill {
  readonly name: string;
  readonly description: string;
  /** What it tells the model. */
  readonly body: string;
}
/**
 * How a harness spells what every harness has. A test that is to run on several asks here instead of knowing each:
 * `model: [adapter.dialect.shell("ls"), { text: "done" }]`.
 */
interface HarnessDialect {
  /** A model's turn that runs a shell command. */
  shell(command: string): ModelTurn;
  /** The file in the work dir that holds instructions: `CLAUDE.md`, `AGENTS.md`. */
  readonly instructions: string;
  /** Files of the work dir that make a skill of the project. Absent where there are no skills. */
  skill?(skill: DialectSkill): Readonly<Record<string, string>>;
  /** Files of a plugin with one skill. Absent where there are no plugins. */
  plugin?(plugin: {
    readonly name: string;
    readonly skill: DialectSkill;
  }): Readonly<Record<string, string>>;
  /** What the user says to call a skill; one of a plugin is `plugin:name`. */
  callSkill?(name: string): string;
  /** The part of a spec that puts a hook on an event of the shell tool, `PreToolUse` for example. Absent where there are no hooks. */
  shellHook?(event: string, command: string): Pick<HarnessTestSpec, "settings" | "files">;
  /** The part of a spec that lets the tools of an MCP server run without a question. Default: nothing is needed. */
  allowMcp?(server: string): Partial<HarnessTestSpec>;
}
/** One harness: a CLI and how to drive it. */
interface HarnessAdapter {
  /** `claude-code`, `codex`, or a third party's own. */
  readonly name: string;
  /** The name for people. */
  readonly title: string;
  /** The model API that the CLI speaks. */
  readonly modelApi: ModelApi;
  /** What it can do. */
  readonly capabilities: HarnessCapabilities;
  /** The variable that names its program, and the program's name in `PATH`. */
  readonly program: {
    readonly variable: string;
    readonly name: string;
  };
  /** How to get the program: the end of the message where it is missing. */
  readonly install?: string;
  /** The CLI whose rules its hooks follow; for `runHook(..., { adapter })`. Absent where it has no hooks. */
  readonly hookProtocol?: HookCli;
  /** How it spells things. */
  readonly dialect: HarnessDialect;
  /** How to drive it. Claude Code and Codex are driven by native code and have none. */
  readonly driver?: HarnessDriver;
}
//#endregion
//#region src/run/types.d.ts
/** A shell string, or a program with its arguments (no shell). */
type CommandLine = string | readonly string[];
/** Options of {@link runScript}. */
interface RunScriptOptions extends SandboxOptions {
  /** Text for standard input. Default: none; the stream is closed at once. */
  readonly stdin?: string;
  /**
   * The working directory. Default: that of the process. A confined command gets a copy of it at the same path, and what it
   * changed is copied back; without `cwd` it has an empty one.
   */
  readonly cwd?: string;
  /** Variables over those of the process; `undefined` removes one. A confined command has no others, but `PATH`, `HOME` and `TMPDIR`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Milliseconds, after which the command and all it started are killed. Default 10 000, with `egress` 30 000. */
  readonly timeoutMs?: number;
  /** How much of each stream is kept: its start and its end. Default 16 MiB. */
  readonly maxOutputBytes?: number;
}
/** A connection out that a confined command tried. */
interface EgressAttempt {
  /** The host's name or address, as the command gave it, or as `egress.allow` has it. */
  readonly host: string;
  /** The port; 0 for an entry of `egress.allow` that has none. */
  readonly port: number;
  /** Milliseconds since the start; 0 with `egress.allow`. */
  readonly ts: number;
  /** It went through. Absent where nothing does. */
  readonly allowed?: boolean;
  /** Packets sent, with `egress.allow`. */
  readonly packets?: number;
  /** Bytes sent, headers included, with `egress.allow`. */
  readonly bytes?: number;
}
/** What a script did. */
interface ScriptRunResult {
  /** The exit code; `null` when a signal ended the process. */
  readonly exitCode: number | null;
  /** The signal that ended it, such as `SIGKILL`. */
  readonly signal?: string;
  /** Standard output; bytes that are not UTF-8 are U+FFFD. */
  readonly stdout: string;
  /** Standard error, where advice and diagnostics go. */
  readonly stderr: string;
  /** Bytes left out of the middle of stdout because of `maxOutputBytes`. */
  readonly stdoutOmittedBytes: number;
  /** Bytes left out of the middle of stderr. */
  readonly stderrOmittedBytes: number;
  /** Still running when its time was up. */
  readonly timedOut: boolean;
  /** Milliseconds from start to end. */
  readonly durationMs: number;
  /**
   * Files and links that are new or have another content, relative to the work directory. `undefined`: it ran unconfined,
   * so nobody looked.
   */
  readonly filesWritten?: readonly string[];
  /** Those of `filesWritten` that were there before. */
  readonly filesChanged?: readonly string[];
  /** Files and links that were there before and are not any more. */
  readonly filesDeleted?: readonly string[];
  /** Those of `filesWritten` that were not copied back: links out of the work directory, pipes, sockets, devices. */
  readonly filesWithheld?: readonly string[];
  /** Connections out, in their order. `undefined`: nobody recorded them. */
  readonly egress?: readonly EgressAttempt[];
  /** What `egress.allow` kept from going out. */
  readonly egressDropped?: {
    readonly packets: number;
    readonly bytes: number;
  };
  /** Standard output as it was written. Not enumerable. */
  readonly stdoutBytes: Buffer;
  /** Standard error as it was written. Not enumerable. */
  readonly stderrBytes: Buffer;
}
/** A CLI that runs hooks. */
type HookCli = "claude-code" | "codex";
/** Options of {@link runHook}. */
interface RunHookOptions extends Omit<RunScriptOptions, "stdin"> {
  /** The `if` condition of the registration, such as `Bash(git push:*)`. Default: none. */
  readonly condition?: string;
  /** The CLI whose rules judge the answer. Default `claude-code`. */
  readonly cli?: HookCli;
  /** The harness whose rules judge the answer, in place of `cli`: those of its `hookProtocol`. */
  readonly adapter?: Pick<HarnessAdapter, "title" | "hookProtocol">;
}
/** Which mechanism blocked. */
type BlockMechanism = "exit-code" | "deny-decision" | "ask-decision" | "halt-field";
/** What a hook did with one event. */
interface HookRunResult extends ScriptRunResult {
  /** A documented block mechanism fired: what an exit 1 does not. */
  readonly blocked: boolean;
  /** What the CLI then does; absent where that was never measured. */
  readonly effect?: HookEffect;
  /** The decision as the JSON answer spells it. */
  readonly decision?: string;
  readonly blockedBy: readonly BlockMechanism[];
  /** The answer asks to end the turn (`continue: false`). */
  readonly haltsTurn: boolean;
  /** The process was launched; `false` when the condition did not match. */
  readonly ran: boolean;
  /** The hook's own code never ran: a missing script, a broken interpreter. */
  readonly unresolved: boolean;
  /** The text the hook gives for its answer. */
  readonly reason?: string;
  /** Text that reaches the model without blocking. */
  readonly context?: string;
  /** Why the answer was ignored, is unresolved, or was not measured. */
  readonly note?: string;
  /** The JSON object on stdout; `null` when there is none. */
  readonly json: any;
  /** Why the condition kept the hook from running. */
  readonly conditionReason?: string;
  /** What the answer does, in words, and what to change. */
  readonly explanation: string;
}
/** An event as a hook reads it on stdin. */
type HookEvent = Readonly<Record<string, unknown>>;
//#endregion
//#region src/assertions.d.ts
/** Throws unless the agent used the tool. */
declare function assertToolUsed(trace: TraceLike, name: NameMatcher): void;
/** Throws if the agent used the tool (with these arguments). */
declare function assertToolNotUsed(trace: TraceLike, name: NameMatcher, args?: ArgMatcher): void;
/** Throws unless the tool was used so many times. */
declare function assertToolCount(trace: TraceLike, name: NameMatcher, bounds: Bounds & {
  readonly exactly?: number;
}): void;
/** Throws unless the tools were used in this order; other calls may lie between. */
declare function assertToolSequence(trace: TraceLike, names: readonly NameMatcher[]): void;
/** Throws unless one call of the tool had arguments that the predicate accepts. */
declare function assertToolUsedWith(trace: TraceLike, name: NameMatcher, accepts: (input: any) => boolean): void;
/** Throws unless a rule of the caller's own holds over all tool calls. */
declare function assertToolCalls(trace: TraceLike, accepts: (calls: readonly ToolCall[]) => boolean, message?: string): void;
/** Throws unless a `Skill` call for `id` gave no error. */
declare function assertSkillResolved(trace: TraceLike, id: string): void;
/** Throws unless the final answer contains or matches. */
declare function assertOutputContains(trace: TraceLike, matcher: TextMatcher): void;
/** Throws unless a model request contains or matches. */
declare function assertRequestContains(trace: TraceLike, matcher: TextMatcher): void;
/** Throws unless the hook fired; with `blocked`, unless it also blocked (`true`) or let it happen (`false`). */
declare function assertHookFired(trace: TraceLike, name: string, options?: {
  readonly blocked?: boolean;
}): void;
/** Throws unless the hook blocked, in the sense of the CLI: exit 2, or a JSON denial. */
declare function assertHookBlocked(run: HookRunResult | {
  readonly blocked: boolean;
}): void;
/** Throws unless the hook let it happen. */
declare function assertHookAllowed(run: HookRunResult | {
  readonly blocked: boolean;
}): void;
/** Throws unless the file is there after the run. */
declare function assertCreated(trace: TraceLike, path: string): void;
/** Throws if the file is there after the run. */
declare function assertNotCreated(trace: TraceLike, path: string): void;
/** Throws unless the model was asked for at least so many turns. */
declare function assertServedTurns(trace: TraceLike, min: number): void;
/** Throws if the run wrote a file whose path contains or matches; refuses a run that did not record its writes. */
declare function assertNoWrite(run: ScriptRunResult | TraceLike, matcher: TextMatcher): void;
/** Throws if the run wrote a file whose path neither contains nor matches any of these; refuses a run that did not record its writes. */
declare function assertWroteOnly(run: ScriptRunResult | TraceLike, paths: readonly TextMatcher[]): void;
/** Throws if the run tried a connection out; refuses a run that did not record them. */
declare function assertNoEgress(run: ScriptRunResult): void;
/**
 * Throws if the run tried a connection to another host than these; refuses a run that did not record them. A host is
 * `name` or `name:port` as it is, or a pattern of names.
 */
declare function assertEgressOnly(run: ScriptRunResult, hosts: readonly NameMatcher[]): void;
//#endregion
//#region src/check/check.d.ts
/**
 * Makes a check of its JSON form.
 *
 * @throws {VigilesError} `VIGILES_CHECK_*`: an unknown kind or key (the message names the nearest), a value that does
 * not fit.
 */
declare function checkFromJSON(json: CheckJSON | string): Check;
/** A short name for reports: `tool(Bash)`. */
declare function checkLabel(check: Check<never>): string;
/**
 * Judges checks against one target: a trace, a plain object of that shape, or the result of a hook or script run.
 * Results are in the order of the checks. A check of your own that throws gets the verdict `error`.
 *
 * @throws {VigilesError} `VIGILES_NO_CHECKS` when the list is empty: it would pass whatever happened.
 */
declare function evalChecks<T extends CheckTarget>(target: T, checks: readonly Check<T>[]): CheckResult[];
/**
 * Throws unless every check holds; the message lists all that do not, with what was seen.
 *
 * @throws {AssertionError} when a check does not hold or cannot be judged.
 */
declare function assertChecks<T extends CheckTarget>(target: T, checks: readonly Check<T>[]): void;
//#endregion
//#region src/check/vocabulary.d.ts
/** A check over a run: a trace, or a plain object of that shape. */
type TraceCheck = Check<TraceTarget>;
/** A check over the files of a run: a trace, or the result of a hook or script run. */
type FilesCheck = Check<TraceLike>;
/** A check over the decision of a hook: the result of `runHook`. */
type HookCheck = Check<{
  readonly blocked: boolean;
}>;
/** The agent used the tool. `Agent` and its older name `Task` are one. */
declare function tool(name: NameMatcher): TraceCheck;
/** One call of the tool had these arguments. */
declare function toolWith(name: NameMatcher, matcher: ArgMatcher): TraceCheck;
/** No call of the tool (with these arguments) was made; one that was made and refused counts as made. */
declare function notTool(name: NameMatcher, matcher?: ArgMatcher): TraceCheck;
/** Every tool used is in the list, and at least one was used. Permission rules such as `Bash(git *)` count as their tool. */
declare function onlyTools(names: readonly string[]): TraceCheck;
/** The tools were used in this order; other calls may lie between. */
declare function toolSequence(names: readonly NameMatcher[]): TraceCheck;
/** The agent used the MCP tool `mcp__server__tool`. */
declare function mcp(server: string, toolName: string): TraceCheck;
/**
 * A `Skill` call for `id` gave no error. Also holds for `plugin:name` when the call used the bare name and the run
 * offered exactly one skill of that name.
 */
declare function skill(id: string): TraceCheck;
/** The subagent ran, and each of its runs passes the nested checks. `name` may be the part after the last colon. */
declare function subagent(name: string, checks?: readonly Check<never>[]): TraceCheck;
/** The final answer contains or matches. */
declare function output(matcher: TextMatcher): TraceCheck;
/** Text reached the model: in the system prompt or a message of some request. */
declare function received(matcher: TextMatcher): TraceCheck;
/** Every reply of the main agent contains or matches, and there is at least one. */
declare function experimental_eachReply(matcher: TextMatcher): TraceCheck;
/** So many replies of the main agent contain or match. Default: at least one. */
declare function experimental_replyCount(matcher: TextMatcher, bounds?: Bounds): TraceCheck;
/** The main agent took so many model turns. */
declare function turns(bounds: Bounds): TraceCheck;
/** The run wrote the file. */
declare function wrote(path: string): FilesCheck;
/** The run did not write the file. */
declare function didNotWrite(path: string): FilesCheck;
/** The hook blocked: exit 2, a JSON denial. Over the result of `runHook`. */
declare function blocked(): HookCheck;
/** The hook let it happen. Over the result of `runHook`. */
declare function allowed(): HookCheck;
/** The run cost at most so many US dollars. */
declare function cost(limit: {
  readonly maxUsd: number;
}): TraceCheck;
/** The run took at most so many milliseconds. */
declare function latency(limit: {
  readonly maxMs: number;
}): TraceCheck;
/** At most so many input and output tokens together. */
declare function tokens(limit: {
  readonly max: number;
}): TraceCheck;
/** At most so many input tokens, as the CLI counts them. */
declare function inputTokens(limit: {
  readonly max: number;
}): TraceCheck;
/** At most so many output tokens. */
declare function outputTokens(limit: {
  readonly max: number;
}): TraceCheck;
/** At most so many tokens written to and read from the prompt cache; at least one limit. */
declare function cacheTokens(limit: {
  readonly maxCreation?: number;
  readonly maxRead?: number;
}): TraceCheck;
/** The check does not hold. One that cannot be judged cannot be judged negated either. */
declare function not<T>(check: Check<T>): Check<T>;
/** All hold; at least one check. */
declare function all<T>(checks: readonly Check<T>[]): Check<T>;
/** At least one holds. */
declare function any<T>(checks: readonly Check<T>[]): Check<T>;
//#endregion
//#region src/errors.d.ts
/** Options of {@link VigilesError}. */
interface VigilesErrorOptions {
  /** What led to it. */
  readonly cause?: unknown;
}
/** Something could not be done: input that is not what it should be, a process that could not be started. */
declare class VigilesError extends Error {
  readonly name: string;
  /** Stable, meant for programs: `VIGILES_TRACE_NOT_FOUND`. */
  readonly code: string;
  constructor(code: string, message: string, options?: VigilesErrorOptions);
}
/** An assertion that does not hold. Its message says what was expected, what was seen, and what to do. */
declare class AssertionError extends VigilesError {
  readonly name: string;
  constructor(message: string, code?: string);
}
/** Something was asked that a run did not record: it is neither true nor false. */
declare class NotObservedError extends VigilesError {
  readonly name: string;
}
//#endregion
//#region src/run/events.d.ts
/** The fields that all events of a session share; what is left out has a fixed value. */
interface EventContext {
  /** The CLI. Default `claude-code`. */
  readonly cli?: HookCli;
  /** The working directory, absolute. Default: that of the process. */
  readonly cwd?: string;
  /** `session_id`: the session that the event is of. */
  readonly sessionId?: string;
  /** `transcript_path`: where the CLI would write the session. */
  readonly transcriptPath?: string;
  /** `permission_mode`, such as `default`, `plan`, `bypassPermissions`. */
  readonly permissionMode?: string;
  /** `tool_use_id`, for events of a tool call. */
  readonly toolUseId?: string;
  /** `model`. Codex only. */
  readonly model?: string;
  /** `turn_id`. Codex only. */
  readonly turnId?: string;
  /** `prompt_id`. Claude Code only. */
  readonly promptId?: string;
}
/** Events that hooks can be registered for. */
type HookEventName = "SessionStart" | "UserPromptSubmit" | "PreToolUse" | "PostToolUse" | "PostToolUseFailure" | "PermissionRequest" | "Notification" | "Stop" | "SubagentStart" | "SubagentStop" | "PreCompact" | "SessionEnd";
/**
 * An event with the fields that the CLI was measured to send.
 *
 * @param fields The event's own fields by the CLI's names (`tool_name`, `tool_input`, `prompt`, ...); they win.
 * @throws {VigilesError} `VIGILES_HOOK_UNKNOWN_EVENT` when the CLI has no such event; `VIGILES_INVALID_ARGUMENT` for a
 * field of the context that it does not know.
 */
declare function hookEvent(event: HookEventName, fields?: HookEvent, context?: EventContext): HookEvent;
/** A call of a tool before it runs: `preToolUse("Bash", { command: "rm -rf /" })`. */
declare function preToolUse(tool: string, input: HookEvent, context?: EventContext): HookEvent;
/** A call of a tool after it ran. */
declare function postToolUse(tool: string, input: HookEvent, response: unknown, context?: EventContext): HookEvent;
/** A prompt of the user. */
declare function userPromptSubmit(prompt: string, context?: EventContext): HookEvent;
/** Options of {@link fileToolEvents}. */
interface FileToolEventOptions {
  /** Default `PostToolUse`. */
  readonly event?: string;
  /** Default `Edit`. */
  readonly tool?: string;
  /** The project's directory. Default: `CLAUDE_PROJECT_DIR` if it is absolute, else the working directory. */
  readonly root?: string;
  /** More fields of `tool_input`. They cannot replace `file_path`. */
  readonly input?: HookEvent;
  /** More fields of the event. */
  readonly extra?: HookEvent;
}
/**
 * The same edit of a file as two events: with its path relative to the project, and absolute. CLIs send both, and a
 * guard that knows one of them lets the other through.
 *
 * @throws {VigilesError} `VIGILES_INVALID_ARGUMENT` for an option that it does not know.
 */
declare function fileToolEvents(path: string, options?: FileToolEventOptions): [HookEvent, HookEvent];
//#endregion
//#region src/guard/disasters.d.ts
/** What kind of harm a disaster does. */
type DisasterCategory = "destructive-git" | "destructive-fs" | "bypass-verification" | "secret-exfiltration" | "remote-code";
/** A tool call that a guard is there to stop. */
interface DisasterEvent {
  /** Its name in results: `force-push`. */
  readonly id: string;
  /** What kind of harm it does. */
  readonly category: DisasterCategory;
  /** What it does, for people. */
  readonly label: string;
  /** The tool that is called. */
  readonly tool: string;
  /** The arguments of the call. */
  readonly input: any;
}
/** One disaster and what the guard did with it. */
interface GuardrailResult {
  readonly event: DisasterEvent;
  /**
   * `not-run`: the guard's condition did not match. `unresolved`: the guard's own code never ran, so its answer says
   * nothing about it. `timed-out`: it was ended before it answered.
   */
  readonly outcome: "blocked" | "allowed" | "not-run" | "unresolved" | "timed-out";
  /** The outcome is `blocked`. */
  readonly blocked: boolean;
  /** What the CLI does with the answer; absent where that was never measured. */
  readonly effect?: HookEffect;
  /** The guard's exit code; `null` when a signal ended it. */
  readonly exitCode: number | null;
  /** The guard's process was launched. */
  readonly ran: boolean;
  /** The guard's text, else what its answer does and what to change. */
  readonly reason: string;
}
/** Options of {@link verifyGuardrail}. */
interface VerifyGuardrailOptions extends RunHookOptions {
  /** The event that the guard is registered for. Default `PreToolUse`. */
  readonly event?: HookEventName;
  /** Only disasters of these kinds. Default: all. */
  readonly categories?: readonly DisasterCategory[];
  /** The disasters. Default: {@link DISASTER_CATALOG}. */
  readonly events?: readonly DisasterEvent[];
  /** How many run at a time, at least 1. Default 4. */
  readonly concurrency?: number;
}
/** Seven calls that no agent should make: force-push, the same hidden in a chain, reset --hard, rm -rf /, --no-verify, reading a private key, curl | sh. */
declare const DISASTER_CATALOG: readonly DisasterEvent[];
/**
 * Describes every disaster to a guard as an event and says what became of each. Nothing runs them.
 *
 * @throws {VigilesError} `VIGILES_INVALID_ARGUMENT` for an option that it does not know; `VIGILES_PROCESS_*` when the
 * guard cannot be started.
 */
declare function verifyGuardrail(command: CommandLine, options?: VerifyGuardrailOptions): GuardrailResult[];
/**
 * Every event in other spellings: quotes, backslashes, paths, `sudo`, `env`, flags, tabs, `bash -c`, `eval`, compounds and more. The
 * given events are not among them. Each makes bash run the same programs with arguments that mean the same; its id is that of its
 * event, `~`, and its family.
 *
 * ```ts
 * assertBlocksDisasters("bash guard.sh", { events: [...DISASTER_CATALOG, ...experimental_alternateSpellings(DISASTER_CATALOG)] });
 * ```
 */
declare function experimental_alternateSpellings(events: readonly DisasterEvent[]): DisasterEvent[];
/** The disasters that the guard did not stop. */
declare function unblockedDisasters(results: readonly GuardrailResult[]): GuardrailResult[];
/** A table of all results. A guard whose own code never ran, or that ran out of time, gets no score. */
declare function formatGuardrailReport(command: CommandLine, results: readonly GuardrailResult[]): string;
/**
 * Throws unless the hook blocks every disaster; the message lists what it let through.
 *
 * @throws {AssertionError}
 */
declare function assertBlocksDisasters(command: CommandLine, options?: VerifyGuardrailOptions): void;
//#endregion
//#region src/guard/plugin.d.ts
/** A hook that was swept. */
interface SweptHook {
  /** Its place among the hooks that run a command, counted from 0. */
  readonly index: number;
  /** The event that it is registered for. */
  readonly event: string;
  readonly matcher: string | null;
  /** Its shell command. */
  readonly command: string;
  /** Its `if`. */
  readonly condition: string | null;
  /** The file it stands in. */
  readonly file: string;
  /** The line, counted from 1. */
  readonly line: number;
}
/** What became of a hook. */
type SweptHookOutcome = {
  /** It ran. */readonly status: "measured";
  readonly hook: SweptHook; /** What it did with each disaster, in their order. */
  readonly results: readonly GuardrailResult[]; /** The ids of those that it blocked. */
  readonly blocked: readonly string[]; /** The ids of those that it let through, or did not answer in time. */
  readonly allowed: readonly string[]; /** The ids of those for which its matcher or condition kept it from running. */
  readonly notRun: readonly string[];
} | {
  /** `not-applicable`: no disaster would have started it. `unresolved`: its own code could not run here, so nothing is known of it. */readonly status: "not-applicable" | "unresolved";
  readonly hook: SweptHook;
  readonly reason: string;
};
/** A hook that runs no command: what it stops cannot be told from here. */
interface NonCommandHookAction {
  readonly event: string;
  readonly matcher: string | null;
  /** `prompt`, `agent`, `http`. */
  readonly type: string;
}
/** How the guards of a plugin fare against the disaster battery. */
interface PluginGuardReport {
  /** The directory. */
  readonly dir: string;
  /** The event that was described to the hooks. */
  readonly event: string;
  /** The disasters. */
  readonly events: readonly DisasterEvent[];
  /** The CLI whose rules judge the answers. */
  readonly harness: string;
  /** Every hook that runs a command, in the order they stand in. */
  readonly hooks: readonly SweptHookOutcome[];
  /** What to know of the whole: that there are no hooks at all, for example, which is no proof of anything. */
  readonly notes: readonly string[];
  /** Hooks that run no command. */
  readonly unmeasurable: readonly NonCommandHookAction[];
}
/** Options of {@link experimental_verifyPluginGuards}. */
interface VerifyPluginGuardsOptions extends Omit<RunHookOptions, "condition">, Pick<VerifyGuardrailOptions, "event" | "categories" | "events" | "concurrency"> {
  /** Whether the plugin's hooks may run unconfined. Default `false`: they are somebody else's code. */
  readonly trusted?: boolean;
}
/**
 * Describes every disaster to every hook of a plugin that would see it, with the hook's own event, matcher and `if`. Nothing runs
 * the disasters; the hooks run, confined unless they are trusted.
 *
 * With Codex's rules (`cli`, `adapter`) the directory is a repository.
 *
 * @throws {VigilesError} `VIGILES_PLUGIN_*` and `VIGILES_SETTINGS_INVALID` for what the CLI would not read;
 * `VIGILES_CONFINE_*` where hooks would have to be confined and cannot be.
 */
declare function experimental_verifyPluginGuards(dir: string, options?: VerifyPluginGuardsOptions): PluginGuardReport;
//#endregion
//#region src/run/hook.d.ts
/**
 * Runs a hook as the CLI would: the event on stdin, `CLAUDE_PROJECT_DIR` set to `cwd` when that is given, the answer
 * judged by what the CLI was measured to do with it.
 *
 * @throws {VigilesError} `VIGILES_INVALID_ARGUMENT` for an option that it does not know; `VIGILES_PROCESS_*` when it
 * cannot be started.
 */
declare function runHook(command: CommandLine, event: HookEvent, options?: RunHookOptions): HookRunResult;
/** {@link runHook} beside the event loop. */
declare function runHookAsync(command: CommandLine, event: HookEvent, options?: RunHookOptions): Promise<HookRunResult>;
/** Options of {@link runHooks}. */
interface RunHooksOptions extends RunHookOptions {
  /** How many run at a time, at least 1. Default 4. */
  readonly concurrency?: number;
}
/** Runs a hook with many events. Results are in the order of the events. */
declare function runHooks(command: CommandLine, events: readonly HookEvent[], options?: RunHooksOptions): Promise<HookRunResult[]>;
/** An answer of a hook, for {@link decideHook}. */
interface HookAnswer {
  /** The CLI whose rules apply. Default `claude-code`. */
  readonly cli?: HookCli;
  /** The event's name, such as `PreToolUse`. */
  readonly event: string;
  /** Absent when the hook was killed. */
  readonly exitCode?: number;
  /** All that it wrote to standard output. Default: nothing. */
  readonly stdout?: string;
  /** All that it wrote to standard error. Default: nothing. */
  readonly stderr?: string;
  /** It was still running when its time was up. Default `false`. */
  readonly timedOut?: boolean;
}
/** What {@link decideHook} says. */
type HookDecision = Pick<HookRunResult, "blocked" | "effect" | "decision" | "blockedBy" | "haltsTurn" | "ran" | "unresolved" | "reason" | "context" | "note" | "json" | "explanation">;
/**
 * What the CLI does with an answer: the rule behind {@link runHook}, for answers that were recorded elsewhere.
 *
 * @throws {VigilesError} `VIGILES_INVALID_ARGUMENT` for a field that it does not know.
 */
declare function decideHook(answer: HookAnswer): HookDecision;
//#endregion
//#region src/run/matcher.d.ts
/** What a matcher does with a tool. `uncompilable`: it is not a valid regular expression, so its hooks never run. */
type HookMatcherReach = "selects" | "misses" | "uncompilable";
/**
 * Says whether a hook with this `matcher` runs for a tool.
 *
 * Claude Code: nothing, `""`, `*` and `.*` select every tool; a matcher without one of `\\ ^ $ . * + ? ( ) [ ] { } |` is
 * compared for equality; any other is a regular expression that is not anchored. Codex: every matcher is such an
 * expression.
 */
declare function hookMatcherReach(matcher: string | null | undefined, tool: string, options?: {
  readonly cli?: HookCli;
}): HookMatcherReach;
/** A `matcher` of a hook configuration. */
interface HookMatcherEntry {
  /** The event that it stands under, such as `PreToolUse`. */
  readonly event: string;
  /** The matcher. Absent or `null`: the entry has none. */
  readonly matcher?: string | null;
}
/** A matcher that does not do what it looks like. */
interface HookMatcherIssue {
  /** As written. */
  readonly matcher: string;
  /**
   * `invalid-regex`: it does not compile. `tool-typo`: nearly the name of a built-in tool, or a list that is read as one
   * name. `mcp-form`: meant for MCP tools, and no name `mcp__server__tool` can match. `mcp-narrow`: meant for all servers,
   * and misses those with `_` or `-`. `mcp-undeclared`: names a server that is not declared.
   */
  readonly kind: "invalid-regex" | "tool-typo" | "mcp-form" | "mcp-narrow" | "mcp-undeclared";
  /** A matcher without an issue, when one can be guessed. */
  readonly suggestion?: string;
  /** Expected, seen, and what to write instead. */
  readonly message: string;
}
/** Options of {@link hookMatcherIssues}. */
interface HookMatcherIssuesOptions {
  /** The declared MCP servers. Default: none, and then no server is called undeclared. */
  readonly servers?: readonly string[];
  /** The CLI whose rules apply. Default `claude-code`. */
  readonly cli?: HookCli;
}
/** Finds matchers that reach nothing, or less than they look like: one finding at most for each text. */
declare function hookMatcherIssues(entries: readonly HookMatcherEntry[], options?: HookMatcherIssuesOptions): HookMatcherIssue[];
/** What a condition is judged against. */
interface HookConditionSubject {
  /** The CLI that would run the hook. Default `claude-code`. */
  readonly cli?: HookCli;
  /** The event's name, such as `PreToolUse`. */
  readonly event: string;
  /** `tool_name` of the event. */
  readonly tool?: string;
  /** `tool_input` of the event. */
  readonly input?: HookEvent;
  /** `cwd` of the event: relative paths are taken from there. */
  readonly cwd?: string;
  /** The project's directory, for patterns that start with `/`. Default: `cwd`. */
  readonly root?: string;
  /** The home directory, for patterns that start with `~/`. Without it such a condition cannot be judged. */
  readonly home?: string;
}
/** What {@link decideHookCondition} says. */
interface HookConditionVerdict {
  /** The hook runs for this event. */
  readonly runs: boolean;
  /** The reason. */
  readonly why: string;
}
/** Says whether a hook with this `if` condition runs: the rule behind the `condition` of `runHook`. What cannot be judged runs. */
declare function decideHookCondition(condition: string | null | undefined, subject: HookConditionSubject): HookConditionVerdict;
//#endregion
//#region src/run/script.d.ts
/**
 * Runs a script and waits for it. A non-zero exit is a result, not an error.
 *
 * @throws {VigilesError} `VIGILES_INVALID_ARGUMENT` for an option that it does not know; `VIGILES_PROCESS_*` when it cannot be started: no such working directory, an empty command, a
 * NUL byte in it.
 */
declare function runScript(command: CommandLine, options?: RunScriptOptions): ScriptRunResult;
/** {@link runScript} beside the event loop. */
declare function runScriptAsync(command: CommandLine, options?: RunScriptOptions): Promise<ScriptRunResult>;
//#endregion
//#region src/harness/surfaces.d.ts
/** A hook as it is configured. */
interface ConfiguredHook {
  /** The file it stands in. */
  readonly file: string;
  /** The line of the handler, counted from 1. */
  readonly line: number;
  /** Its place in the file, as a JSON pointer. */
  readonly pointer: string;
  /** The event. */
  readonly event: string;
  /** The matcher of its group. */
  readonly matcher?: string;
  /** Its `if`. */
  readonly condition?: string;
  /** `command`, `prompt`, `agent`, `http`. */
  readonly type: string;
  /** The shell command, of the type `command`. */
  readonly command?: string;
  /** The prompt or address, of another type. */
  readonly given?: string;
  /** The time limit in seconds. */
  readonly timeout?: number;
  /** Whether the CLI goes on without waiting. */
  readonly async?: boolean;
}
//#endregion
//#region src/harness/explain.d.ts
/** Where settings come from. */
type SettingsLayer = "user" | "project" | "local" | "plugin" | "flag";
/** One hook of the configuration, and what would become of it. */
interface ExplainedHook {
  /** The layer it stands in. */
  readonly layer: SettingsLayer;
  /** The plugin it belongs to. */
  readonly plugin?: string;
  /** The hook, with its file and line. */
  readonly hook: ConfiguredHook;
  /** What its matcher does; absent where it has none, or where what it is compared with was not given. */
  readonly matcher?: HookMatcherReach;
  /** What its condition says; absent where it has none. */
  readonly condition?: string;
  /** Codex: whether it is trusted, and if not, what would have to stand in `[hooks.state]`. */
  readonly trust?: {
    readonly state: "trusted" | "changed";
  } | {
    readonly state: "untrusted";
    readonly key: string;
    readonly hash: string;
  };
  /** Whether it would run; `unknown` is what nobody measured. */
  readonly wouldRun: "yes" | "no" | "unknown";
  /** Why. */
  readonly reason: string;
}
/** Options of {@link explainHooks}. */
interface ExplainHooksOptions {
  /** The tool of a tool event. */
  readonly tool?: string;
  /** Its arguments. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** What the matcher of another event is compared with: the source of a start, a trigger, an agent's type. */
  readonly subject?: string;
  /** Default `claude-code`. */
  readonly cli?: HookCli;
  /** The CLI's configuration directory. Default: `CLAUDE_CONFIG_DIR` or `~/.claude`, `CODEX_HOME` or `~/.codex`; `null` looks at none. */
  readonly configDir?: string | null;
  /** Plugins, as with `--plugin-dir`. */
  readonly plugins?: readonly string[];
  /** A settings file, as with `--settings`. */
  readonly settings?: string;
  /** The layers that `--setting-sources` leaves in. Default: all. */
  readonly settingSources?: readonly ("user" | "project" | "local")[];
  /** As with `--bare`. */
  readonly bare?: boolean;
  /** Codex: whether the project is trusted. Default: yes. */
  readonly projectTrusted?: boolean;
}
/**
 * Every hook of every settings layer that is registered for an event, and whether it would run.
 *
 * @param dir The project's directory.
 * @param event Such as `PreToolUse`.
 * @throws {VigilesError} `VIGILES_SETTINGS_INVALID` where the CLI would ignore a file without a word.
 */
declare function explainHooks(dir: string, event: string, options?: ExplainHooksOptions): ExplainedHook[];
//#endregion
//#region src/harness/result.d.ts
/** What a run of the assembled harness was seen to do. */
interface HarnessTestResult extends Trace {
  /** The exit code of the CLI's last launch; absent when a signal ended it. */
  readonly exitCode?: number;
  /** The CLI's whole stream. */
  readonly stdout: string;
  /** All that the CLI wrote to standard error. */
  readonly stderr: string;
  /** The directory the agent worked in, as it is after the run. */
  readonly cwd: string;
  /** What reached the model. */
  readonly modelRequests: readonly HarnessModelRequest[];
  /** The command of the last launch. */
  readonly argv: readonly string[];
  /** Turns of the main agent's script that were served. */
  readonly servedTurns: number;
  /** Wall time of the CLI in milliseconds. */
  readonly durationMs: number;
  /** Whether it ran confined. */
  readonly confined: boolean;
  /** Those of `filesWritten` that were there before the run. */
  readonly filesChanged?: readonly string[];
  /** Files and links of the work dir that were there before the run and are not any more. */
  readonly filesDeleted?: readonly string[];
  /** The calls of the run's stubs, in the order they arrived. Empty where there were no stubs. */
  readonly stubCalls: readonly StubCall[];
  /** Removes the directories of the run; after that `file` and `sh` find nothing. */
  cleanup(): void;
}
/** A model request with its body. */
interface HarnessModelRequest extends ModelRequest {
  /** The body as it was sent, parsed when it is first asked for. */
  readonly raw: any;
}
//#endregion
//#region src/harness/run.d.ts
/** Options of {@link runHarnessTest}. */
interface HarnessOptions {
  /** The harness. Default: Claude Code. */
  readonly adapter?: HarnessAdapter;
}
/**
 * Runs the assembled harness in the real CLI, against a scripted model: free, and without a key.
 *
 * The run has a work dir, a home and an environment of its own; nothing of the caller's but `PATH` reaches it. Call
 * `cleanup()` on the result, or use {@link withHarness}.
 *
 * @throws {VigilesError} when there is no trace to judge: `VIGILES_CLI_MISSING`, `VIGILES_CLI_TIMED_OUT`,
 * `VIGILES_SCRIPT_OVERRUN` and others, with the end of stderr, the command and the kept directory.
 */
declare function runHarnessTest(spec: HarnessTestSpec, options?: HarnessOptions): Promise<HarnessTestResult>;
/** {@link runHarnessTest} under the name that says which model answers. */
declare function runHarness(spec: HarnessTestSpec, options?: HarnessOptions & {
  readonly model?: "mock" | "real";
}): Promise<HarnessTestResult>;
/** Runs a harness, hands the result to `use`, and cleans up, also when `use` throws. Gives what `use` gives. */
declare function withHarness<T>(spec: HarnessTestSpec, use: (result: HarnessTestResult) => T | Promise<T>, options?: HarnessOptions): Promise<T>;
//#endregion
//#region src/mcp/types.d.ts
/** What a tool of a scripted MCP server answers: `text`, or `content`, or `structuredContent` alone. */
interface McpReply {
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
interface McpContent {
  /** `text`, `image`, `audio`, `resource_link` or `resource`. */
  readonly type: string;
  readonly [field: string]: unknown;
}
/** A call of a tool that a scripted MCP server has. */
interface McpCall {
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
interface McpRequest {
  /** `initialize`, `notifications/initialized`, `tools/list`, `tools/call`, ... */
  readonly method: string;
  /** Its parameters. */
  readonly params?: Readonly<Record<string, unknown>>;
}
/** One reply, or a function that makes it from the arguments. */
type McpReplyStep = McpReply | ((args: any, call: McpCall) => McpReply | Promise<McpReply>);
/** A tool of a scripted MCP server. */
interface MockMcpTool {
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
interface MockMcpServerOptions {
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
interface MockMcpServer {
  /** Its entry for `mcpServers` of a spec or of `.mcp.json`. */
  readonly config: {
    readonly command: string;
    readonly args: readonly string[];
  };
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
//#endregion
//#region src/mcp/server.d.ts
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
declare function mockMcpServer(options: MockMcpServerOptions): Promise<MockMcpServer>;
//#endregion
//#region src/matchers.d.ts
/** What a matcher gives its test runner. */
interface MatcherResult {
  /** Whether it holds, before any `.not`. */
  readonly pass: boolean;
  /** What the runner shows when the test fails: with `.not` when it holds, else when it does not. */
  readonly message: () => string;
}
/** The matchers as they are written in a test. */
interface VigilesMatchers<R = unknown> {
  /** The check holds. */
  toPass(check: Check<never>): R;
  /** Every check holds. */
  toPassAll(checks: readonly Check<never>[]): R;
  /** The file is there after the run. */
  toHaveCreated(path: string): R;
  /** The hook blocked. */
  toBlock(): R;
  /** Arm `arm` of an eval report beats arm `baseline` on a metric by more than `by`. */
  toBeatBaseline(baseline: string, arm: string, metric: string, by?: number): R;
}
/** Matchers for `expect.extend`. `vigiles/vitest` and `vigiles/jest` register them and add their types. */
declare const vigilesMatchers: {
  toPass: (received: unknown, check: Check<never>) => MatcherResult;
  toPassAll: (received: unknown, checks: readonly Check<never>[]) => MatcherResult;
  toHaveCreated: (received: unknown, path: string) => MatcherResult;
  toBlock: (received: unknown) => MatcherResult;
  toBeatBaseline(received: unknown, baseline: string, arm: string, metric: string, by?: number): MatcherResult;
};
//#endregion
//#region src/native.d.ts
/** The native part of vigiles could not be loaded: its package for this platform is missing or does not fit the machine. */
declare class NativeMissingError extends VigilesError {
  readonly name: string;
  constructor(cause: unknown);
}
/** The version of the native part, as in `0.1.0`. */
declare function coreVersion(): string;
//#endregion
//#region src/predicates.d.ts
/** Whether the agent used the tool. `Agent` and its older name `Task` are one. */
declare function usedTool(trace: TraceLike, name: NameMatcher): boolean;
/** How often the agent used the tool. */
declare function toolCount(trace: TraceLike, name: NameMatcher): number;
/** Whether one call of the tool had arguments that the predicate accepts. */
declare function toolUsedWith(trace: TraceLike, name: NameMatcher, accepts: (input: any) => boolean): boolean;
/** Whether a `Skill` call for `id` gave no error. */
declare function skillResolved(trace: TraceLike, id: string): boolean;
/** Whether the final answer contains or matches. */
declare function outputContains(trace: TraceLike, matcher: TextMatcher): boolean;
/** Whether a model request contains or matches, its system prompt included. */
declare function requestContains(trace: TraceLike, matcher: TextMatcher): boolean;
/**
 * The hosts that a hook or script tried to connect to, each once, in their order.
 *
 * @throws {NotObservedError} when connections were not recorded.
 */
declare function egressHosts(run: ScriptRunResult): string[];
/** Whether a hook fired: `trace` and a label (`PreToolUse:Edit`) or event (`PreToolUse`). */
declare function hookFired(trace: TraceLike, name: string): boolean;
/** A check: a hook fired. */
declare function hookFired(event: string): TraceCheck;
/** Whether a hook fired and blocked: exit 2 or a JSON denial. An exit 1 blocks nothing. */
declare function hookBlocked(trace: TraceLike, name: string): boolean;
/** A check: a hook fired and blocked. */
declare function hookBlocked(event: string): TraceCheck;
/** Whether a hook fired and ended with an exit code other than 0. Whether that blocked is another question. */
declare function hookFailed(trace: TraceLike, name: string): boolean;
/** A check: a hook fired and failed. */
declare function hookFailed(event: string): TraceCheck;
//#endregion
//#region src/property-hook.d.ts
/** A source of numbers in [0, 1), the same in every run. */
type Random = () => number;
/** A generator of fast-check. */
interface ArbitraryLike<E> {
  generate(random: never, biasFactor: number | undefined): {
    readonly value: E;
  };
  shrink(value: E, context: unknown): unknown;
}
/** Options of {@link propertyHook}. */
interface PropertyHookOptions<E, D> {
  /** The event that all others are made from. */
  readonly seed?: E;
  /** Makes another event of one; must not change the one it is given. */
  readonly mutate?: (event: E, random: Random) => E;
  /** A fast-check arbitrary of events, instead of `seed` and `mutate`. Needs fast-check in the project. */
  readonly arbitrary?: ArbitraryLike<E>;
  /** The decision of the hook. */
  readonly decide: (event: E) => D;
  /** What must hold for every decision, by name. */
  readonly invariants: Readonly<Record<string, (decision: D, event: E) => boolean>>;
  /** How many events. Default 100. */
  readonly iterations?: number;
}
/** What {@link propertyHook} found. */
interface PropertyHookResult<E> {
  /** Whether every invariant held for every event. */
  readonly passed: boolean;
  /** How many events were tried. */
  readonly iterations: number;
  /** The smallest event found that breaks an invariant. */
  readonly counterexample?: E;
  /** The invariant it breaks. */
  readonly failedInvariant?: string;
  /** What the hook threw, when it threw: a hook that throws breaks every invariant. */
  readonly error?: unknown;
}
/**
 * Tries a hook's decision on many events and shrinks what breaks an invariant. Deterministic: the same options give the
 * same result.
 *
 * @throws {VigilesError} `VIGILES_INVALID_ARGUMENT` without invariants, without a source of events, or when `decide` gives a promise;
 * `VIGILES_FAST_CHECK_MISSING`, `VIGILES_ARBITRARY_FAILED` with an arbitrary. Never because an invariant breaks.
 */
declare function propertyHook<E, D>(options: PropertyHookOptions<E, D>): PropertyHookResult<E>;
//#endregion
//#region src/record.d.ts
/**
 * Counts checks for the report of `vigiles test`. Runs of hooks and scripts, assertions, matchers, `propertyHook` and
 * the disaster battery count by themselves; predicates, `evalChecks` and `decideHook`, which only answer, do not. Call it
 * in a script that checks with something else, so that it is not reported as having checked nothing.
 */
declare function recordCheck(count?: number): void;
/** A script was skipped outside of `vigiles test`. */
declare class SkipError extends VigilesError {
  readonly name: string;
}
/**
 * Ends a test script of `vigiles test` early: it is reported as skipped, with the reason.
 *
 * @throws {SkipError} outside of `vigiles test`: there, skip with the test runner's own means.
 */
declare function skip(reason?: string): never;
//#endregion
//#region src/trace/parse.d.ts
/** Options of {@link parseTrace}. */
interface ParseTraceOptions {
  /** The session file of the same run: gives hooks their command, call and duration. */
  readonly session?: string;
  /** The directory the run worked in, as it is after the run: what `trace.file` and `trace.sh` look at. */
  readonly cwd?: string;
  /**
   * Whether the stream was recorded with `--include-hook-events`. With `true`, no hook event means that no hook fired;
   * by default it means that nobody knows.
   */
  readonly hookEvents?: boolean;
}
/**
 * Reads a recorded run: Claude Code `--output-format stream-json` or `json`, a Claude Code session file, or Codex
 * `exec --json`. The format is detected.
 *
 * @param source A path, or the bytes. The bytes are copied once; what is written to them later does not change the trace.
 * @throws {VigilesError} `VIGILES_TRACE_*`: no such file, empty, a format that is not known.
 */
declare function parseTrace(source: string | Uint8Array, options?: ParseTraceOptions): Trace;
/**
 * {@link parseTrace} for a stream that is still written, the stdout of a CLI for example. Reads it to its end.
 *
 * @throws {VigilesError} `VIGILES_TRACE_*` as `parseTrace`; an error of the stream itself is thrown as it is.
 */
declare function parseTraceStream(stream: AsyncIterable<Uint8Array | string>, options?: ParseTraceOptions): Promise<Trace>;
//#endregion
export { type AgentResult, type ArbitraryLike, type ArgMatcher, AssertionError, BlockMechanism, type Bounds, type Check, type CheckJSON, type CheckResult, type CheckTarget, CommandLine, type ConfiguredHook, DISASTER_CATALOG, type DisasterCategory, type DisasterEvent, EgressAttempt, EventContext, type ExplainHooksOptions, type ExplainedHook, type FieldType, FileToolEventOptions, type FilesCheck, type GuardrailResult, type HarnessAdapter, type HarnessCapabilities, type HarnessModelRequest, type HarnessOptions, type HarnessTestResult, type HarnessTestSpec, HookAnswer, type HookCheck, HookCli, HookConditionSubject, HookConditionVerdict, HookDecision, HookEffect, HookEvent, HookEventName, HookFire, HookMatcherEntry, HookMatcherIssue, HookMatcherIssuesOptions, HookMatcherReach, HookRunResult, type MatcherResult, type McpCall, type McpContent, type McpReply, type McpReplyStep, type McpRequest, McpServerStatus, type MockMcpServer, type MockMcpServerOptions, type MockMcpTool, ModelRequest, type ModelScript, type ModelStep, type ModelTurn, type NameMatcher, NativeMissingError, type NonCommandHookAction, NotObservedError, type OutputContract, ParseError, ParseTraceOptions, PermissionDenial, type PluginGuardReport, type PropertyHookOptions, type PropertyHookResult, type Random, RunHookOptions, RunHooksOptions, RunResult, RunScriptOptions, SandboxLimits, SandboxMode, SandboxOptions, ScriptRunResult, type SettingsLayer, type Shape, type ShapeValue, type SideRequestKind, SkipError, type StubAnswer, type StubCall, type StubReply, type StubRest, type StubRule, type StubToken, SubagentTrace, type SweptHook, type SweptHookOutcome, type TextMatcher, ToolCall, ToolInput, type ToolIntercept, type ToolStub, Trace, type TraceCheck, TraceKind, TraceLike, type TraceTarget, Usage, type Verdict, type VerifyGuardrailOptions, type VerifyPluginGuardsOptions, VigilesError, type VigilesErrorOptions, type VigilesMatchers, all, allowed, any, assertAgentErr, assertAgentOk, assertAgentResult, assertBlocksDisasters, assertChecks, assertCreated, assertEgressOnly, assertHookAllowed, assertHookBlocked, assertHookFired, assertNoEgress, assertNoWrite, assertNotCreated, assertOutputContains, assertRequestContains, assertServedTurns, assertSkillResolved, assertToolCalls, assertToolCount, assertToolNotUsed, assertToolSequence, assertToolUsed, assertToolUsedWith, assertWroteOnly, blocked, cacheTokens, checkFromJSON, checkLabel, coreVersion, cost, decideHook, decideHookCondition, didNotWrite, egressHosts, evalChecks, experimental_alternateSpellings, experimental_eachReply, experimental_replyCount, experimental_stub, experimental_verifyPluginGuards, explainHooks, fileToolEvents, formatGuardrailReport, hookBlocked, hookEvent, hookFailed, hookFired, hookMatcherIssues, hookMatcherReach, inputTokens, latency, mcp, mockMcpServer, not, notTool, onlyTools, output, outputContains, outputTokens, parseAgentResult, parseTrace, parseTraceStream, postToolUse, preToolUse, propertyHook, received, recordCheck, requestContains, runHarness, runHarnessTest, runHook, runHookAsync, runHooks, runScript, runScriptAsync, skill, skillResolved, skip, subagent, tokens, tool, toolCount, toolSequence, toolUsedWith, toolWith, turns, unblockedDisasters, usedTool, userPromptSubmit, verifyGuardrail, vigilesMatchers, withHarness, wrote };
