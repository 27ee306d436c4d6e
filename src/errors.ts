/** Options of {@link VigilesError}. */
export interface VigilesErrorOptions {
  /** What led to it. */
  readonly cause?: unknown;
}

/** Something could not be done: input that is not what it should be, a process that could not be started. */
export class VigilesError extends Error {
  override readonly name: string = "VigilesError";
  /** Stable, meant for programs: `VIGILES_TRACE_NOT_FOUND`. */
  readonly code: string;

  constructor(code: string, message: string, options: VigilesErrorOptions = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.code = code;
  }
}

/** An assertion that does not hold. Its message says what was expected, what was seen, and what to do. */
export class AssertionError extends VigilesError {
  override readonly name: string = "AssertionError";

  constructor(message: string, code = "VIGILES_ASSERTION") {
    super(code, message);
    // Test runners point at the first line of the stack: the caller's, not ours.
    Error.captureStackTrace?.(this, AssertionError);
  }
}

/** Something was asked that a run did not record: it is neither true nor false. */
export class NotObservedError extends VigilesError {
  override readonly name: string = "NotObservedError";
}

/**
 * Calls native code and throws our own error for its own.
 *
 * Errors made by native code belong to another realm under test runners: `instanceof Error` is false on them.
 */
export function fromNative<T>(call: () => T): T {
  try {
    return call();
  } catch (cause) {
    throw ofNative(cause);
  }
}

/** {@link fromNative} for promises. */
export async function fromNativeAsync<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    throw ofNative(cause);
  }
}

function ofNative(cause: unknown): unknown {
  const { message, code: status } = (cause ?? {}) as { message?: unknown; code?: unknown };
  // Anything else is the missing native part, or what the caller's own code threw: theirs to read as it is.
  if (typeof status !== "string" || !NATIVE_STATUS.test(status)) return cause;
  const told = read(String(message));
  if (told === undefined) {
    const code = status === "InvalidArg" || status.endsWith("Expected") ? "VIGILES_INVALID_ARGUMENT" : "VIGILES_INTERNAL";
    return new VigilesError(code, String(message), { cause });
  }
  const Kind = told.code === "VIGILES_NOT_OBSERVED" ? NotObservedError : VigilesError;
  return new Kind(told.code, told.message, { cause });
}

/** `GenericFailure`, `InvalidArg`: the codes of errors made by native code. Those of Node are `ENOENT`, `ERR_...`. */
const NATIVE_STATUS = /^[A-Z][a-z]/;

function read(message: string): { code: string; message: string } | undefined {
  if (!message.startsWith('{"code":')) return undefined;
  try {
    return JSON.parse(message) as { code: string; message: string };
  } catch {
    return undefined;
  }
}
