import type { HarnessAdapter } from "../harness/adapter.ts";
import type { HookEffect } from "../trace/types.ts";

/** A shell string, or a program with its arguments (no shell). */
export type CommandLine = string | readonly string[];

/** Options of {@link runScript}. */
export interface RunScriptOptions {
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
export interface ScriptRunResult {
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
  /** Files it wrote. `undefined`: no run records them yet. */
  readonly filesWritten?: readonly string[];
  /** Standard output as it was written. Not enumerable. */
  readonly stdoutBytes: Buffer;
  /** Standard error as it was written. Not enumerable. */
  readonly stderrBytes: Buffer;
}

/** A CLI that runs hooks. */
export type HookCli = "claude-code" | "codex";

/** Options of {@link runHook}. */
export interface RunHookOptions extends Omit<RunScriptOptions, "stdin"> {
  /** The `if` condition of the registration, such as `Bash(git push:*)`. Default: none. */
  readonly condition?: string;
  /** The CLI whose rules judge the answer. Default `claude-code`. */
  readonly cli?: HookCli;
  /** The harness whose rules judge the answer, in place of `cli`: those of its `hookProtocol`. */
  readonly adapter?: Pick<HarnessAdapter, "title" | "hookProtocol">;
}

/** Which mechanism blocked. */
export type BlockMechanism = "exit-code" | "deny-decision" | "ask-decision" | "halt-field";

/** What a hook did with one event. */
export interface HookRunResult extends ScriptRunResult {
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
  // oxlint-disable-next-line typescript/no-explicit-any -- what a hook prints is its own
  readonly json: any;
  /** Why the condition kept the hook from running. */
  readonly conditionReason?: string;
  /** What the answer does, in words, and what to change. */
  readonly explanation: string;
}

/** An event as a hook reads it on stdin. */
export type HookEvent = Readonly<Record<string, unknown>>;
