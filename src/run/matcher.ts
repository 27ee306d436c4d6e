import { fromNative, VigilesError } from "../errors.ts";
import { native } from "../native.ts";
import { knownOptions } from "../options.ts";
import type { HookCli, HookEvent } from "./types.ts";

/** What a matcher does with a tool. `uncompilable`: it is not a valid regular expression, so its hooks never run. */
export type HookMatcherReach = "selects" | "misses" | "uncompilable";

/**
 * Says whether a hook with this `matcher` runs for a tool.
 *
 * Claude Code: nothing, `""`, `*` and `.*` select every tool; a matcher without one of `\\ ^ $ . * + ? ( ) [ ] { } |` is
 * compared for equality; any other is a regular expression that is not anchored. Codex: every matcher is such an
 * expression.
 */
export function hookMatcherReach(matcher: string | null | undefined, tool: string, options: { readonly cli?: HookCli } = {}): HookMatcherReach {
  knownOptions("hookMatcherReach", options, ["cli"]);
  const { cli = "claude-code" } = options;
  return fromNative(() => native().hookMatcherReach(text("matcher", matcher, true), text("tool", tool), cli)) as HookMatcherReach;
}

/** A `matcher` of a hook configuration. */
export interface HookMatcherEntry {
  /** The event that it stands under, such as `PreToolUse`. */
  readonly event: string;
  /** The matcher. Absent or `null`: the entry has none. */
  readonly matcher?: string | null;
}

/** A matcher that does not do what it looks like. */
export interface HookMatcherIssue {
  /** As written. */
  readonly matcher: string;
  /**
   * `invalid-regex`: it does not compile. `tool-typo`: nearly the name of a built-in tool, or a list that is read as one
   * name. `mcp-form`: meant for MCP tools, and no name `mcp__server__tool` can match. `mcp-narrow`: meant for all servers,
   * and misses those with `_` or `-`. `mcp-undeclared`: names a server that is not declared.
   */
  readonly kind: "invalid-regex" | "tool-typo" | "mcp-form" | "mcp-narrow" | "mcp-undeclared";
  /** A matcher without an issue, when one can be guessed. */
  readonly suggestion?: string;
  /** Expected, seen, and what to write instead. */
  readonly message: string;
}

/** Options of {@link hookMatcherIssues}. */
export interface HookMatcherIssuesOptions {
  /** The declared MCP servers. Default: none, and then no server is called undeclared. */
  readonly servers?: readonly string[];
  /** The CLI whose rules apply. Default `claude-code`. */
  readonly cli?: HookCli;
}

/** Finds matchers that reach nothing, or less than they look like: one finding at most for each text. */
export function hookMatcherIssues(entries: readonly HookMatcherEntry[], options: HookMatcherIssuesOptions = {}): HookMatcherIssue[] {
  knownOptions("hookMatcherIssues", options, ["servers", "cli"]);
  const { servers = [], cli = "claude-code" } = options;
  return JSON.parse(fromNative(() => native().hookMatcherIssues(JSON.stringify(entries), [...servers], cli))) as HookMatcherIssue[];
}

/** What a condition is judged against. */
export interface HookConditionSubject {
  /** The CLI that would run the hook. Default `claude-code`. */
  readonly cli?: HookCli;
  /** The event's name, such as `PreToolUse`. */
  readonly event: string;
  /** `tool_name` of the event. */
  readonly tool?: string;
  /** `tool_input` of the event. */
  readonly input?: HookEvent;
  /** `cwd` of the event: relative paths are taken from there. */
  readonly cwd?: string;
  /** The project's directory, for patterns that start with `/`. Default: `cwd`. */
  readonly root?: string;
  /** The home directory, for patterns that start with `~/`. Without it such a condition cannot be judged. */
  readonly home?: string;
}

/** What {@link decideHookCondition} says. */
export interface HookConditionVerdict {
  /** The hook runs for this event. */
  readonly runs: boolean;
  /** The reason. */
  readonly why: string;
}

const SUBJECT_FIELDS = ["cli", "event", "tool", "input", "cwd", "root", "home"] as const;

/** Says whether a hook with this `if` condition runs: the rule behind the `condition` of `runHook`. What cannot be judged runs. */
export function decideHookCondition(condition: string | null | undefined, subject: HookConditionSubject): HookConditionVerdict {
  knownOptions("decideHookCondition", subject, SUBJECT_FIELDS);
  return JSON.parse(fromNative(() => native().decideHookCondition(text("condition", condition, true), JSON.stringify(subject)))) as HookConditionVerdict;
}

function text(what: string, value: string): string;
function text(what: string, value: string | null | undefined, optional: true): string | null;
function text(what: string, value: unknown, optional = false): string | null {
  if (typeof value === "string") return value;
  if (optional && (value === undefined || value === null)) return null;
  throw new VigilesError("VIGILES_INVALID_ARGUMENT", `expected ${what} to be a string, but got ${value === null ? "null" : Array.isArray(value) ? "an array" : typeof value}`);
}
