import { fromNative, fromNativeAsync } from "../errors.ts";
import { native } from "../native.ts";
import { recordCheck } from "../record.ts";
import { commandSpec, resultOf } from "./command.ts";
import type { CommandLine, HookEvent, HookRunResult, RunHookOptions } from "./types.ts";

/** A hook as it crosses to native code. */
export function hookSpec(command: CommandLine, options: RunHookOptions): string {
  const { condition, cli = "claude-code" } = options;
  return JSON.stringify({ command: commandSpec(command, options), cli, condition });
}

/**
 * Runs a hook as the CLI would: the event on stdin, `CLAUDE_PROJECT_DIR` set to `cwd`, the answer judged by what the
 * CLI was measured to do with it.
 *
 * @throws {VigilesError} `VIGILES_PROCESS_*` when it cannot be started.
 */
export function runHook(command: CommandLine, event: HookEvent, options: RunHookOptions = {}): HookRunResult {
  recordCheck();
  return resultOf(fromNative(() => native().runHook(hookSpec(command, options), JSON.stringify(event))));
}

/** {@link runHook} beside the event loop. */
export async function runHookAsync(command: CommandLine, event: HookEvent, options: RunHookOptions = {}): Promise<HookRunResult> {
  recordCheck();
  return resultOf(await fromNativeAsync(async () => await native().runHookAsync(hookSpec(command, options), JSON.stringify(event))));
}

/** Options of {@link runHooks}. */
export interface RunHooksOptions extends RunHookOptions {
  /** How many run at a time. Default 4. */
  readonly concurrency?: number;
}

/** Runs a hook with many events. Results are in the order of the events. */
export async function runHooks(command: CommandLine, events: readonly HookEvent[], options: RunHooksOptions = {}): Promise<HookRunResult[]> {
  recordCheck(events.length);
  const texts = events.map((event) => JSON.stringify(event));
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
