import { fromNative, fromNativeAsync, VigilesError } from "../errors.ts";
import { native } from "../native.ts";
import { recordCheck } from "../record.ts";
import { commandSpec, resultOf } from "./command.ts";
import type { CommandLine, HookEvent, HookRunResult, RunHookOptions } from "./types.ts";

/** A hook as it crosses to native code. */
export function hookSpec(command: CommandLine, options: RunHookOptions): string {
  const { condition, cli = "claude-code", cwd, env } = options;
  // The project of a hook is where the test says it is, also when the test runs inside a session that has one of its own.
  const own = cli === "claude-code" && cwd !== undefined ? { ...options, env: { CLAUDE_PROJECT_DIR: cwd, ...env } } : options;
  return JSON.stringify({ command: commandSpec(command, own), cli, condition });
}

function eventJSON(event: HookEvent): string {
  const isObject = typeof event === "object" && event !== null && !Array.isArray(event);
  if (!isObject) {
    throw new VigilesError("VIGILES_INVALID_ARGUMENT", `expected an event, an object such as preToolUse("Bash", { command: "ls" }), but got ${event === null ? "null" : Array.isArray(event) ? "an array" : typeof event}`);
  }
  try {
    return JSON.stringify(event);
  } catch (cause) {
    throw new VigilesError("VIGILES_INVALID_ARGUMENT", `expected an event, but it cannot be written as JSON: ${String(cause)}`, { cause });
  }
}

/**
 * Runs a hook as the CLI would: the event on stdin, `CLAUDE_PROJECT_DIR` set to `cwd`, the answer judged by what the
 * CLI was measured to do with it.
 *
 * @throws {VigilesError} `VIGILES_PROCESS_*` when it cannot be started.
 */
export function runHook(command: CommandLine, event: HookEvent, options: RunHookOptions = {}): HookRunResult {
  recordCheck();
  const text = eventJSON(event);
  return resultOf(fromNative(() => native().runHook(hookSpec(command, options), text)));
}

/** {@link runHook} beside the event loop. */
export async function runHookAsync(command: CommandLine, event: HookEvent, options: RunHookOptions = {}): Promise<HookRunResult> {
  recordCheck();
  const text = eventJSON(event);
  return resultOf(await fromNativeAsync(async () => await native().runHookAsync(hookSpec(command, options), text)));
}

/** Options of {@link runHooks}. */
export interface RunHooksOptions extends RunHookOptions {
  /** How many run at a time. Default 4. */
  readonly concurrency?: number;
}

/** Runs a hook with many events. Results are in the order of the events. */
export async function runHooks(command: CommandLine, events: readonly HookEvent[], options: RunHooksOptions = {}): Promise<HookRunResult[]> {
  recordCheck(events.length);
  const texts = events.map((event) => eventJSON(event));
  const runs = await fromNativeAsync(async () => await native().runHooksAsync(hookSpec(command, options), texts, options.concurrency ?? 4));
  return Array.from(runs, (run) => resultOf<HookRunResult>(run));
}

/** An answer of a hook, for {@link decideHook}. */
export interface HookAnswer {
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
export type HookDecision = Pick<
  HookRunResult,
  "blocked" | "effect" | "decision" | "blockedBy" | "haltsTurn" | "ran" | "unresolved" | "reason" | "context" | "note" | "json" | "explanation"
>;

/** What the CLI does with an answer: the rule behind {@link runHook}, for answers that were recorded elsewhere. */
export function decideHook(answer: HookAnswer): HookDecision {
  return JSON.parse(fromNative(() => native().decideHook(JSON.stringify(answer)))) as HookDecision;
}
