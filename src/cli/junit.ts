import { fromNative } from "../errors.ts";
import { native } from "../native.ts";

/** A group of results. */
export interface JunitSuite {
  readonly name: string;
  readonly cases: readonly JunitCase[];
}

/** One result. */
export interface JunitCase {
  readonly name: string;
  readonly className: string;
  readonly outcome: "passed" | "failed" | "error" | "skipped";
  readonly message?: string;
  readonly durationMs?: number;
  readonly output?: string;
}

/** Results as JUnit XML. */
export function junit(name: string, suites: readonly JunitSuite[]): string {
  // Lone halves of surrogate pairs have no place in UTF-8; JSON would carry them as escapes that no other reader takes.
  const json = JSON.stringify(suites, (_, value: unknown) => (typeof value === "string" ? Buffer.from(value).toString() : value));
  return fromNative(() => native().junitReport(name, json));
}
