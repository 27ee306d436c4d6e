import { resolve } from "node:path";

import { fromNative, fromNativeAsync, VigilesError } from "../errors.ts";
import { native } from "../native.ts";
import { knownOptions } from "../options.ts";
import { recordCheck } from "../record.ts";
import { commandSpec, resultOf } from "./command.ts";
import type { CommandLine, HookCli, HookEvent, HookRunResult, RunHookOptions } from "./types.ts";

const HOOK_OPTIONS = ["condition", "cli", "adapter"] as const;

/**
 * A hook as it crosses to native code.
 *
 * @param more The options that the caller knows beside those of {@link runHook}.
 */
export function hookSpec(caller: string, command: CommandLine, options: RunHookOptions, more: readonly string[] = []): string {
  const spec = commandSpec(caller, [...HOOK_OPTIONS, ...more], command, options);
  const { condition, cwd, env } = options;
  const cli = rulesOf(caller, options);
  // A variable of the test's own wins, also an empty one, also `undefined`, which removes it. Without a directory the
  // project is not known, and the variable stays as the process has it.
  const defined = env !== undefined && Object.hasOwn(env, "CLAUDE_PROJECT_DIR");
  const projectDir = cwd === undefined || defined ? undefined : resolve(cwd);
  return JSON.stringify({ command: spec, cli, condition, projectDir });
}

/** The CLI whose rules judge the answers. */
function rulesOf(caller: string, { cli, adapter }: RunHookOptions): HookCli | undefined {
  if (adapter === undefined) return cli;
  if (cli !== undefined) {
    throw new VigilesError("VIGILES_INVALID_ARGUMENT", `expected "cli" or "adapter" in the options of ${caller}, but got both: leave one out`);
  }
  if (adapter.hookProtocol === undefined) {
    throw new VigilesError("VIGILES_INVALID_ARGUMENT", `expected an adapter with a "hookProtocol" in the options of ${caller}, but that of ${adapter.title} has none: nobody knows what its CLI does with a hook's answer`);
  }
  return adapter.hookProtocol;
}

/** How many run at a time. */
export function concurrencyOf(value: unknown): number {
  if (value === undefined) return 4;
  if (Number.isSafeInteger(value) && (value as number) >= 1) return Math.min(value as number, MAX_CONCURRENCY);
  throw new VigilesError("VIGILES_INVALID_ARGUMENT", `expected concurrency to be a whole number of at least 1, but got ${typeof value === "number" ? String(value) : value === null ? "null" : typeof value}`);
}

/** What native code takes; nobody has so many events. */
const MAX_CONCURRENCY = 0xff_ff_ff_ff;

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
 * Runs a hook as the CLI would: the event on stdin, `CLAUDE_PROJECT_DIR` set to `cwd` when that is given, the answer
 * judged by what the CLI was measured to do with it.
 *
 * @throws {VigilesError} `VIGILES_INVALID_ARGUMENT` for an option that it does not know; `VIGILES_PROCESS_*` when it
 * cannot be started.
 */
export function runHook(command: CommandLine, event: HookEvent, options: RunHookOptions = {}): HookRunResult {
  recordCheck();
  const [spec, text] = [hookSpec("runHook", command, options), eventJSON(event)];
  return resultOf(fromNative(() => native().runHook(spec, text)));
}

/** {@link runHook} beside the event loop. */
export async function runHookAsync(command: CommandLine, event: HookEvent, options: RunHookOptions = {}): Promise<HookRunResult> {
  recordCheck();
  const [spec, text] = [hookSpec("runHookAsync", command, options), eventJSON(event)];
  return resultOf(await fromNativeAsync(async () => await native().runHookAsync(spec, text)));
}

/** Options of {@link runHooks}. */
export interface RunHooksOptions extends RunHookOptions {
  /** How many run at a time, at least 1. Default 4. */
  readonly concurrency?: number;
}

/** Runs a hook with many events. Results are in the order of the events. */
export async function runHooks(command: CommandLine, events: readonly HookEvent[], options: RunHooksOptions = {}): Promise<HookRunResult[]> {
  recordCheck(events.length);
  const spec = hookSpec("runHooks", command, options, ["concurrency"]);
  const concurrency = concurrencyOf(options.concurrency);
  const texts = events.map((event) => eventJSON(event));
  const runs = await fromNativeAsync(async () => await native().runHooksAsync(spec, texts, concurrency));
  return Array.from(runs, (run) => resultOf<HookRunResult>(run));
}

/** An answer of a hook, for {@link decideHook}. */
export interface HookAnswer {
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
export type HookDecision = Pick<
  HookRunResult,
  "blocked" | "effect" | "decision" | "blockedBy" | "haltsTurn" | "ran" | "unresolved" | "reason" | "context" | "note" | "json" | "explanation"
>;

const ANSWER_FIELDS = ["cli", "event", "exitCode", "stdout", "stderr", "timedOut"] as const;

/**
 * What the CLI does with an answer: the rule behind {@link runHook}, for answers that were recorded elsewhere.
 *
 * @throws {VigilesError} `VIGILES_INVALID_ARGUMENT` for a field that it does not know.
 */
export function decideHook(answer: HookAnswer): HookDecision {
  knownOptions("decideHook", answer, ANSWER_FIELDS);
  return JSON.parse(fromNative(() => native().decideHook(JSON.stringify(answer)))) as HookDecision;
}
