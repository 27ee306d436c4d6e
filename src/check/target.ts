import type { NativeTrace } from "../../native/binding.cjs";
import { fromNative, VigilesError } from "../errors.ts";
import { native } from "../native.ts";
import { handleOf } from "../trace/trace.ts";
import type { TraceLike } from "../trace/types.ts";
import type { CheckJSON } from "./types.ts";

/** What checks need to know of one run of a hook or script. */
const RUN_FIELDS = [
  "event",
  "exitCode",
  "timedOut",
  "blocked",
  "blockedBy",
  "decision",
  "reason",
  "unresolved",
  "ran",
  "conditionReason",
  "explanation",
  "filesWritten",
  "egress",
  "egressDropped",
] as const;

/** Kinds of checks that look at a file after the run. */
const FILE_KINDS = new Set(["created", "notCreated", "wrote", "didNotWrite"]);

/** Fields of a trace that no run of a hook or script has. */
const TRACE_FIELDS = ["toolCalls", "hooks", "output", "replies", "modelRequests", "turns", "subagents", "usage", "result"] as const;

/** Whether a target is the result of one hook or script run, not a trace. Runs of a harness are both; they are traces. */
export function isRun(target: object): boolean {
  if (handleOf(target) !== undefined || TRACE_FIELDS.some((field) => field in target)) return false;
  return "blocked" in target || "exitCode" in target;
}

/** Refuses what is not an object: a forgotten await, most often. */
export function mustBeObject(target: unknown): void {
  if (typeof target === "object" && target !== null && !isPromise(target)) return;
  const seen = target === null ? "null" : isPromise(target) ? "a promise" : typeof target;
  const hint = seen === "undefined" || isPromise(target) ? ". Is an await missing, or a return?" : "";
  throw new VigilesError("VIGILES_CHECK_TARGET", `expected a trace, or the result of runHook or runScript, to judge, but got ${seen}${hint}`);
}

/** Whether something is a promise, of whatever realm. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === "function";
}

/** The facts of a run as JSON. */
export function runJSON(target: object): string {
  const run = target as Record<string, unknown>;
  // An absent field is not a null one: null is an exit code too (a signal ended the process).
  return JSON.stringify(Object.fromEntries(RUN_FIELDS.filter((field) => run[field] !== undefined).map((field) => [field, run[field]])));
}

/** The native trace of a target: its own handle, or one made of its fields. */
export function traceHandle(target: TraceLike, checks: readonly CheckJSON[] = []): NativeTrace {
  mustBeObject(target);
  const handle = handleOf(target);
  if (handle !== undefined) return handle;
  const files = typeof target.file === "function" ? filesOf(target, checks) : undefined;
  const json = toJSON(files === undefined ? target : { ...target, files });
  return fromNative(() => native().NativeTrace.fromObject(json));
}

/** What the files that checks ask about hold: asked here, because a function cannot cross to native code. */
function filesOf(target: TraceLike, checks: readonly CheckJSON[]): Record<string, string | null> {
  const files: Record<string, string | null> = {};
  for (const path of checks.flatMap((check) => pathsIn(check))) files[path] = target.file?.(path) ?? null;
  return files;
}

function pathsIn(check: CheckJSON): string[] {
  const nested = [check["check"], ...(Array.isArray(check["checks"]) ? check["checks"] : [])];
  const paths = nested.filter((inner) => inner !== undefined).flatMap((inner) => pathsIn(inner as CheckJSON));
  return FILE_KINDS.has(check.kind) && typeof check["path"] === "string" ? [check["path"], ...paths] : paths;
}

function toJSON(target: object): string {
  try {
    return JSON.stringify(target);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new VigilesError("VIGILES_TRACE_INVALID", `expected an object with the fields of a trace, but it cannot be written as JSON: ${why}`, { cause });
  }
}
