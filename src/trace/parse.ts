import { fromNative, VigilesError } from "../errors.ts";
import { native } from "../native.ts";
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

/**
 * Reads a recorded run: Claude Code `--output-format stream-json` or `json`, a Claude Code session file, or Codex
 * `exec --json`. The format is detected.
 *
 * @param source A path, or the bytes.
 * @throws {VigilesError} `VIGILES_TRACE_*`: no such file, empty, a format that is not known.
 */
export function parseTrace(source: string | Uint8Array, options: ParseTraceOptions = {}): Trace {
  const { NativeTrace } = native();
  const settings = JSON.stringify(options);
  if (typeof source === "string") return traceOf(fromNative(() => NativeTrace.fromPath(source, settings)));
  if (!ArrayBuffer.isView(source)) {
    throw new VigilesError("VIGILES_INVALID_ARGUMENT", `expected a path or a Buffer to read a trace from, but got ${source === null ? "null" : typeof source}`);
  }
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  return traceOf(fromNative(() => NativeTrace.fromBytes(bytes, settings)));
}

/** {@link parseTrace} for a stream that is still written, the stdout of a CLI for example. Reads it to its end. */
export async function parseTraceStream(
  stream: AsyncIterable<Uint8Array | string>,
  options: ParseTraceOptions = {},
): Promise<Trace> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  return parseTrace(Buffer.concat(chunks), options);
}
