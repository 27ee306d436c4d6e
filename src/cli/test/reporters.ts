import { junit, type JunitCase } from "../junit.ts";
import { type Paint, PLAIN } from "../terminal.ts";
import { indent, plural, showDuration } from "../text.ts";
import { countOf, isFailure, type Run, type ScriptResult, type Status } from "./result.ts";

/** A form of the report on a finished run. */
export type Reporter = (run: Run) => string;

/** How each status is shown. */
const NAMES: Readonly<Record<Status, string>> = {
  pass: "pass",
  "no-checks": "0 checks",
  skip: "skip",
  fail: "fail",
  "never-loaded": "never loaded",
  error: "error",
};

const WIDTH = Math.max(...Object.values(NAMES).map((name) => name.length));

/** One script for people: its status, and what it printed. */
export function showScript(script: ScriptResult, paint: Paint): string {
  const { file, status, checks, reason, durationMs, output } = script;
  const colour = { pass: paint.green, "no-checks": paint.yellow, skip: paint.yellow, fail: paint.red, "never-loaded": paint.red, error: paint.red }[status];
  const facts = [...countedChecks(status, checks), showDuration(durationMs)].join(", ");
  const lines = [`${colour(NAMES[status].padEnd(WIDTH))}  ${file}  ${paint.dim(facts)}`];
  if (reason !== undefined) lines.push(indent(reason, 4));
  if (output.trim() !== "") lines.push(indent(output.trimEnd(), 4));
  return lines.join("\n");
}

/** How many checks ran, where that says more than the status. */
function countedChecks(status: Status, checks: number | undefined): string[] {
  if (checks === undefined) return status === "pass" ? ["checks not counted"] : [];
  return checks === 0 ? [] : [plural(checks, "check")];
}

/** The end of the report for people. */
export function showSummary(run: Run, paint: Paint): string {
  const count = (status: Status, words: string, colour: (text: string) => string) => {
    const scripts = countOf(run.scripts, status);
    return scripts === 0 ? [] : [colour(`${scripts} ${words}`)];
  };
  const counts = [
    ...count("pass", "passed", paint.green),
    ...count("fail", "failed", paint.red),
    ...count("never-loaded", "never loaded", paint.red),
    ...count("error", "could not be finished", paint.red),
    ...count("skip", "skipped", paint.yellow),
    ...count("no-checks", "checked nothing", paint.yellow),
  ];
  const lines = [`${plural(run.scripts.length, "script")}: ${counts.join(", ")}; ${plural(run.checks, "check")} in ${showDuration(run.durationMs)}`];
  return [...run.problems.map((problem) => paint.red(problem)), ...lines].join("\n");
}

/** The report for people. */
const text: Reporter = (run) => `${[...run.scripts.map((script) => showScript(script, PLAIN)), "", showSummary(run, PLAIN)].join("\n")}\n`;

/** The report for programs. */
const json: Reporter = ({ passed, checks, durationMs, problems, scripts }) => `${JSON.stringify({ version: 1, passed, checks, durationMs, problems, scripts })}\n`;

const OUTCOMES: Readonly<Record<Status, JunitCase["outcome"]>> = {
  pass: "passed",
  // JUnit knows no third state, and a test that checked nothing did not pass.
  "no-checks": "skipped",
  skip: "skipped",
  fail: "failed",
  "never-loaded": "error",
  error: "error",
};

/** JUnit XML: a case for each script, and one for each demand on the run that was not met. */
const xml: Reporter = ({ scripts, problems }) => {
  const cases: JunitCase[] = scripts.map(({ file, status, reason, durationMs, output }) => ({
    name: file,
    className: "vigiles test",
    outcome: OUTCOMES[status],
    ...(reason !== undefined && { message: status === "no-checks" ? `0 checks: ${reason}` : reason }),
    durationMs,
    output,
  }));
  const demands: JunitCase[] = problems.map((message) => ({ name: "all scripts", className: "vigiles test", outcome: "failed", message }));
  return `${junit("vigiles test", [{ name: "vigiles test", cases: [...cases, ...demands] }]).trimEnd()}\n`;
};

/** Annotations of GitHub Actions. */
const github: Reporter = ({ scripts, problems }) => {
  const lines = scripts.flatMap((script) => {
    if (isFailure(script.status)) return [annotation("error", script)];
    return script.status === "no-checks" ? [annotation("warning", script)] : [];
  });
  return [...lines, ...problems.map((problem) => `::error title=vigiles test::${escapeMessage(problem)}`)].map((line) => `${line}\n`).join("");
};

function annotation(level: "error" | "warning", script: ScriptResult): string {
  const { file, status, reason = "", output } = script;
  const line = lineIn(output, file);
  const properties = [`file=${escapeProperty(file)}`, ...(line === undefined ? [] : [`line=${line}`]), `title=${escapeProperty(NAMES[status])}`];
  return `::${level} ${properties.join(",")}::${escapeMessage([reason, output.trim()].filter(Boolean).join("\n"))}`;
}

/** The line of the script that a stack points at. */
function lineIn(output: string, file: string): string | undefined {
  const at = `${file}:`;
  for (let from = output.indexOf(at); from !== -1; from = output.indexOf(at, from + 1)) {
    const [line] = /^\d+/.exec(output.slice(from + at.length, from + at.length + 10)) ?? [];
    if (line !== undefined) return line;
  }
  return undefined;
}

const escapeMessage = (message: string) => message.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const escapeProperty = (value: string) => escapeMessage(value).replaceAll(":", "%3A").replaceAll(",", "%2C");

/** The forms by their names. */
export const REPORTERS = { default: text, json, junit: xml, github } as const satisfies Record<string, Reporter>;
