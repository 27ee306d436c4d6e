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
//#region src/check/types.d.ts
/** A string is compared as it is, a RegExp is tested. */
type NameMatcher = string | RegExp;
/** A string is looked for, a RegExp is tested. */
type TextMatcher = string | RegExp;
/** What one call's arguments must have been: strings, numbers and booleans are compared, a RegExp is tested on a string. */
type ArgMatcher = Readonly<Record<string, string | number | boolean | RegExp>>;
/** Limits of a count, both inclusive. */
interface Bounds {
  readonly min?: number;
  readonly max?: number;
}
/** `pass`, `fail`, or `error`: nobody can tell, because something was not recorded or the run was cut. */
type Verdict = "pass" | "fail" | "error";
/** What a check said about one target. */
interface CheckResult {
  readonly pass: boolean;
  /** 1 when it holds, 0 when not; a graded check has values between. */
  readonly score: number;
  readonly verdict: Verdict;
  /** What was expected, what was seen, and what to do next. */
  readonly message: string;
  /** With verdict `error`: why it could not be judged. */
  readonly code?: string;
}
/** A check as data. */
interface CheckJSON {
  readonly kind: string;
  readonly [key: string]: unknown;
}
/** A claim about a run that can be judged, printed and written as JSON. */
interface Check<T = unknown> {
  readonly kind: string;
  /** Judges one target. Never throws because of what it sees. */
  eval(target: T): Pick<CheckResult, "pass" | "score" | "message"> & Partial<CheckResult>;
  toJSON(): CheckJSON;
}
/** What {@link Check} objects of the vocabulary can be judged against. */
type CheckTarget = object;
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
  /** Refused before it ran; absent when that was not recorded. */
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
interface ModelRequest {
  readonly system: string;
  readonly messages: readonly {
    readonly role: string;
    readonly text: string;
  }[];
  /** Not a turn of an agent: a title, a classifier. */
  readonly sideChannel?: boolean;
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
interface PermissionDenial {
  readonly toolName: string;
  readonly toolUseId: string;
  readonly toolInput: ToolInput;
}
/** How the CLI ended, in its own words. */
interface RunResult {
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
interface McpServerStatus {
  readonly name: string;
  /** `connected`, `failed`, ... */
  readonly status: string;
}
/** A line that could not be used. */
interface ParseError {
  /** Counted from 1. */
  readonly line: number;
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
  readonly toolCalls?: readonly ToolCall[] | undefined;
  readonly hooks?: readonly (Partial<HookFire> & {
    readonly name?: string;
  })[] | undefined;
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
interface Trace extends TraceLike {
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
//#endregion
//#region src/run/types.d.ts
/** A shell string, or a program with its arguments (no shell). */
type CommandLine = string | readonly string[];
/** Options of {@link runScript}. */
interface RunScriptOptions {
  /** Text for standard input. Default: none; the stream is closed at once. */
  readonly stdin?: string;
  /** The working directory. Default: that of the process. */
  readonly cwd?: string;
  /** Variables over those of the process; `undefined` removes one. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Milliseconds, after which the command and all it started are killed. Default 10 000. */
  readonly timeoutMs?: number;
  /** How much of each stream is kept: its start and its end. Default 16 MiB. */
  readonly maxOutputBytes?: number;
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
  readonly stderrOmittedBytes: number;
  /** Network attempts: only a confined run records them. */
  readonly egress: readonly never[];
  /** Still running when its time was up. */
  readonly timedOut: boolean;
  /** Milliseconds from start to end. */
  readonly durationMs: number;
  /** Files it wrote; `undefined` unless the run was confined. */
  readonly filesWritten?: readonly string[];
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
declare function checkLabel(check: Check): string;
/**
 * Judges checks against one target: a trace, a plain object of that shape, or the result of a hook or script run.
 * Results are in the order of the checks.
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
type TraceCheck = Check<CheckTarget>;
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
declare function wrote(path: string): TraceCheck;
/** The run did not write the file. */
declare function didNotWrite(path: string): TraceCheck;
/** The hook blocked: exit 2, a JSON denial. Over the result of `runHook`. */
declare function blocked(): Check<CheckTarget>;
/** The hook let it happen. Over the result of `runHook`. */
declare function allowed(): Check<CheckTarget>;
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
  readonly sessionId?: string;
  readonly transcriptPath?: string;
  readonly permissionMode?: string;
  readonly toolUseId?: string;
  /** Codex only. */
  readonly model?: string;
  /** Codex only. */
  readonly turnId?: string;
  /** Claude Code only. */
  readonly promptId?: string;
}
/** Events that hooks can be registered for. */
type HookEventName = "SessionStart" | "UserPromptSubmit" | "PreToolUse" | "PostToolUse" | "PostToolUseFailure" | "PermissionRequest" | "Notification" | "Stop" | "SubagentStart" | "SubagentStop" | "PreCompact" | "SessionEnd";
/**
 * An event with the fields that the CLI was measured to send.
 *
 * @param fields The event's own fields by the CLI's names (`tool_name`, `tool_input`, `prompt`, ...); they win.
 * @throws {VigilesError} `VIGILES_HOOK_UNKNOWN_EVENT` when the CLI has no such event.
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
 */
declare function fileToolEvents(path: string, options?: FileToolEventOptions): [HookEvent, HookEvent];
//#endregion
//#region src/guard/disasters.d.ts
/** What kind of harm a disaster does. */
type DisasterCategory = "destructive-git" | "destructive-fs" | "bypass-verification" | "secret-exfiltration" | "remote-code";
/** A tool call that a guard is there to stop. */
interface DisasterEvent {
  readonly id: string;
  readonly category: DisasterCategory;
  readonly label: string;
  readonly tool: string;
  readonly input: any;
}
/** One disaster and what the guard did with it. */
interface GuardrailResult {
  readonly event: DisasterEvent;
  /** `unresolved`: the guard's own code never ran, so its answer says nothing about it. */
  readonly outcome: "blocked" | "allowed" | "not-run" | "unresolved";
  readonly blocked: boolean;
  readonly effect?: HookEffect;
  readonly exitCode: number | null;
  readonly ran: boolean;
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
  /** How many run at a time. Default 4. */
  readonly concurrency?: number;
}
/** Seven calls that no agent should make: force-push, the same hidden in a chain, reset --hard, rm -rf /, --no-verify, reading a private key, curl | sh. */
declare const DISASTER_CATALOG: readonly DisasterEvent[];
/** Describes every disaster to a guard as an event and says what became of each. Nothing runs them. */
declare function verifyGuardrail(command: CommandLine, options?: VerifyGuardrailOptions): GuardrailResult[];
/** The disasters that the guard did not stop. */
declare function unblockedDisasters(results: readonly GuardrailResult[]): GuardrailResult[];
/** A table of all results. A guard whose own code never ran gets no score. */
declare function formatGuardrailReport(command: CommandLine, results: readonly GuardrailResult[]): string;
/**
 * Throws unless the hook blocks every disaster; the message lists what it let through.
 *
 * @throws {AssertionError}
 */
declare function assertBlocksDisasters(command: CommandLine, options?: VerifyGuardrailOptions): void;
//#endregion
//#region src/matchers.d.ts
/** What a matcher gives its test runner. */
interface MatcherResult {
  readonly pass: boolean;
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
declare class NativeMissingError extends Error {
  readonly name = "NativeMissingError";
  /** Stable; meant for programs. */
  readonly code = "VIGILES_NATIVE_MISSING";
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
/** Whether a hook fired: `trace` and a label (`PreToolUse:Edit`) or event (`PreToolUse`). */
declare function hookFired(trace: TraceLike, name: string): boolean;
/** A check: a hook fired. */
declare function hookFired(event: string): Check<CheckTarget>;
/** Whether a hook fired and blocked: exit 2 or a JSON denial. An exit 1 blocks nothing. */
declare function hookBlocked(trace: TraceLike, name: string): boolean;
/** A check: a hook fired and blocked. */
declare function hookBlocked(event: string): Check<CheckTarget>;
/** Whether a hook fired and ended with an exit code other than 0. Whether that blocked is another question. */
declare function hookFailed(trace: TraceLike, name: string): boolean;
/** A check: a hook fired and failed. */
declare function hookFailed(event: string): Check<CheckTarget>;
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
 * @throws {VigilesError} `VIGILES_INVALID_ARGUMENT` without invariants, or without a source of events.
 */
declare function propertyHook<E, D>(options: PropertyHookOptions<E, D>): PropertyHookResult<E>;
//#endregion
//#region src/record.d.ts
/**
 * Counts checks for the report of `vigiles test`. The functions of this package count by themselves; call it in a
 * script that checks with something else, so that it is not reported as having checked nothing.
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
//#region src/run/hook.d.ts
/**
 * Runs a hook as the CLI would: the event on stdin, `CLAUDE_PROJECT_DIR` set to `cwd`, the answer judged by what the
 * CLI was measured to do with it.
 *
 * @throws {VigilesError} `VIGILES_PROCESS_*` when it cannot be started.
 */
declare function runHook(command: CommandLine, event: HookEvent, options?: RunHookOptions): HookRunResult;
/** {@link runHook} beside the event loop. */
declare function runHookAsync(command: CommandLine, event: HookEvent, options?: RunHookOptions): Promise<HookRunResult>;
/** Options of {@link runHooks}. */
interface RunHooksOptions extends RunHookOptions {
  /** How many run at a time. Default 4. */
  readonly concurrency?: number;
}
/** Runs a hook with many events. Results are in the order of the events. */
declare function runHooks(command: CommandLine, events: readonly HookEvent[], options?: RunHooksOptions): Promise<HookRunResult[]>;
/** An answer of a hook, for {@link decideHook}. */
interface HookAnswer {
  /** The CLI whose rules apply. Default `claude-code`. */
  readonly cli?: "claude-code" | "codex";
  /** The event's name. */
  readonly event: string;
  readonly exitCode?: number;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly timedOut?: boolean;
}
/** What {@link decideHook} says. */
type HookDecision = Pick<HookRunResult, "blocked" | "effect" | "decision" | "blockedBy" | "haltsTurn" | "ran" | "unresolved" | "reason" | "context" | "note" | "json" | "explanation">;
/** What the CLI does with an answer: the rule behind {@link runHook}, for answers that were recorded elsewhere. */
declare function decideHook(answer: HookAnswer): HookDecision;
//#endregion
//#region src/run/script.d.ts
/**
 * Runs a script and waits for it. A non-zero exit is a result, not an error.
 *
 * @throws {VigilesError} `VIGILES_PROCESS_*` when it cannot be started: no such working directory, an empty command, a
 * NUL byte in it.
 */
declare function runScript(command: CommandLine, options?: RunScriptOptions): ScriptRunResult;
/** {@link runScript} beside the event loop. */
declare function runScriptAsync(command: CommandLine, options?: RunScriptOptions): Promise<ScriptRunResult>;
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
 * @param source A path, or the bytes.
 * @throws {VigilesError} `VIGILES_TRACE_*`: no such file, empty, a format that is not known.
 */
declare function parseTrace(source: string | Uint8Array, options?: ParseTraceOptions): Trace;
/** {@link parseTrace} for a stream that is still written, the stdout of a CLI for example. Reads it to its end. */
declare function parseTraceStream(stream: AsyncIterable<Uint8Array | string>, options?: ParseTraceOptions): Promise<Trace>;
//#endregion
export { type AgentResult, type ArbitraryLike, type ArgMatcher, AssertionError, BlockMechanism, type Bounds, type Check, type CheckJSON, type CheckResult, type CheckTarget, CommandLine, DISASTER_CATALOG, type DisasterCategory, type DisasterEvent, EventContext, type FieldType, FileToolEventOptions, type GuardrailResult, HookAnswer, HookCli, HookDecision, HookEffect, HookEvent, HookEventName, HookFire, HookRunResult, type MatcherResult, McpServerStatus, ModelRequest, type NameMatcher, NativeMissingError, NotObservedError, type OutputContract, ParseError, ParseTraceOptions, PermissionDenial, type PropertyHookOptions, type PropertyHookResult, type Random, RunHookOptions, RunHooksOptions, RunResult, RunScriptOptions, ScriptRunResult, type Shape, type ShapeValue, SkipError, SubagentTrace, type TextMatcher, ToolCall, ToolInput, Trace, type TraceCheck, TraceKind, TraceLike, Usage, type Verdict, type VerifyGuardrailOptions, VigilesError, type VigilesErrorOptions, type VigilesMatchers, all, allowed, any, assertAgentErr, assertAgentOk, assertAgentResult, assertBlocksDisasters, assertChecks, assertCreated, assertHookAllowed, assertHookBlocked, assertHookFired, assertNoWrite, assertNotCreated, assertOutputContains, assertRequestContains, assertServedTurns, assertSkillResolved, assertToolCalls, assertToolCount, assertToolNotUsed, assertToolSequence, assertToolUsed, assertToolUsedWith, assertWroteOnly, blocked, cacheTokens, checkFromJSON, checkLabel, coreVersion, cost, decideHook, didNotWrite, evalChecks, experimental_eachReply, experimental_replyCount, fileToolEvents, formatGuardrailReport, hookBlocked, hookEvent, hookFailed, hookFired, inputTokens, latency, mcp, not, notTool, onlyTools, output, outputContains, outputTokens, parseAgentResult, parseTrace, parseTraceStream, postToolUse, preToolUse, propertyHook, received, recordCheck, requestContains, runHook, runHookAsync, runHooks, runScript, runScriptAsync, skill, skillResolved, skip, subagent, tokens, tool, toolCount, toolSequence, toolUsedWith, toolWith, turns, unblockedDisasters, usedTool, userPromptSubmit, verifyGuardrail, vigilesMatchers, wrote };
