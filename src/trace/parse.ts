import { fromNative, VigilesError } from "../errors.ts";
import { native } from "../native.ts";
import { knownOptions } from "../options.ts";
import { traceOf } from "./trace.ts";
import type { Trace } from "./types.ts";

/** Options of {@link parseTrace}. */
export interface ParseTraceOptions {
  /** The session file of the same run: gives hooks their command, call and duration. */
  readonly session?: string;
  /** The directory the run worked in, as it is after the run: what `trace.file` and `trace.sh` look at. */
  readonly cwd?: string;
  /**
   * Whether the stream was recorded with `--include-hook-events`. With `true`, no hook event means that no hook fired;
   * by default it means that nobody knows.
   */
  readonly hookEvents?: boolean;
}

const OPTIONS = ["session", "cwd", "hookEvents"] as const satisfies readonly (keyof ParseTraceOptions)[];

/**
 * Reads a recorded run: Claude Code `--output-format stream-json` or `json`, a Claude Code session file, or Codex
 * `exec --json`. The format is detected.
 *
 * @param source A path, or the bytes. The bytes are copied once; what is written to them later does not change the trace.
 * @throws {VigilesError} `VIGILES_TRACE_*`: no such file, empty, a format that is not known.
 */
export function parseTrace(source: string | Uint8Array, options: ParseTraceOptions = {}): Trace {
  knownOptions("parseTrace", options, OPTIONS);
  const { NativeTrace } = native();
  const settings = JSON.stringify(options);
  if (typeof source === "string") return traceOf(fromNative(() => NativeTrace.fromPath(source, settings)));
  if (!ArrayBuffer.isView(source)) {
    throw new VigilesError("VIGILES_INVALID_ARGUMENT", `expected a path or a Buffer to read a trace from, but got ${source === null ? "null" : typeof source}`);
  }
  return traceOf(fromNative(() => NativeTrace.fromBytes(bufferOf(source), settings)));
}

/** The same bytes, not a copy. */
function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * {@link parseTrace} for a stream that is still written, the stdout of a CLI for example. Reads it to its end.
 *
 * @throws {VigilesError} `VIGILES_TRACE_*` as `parseTrace`; an error of the stream itself is thrown as it is.
 */
export async function parseTraceStream(
  stream: AsyncIterable<Uint8Array | string>,
  options: ParseTraceOptions = {},
): Promise<Trace> {
  // Before the stream: it may last an hour.
  knownOptions("parseTraceStream", options, OPTIONS);
  const { NativeTraceBuilder } = native();
  const builder = new NativeTraceBuilder();
  for await (const chunk of stream) builder.push(typeof chunk === "string" ? Buffer.from(chunk) : bufferOf(chunk));
  return traceOf(fromNative(() => builder.finish(JSON.stringify(options))));
}
