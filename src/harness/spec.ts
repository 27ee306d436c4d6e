import type { ArgMatcher } from "../check/types.ts";
import type { ModelScript, ModelStep } from "../model/types.ts";
import type { SandboxLimits, SandboxMode } from "../run/sandbox.ts";
import type { ToolStub } from "../stub.ts";

/** Tool calls that are refused instead of run. The trace shows them, denied; the model is told `denyReason`. */
export interface ToolIntercept {
  /** The tool's name. */
  readonly tool: string;
  /** What the arguments must be. Default: all calls of the tool. */
  readonly when?: ArgMatcher;
  /** What the model is told. Default: that the call was noted and not run. */
  readonly denyReason?: string;
}

/** A harness, what the user says to it, and what its model answers. */
export interface HarnessTestSpec {
  /** What the model says: turns, or {@link scriptModel}. Nothing reaches a real model. */
  readonly model: readonly ModelStep[] | ModelScript;
  /** What the user says. Default `go`. */
  readonly prompt?: string;
  /** What the user says, one after the other in one session; in place of `prompt`. */
  readonly prompts?: readonly string[];
  /** Files of the work dir: relative path to text. A text that begins with `#!` becomes executable. */
  readonly files?: Readonly<Record<string, string>>;
  /** Files of the home directory: relative path to text. */
  readonly home?: Readonly<Record<string, string>>;
  /** Settings beside those in `files`. `{cwd}` in its texts is the work dir. */
  readonly settings?: unknown;
  /** A repository or plugin whose files are copied into the work dir. Its skills are not registered by that. */
  readonly plugin?: string;
  /** Plugins to install for the run. */
  readonly pluginDir?: string | readonly string[];
  /** A directory of loose skills, `<name>/SKILL.md`. */
  readonly skillsDir?: string;
  /** Tools that may run without a question. Default Read, Edit, Write, Bash. Permission rules are fine. */
  readonly allowedTools?: readonly string[];
  /** Tools that may not run. */
  readonly disallowedTools?: readonly string[];
  /** Tools that exist. Default: all. */
  readonly tools?: readonly string[];
  /** MCP servers by name, as in `.mcp.json`. */
  readonly mcpServers?: Readonly<Record<string, object>>;
  /** Subagents by name. */
  readonly agents?: Readonly<Record<string, object>>;
  /** Variables beside the clean environment, for the CLI and all that it starts. */
  readonly env?: Readonly<Record<string, string>>;
  /** Programs that stand in for real ones, wherever hooks and tools of the run look them up: {@link experimental_stub}. */
  readonly stubs?: readonly ToolStub[];
  /** Tool calls that are refused instead of run: to see what the model calls without letting it happen. */
  readonly interceptTools?: readonly ToolIntercept[];
  /** The most model turns of one launch. */
  readonly maxTurns?: number;
  /** The CLI's permission mode. Default: the CLI's. */
  readonly permissionMode?: string;
  /** The reasoning effort. Default: the CLI's. */
  readonly effort?: string | number;
  /** The model that the CLI is told to use; it answers with the script. */
  readonly modelName?: string;
  /** An output style's file. */
  readonly outputStyle?: string;
  /** Lets subagents and commands run in the background. Default: they run in the foreground, in a fixed order. */
  readonly backgroundTasks?: boolean;
  /** Further arguments for the CLI. */
  readonly args?: readonly string[];
  /** The program of Claude Code. Default: the variable `VIGILES_CLAUDE`, then `claude` in `PATH`. */
  readonly claude?: string;
  /** The program of Codex. Default: the variable `VIGILES_CODEX`, then `codex` in `PATH`. */
  readonly codex?: string;
  /** The program of whichever CLI the adapter drives; before `claude` and `codex`. */
  readonly program?: string;
  /**
   * When the run is confined. Default `"auto"`: unless it is trusted. A confined run has no network but the model, and sees of
   * this machine's files the system, the project and what the spec names, to read.
   */
  readonly sandbox?: SandboxMode;
  /** Whether everything in the run is trusted. Default: unless it has `plugin` or `pluginDir`. */
  readonly trusted?: boolean;
  /** What a confined run may use. */
  readonly sandboxLimits?: SandboxLimits;
  /** Milliseconds that one launch may take. Default 60,000. */
  readonly timeoutMs?: number;
  /** Whether turns that nobody asked for fail the run. Default: they are a warning. */
  readonly strictScript?: boolean;
  /** Keeps the directories of the run when it is cleaned up. */
  readonly keep?: boolean;
  /** The whole stream is always recorded; the field is accepted for scripts that ask for it. */
  readonly transcript?: boolean;
}

/** The fields, to refuse others by name. */
export const SPEC_FIELDS = [
  "model",
  "prompt",
  "prompts",
  "files",
  "home",
  "settings",
  "plugin",
  "pluginDir",
  "skillsDir",
  "allowedTools",
  "disallowedTools",
  "tools",
  "mcpServers",
  "agents",
  "env",
  "stubs",
  "interceptTools",
  "maxTurns",
  "permissionMode",
  "effort",
  "modelName",
  "outputStyle",
  "backgroundTasks",
  "args",
  "claude",
  "codex",
  "program",
  "sandbox",
  "trusted",
  "sandboxLimits",
  "timeoutMs",
  "strictScript",
  "keep",
  "transcript",
] as const satisfies readonly (keyof HarnessTestSpec)[];
