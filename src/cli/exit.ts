/** How the command ends. */
export const Exit = {
  /** What was asked about is fine. */
  ok: 0,
  /** What was asked about is not: a test failed, a check does not hold. */
  bad: 1,
  /** It could not be done: no such file, a flag that is not known. */
  unable: 2,
  /** The reader of the output left, as in `| head`: what a shell reports of a program that SIGPIPE ended. */
  brokenPipe: 141,
} as const;

/** One of {@link Exit}. */
export type ExitCode = (typeof Exit)[keyof typeof Exit];

/** What was asked for cannot be done. The message says what was expected, what was seen and what to do. */
export class UnableError extends Error {
  override readonly name = "UnableError";
}
