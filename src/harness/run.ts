import { tmpdir } from "node:os";
import { resolve } from "node:path";

import { fromNativeAsync, VigilesError } from "../errors.ts";
import { crossing } from "../model/script.ts";
import { hookProgram, native } from "../native.ts";
import { knownOptions } from "../options.ts";
import { recordCheck } from "../record.ts";
import { checkBoolean, checkedLimits, checkMode, hiddenAndShown } from "../run/sandbox.ts";
import { plain } from "../stub.ts";
import type { HarnessAdapter } from "./adapter.ts";
import { driving } from "./driver.ts";
import { claudeCodeAdapter } from "./claude-code.ts";
import { resultOf, type HarnessTestResult } from "./result.ts";
import { SPEC_FIELDS, type HarnessTestSpec } from "./spec.ts";

/** Options of {@link runHarnessTest}. */
export interface HarnessOptions {
  /** The harness. Default: Claude Code. */
  readonly adapter?: HarnessAdapter;
}

/**
 * Runs the assembled harness in the real CLI, against a scripted model: free, and without a key.
 *
 * The run has a work dir, a home and an environment of its own; nothing of the caller's but `PATH` reaches it. Call
 * `cleanup()` on the result, or use {@link withHarness}.
 *
 * @throws {VigilesError} when there is no trace to judge: `VIGILES_CLI_MISSING`, `VIGILES_CLI_TIMED_OUT`,
 * `VIGILES_SCRIPT_OVERRUN` and others, with the end of stderr, the command and the kept directory.
 */
export async function runHarnessTest(spec: HarnessTestSpec, options: HarnessOptions = {}): Promise<HarnessTestResult> {
  return await run("runHarnessTest", spec, options);
}

/** {@link runHarnessTest} under the name that says which model answers. */
export async function runHarness(spec: HarnessTestSpec, options: HarnessOptions & { readonly model?: "mock" | "real" } = {}): Promise<HarnessTestResult> {
  const { model = "mock", ...rest } = options;
  if (model !== "mock") {
    throw new VigilesError(
      "VIGILES_INVALID_ARGUMENT",
      `expected the model of runHarness to be "mock", but got ${JSON.stringify(model)}: a real model answers differently every time, and one run of it proves nothing. Measure it over many runs with vigiles/eval`,
    );
  }
  return await run("runHarness", spec, rest);
}

/** Runs a harness, hands the result to `use`, and cleans up, also when `use` throws. Gives what `use` gives. */
export async function withHarness<T>(spec: HarnessTestSpec, use: (result: HarnessTestResult) => T | Promise<T>, options: HarnessOptions = {}): Promise<T> {
  const result = await run("withHarness", spec, options);
  try {
    return await use(result);
  } finally {
    result.cleanup();
  }
}

async function run(caller: string, spec: HarnessTestSpec, options: HarnessOptions): Promise<HarnessTestResult> {
  recordCheck();
  knownOptions(caller, options, ["adapter"]);
  knownOptions(`the spec of ${caller}`, spec, SPEC_FIELDS);
  checkMode(spec.sandbox);
  checkBoolean("trusted", spec.trusted);
  checkedLimits(caller, spec.sandboxLimits);
  const adapter = options.adapter ?? claudeCodeAdapter;
  const { model, transcript: _, claude, codex, program, ...fields } = spec;
  const { json, makeTurn } = crossing(model);
  const given = program ?? (adapter.name === "claude-code" ? claude : adapter.name === "codex" ? codex : undefined);
  const binary = given ?? (process.env[adapter.program.variable] || undefined);
  const patterns = { stubs: plain(fields.stubs), interceptTools: plain(fields.interceptTools) };
  const specJson = JSON.stringify({ ...fields, ...absolute(fields), ...patterns, binary: binary === undefined ? undefined : pathOf(binary) });
  const driven = adapter.driver === undefined ? undefined : driving(adapter, adapter.driver, spec);
  const surroundings = JSON.stringify({ harness: adapter.name, adapter: driven?.about, tempDir: tmpdir(), path: process.env["PATH"] ?? "", hookProgram: hookProgram(), ...hiddenAndShown() });
  const handle = await fromNativeAsync(async () => await native().runHarness(specJson, json, surroundings, makeTurn, driven?.call));
  return resultOf(handle, spec.keep ?? false);
}

/** The fields that are paths: relative ones start at the working directory of the test, not at that of the run. */
function absolute({ plugin, pluginDir, skillsDir, outputStyle }: Pick<HarnessTestSpec, "plugin" | "pluginDir" | "skillsDir" | "outputStyle">): object {
  const path = (value: string | undefined) => (typeof value === "string" ? resolve(value) : value);
  return { plugin: path(plugin), pluginDir: Array.isArray(pluginDir) ? pluginDir.map((dir: string) => path(dir)) : path(pluginDir as string | undefined), skillsDir: path(skillsDir), outputStyle: path(outputStyle) };
}

/** A program given by a path, or by a name that is looked up. */
function pathOf(program: string): string {
  return program.includes("/") ? resolve(program) : program;
}
