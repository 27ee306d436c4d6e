/** How a script ended. */
export type Status =
  /** It exited with 0. */
  | "pass"
  /** It exited with 0 and imports vigiles, but checked nothing: neither good nor bad, and not to be taken for good. */
  | "no-checks"
  /** It called `skip()`. */
  | "skip"
  /** It exited with another code, or a signal ended it. */
  | "fail"
  /** A module could not be loaded, before the first check. */
  | "never-loaded"
  /** It could not be run to its end. */
  | "error";

/** What one script did. */
export interface ScriptResult {
  /** From the working directory. */
  readonly file: string;
  readonly status: Status;
  /** How many checks ran; `undefined` when nobody counted: the script does not import vigiles, or was killed. */
  readonly checks: number | undefined;
  /** Why, for every status but `pass`. */
  readonly reason?: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly durationMs: number;
  /** Both streams in the order they were written; the middle of a long text is left out. */
  readonly output: string;
}

/** Results of all scripts, and what was asked of them together. */
export interface Run {
  /** In the order of their names. */
  readonly scripts: readonly ScriptResult[];
  readonly durationMs: number;
  /** How many checks ran in all. */
  readonly checks: number;
  /** What of `--min` and `--no-skip` was not met. */
  readonly problems: readonly string[];
  /** Whether nothing failed. */
  readonly passed: boolean;
}

/** Whether a script that ended like this makes the run fail. */
export function isFailure(status: Status): boolean {
  return status === "fail" || status === "never-loaded" || status === "error";
}

/** How many scripts ended like this. */
export function countOf(scripts: readonly ScriptResult[], status: Status): number {
  return scripts.filter((script) => script.status === status).length;
}

/** What is asked of all scripts together. */
export interface Demands {
  /** Whether a script may skip itself. */
  readonly skip: boolean;
  /** The least number of checks. */
  readonly min?: number;
}

/** Sums up a run. */
export function sumUp(scripts: readonly ScriptResult[], durationMs: number, { skip, min }: Demands): Run {
  const checks = scripts.reduce((sum, script) => sum + (script.checks ?? 0), 0);
  const skipped = scripts.filter(({ status }) => status === "skip").map(({ file }) => file);
  const problems = [
    ...(min !== undefined && checks < min ? [`expected at least ${min} checks (--min), but ${checks} ran`] : []),
    ...(!skip && skipped.length > 0 ? [`expected no script to skip itself (--no-skip), but these did: ${skipped.join(", ")}`] : []),
  ];
  return { scripts, durationMs, checks, problems, passed: problems.length === 0 && !scripts.some(({ status }) => isFailure(status)) };
}
