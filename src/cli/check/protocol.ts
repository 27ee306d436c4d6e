import type { CheckResult } from "../../check/types.ts";

/** What the judging thread is started with. */
export interface JudgeSettings {
  /** The file of checks, as the user named it. */
  readonly checks: string;
  /** Where relative paths start. */
  readonly cwd: string;
  /** The directory the runs worked in. */
  readonly workDir?: string;
}

/** What one check said about one session. */
export type Judged = Pick<CheckResult, "verdict" | "message" | "code">;

/** What all checks said about one session, or why none could be judged. */
export type Judgement = { readonly results: readonly Judged[] } | { readonly error: string; readonly code: string };

/** What the thread says first. After `labels` it answers each path it is sent with a {@link Judgement}. */
export type Greeting = { readonly labels: readonly string[] } | { readonly unable: string };
