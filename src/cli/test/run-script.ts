import { spawn } from "node:child_process";
import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";

import type { CheckReport } from "../../record.ts";
import { messageOf, plural, showDuration } from "../text.ts";
import { killGroup, track } from "./children.ts";
import { CHECK_REPORT_ENV, unloadedPath } from "./protocol.ts";
import type { ScriptResult } from "./result.ts";
import { loaderFor } from "./typescript.ts";

/** How scripts are run. */
export interface ScriptSettings {
  /** The working directory of scripts. */
  readonly cwd: string;
  /** Milliseconds after which a script is killed. */
  readonly timeout: number;
  /** A folder for what scripts print and report. */
  readonly scratch: string;
  /** The module that is loaded before a script. */
  readonly preload: string;
}

/** A script that prints more is killed: what it prints is kept on disk until it ends. */
const MOST_PRINTED = 256 * 1024 * 1024;

/** What of the output is shown: the first and the last half of this. */
const MOST_SHOWN = 256 * 1024;

/** How often the size of the output is looked at. */
const LOOK_MS = 500;

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why the script was killed, or could not be started. */
  readonly broken?: string;
}

/**
 * Runs one script in a process of its own.
 *
 * @param path Absolute.
 * @param file How it is shown.
 * @param index Its place in the run, which gives its files their names.
 */
export async function runScript(path: string, file: string, index: number, settings: ScriptSettings): Promise<ScriptResult> {
  const loader = loaderFor(path);
  if ("problem" in loader) {
    return { file, status: "never-loaded", checks: undefined, reason: loader.problem, exitCode: null, signal: null, durationMs: 0, output: "" };
  }
  const report = join(settings.scratch, `${index}.report`);
  const start = performance.now();
  // One file for both streams keeps their order, and takes what the script prints without waiting for this process.
  const output = openSync(join(settings.scratch, `${index}.output`), "w+");
  try {
    const args = ["--require", settings.preload, ...loader.flags, path];
    const exit = await execute(args, report, output, settings);
    const outcome = judge(exit, report);
    return { file, ...outcome, exitCode: exit.code, signal: exit.signal, durationMs: performance.now() - start, output: readOutput(output) };
  } finally {
    closeSync(output);
  }
}

function execute(args: readonly string[], report: string, output: number, { cwd, timeout }: ScriptSettings): Promise<Exit> {
  return new Promise((resolve) => {
    const env = { ...process.env, [CHECK_REPORT_ENV]: report };
    const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", output, output], detached: true });
    track(child);
    let broken: string | undefined;
    const kill = (why: string) => {
      broken ??= why;
      killGroup(child);
    };
    const timer = setTimeout(
      () => kill(`it ran longer than ${showDuration(timeout)} and was killed with all it started. If it needs longer, raise --timeout`),
      timeout,
    );
    const look = setInterval(() => {
      if (fstatSync(output).size > MOST_PRINTED) kill(`it printed more than ${MOST_PRINTED / 1024 / 1024} MiB and was killed with all it started`);
    }, LOOK_MS);
    const end = (exit: Exit) => {
      clearTimeout(timer);
      clearInterval(look);
      resolve(exit);
    };
    child.once("error", (error) => end({ code: null, signal: null, broken: `it could not be started: ${error.message}` }));
    child.once("exit", (code, signal) => {
      // A server that a test forgot must not hold a port for the next one. Node has collected the script by now, but while anything of its group
      // lives the system gives the number to nobody else; and when nothing lives, it would have to go through all its numbers in this very moment.
      killGroup(child);
      end({ code, signal, ...(broken !== undefined && { broken }) });
    });
  });
}

type Outcome = Pick<ScriptResult, "status" | "checks" | "reason">;

function judge(exit: Exit, report: string): Outcome {
  const told = readReport(report);
  const checks = told?.checks;
  if (exit.broken !== undefined) return { status: "error", checks, reason: exit.broken };
  if (exit.code === 0) {
    if (told?.skipped !== undefined) return { status: "skip", checks, reason: told.skipped };
    if (checks === 0) return { status: "no-checks", checks, reason: "it imports vigiles and exited with 0, but checked nothing. If it checks with something else, call recordCheck()" };
    return { status: "pass", checks };
  }
  const unloaded = readText(unloadedPath(report));
  if (unloaded !== undefined && (checks ?? 0) === 0) return { status: "never-loaded", checks, reason: firstLine(unloaded) };
  return { status: "fail", checks, reason: reasonOf(exit) };
}

/** What Node exits with when its event loop has run dry under a top-level `await`. */
const UNSETTLED = 13;

function reasonOf({ code, signal }: Exit): string {
  if (signal !== null) return `${signal} ended it`;
  if (code === UNSETTLED) return `exit ${UNSETTLED}: it waits at its top level for a promise that nothing can settle any more`;
  return `exit ${code}`;
}

function readReport(path: string): CheckReport | undefined {
  const text = readText(path);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as CheckReport;
  } catch {
    return undefined; // cut short: the process was killed while it wrote
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // not written
  }
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}

function readOutput(file: number): string {
  const { size } = fstatSync(file);
  if (size === 0) return "";
  try {
    if (size <= MOST_SHOWN) return read(file, 0, size);
    const half = MOST_SHOWN / 2;
    return `${read(file, 0, half)}\n… ${plural(size - MOST_SHOWN, "byte")} left out …\n${read(file, size - half, half)}`;
  } catch (error) {
    return `(what it printed could not be read: ${messageOf(error)})`;
  }
}

function read(file: number, position: number, length: number): string {
  const bytes = Buffer.alloc(length);
  const count = readSync(file, bytes, 0, length, position);
  return bytes.toString("utf8", 0, count);
}
