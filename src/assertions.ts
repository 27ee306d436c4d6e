import { assertChecks, checkOf } from "./check/check.ts";
import type { ArgMatcher, Bounds, CheckJSON, CheckTarget, NameMatcher, TextMatcher } from "./check/types.ts";
import { allowed, assertion, blocked, notTool, output, received, skill, tool, toolSequence } from "./check/vocabulary.ts";
import { AssertionError, NotObservedError } from "./errors.ts";
import { knownOptions } from "./options.ts";
import { callsOf } from "./predicates.ts";
import { recordCheck } from "./record.ts";
import type { HookRunResult, ScriptRunResult } from "./run/types.ts";
import type { ToolCall, TraceLike } from "./trace/types.ts";

const assertData = (target: CheckTarget, data: CheckJSON) => assertChecks(target, [checkOf(data)]);

/** Throws unless the agent used the tool. */
export function assertToolUsed(trace: TraceLike, name: NameMatcher): void {
  assertChecks(trace, [tool(name)]);
}

/** Throws if the agent used the tool (with these arguments). */
export function assertToolNotUsed(trace: TraceLike, name: NameMatcher, args?: ArgMatcher): void {
  assertChecks(trace, [notTool(name, args)]);
}

/** Throws unless the tool was used so many times. */
export function assertToolCount(trace: TraceLike, name: NameMatcher, bounds: Bounds & { readonly exactly?: number }): void {
  assertData(trace, assertion.toolCount(name, bounds));
}

/** Throws unless the tools were used in this order; other calls may lie between. */
export function assertToolSequence(trace: TraceLike, names: readonly NameMatcher[]): void {
  assertChecks(trace, [toolSequence(names)]);
}

/** Throws unless one call of the tool had arguments that the predicate accepts. */
// oxlint-disable-next-line typescript/no-explicit-any -- fields of the arguments are read without a cast
export function assertToolUsedWith(trace: TraceLike, name: NameMatcher, accepts: (input: any) => boolean): void {
  assertToolUsed(trace, name);
  const inputs = callsOf(trace, name).map((call) => call.input as unknown);
  if (inputs.some((input) => accepts(input))) return;
  const seen = inputs.map((input) => `\n  ${cut(JSON.stringify(input))}`).join("");
  throw new AssertionError(`expected a call of ${show(name)} whose arguments the predicate accepts, but it accepted none of ${inputs.length}:${seen}\nCorrect the predicate if one of these should do`);
}

/** Throws unless a rule of the caller's own holds over all tool calls. */
export function assertToolCalls(trace: TraceLike, accepts: (calls: readonly ToolCall[]) => boolean, message?: string): void {
  if (trace.toolCalls === undefined) {
    throw new NotObservedError("VIGILES_NOT_OBSERVED", "the tool calls were not recorded in this trace. Record with --output-format stream-json --verbose");
  }
  recordCheck();
  if (accepts(trace.toolCalls)) return;
  const seen = trace.toolCalls.map((call) => `\n  ${call.name} ${cut(JSON.stringify(call.input))}`).join("");
  throw new AssertionError(`expected of the tool calls: ${message ?? "the rule holds"}, but it does not. Calls:${seen || " none"}\nCorrect the rule if these calls should do`);
}

/** Throws unless a `Skill` call for `id` gave no error. */
export function assertSkillResolved(trace: TraceLike, id: string): void {
  assertChecks(trace, [skill(id)]);
}

/** Throws unless the final answer contains or matches. */
export function assertOutputContains(trace: TraceLike, matcher: TextMatcher): void {
  assertChecks(trace, [output(matcher)]);
}

/** Throws unless a model request contains or matches. */
export function assertRequestContains(trace: TraceLike, matcher: TextMatcher): void {
  assertChecks(trace, [received(matcher)]);
}

/** Throws unless the hook fired; with `blocked`, unless it also blocked (`true`) or let it happen (`false`). */
export function assertHookFired(trace: TraceLike, name: string, options: { readonly blocked?: boolean } = {}): void {
  knownOptions("assertHookFired", options, ["blocked"]);
  assertData(trace, assertion.hookFired(name, options.blocked));
}

/** Throws unless the hook blocked, in the sense of the CLI: exit 2, or a JSON denial. */
export function assertHookBlocked(run: HookRunResult | { readonly blocked: boolean }): void {
  assertChecks(run, [blocked()]);
}

/** Throws unless the hook let it happen. */
export function assertHookAllowed(run: HookRunResult | { readonly blocked: boolean }): void {
  assertChecks(run, [allowed()]);
}

/** Throws unless the file is there after the run. */
export function assertCreated(trace: TraceLike, path: string): void {
  assertData(trace, assertion.created(path));
}

/** Throws if the file is there after the run. */
export function assertNotCreated(trace: TraceLike, path: string): void {
  assertData(trace, assertion.notCreated(path));
}

/** Throws unless the model was asked for at least so many turns. */
export function assertServedTurns(trace: TraceLike, min: number): void {
  assertData(trace, assertion.servedTurns(min));
}

/** Throws if the run wrote a file whose path contains or matches; refuses a run that did not record its writes. */
export function assertNoWrite(run: ScriptRunResult | TraceLike, matcher: TextMatcher): void {
  assertData(run, assertion.noWrite(matcher));
}

/** Throws if the run wrote a file whose path neither contains nor matches any of these; refuses a run that did not record its writes. */
export function assertWroteOnly(run: ScriptRunResult | TraceLike, paths: readonly TextMatcher[]): void {
  assertData(run, assertion.wroteOnly(paths));
}

/** Throws if the run tried a connection out; refuses a run that did not record them. */
export function assertNoEgress(run: ScriptRunResult): void {
  assertData(run, assertion.egressOnly([]));
}

/**
 * Throws if the run tried a connection to another host than these; refuses a run that did not record them. A host is
 * `name` or `name:port` as it is, or a pattern of names.
 */
export function assertEgressOnly(run: ScriptRunResult, hosts: readonly NameMatcher[]): void {
  assertData(run, assertion.egressOnly(hosts));
}

const show = (name: NameMatcher) => (typeof name === "string" ? JSON.stringify(name) : String(name));

function cut(text: string): string {
  const LONGEST = 200;
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}... (${text.length} characters)` : text;
}
