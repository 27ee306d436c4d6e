import { environment } from "../environment.ts";
import { VigilesError } from "../errors.ts";
import { knownOptions } from "../options.ts";
import { confinedEnvironment, SANDBOX_OPTIONS, sandboxOptions, workDir } from "./sandbox.ts";
import type { CommandLine, RunScriptOptions } from "./types.ts";

/** The options that every run has. */
const COMMAND_OPTIONS = ["cwd", "env", "timeoutMs", "maxOutputBytes"] as const;

/** How long a command with a way out may take, in milliseconds: hosts answer more slowly than files. */
const EGRESS_TIMEOUT_MS = 30_000;

/**
 * A command as it crosses to native code.
 *
 * @param caller The function that was called, and the options that it knows beside {@link COMMAND_OPTIONS} and {@link SANDBOX_OPTIONS}.
 */
export function commandSpec(caller: string, more: readonly string[], command: CommandLine, options: RunScriptOptions): object {
  knownOptions(caller, options, [...COMMAND_OPTIONS, ...SANDBOX_OPTIONS, ...more]);
  const { cwd = process.cwd(), env, maxOutputBytes, egress } = options;
  const timeoutMs = options.timeoutMs ?? (egress === undefined ? undefined : EGRESS_TIMEOUT_MS);
  // Infinity crosses as null, which is no limit. NaN would, too.
  if (timeoutMs !== undefined && !(typeof timeoutMs === "number" && timeoutMs > 0)) {
    throw new VigilesError("VIGILES_INVALID_ARGUMENT", `expected timeoutMs to be a number above 0, or Infinity for no limit, but got ${String(timeoutMs)}`);
  }
  if (maxOutputBytes !== undefined && !(Number.isSafeInteger(maxOutputBytes) && maxOutputBytes >= 0)) {
    throw new VigilesError("VIGILES_INVALID_ARGUMENT", `expected maxOutputBytes to be a whole number of bytes, but got ${String(maxOutputBytes)}`);
  }
  const confined = sandboxOptions(caller, options);
  const sandbox = confined && { options: confined, env: confinedEnvironment(env), workDir: workDir(options.cwd) };
  return { ...line(command), cwd, env: environment(env), timeoutMs, maxOutputBytes, sandbox };
}

function line(command: CommandLine): object {
  if (typeof command === "string") return { shell: command };
  if (Array.isArray(command) && command.every((part) => typeof part === "string")) return { argv: command };
  const seen = Array.isArray(command) ? "an array with other values" : command === null ? "null" : typeof command;
  throw new VigilesError("VIGILES_INVALID_ARGUMENT", `expected a command as a shell string or an array of strings, but got ${seen}`);
}

interface NativeOutcome {
  json(): string;
  stdoutBytes(): Buffer;
  stderrBytes(): Buffer;
}

/** The result of a run: plain data, and the raw bytes when somebody asks. */
export function resultOf<T>(run: NativeOutcome): T {
  const result = JSON.parse(run.json()) as object;
  let stdout: Buffer | undefined;
  let stderr: Buffer | undefined;
  Object.defineProperty(result, "stdoutBytes", { get: () => (stdout ??= run.stdoutBytes()), enumerable: false });
  Object.defineProperty(result, "stderrBytes", { get: () => (stderr ??= run.stderrBytes()), enumerable: false });
  return result as T;
}
