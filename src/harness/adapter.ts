import type { ModelApi } from "../model/start.ts";
import type { ModelTurn } from "../model/types.ts";
import type { HookCli } from "../run/types.ts";
import type { HarnessDriver } from "./driver.ts";
import type { HarnessTestSpec } from "./spec.ts";

/** What a harness can do in tests. What it cannot do is refused, with the reason, before anything runs. */
export interface HarnessCapabilities {
  /** Hooks are recorded in the trace. */
  readonly hooks: boolean;
  /** The run tells which skill was called. */
  readonly skills: boolean;
  /** The run tells the calls of subagents. */
  readonly subagentCalls: boolean;
  /** MCP servers can be given. */
  readonly mcp: boolean;
  /** Plugins can be installed for a run. */
  readonly plugins: boolean;
  /** The tools that exist can be limited. */
  readonly tools: boolean;
  /** The reasoning effort can be set. */
  readonly effort: boolean;
  /** A session can be resumed: `prompts`. */
  readonly resume: boolean;
}

/** A skill, as a {@link HarnessDialect} writes it. */
export interface DialectSkill {
  readonly name: string;
  readonly description: string;
  /** What it tells the model. */
  readonly body: string;
}

/**
 * How a harness spells what every harness has. A test that is to run on several asks here instead of knowing each:
 * `model: [adapter.dialect.shell("ls"), { text: "done" }]`.
 */
export interface HarnessDialect {
  /** A model's turn that runs a shell command. */
  shell(command: string): ModelTurn;
  /** The file in the work dir that holds instructions: `CLAUDE.md`, `AGENTS.md`. */
  readonly instructions: string;
  /** Files of the work dir that make a skill of the project. Absent where there are no skills. */
  skill?(skill: DialectSkill): Readonly<Record<string, string>>;
  /** Files of a plugin with one skill. Absent where there are no plugins. */
  plugin?(plugin: { readonly name: string; readonly skill: DialectSkill }): Readonly<Record<string, string>>;
  /** What the user says to call a skill; one of a plugin is `plugin:name`. */
  callSkill?(name: string): string;
  /** The part of a spec that puts a hook on an event of the shell tool, `PreToolUse` for example. Absent where there are no hooks. */
  shellHook?(event: string, command: string): Pick<HarnessTestSpec, "settings" | "files">;
  /** The part of a spec that lets the tools of an MCP server run without a question. Default: nothing is needed. */
  allowMcp?(server: string): Partial<HarnessTestSpec>;
}

/** One harness: a CLI and how to drive it. */
export interface HarnessAdapter {
  /** `claude-code`, `codex`, or a third party's own. */
  readonly name: string;
  /** The name for people. */
  readonly title: string;
  /** The model API that the CLI speaks. */
  readonly modelApi: ModelApi;
  /** What it can do. */
  readonly capabilities: HarnessCapabilities;
  /** The variable that names its program, and the program's name in `PATH`. */
  readonly program: { readonly variable: string; readonly name: string };
  /** How to get the program: the end of the message where it is missing. */
  readonly install?: string;
  /** The CLI whose rules its hooks follow; for `runHook(..., { adapter })`. Absent where it has no hooks. */
  readonly hookProtocol?: HookCli;
  /** How it spells things. */
  readonly dialect: HarnessDialect;
  /** How to drive it. Claude Code and Codex are driven by native code and have none. */
  readonly driver?: HarnessDriver;
}
