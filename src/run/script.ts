import { fromNative, fromNativeAsync, VigilesError } from "../errors.ts";
import { native } from "../native.ts";
import { recordCheck } from "../record.ts";
import { commandSpec, resultOf } from "./command.ts";
import type { CommandLine, RunScriptOptions, ScriptRunResult } from "./types.ts";

/**
 * Runs a script and waits for it. A non-zero exit is a result, not an error.
 *
 * @throws {VigilesError} `VIGILES_INVALID_ARGUMENT` for an option that it does not know; `VIGILES_PROCESS_*` when it cannot be started: no such working directory, an empty command, a
 * NUL byte in it.
 */
export function runScript(command: CommandLine, options: RunScriptOptions = {}): ScriptRunResult {
  recordCheck();
  const [spec, stdin] = scriptSpec("runScript", command, options);
  return resultOf(fromNative(() => native().runScript(spec, stdin)));
}

/** {@link runScript} beside the event loop. */
export async function runScriptAsync(command: CommandLine, options: RunScriptOptions = {}): Promise<ScriptRunResult> {
  recordCheck();
  const [spec, stdin] = scriptSpec("runScriptAsync", command, options);
  return resultOf(await fromNativeAsync(async () => await native().runScriptAsync(spec, stdin)));
}

function scriptSpec(caller: string, command: CommandLine, options: RunScriptOptions): [spec: string, stdin: string] {
  const spec = commandSpec(caller, ["stdin"], command, options);
  const { stdin = "" } = options;
  if (typeof stdin !== "string") throw new VigilesError("VIGILES_INVALID_ARGUMENT", `expected stdin to be a string, but got ${stdin === null ? "null" : typeof stdin}`);
  return [JSON.stringify(spec), stdin];
}
