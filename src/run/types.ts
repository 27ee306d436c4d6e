import type { HarnessAdapter } from "../harness/adapter.ts";
import type { HookEffect } from "../trace/types.ts";
import type { SandboxOptions } from "./sandbox.ts";

/** A shell string, or a program with its arguments (no shell). */
export type CommandLine = string | readonly string[];

/** Options of {@link runScript}. */
export interface RunScriptOptions extends SandboxOptions {
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
export interface EgressAttempt {
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
  readonly egressDropped?: { readonly packets: number; readonly bytes: number };
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
