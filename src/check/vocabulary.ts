import { VigilesError } from "../errors.ts";
import { checkOf, innerData } from "./check.ts";
import type { TraceLike } from "../trace/types.ts";
import { matcherJSON, nameJSON } from "./patterns.ts";
import type { ArgMatcher, Bounds, Check, CheckJSON, NameMatcher, TextMatcher, TraceTarget } from "./types.ts";

/** A check over a run: a trace, or a plain object of that shape. */
export type TraceCheck = Check<TraceTarget>;

/** A check over the files of a run: a trace, or the result of a hook or script run. */
export type FilesCheck = Check<TraceLike>;

/** A check over the decision of a hook: the result of `runHook`. */
export type HookCheck = Check<{ readonly blocked: boolean }>;

const args = (matcher: ArgMatcher) => Object.fromEntries(Object.entries(matcher).map(([field, value]) => [field, argument(field, value)]));

/** JSON would leave out a field without a value, or with a function, and every call would match. */
function argument(field: string, value: ArgMatcher[string]): unknown {
  const json = nameJSON(value);
  if (!Object.is(json, value) || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)) return json;
  const hint = typeof value === "function" ? ". A predicate is for assertToolUsedWith" : "";
  const seen = value === null || typeof value === "number" ? String(value) : typeof value;
  throw new VigilesError("VIGILES_CHECK_INVALID", `expected argument "${field}" to be a string, number, boolean or RegExp, but got ${seen}${hint}`);
}

/** The agent used the tool. `Agent` and its older name `Task` are one. */
export function tool(name: NameMatcher): TraceCheck {
  return checkOf({ kind: "tool", name: nameJSON(name) });
}

/** One call of the tool had these arguments. */
export function toolWith(name: NameMatcher, matcher: ArgMatcher): TraceCheck {
  return checkOf({ kind: "toolWith", name: nameJSON(name), args: args(matcher) });
}

/** No call of the tool (with these arguments) was made; one that was made and refused counts as made. */
export function notTool(name: NameMatcher, matcher?: ArgMatcher): TraceCheck {
  return checkOf({ kind: "notTool", name: nameJSON(name), ...(matcher && { args: args(matcher) }) });
}

/** Every tool used is in the list, and at least one was used. Permission rules such as `Bash(git *)` count as their tool. */
export function onlyTools(names: readonly string[]): TraceCheck {
  return checkOf({ kind: "onlyTools", allowed: names });
}

/** The tools were used in this order; other calls may lie between. */
export function toolSequence(names: readonly NameMatcher[]): TraceCheck {
  return checkOf({ kind: "toolSequence", names: names.map((name) => nameJSON(name)) });
}

/** The agent used the MCP tool `mcp__server__tool`. */
export function mcp(server: string, toolName: string): TraceCheck {
  return checkOf({ kind: "mcp", server, tool: toolName });
}

/**
 * A `Skill` call for `id` gave no error. Also holds for `plugin:name` when the call used the bare name and the run
 * offered exactly one skill of that name.
 */
export function skill(id: string): TraceCheck {
  return checkOf({ kind: "skill", id });
}

/** The subagent ran, and each of its runs passes the nested checks. `name` may be the part after the last colon. */
export function subagent(name: string, checks: readonly Check<never>[] = []): TraceCheck {
  return checkOf({ kind: "subagent", name, checks: innerData("subagent()", checks) });
}

/** The final answer contains or matches. */
export function output(matcher: TextMatcher): TraceCheck {
  return checkOf({ kind: "output", ...matcherJSON(matcher) });
}

/** Text reached the model: in the system prompt or a message of some request. */
export function received(matcher: TextMatcher): TraceCheck {
  return checkOf({ kind: "received", ...matcherJSON(matcher) });
}

/** Every reply of the main agent contains or matches, and there is at least one. */
export function experimental_eachReply(matcher: TextMatcher): TraceCheck {
  return checkOf({ kind: "eachReply", ...matcherJSON(matcher) });
}

