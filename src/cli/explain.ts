import { existsSync, statSync } from "node:fs";
import { join, relative } from "node:path";

import { explainHooks, type ExplainedHook } from "../harness/explain.ts";
import type { HookCli } from "../run/types.ts";
import { Exit, type ExitCode, UnableError } from "./exit.ts";
import { print } from "./terminal.ts";

/** Options of `vigiles explain`. */
export interface ExplainOptions {
  readonly event: string;
  readonly tool?: string;
  readonly input?: string;
  readonly subject?: string;
  readonly harness?: string;
  readonly configDir?: string;
  readonly plugin?: readonly string[];
  readonly settings?: string;
  readonly json?: boolean;
}

/** `vigiles explain`: which hooks would run for an event, and why the others would not. */
export function explain(dir: string, options: ExplainOptions): ExitCode {
  const { event, tool, subject, settings, json = false } = options;
  if (!existsSync(dir) || !statSync(dir).isDirectory()) throw new UnableError(`expected the directory of a project, but ${dir} is none`);
  const cli = harnessOf(options.harness, dir);
  const hooks = explainHooks(dir, event, {
    cli,
    plugins: options.plugin ?? [],
    ...(tool === undefined ? {} : { tool }),
    ...(subject === undefined ? {} : { subject }),
    ...(settings === undefined ? {} : { settings }),
    ...(options.configDir === undefined ? {} : { configDir: options.configDir }),
    ...(options.input === undefined ? {} : { input: parseInput(options.input) }),
  });
  print(json ? JSON.stringify({ harness: cli, event, hooks }, null, 2) : report(hooks, event, tool, dir));
  return Exit.ok;
}

/** The harness that was named, or the one whose settings are there. */
function harnessOf(named: string | undefined, dir: string): HookCli {
  if (named === "claude-code" || named === "codex") return named;
  const has = (folder: string) => existsSync(join(dir, folder));
  return has(".codex") && !has(".claude") ? "codex" : "claude-code";
}

function parseInput(text: string): Record<string, unknown> {
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch (cause) {
    throw new UnableError(`expected --input to be a JSON object, such as '{"command":"ls"}', but it is not JSON: ${(cause as Error).message}`);
  }
  if (typeof input !== "object" || input === null || Array.isArray(input)) throw new UnableError(`expected --input to be a JSON object, but got ${text}`);
  return input as Record<string, unknown>;
}

const MARKS = { yes: "runs", no: "does not run", unknown: "unknown" } as const;

function report(hooks: readonly ExplainedHook[], event: string, tool: string | undefined, dir: string): string {
  const of = tool === undefined ? event : `${event} of ${tool}`;
  if (hooks.length === 0) return `No hook is registered for ${event}.`;
  const running = hooks.filter(({ wouldRun }) => wouldRun === "yes").length;
  const lines = hooks.flatMap(({ layer, plugin, hook, wouldRun, reason, trust }) => {
    const place = `${relative(dir, hook.file) || hook.file}:${hook.line}`;
    const what = hook.command ?? hook.given ?? "";
    const traits = [hook.type, hook.async === true ? "async" : "", hook.timeout === undefined ? "" : `timeout ${hook.timeout} s`, trust === undefined ? "" : trust.state].filter((trait) => trait !== "");
    return [`${MARKS[wouldRun].padEnd(13)} ${place}  (${plugin === undefined ? layer : `plugin ${plugin}`}; ${traits.join(", ")})`, `              ${what.split("\n")[0]}`, `              ${reason}`];
  });
  return [`${running} of ${hooks.length} hooks run for ${of}`, "", ...lines].join("\n");
}
