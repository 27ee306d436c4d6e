import { fromNative, NotObservedError, VigilesError } from "./errors.ts";
import { checkOf } from "./check/check.ts";
import { isMatch, nameJSON } from "./check/patterns.ts";
import { traceHandle } from "./check/target.ts";
import type { CheckJSON, CheckResult, NameMatcher, TextMatcher } from "./check/types.ts";
import { assertion, output, received, skill, tool, type TraceCheck } from "./check/vocabulary.ts";
import type { ScriptRunResult } from "./run/types.ts";
import { traceOf } from "./trace/trace.ts";
import type { ToolCall, TraceLike } from "./trace/types.ts";

/** The run ended early: what comes after is not known, but a predicate is about what came before. */
const CUT_SHORT = new Set(["VIGILES_TRACE_INCOMPLETE", "VIGILES_RUN_FAILED"]);

/** Whether a check holds; what was not recorded is neither true nor false. */
function holds(trace: TraceLike, check: TraceCheck | CheckJSON): boolean {
  const judged = "eval" in check ? (check as TraceCheck) : checkOf(check);
  const result = judged.eval(trace) as CheckResult;
  if (result.verdict !== "error" || CUT_SHORT.has(result.code ?? "")) return result.pass;
  const Kind = result.code === "VIGILES_NOT_OBSERVED" ? NotObservedError : VigilesError;
  throw new Kind(result.code ?? "VIGILES_NOT_OBSERVED", result.message);
}

/** Whether the agent used the tool. `Agent` and its older name `Task` are one. */
export function usedTool(trace: TraceLike, name: NameMatcher): boolean {
  return holds(trace, tool(name));
}

/** How often the agent used the tool. */
export function toolCount(trace: TraceLike, name: NameMatcher): number {
  return fromNative(() => traceHandle(trace).toolCount(JSON.stringify(nameJSON(name)), isMatch));
}

/** The calls of a tool. */
export function callsOf(trace: TraceLike, name: NameMatcher): ToolCall[] {
  const handle = traceHandle(trace);
  const indices = JSON.parse(fromNative(() => handle.callsOf(JSON.stringify(nameJSON(name)), isMatch))) as number[];
  // Calls that a plain object has only in its subagents stand behind its own.
  const nested = indices.some((index) => trace.toolCalls?.[index] === undefined) ? traceOf(handle).toolCalls : undefined;
  return indices.flatMap((index) => trace.toolCalls?.[index] ?? nested?.[index] ?? []);
}

/** Whether one call of the tool had arguments that the predicate accepts. */
// oxlint-disable-next-line typescript/no-explicit-any -- fields of the arguments are read without a cast
export function toolUsedWith(trace: TraceLike, name: NameMatcher, accepts: (input: any) => boolean): boolean {
  return callsOf(trace, name).some((call) => accepts(call.input));
}

/** Whether a `Skill` call for `id` gave no error. */
export function skillResolved(trace: TraceLike, id: string): boolean {
  return holds(trace, skill(id));
}

/** Whether the final answer contains or matches. */
export function outputContains(trace: TraceLike, matcher: TextMatcher): boolean {
  return holds(trace, output(matcher));
}

/** Whether a model request contains or matches, its system prompt included. */
export function requestContains(trace: TraceLike, matcher: TextMatcher): boolean {
  return holds(trace, received(matcher));
}

/**
 * The hosts that a hook or script tried to connect to, each once, in their order.
 *
 * @throws {NotObservedError} when connections were not recorded.
 */
export function egressHosts(run: ScriptRunResult): string[] {
  if (run.egress === undefined) throw new NotObservedError("VIGILES_NOT_OBSERVED", "expected a run that records its connections out, but this one did not: run it with `recordEgress: true`, or with `egress: { allow: [...] }`");
  return [...new Set(run.egress.map(({ host }) => host))];
}

/** Whether a hook fired: `trace` and a label (`PreToolUse:Edit`) or event (`PreToolUse`). */
export function hookFired(trace: TraceLike, name: string): boolean;
/** A check: a hook fired. */
export function hookFired(event: string): TraceCheck;
export function hookFired(subject: TraceLike | string, name?: string): boolean | TraceCheck {
  return typeof subject === "string" ? checkOf(assertion.hookFired(subject)) : holds(subject, assertion.hookFired(name as string));
}

/** Whether a hook fired and blocked: exit 2 or a JSON denial. An exit 1 blocks nothing. */
export function hookBlocked(trace: TraceLike, name: string): boolean;
/** A check: a hook fired and blocked. */
export function hookBlocked(event: string): TraceCheck;
export function hookBlocked(subject: TraceLike | string, name?: string): boolean | TraceCheck {
  const data = (event: string) => ({ kind: "hookBlocked", event });
  return typeof subject === "string" ? checkOf(data(subject)) : holds(subject, data(name as string));
}

/** Whether a hook fired and ended with an exit code other than 0. Whether that blocked is another question. */
export function hookFailed(trace: TraceLike, name: string): boolean;
/** A check: a hook fired and failed. */
export function hookFailed(event: string): TraceCheck;
export function hookFailed(subject: TraceLike | string, name?: string): boolean | TraceCheck {
  const data = (event: string) => ({ kind: "hookFailed", event });
  return typeof subject === "string" ? checkOf(data(subject)) : holds(subject, data(name as string));
}
