import { fromNative } from "../errors.ts";
import { native } from "../native.ts";
import { Exit, type ExitCode } from "./exit.ts";
import { print } from "./terminal.ts";

/** Options of `vigiles trace`. */
export interface TraceOptions {
  readonly session?: string;
  readonly cwd?: string;
  readonly json?: boolean;
}

/** `vigiles trace`: what happened in a recorded session. */
export function trace(file: string, { json = false, ...options }: TraceOptions): ExitCode {
  const { summarizeTrace, traceToJson } = native();
  const settings = JSON.stringify(options);
  print(fromNative(() => (json ? traceToJson(file, settings) : summarizeTrace(file, settings))));
  return Exit.ok;
}
