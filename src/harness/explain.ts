import { homedir } from "node:os";
import { join, resolve } from "node:path";

import { fromNative } from "../errors.ts";
import { native } from "../native.ts";
import { knownOptions } from "../options.ts";
import type { HookCli, HookMatcherReach } from "../run/index.ts";
import type { ConfiguredHook } from "./surfaces.ts";

/** Where settings come from. */
export type SettingsLayer = "user" | "project" | "local" | "plugin" | "flag";

/** One hook of the configuration, and what would become of it. */
export interface ExplainedHook {
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
  readonly trust?: { readonly state: "trusted" | "changed" } | { readonly state: "untrusted"; readonly key: string; readonly hash: string };
  /** Whether it would run; `unknown` is what nobody measured. */
  readonly wouldRun: "yes" | "no" | "unknown";
  /** Why. */
  readonly reason: string;
}

/** Options of {@link explainHooks}. */
export interface ExplainHooksOptions {
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

const OPTIONS = ["tool", "input", "subject", "cli", "configDir", "plugins", "settings", "settingSources", "bare", "projectTrusted"] as const;

/**
 * Every hook of every settings layer that is registered for an event, and whether it would run.
 *
 * @param dir The project's directory.
 * @param event Such as `PreToolUse`.
 * @throws {VigilesError} `VIGILES_SETTINGS_INVALID` where the CLI would ignore a file without a word.
 */
export function explainHooks(dir: string, event: string, options: ExplainHooksOptions = {}): ExplainedHook[] {
  knownOptions("explainHooks", options, OPTIONS);
  const { tool, input, subject, cli = "claude-code", configDir = defaultConfigDir(cli), plugins = [], settings, settingSources, bare = false, projectTrusted = true } = options;
  const sources = JSON.stringify({
    cli,
    project: resolve(dir),
    configDir: configDir === null ? null : resolve(configDir),
    plugins: plugins.map((plugin) => resolve(plugin)),
    flag: settings === undefined ? null : resolve(settings),
    settingSources: settingSources ?? null,
    bare,
    projectTrusted,
  });
  return JSON.parse(fromNative(() => native().explainHooks(sources, JSON.stringify({ event, tool, input, subject })))) as ExplainedHook[];
}

function defaultConfigDir(cli: HookCli): string {
  const [variable, folder] = cli === "codex" ? ["CODEX_HOME", ".codex"] : ["CLAUDE_CONFIG_DIR", ".claude"];
  return process.env[variable] ?? join(homedir(), folder);
}
