/**
 * Runs test suites, and closes with one line that sums what their own reports say: `N passed, N failed[, N skipped]`.
 *
 *     node scripts/test.mjs SUITE...
 *
 * rust      cargo test of the workspace
 * unit      vitest on the sources
 * harness   the real CLIs, as far as `npm run fetch:clis` fetched them
 * runners   the built package under other test runners, pools and versions of Node
 * packed    the packed package in empty projects
 * heavy     what takes too long for every run: test/heavy/, and ignored Rust tests with `heavy` in their path
 *
 * A suite that could not be finished, or a part of one that ran no test, counts as one failure. Exit code 0 only when nothing failed.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { run } from "./lib/run.mjs";

/** @typedef {{ passed: number, failed: number, skipped: number }} Tally */
/** @typedef {{ code: number, tally: Tally }} Outcome */

/** @type {Record<string, () => Promise<Outcome[]>>} */
const SUITES = {
  rust: async () => [await cargo([])],
  unit: async () => [await vitest("unit")],
  harness: async () => [await vitest("harness")],
  runners: async () => [await vitest("runners")],
  packed: async () => [await vitest("packed")],
  heavy: async () => [await cargo(["heavy", "--", "--ignored"]), await vitest("heavy")],
};

process.exitCode = await main(process.argv.slice(2));

/** @param {string[]} names */
async function main(names) {
  const unknown = names.filter((name) => !(name in SUITES));
  if (names.length === 0 || unknown.length > 0) {
    console.error(`Expected suites out of: ${Object.keys(SUITES).join(", ")}. Got: ${names.join(" ") || "none"}.`);
    return 2;
  }

  // Stale builds make tests lie, and a build with nothing to do is quick.
  const build = await run([process.execPath, "scripts/prepare.mjs"]);
  if (build.code !== 0) return build.code;

  /** @type {string[]} */
  const lines = [];
  let total = nothing();
  for (const name of names) {
    console.log(`\n--- ${name} ---`);
    const { tally, problem } = judge(await /** @type {() => Promise<Outcome[]>} */ (SUITES[name])());
    lines.push(`${name.padEnd(8)} ${sentence(tally)}${problem ? ` (${problem})` : ""}`);
    total = add(total, tally);
  }
  console.log(`\n${lines.join("\n")}\n\n${sentence(total)}`);
  return total.failed === 0 ? 0 : 1;
}

/**
 * @param {Outcome[]} outcomes
 * @returns {{ tally: Tally, problem?: string }}
 */
function judge(outcomes) {
  const tally = outcomes.reduce((sum, { tally: part }) => add(sum, part), nothing());
  const broken = outcomes.filter(({ code, tally: part }) => code !== 0 && part.failed === 0).length;
  if (broken > 0) return { tally: { ...tally, failed: tally.failed + broken }, problem: "could not be finished; see above" };
  // Each half of a suite for itself: one that lost all its tests must not hide behind the other.
  const empty = outcomes.filter(({ tally: part }) => part.passed + part.failed === 0).length;
  if (empty > 0) return { tally: { ...tally, failed: tally.failed + empty }, problem: "found no test to run" };
  return { tally };
}

/**
 * @param {string[]} args
 * @returns {Promise<Outcome>}
 */
async function cargo(args) {
  const { code, stdout } = await run(["cargo", "test", "--workspace", "--all-features", "--no-fail-fast", ...args]);
  const tally = nothing();
  for (const [, passed, failed, ignored] of stdout.matchAll(/^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored;/gm)) {
    tally.passed += Number(passed);
    tally.failed += Number(failed);
    tally.skipped += Number(ignored);
  }
  return { code, tally };
}

/**
 * @param {string} project of vitest.config.ts
 * @returns {Promise<Outcome>}
 */
async function vitest(project) {
  const dir = mkdtempSync(join(tmpdir(), "vigiles-test-"));
  try {
    const report = join(dir, "report.json");
    const { code } = await run([
      process.execPath,
      "node_modules/vitest/vitest.mjs",
      "run",
      `--project=${project}`,
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
    ]);
    return { code, tally: readReport(report) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/**
 * @param {string} file
 * @returns {Tally}
 */
function readReport(file) {
  let report;
  try {
    report = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return nothing(); // vitest ended before it could write: `judge` sees its exit code
  }
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** @returns {Tally} */
function nothing() {
  return { passed: 0, failed: 0, skipped: 0 };
}

/**
 * @param {Tally} a
 * @param {Tally} b
 * @returns {Tally}
 */
function add(a, b) {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

/** @param {Tally} tally */
function sentence({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
