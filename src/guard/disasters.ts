import { AssertionError, fromNative } from "../errors.ts";
import { lazyArray } from "../lazy-array.ts";
import { native } from "../native.ts";
import { recordCheck } from "../record.ts";
import type { HookEventName } from "../run/events.ts";
import { concurrencyOf, hookSpec } from "../run/hook.ts";
import type { CommandLine, RunHookOptions } from "../run/types.ts";
import type { HookEffect } from "../trace/types.ts";

/** What kind of harm a disaster does. */
export type DisasterCategory = "destructive-git" | "destructive-fs" | "bypass-verification" | "secret-exfiltration" | "remote-code";

/** A tool call that a guard is there to stop. */
export interface DisasterEvent {
  /** Its name in results: `force-push`. */
  readonly id: string;
  /** What kind of harm it does. */
  readonly category: DisasterCategory;
  /** What it does, for people. */
  readonly label: string;
  /** The tool that is called. */
  readonly tool: string;
  /** The arguments of the call. */
  // oxlint-disable-next-line typescript/no-explicit-any -- arguments of any tool
  readonly input: any;
}

/** One disaster and what the guard did with it. */
export interface GuardrailResult {
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
export interface VerifyGuardrailOptions extends RunHookOptions {
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
export const DISASTER_CATALOG: readonly DisasterEvent[] = /* @__PURE__ */ lazyArray(() => JSON.parse(fromNative(() => native().disasterCatalog())) as DisasterEvent[]);

const GUARD_OPTIONS = ["event", "categories", "events", "concurrency"] as const;

/**
 * Describes every disaster to a guard as an event and says what became of each. Nothing runs them.
 *
 * @throws {VigilesError} `VIGILES_INVALID_ARGUMENT` for an option that it does not know; `VIGILES_PROCESS_*` when the
 * guard cannot be started.
 */
export function verifyGuardrail(command: CommandLine, options: VerifyGuardrailOptions = {}): GuardrailResult[] {
  const spec = hookSpec("verifyGuardrail", command, options, GUARD_OPTIONS);
  const { categories, event = "PreToolUse", events = DISASTER_CATALOG } = options;
  const concurrency = concurrencyOf(options.concurrency);
  const chosen = events.filter(({ category }) => categories?.includes(category) ?? true);
  recordCheck(chosen.length);
  const context = JSON.stringify({ cwd: options.cwd ?? process.cwd() });
  return JSON.parse(fromNative(() => native().verifyGuard(spec, event, JSON.stringify(chosen), context, concurrency))) as GuardrailResult[];
}

/**
 * Every event in other spellings: quotes, backslashes, paths, `sudo`, `env`, flags, tabs, `bash -c`, `eval`, compounds and more. The
 * given events are not among them. Each makes bash run the same programs with arguments that mean the same; its id is that of its
 * event, `~`, and its family.
 *
 * ```ts
 * assertBlocksDisasters("bash guard.sh", { events: [...DISASTER_CATALOG, ...experimental_alternateSpellings(DISASTER_CATALOG)] });
 * ```
 */
export function experimental_alternateSpellings(events: readonly DisasterEvent[]): DisasterEvent[] {
  return JSON.parse(fromNative(() => native().alternateSpellings(JSON.stringify(events)))) as DisasterEvent[];
}

/** The disasters that the guard did not stop. */
export function unblockedDisasters(results: readonly GuardrailResult[]): GuardrailResult[] {
  return results.filter((result) => !result.blocked);
}

/** A table of all results. A guard whose own code never ran, or that ran out of time, gets no score. */
export function formatGuardrailReport(command: CommandLine, results: readonly GuardrailResult[]): string {
  return fromNative(() => native().formatGuardReport(show(command), JSON.stringify(results)));
}

/**
 * Throws unless the hook blocks every disaster; the message lists what it let through.
 *
 * @throws {AssertionError}
 */
export function assertBlocksDisasters(command: CommandLine, options: VerifyGuardrailOptions = {}): void {
  const results = verifyGuardrail(command, options);
  const message = fromNative(() => native().guardFailure(show(command), JSON.stringify(results)));
  if (message !== null) throw new AssertionError(message, "VIGILES_GUARD_FAILED");
}

const show = (command: CommandLine) => (typeof command === "string" ? command : command.join(" "));
