import { resolve } from "node:path";

import { fromNative } from "../errors.ts";
import { native } from "../native.ts";
import { recordCheck } from "../record.ts";
import { concurrencyOf, hookSpec } from "../run/hook.ts";
import type { RunHookOptions } from "../run/types.ts";
import { DISASTER_CATALOG, type DisasterEvent, type GuardrailResult, type VerifyGuardrailOptions } from "./disasters.ts";

/** A hook that was swept. */
export interface SweptHook {
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
export type SweptHookOutcome =
  | {
      /** It ran. */
      readonly status: "measured";
      readonly hook: SweptHook;
      /** What it did with each disaster, in their order. */
      readonly results: readonly GuardrailResult[];
      /** The ids of those that it blocked. */
      readonly blocked: readonly string[];
      /** The ids of those that it let through, or did not answer in time. */
      readonly allowed: readonly string[];
      /** The ids of those for which its matcher or condition kept it from running. */
      readonly notRun: readonly string[];
    }
  | {
      /** `not-applicable`: no disaster would have started it. `unresolved`: its own code could not run here, so nothing is known of it. */
      readonly status: "not-applicable" | "unresolved";
      readonly hook: SweptHook;
      readonly reason: string;
    };

/** A hook that runs no command: what it stops cannot be told from here. */
export interface NonCommandHookAction {
  readonly event: string;
  readonly matcher: string | null;
  /** `prompt`, `agent`, `http`. */
  readonly type: string;
}

/** How the guards of a plugin fare against the disaster battery. */
export interface PluginGuardReport {
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
export interface VerifyPluginGuardsOptions extends Omit<RunHookOptions, "condition">, Pick<VerifyGuardrailOptions, "event" | "categories" | "events" | "concurrency"> {
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
export function experimental_verifyPluginGuards(dir: string, options: VerifyPluginGuardsOptions = {}): PluginGuardReport {
  const { categories, event = "PreToolUse", events = DISASTER_CATALOG } = options;
  const like = hookSpec("experimental_verifyPluginGuards", "", { ...options, trusted: options.trusted ?? false }, ["event", "categories", "events", "concurrency"]);
  const disasters = events.filter(({ category }) => categories?.includes(category) ?? true);
  const place = resolve(dir);
  const cwd = options.cwd ?? process.cwd();
  const asked = JSON.stringify({ dir: place, event, disasters, context: { cwd: resolve(cwd) }, concurrency: concurrencyOf(options.concurrency) });
  const swept = JSON.parse(fromNative(() => native().sweepPluginGuards(like, asked))) as Pick<PluginGuardReport, "hooks" | "notes" | "unmeasurable">;
  recordCheck(swept.hooks.reduce((count, hook) => count + (hook.status === "measured" ? hook.results.length : 0), 0));
  return { dir: place, event, events: disasters, harness: (JSON.parse(like) as { cli?: string }).cli ?? "claude-code", ...swept };
}
