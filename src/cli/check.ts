import { join } from "node:path";

import type { Verdict } from "../check/types.ts";
import { Judge } from "./check/judge.ts";
import type { Judged as Said, Judgement } from "./check/protocol.ts";
import { Exit, type ExitCode } from "./exit.ts";
import { recordings, showPath } from "./files.ts";
import { junit, type JunitSuite } from "./junit.ts";
import { paintFor, print, type Paint } from "./terminal.ts";
import { indent, plural } from "./text.ts";
import { writeReport } from "./write-file.ts";

/** Options of `vigiles check`. */
export interface CheckOptions {
  readonly checks: string;
  readonly cwd?: string;
  readonly json?: boolean;
  readonly junit?: string;
  /** Milliseconds for one session. */
  readonly timeout: number;
  /** The folder of this package. */
  readonly root: string;
}

/** What one check said about one session. */
interface Judged extends Said {
  readonly check: string;
}

/** What the checks said about one session. */
interface Session {
  readonly file: string;
  /** Why no check could be judged: the file is not a recording, or it took too long. */
  readonly error?: string;
  readonly results: readonly Judged[];
}

/** `vigiles check`: judges recorded sessions. */
export async function check(files: readonly string[], options: CheckOptions): Promise<ExitCode> {
  const cwd = process.cwd();
  const { checks, timeout, root, cwd: workDir } = options;
  const judge = await Judge.start({ checks, cwd, timeout, worker: join(root, "dist/check-worker.mjs"), ...(workDir !== undefined && { workDir }) });
  const sessions: Session[] = [];
  try {
    for (const path of recordings(files, cwd)) sessions.push(sessionOf(showPath(path, cwd), judge.labels, await judge.judge(path)));
  } finally {
    await judge.close();
  }

  const counts = count(sessions);
  if (options.junit !== undefined) writeReport(options.junit, junit("vigiles check", sessions.map((session) => suiteOf(session))));
  print(options.json === true ? JSON.stringify({ version: 1, ...counts, sessions }) : show(sessions, counts, paintFor(process.stdout)));

  if (counts.fail === 0 && counts.error === 0) return Exit.ok;
  return counts.pass + counts.fail === 0 ? Exit.unable : Exit.bad;
}

function sessionOf(file: string, labels: readonly string[], judgement: Judgement): Session {
  if ("results" in judgement) return { file, results: judgement.results.map((said, index) => ({ check: labels[index] ?? "", ...said })) };
  const { error, code } = judgement;
  return { file, error, results: labels.map((label) => ({ check: label, verdict: "error", message: error, code })) };
}

function count(sessions: readonly Session[]): Record<Verdict, number> {
  const verdicts = sessions.flatMap(({ results }) => results.map(({ verdict }) => verdict));
  const of = (wanted: Verdict) => verdicts.filter((verdict) => verdict === wanted).length;
  return { pass: of("pass"), fail: of("fail"), error: of("error") };
}

function show(sessions: readonly Session[], counts: Record<Verdict, number>, paint: Paint): string {
  const blocks = sessions.map(({ file, error, results }) => {
    const lines = error === undefined ? results.map((result) => showResult(result, paint)) : [`  ${paint.yellow("?")} ${indent(error, 4).trimStart()}`];
    return [paint.bold(file), ...lines].join("\n");
  });
  const parts = [
    counts.pass > 0 && paint.green(`${counts.pass} passed`),
    counts.fail > 0 && paint.red(`${counts.fail} failed`),
    counts.error > 0 && paint.yellow(`${counts.error} could not be judged`),
  ].filter((part) => part !== false);
  const total = plural(counts.pass + counts.fail + counts.error, "check");
  return `${blocks.join("\n\n")}\n\n${plural(sessions.length, "session")}, ${total}: ${parts.join(", ")}`;
}

function showResult({ check: label, verdict, message }: Judged, paint: Paint): string {
  if (verdict === "pass") return `  ${paint.green("✓")} ${label}`;
  const mark = verdict === "fail" ? paint.red("✗") : paint.yellow("?");
  return `  ${mark} ${label}\n${indent(message, 6)}`;
}

const OUTCOMES = { pass: "passed", fail: "failed", error: "error" } as const;

function suiteOf({ file, results }: Session): JunitSuite {
  return {
    name: file,
    cases: results.map(({ check: label, verdict, message }) => ({ name: label, className: file, outcome: OUTCOMES[verdict], message })),
  };
}
