import { parentPort, workerData } from "node:worker_threads";

import { checkLabel, evalChecks } from "../../check/check.ts";
import type { Check } from "../../check/types.ts";
import { VigilesError } from "../../errors.ts";
import { parseTrace } from "../../trace/parse.ts";
import { readChecks } from "../checks-file.ts";
import { UnableError } from "../exit.ts";
import type { Greeting, Judgement, JudgeSettings } from "./protocol.ts";

// The thread of `vigiles check` that judges: a pattern that backtracks for hours can only be ended together with its thread.
const { checks: file, cwd, workDir } = workerData as JudgeSettings;
const port = parentPort;
if (port === null) throw new Error("this module is a worker thread of `vigiles check`");

const loaded = await load();
if ("unable" in loaded) {
  port.postMessage({ unable: loaded.unable } satisfies Greeting);
} else {
  port.on("message", (path: string) => port.postMessage(judge(path, loaded.checks)));
  port.postMessage({ labels: loaded.labels } satisfies Greeting);
}

async function load(): Promise<{ checks: Check[]; labels: string[] } | { unable: string }> {
  try {
    const checks = await readChecks(file, cwd);
    return { checks, labels: checks.map((check) => checkLabel(check)) };
  } catch (error) {
    // Classes do not cross threads; anything else ends this one with its stack.
    if (error instanceof UnableError || error instanceof VigilesError) return { unable: error.message };
    throw error;
  }
}

function judge(path: string, checks: readonly Check[]): Judgement {
  try {
    const results = evalChecks(parseTrace(path, workDir === undefined ? {} : { cwd: workDir }), checks);
    return { results: results.map(({ verdict, message, code }) => ({ verdict, message, ...(code !== undefined && { code }) })) };
  } catch (error) {
    if (!(error instanceof VigilesError)) throw error;
    return { error: error.message, code: error.code };
  }
}
