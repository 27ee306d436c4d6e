import { spawnSync } from "node:child_process";
import { performance } from "node:perf_hooks";

import { expect, test } from "vitest";

import { manifest, ROOT } from "../../scripts/lib/entries.mjs";
import { Project, shown } from "./project.ts";

const run = async (...args: string[]) => shown(await new Project().vigiles(args));

test("--version prints the version alone", async () => {
  expect(await new Project().vigiles(["--version"])).toEqual({ code: 0, stdout: `${manifest().version}\n`, stderr: "" });
});

test("--version takes little longer than Node itself", () => {
  const time = (args: string[]) => {
    const start = performance.now();
    spawnSync(process.execPath, args, { cwd: ROOT });
    return performance.now() - start;
  };
  const best = (args: string[]) => Math.min(...Array.from({ length: 5 }, () => time(args)));
  // The verbs and the native part together take several times as long.
  expect(best(["bin/vigiles.mjs", "--version"]) - best(["-e", "0"])).toBeLessThan(100);
});

test("--help", async () => {
  expect(await run("--help")).toMatchInlineSnapshot(`
    "exit 0
    --- stdout
    Usage: vigiles [options] [command]

    Tests the harness around coding agents: hooks, skills, settings, prompts.

    Options:
      -V, --version               print the version
      -h, --help                  print help

    Commands:
      test [options] [paths...]   run test scripts
      trace [options] <file>      show what happened in a recorded session
      check [options] <files...>  judge recorded sessions
      explain [options] [dir]     say which hooks would run for an event
      doctor [options]            look whether everything needed is there

    Exit codes: 0 fine, 1 what you asked about is not fine, 2 it could not be done."
  `);
});

test("test --help", async () => {
  expect(await run("test", "--help")).toMatchInlineSnapshot(`
    "exit 0
    --- stdout
    Usage: vigiles test [options] [paths...]

    Runs test scripts (*.harness.{mjs,cjs,js,mts,cts,ts}), each in a process of its
    own, and prints what each did in the order of their names. A folder is searched
    for scripts, except in node_modules, dist, .git and what .gitignore names.

    Arguments:
      paths              scripts, folders or globs (default: the working directory)

    Options:
      --no-skip          a script that skips itself is a failure
      --min <n>          fail when fewer checks than this ran in all
      --jobs <n>         how many scripts run at a time (default: one for each
                         processor)
      --timeout <time>   kill a script, and all it started, after this long: 500ms,
                         90s, 10m, 1h (default: 10m)
      --reporter <name>  the form of the report (choices: "default", "json",
                         "junit", "github", default: "default")
      --output <file>    write the report to a file; standard output then gets the
                         default one
      --watch            run again when a file changes
      -h, --help         print help

    Each script ends as one of:
      pass          it exited with 0
      0 checks      it exited with 0 and imports vigiles, but checked nothing
      skip          it called skip()
      fail          it exited with another code, or a signal ended it
      never loaded  a module could not be loaded, before the first check
      error         it could not be run to its end: timeout, too much output

    Exit codes: 0 nothing failed; 1 a script failed, never loaded or could not be
    run to its end, or --min or --no-skip was not met; 2 there was nothing to run."
  `);
});

test("trace --help", async () => {
  expect(await run("trace", "--help")).toMatchInlineSnapshot(`
    "exit 0
    --- stdout
    Usage: vigiles trace [options] <file>

    Shows what happened in a recorded session: Claude Code stream-json, json or
    session file, Codex exec --json.

    Arguments:
      file              the recording

    Options:
      --session <file>  the session file of the same run: gives hooks their command
                        and duration
      --cwd <dir>       the directory the run worked in, as it is after the run
      --json            print the whole trace as JSON
      -h, --help        print help"
  `);
});

test("check --help", async () => {
  expect(await run("check", "--help")).toMatchInlineSnapshot(`
    "exit 0
    --- stdout
    Usage: vigiles check [options] <files...>

    Judges recorded sessions by checks, and prints the result of each check on each
    session.

    Arguments:
      files             recordings, or globs

    Options:
      --checks <file>   the checks: JSON (a list, or {"checks": list}), or a module
                        whose default export is a list
      --cwd <dir>       the directory the runs worked in, for checks of files
      --json            print the results as JSON
      --junit <file>    write the results to a file as JUnit XML
      --timeout <time>  give up on a session after this long: 500ms, 90s, 10m, 1h
                        (default: 10s)
      -h, --help        print help

    Exit codes: 0 every check holds; 1 some do not, or could not be judged;
    2 nothing could be judged at all."
  `);
});

test("doctor --help", async () => {
  expect(await run("doctor", "--help")).toMatchInlineSnapshot(`
    "exit 0
    --- stdout
    Usage: vigiles doctor [options]

    Looks whether everything that vigiles needs is there, and says what to do about
    what is not.

    Options:
      --json      print the findings as JSON
      -h, --help  print help

    Exit codes: 0 all that is needed is there, 1 something is not."
  `);
});

test("without a verb it prints its help as an error", async () => {
  const { code, stdout, stderr } = await new Project().vigiles([]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("Usage: vigiles");
});

test.each([
  [["tets"], "error: unknown command 'tets'\n(Did you mean test?)"],
  [["test", "--no-skp"], "error: unknown option '--no-skp'\n(Did you mean --no-skip?)"],
  [["trace", "a.jsonl", "--jsn"], "error: unknown option '--jsn'\n(Did you mean --json?)"],
  [["doctor", "extra"], "error: too many arguments for 'doctor'. Expected 0 arguments but got 1."],
  [["trace"], "error: missing required argument 'file'"],
  [["check", "a.jsonl"], "error: required option '--checks <file>' not specified"],
  [["test", "--jobs=0"], "error: option '--jobs <n>' argument '0' is invalid. Expected a whole number of at least 1."],
  [["test", "--min=many"], "error: option '--min <n>' argument 'many' is invalid. Expected a whole number of at least 1."],
  [["test", "--timeout=10"], "error: option '--timeout <time>' argument '10' is invalid. Expected a time with its unit, such as 500ms, 90s, 10m or 1h."],
  [["test", "--timeout=30d"], "error: option '--timeout <time>' argument '30d' is invalid. Expected a time with its unit, such as 500ms, 90s, 10m or 1h."],
  [["test", "--timeout=1000h"], "error: option '--timeout <time>' argument '1000h' is invalid. Expected a time with its unit, such as 500ms, 90s, 10m or 1h."],
  [["test", "--reporter=xml"], "error: option '--reporter <name>' argument 'xml' is invalid. Allowed choices are default, json, junit, github."],
])("%j is refused", async (args, message) => {
  expect(await new Project().vigiles(args)).toEqual({ code: 2, stdout: "", stderr: `${message}\n` });
});
