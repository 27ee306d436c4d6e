import type { ModelApi } from "../model/start.ts";

/** What a harness can do in tests. */
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
  /** Runs can be confined. */
  readonly sandbox: boolean;
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
}
