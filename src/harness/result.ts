import { readFileSync, rmSync } from "node:fs";

import type { NativeHarnessRun } from "../../native/binding.cjs";
import { fromNative } from "../errors.ts";
import type { StubCall } from "../stub.ts";
import { traceOf } from "../trace/trace.ts";
import type { ModelRequest, Trace } from "../trace/types.ts";

/** What a run of the assembled harness was seen to do. */
export interface HarnessTestResult extends Trace {
  /** The exit code of the CLI's last launch; absent when a signal ended it. */
  readonly exitCode?: number;
  /** The CLI's whole stream. */
  readonly stdout: string;
  /** All that the CLI wrote to standard error. */
  readonly stderr: string;
  /** The directory the agent worked in, as it is after the run. */
  readonly cwd: string;
  /** What reached the model. */
  readonly modelRequests: readonly HarnessModelRequest[];
  /** The command of the last launch. */
  readonly argv: readonly string[];
  /** Turns of the main agent's script that were served. */
  readonly servedTurns: number;
  /** Wall time of the CLI in milliseconds. */
  readonly durationMs: number;
  /** Whether it ran confined. */
  readonly confined: boolean;
  /** Those of `filesWritten` that were there before the run. */
  readonly filesChanged?: readonly string[];
  /** Files and links of the work dir that were there before the run and are not any more. */
  readonly filesDeleted?: readonly string[];
  /** The calls of the run's stubs, in the order they arrived. Empty where there were no stubs. */
  readonly stubCalls: readonly StubCall[];
  /** Removes the directories of the run; after that `file` and `sh` find nothing. */
  cleanup(): void;
}

/** A model request with its body. */
export interface HarnessModelRequest extends ModelRequest {
  /** The body as it was sent, parsed when it is first asked for. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the API's own shape, read without casts in tests
  readonly raw: any;
}

interface Facts {
  exitCode: number | null;
  stderr: string;
  argv: string[];
  durationMs: number;
  servedTurns: number;
  confined: boolean;
  filesChanged: string[] | null;
  filesDeleted: string[] | null;
  cwd: string;
  root: string;
  stdoutFile: string;
}

/** Directories of runs that nobody cleaned up yet. */
const live = new Set<string>();
let watching = false;

/** The result over a native run. */
export function resultOf(run: NativeHarnessRun, keep: boolean): HarnessTestResult {
  const facts = JSON.parse(fromNative(() => run.facts())) as Facts;
  const trace = traceOf(fromNative(() => run.trace()));
  if (!keep) removeAtExit(facts.root);
  let stdout: string | undefined;
  let stubCalls: readonly StubCall[] | undefined;
  let requests: readonly HarnessModelRequest[] | undefined;
  const requestsOf = Object.getOwnPropertyDescriptor(trace, "modelRequests")?.get as () => readonly ModelRequest[];
  const own = {
    ...(facts.exitCode === null ? {} : { exitCode: facts.exitCode }),
    stderr: facts.stderr,
    cwd: facts.cwd,
    argv: facts.argv,
    servedTurns: facts.servedTurns,
    durationMs: facts.durationMs,
    confined: facts.confined,
    ...(facts.filesChanged && { filesChanged: facts.filesChanged }),
    ...(facts.filesDeleted && { filesDeleted: facts.filesDeleted }),
    get stubCalls() {
      return (stubCalls ??= stubCallsOf(fromNative(() => run.stubCalls())));
    },
    get stdout() {
      return (stdout ??= readFileSync(facts.stdoutFile, "utf8"));
    },
    get modelRequests() {
      return (requests ??= requestsOf().map((request, index) => withRaw(request, () => run.requestBody(index))));
    },
  };
  Object.defineProperties(trace, Object.getOwnPropertyDescriptors(own));
  Object.defineProperty(trace, "cleanup", {
    enumerable: false,
    value: () => {
      // Read before it is gone: a failed test prints it.
      stdout ??= readFileSync(facts.stdoutFile, "utf8");
      live.delete(facts.root);
      if (!keep) fromNative(() => run.remove());
    },
  });
  return trace as HarnessTestResult;
}

function stubCallsOf(json: string): StubCall[] {
  const calls = JSON.parse(json) as { tool: string; argv: string[]; outcome: { rule: number; answer: number } }[];
  return calls.map(({ tool, argv, outcome: { rule, answer } }) => ({ tool, argv, rule, answer }));
}

function withRaw(request: ModelRequest, body: () => Buffer | null): HarnessModelRequest {
  let raw: { value: unknown } | undefined;
  return Object.defineProperty({ ...request }, "raw", {
    enumerable: false,
    get: () => (raw ??= { value: JSON.parse(String(fromNative(body))) }).value,
  }) as HarnessModelRequest;
}

/** The native side removes them when its handle is collected, but a process that ends collects nothing. */
function removeAtExit(root: string): void {
  live.add(root);
  if (watching) return;
  watching = true;
  process.on("exit", () => {
    for (const dir of live) rmSync(dir, { recursive: true, force: true });
  });
}