/** So many replies of the main agent contain or match. Default: at least one. */
export function experimental_replyCount(matcher: TextMatcher, bounds?: Bounds): TraceCheck {
  return checkOf({ kind: "replyCount", ...matcherJSON(matcher), ...(bounds ?? { min: 1 }) });
}

/** The main agent took so many model turns. */
export function turns(bounds: Bounds): TraceCheck {
  return checkOf({ kind: "turns", ...bounds });
}

/** The run wrote the file. */
export function wrote(path: string): FilesCheck {
  return checkOf({ kind: "wrote", path });
}

/** The run did not write the file. */
export function didNotWrite(path: string): FilesCheck {
  return checkOf({ kind: "didNotWrite", path });
}

/** The hook blocked: exit 2, a JSON denial. Over the result of `runHook`. */
export function blocked(): HookCheck {
  return checkOf({ kind: "blocked" });
}

/** The hook let it happen. Over the result of `runHook`. */
export function allowed(): HookCheck {
  return checkOf({ kind: "allowed" });
}

/** The run cost at most so many US dollars. */
export function cost(limit: { readonly maxUsd: number }): TraceCheck {
  return checkOf({ kind: "cost", ...limit });
}

/** The run took at most so many milliseconds. */
export function latency(limit: { readonly maxMs: number }): TraceCheck {
  return checkOf({ kind: "latency", ...limit });
}

/** At most so many input and output tokens together. */
export function tokens(limit: { readonly max: number }): TraceCheck {
  return checkOf({ kind: "tokens", ...limit });
}

/** At most so many input tokens, as the CLI counts them. */
export function inputTokens(limit: { readonly max: number }): TraceCheck {
  return checkOf({ kind: "inputTokens", ...limit });
}

/** At most so many output tokens. */
export function outputTokens(limit: { readonly max: number }): TraceCheck {
  return checkOf({ kind: "outputTokens", ...limit });
}

/** At most so many tokens written to and read from the prompt cache; at least one limit. */
export function cacheTokens(limit: { readonly maxCreation?: number; readonly maxRead?: number }): TraceCheck {
  return checkOf({ kind: "cacheTokens", ...limit });
}

/** The check does not hold. One that cannot be judged cannot be judged negated either. */
export function not<T>(check: Check<T>): Check<T> {
  return checkOf({ kind: "not", check: innerData("not()", [check])[0] });
}

/** All hold; at least one check. */
export function all<T>(checks: readonly Check<T>[]): Check<T> {
  return checkOf({ kind: "all", checks: innerData("all()", checks) });
}

/** At least one holds. */
export function any<T>(checks: readonly Check<T>[]): Check<T> {
  return checkOf({ kind: "any", checks: innerData("any()", checks) });
}

/** Checks that only assertions use, as data. */
export const assertion = {
  toolCount: (name: NameMatcher, bounds: Bounds & { readonly exactly?: number }): CheckJSON => ({ kind: "toolCount", name: nameJSON(name), ...bounds }),
  hookFired: (event: string, wasBlocked?: boolean): CheckJSON => ({ kind: "hookFired", event, ...(wasBlocked !== undefined && { blocked: wasBlocked }) }),
  created: (path: string): CheckJSON => ({ kind: "created", path }),
  notCreated: (path: string): CheckJSON => ({ kind: "notCreated", path }),
  servedTurns: (min: number): CheckJSON => ({ kind: "servedTurns", min }),
  noWrite: (matcher: TextMatcher): CheckJSON => ({ kind: "noWrite", ...matcherJSON(matcher) }),
  wroteOnly: (paths: readonly TextMatcher[]): CheckJSON => ({ kind: "wroteOnly", allowed: paths.map((path) => nameJSON(path)) }),
  egressOnly: (hosts: readonly NameMatcher[]): CheckJSON => ({ kind: "egressOnly", allowed: hosts.map((host) => nameJSON(host)) }),
};
