import { resolve } from "node:path";

import { fromNative } from "../errors.ts";
import { native } from "../native.ts";
import { knownOptions } from "../options.ts";
import type { HookCli } from "../run/types.ts";

/** A hook as it is configured. */
export interface ConfiguredHook {
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

/** A skill. */
export interface LoadedSkill {
  /** Its name, without that of its plugin. */
  readonly name: string;
  /** When to use it. */
  readonly description?: string;
  /** Tools it may use without a question. */
  readonly allowedTools?: readonly string[];
  /** Its `SKILL.md`. */
  readonly file: string;
}

/** A subagent or a slash command. */
export interface LoadedDocument {
  /** Its name, without that of its plugin. */
  readonly name: string;
  /** What it is for. */
  readonly description?: string;
  /** Its file. */
  readonly file: string;
}

/** What a plugin or a repository gives to an agent. */
export interface HarnessSurfaces {
  /** The hooks, in the order they stand in. */
  readonly hooks: readonly ConfiguredHook[];
  /** The skills. */
  readonly skills: readonly LoadedSkill[];
  /** The subagents. */
  readonly agents: readonly LoadedDocument[];
  /** The slash commands. */
  readonly commands: readonly LoadedDocument[];
  /** The MCP servers by name, as configured. */
  readonly mcpServers: Readonly<Record<string, unknown>>;
  /** The instruction files that a session in the directory reads. */
  readonly instructions: readonly string[];
  /** What a run will not exercise, or may not do what it looks like. */
  readonly warnings: readonly string[];
}

/** A plugin of Claude Code. */
export interface LoadedPlugin extends HarnessSurfaces {
  /** Its directory. */
  readonly dir: string;
  /** Its name: the namespace of its skills, agents and commands. */
  readonly name: string;
  /** Its version. */
  readonly version?: string;
}

/**
 * Reads a plugin of Claude Code.
 *
 * @throws {VigilesError} `VIGILES_PLUGIN_MISSING`, `VIGILES_PLUGIN_INVALID`, `VIGILES_SETTINGS_INVALID`: what the CLI would
 * pass over without a word is an error here, with file, line and column.
 */
export function loadPlugin(dir: string): LoadedPlugin {
  return JSON.parse(fromNative(() => native().loadPlugin(resolve(dir)))) as LoadedPlugin;
}

/** Reads the harness of a repository: its settings, hooks, skills, agents, commands, MCP servers, instruction files. */
export function resolveHarness(dir: string, options: { readonly cli?: HookCli } = {}): HarnessSurfaces {
  knownOptions("resolveHarness", options, ["cli"]);
  return JSON.parse(fromNative(() => native().resolveHarness(resolve(dir), options.cli ?? "claude-code"))) as HarnessSurfaces;
}
