import { readFileSync } from "node:fs";
import { join } from "node:path";

import { Command, CommanderError, Option } from "commander";

import { VigilesError } from "../errors.ts";
import { Exit, type ExitCode, UnableError } from "./exit.ts";
import { duration, wholeNumber } from "./options.ts";
import { endWithReader, say } from "./terminal.ts";
import { messageOf } from "./text.ts";

/** The names `--reporter` takes. */
const REPORTERS = ["default", "json", "junit", "github"] as const;

/**
 * The command.
 *
 * @param args The arguments after the command's own name.
 * @param root The folder of this package.
 * @returns the exit code
 */
export async function main(args: readonly string[], root: string): Promise<number> {
  endWithReader();
  let exit: ExitCode = Exit.ok;
  const program = build(root, (code) => {
    exit = code;
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? Exit.ok : Exit.unable;
    say(`vigiles: ${isExpected(error) ? error.message : unexpected(error)}`);
    return Exit.unable;
  }
}

function isExpected(error: unknown): error is Error {
  return error instanceof UnableError || error instanceof VigilesError;
}

/** A fault of the command's own: its stack is what a report needs. */
function unexpected(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
}

/** The verbs. The code of each is loaded when it runs: `--version` and `--help` need none of it. */
function build(root: string, end: (code: ExitCode) => void): Command {
  const program = new Command("vigiles")
    .description("Tests the harness around coding agents: hooks, skills, settings, prompts.")
    .version(versionOf(root), "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand(false)
    .addHelpText("after", EXIT_CODES)
    // Copied to the verbs, so it stands before them.
    .exitOverride();

  program
    .command("test")
    .summary("run test scripts")
    .description(
      "Runs test scripts (*.harness.{mjs,cjs,js,mts,cts,ts}), each in a process of its own, and prints what each did in the order of their names. " +
        "A folder is searched for scripts, except in node_modules, dist, .git and what .gitignore names.",
    )
    .argument("[paths...]", "scripts, folders or globs (default: the working directory)")
    .option("--no-skip", "a script that skips itself is a failure")
    .option("--min <n>", "fail when fewer checks than this ran in all", wholeNumber(1))
    .option("--jobs <n>", "how many scripts run at a time (default: one for each processor)", wholeNumber(1))
    .addOption(new Option("--timeout <time>", "kill a script, and all it started, after this long: 500ms, 90s, 10m, 1h").argParser(duration).default(600_000, "10m"))
    .addOption(new Option("--reporter <name>", "the form of the report").choices(REPORTERS).default("default"))
    .option("--output <file>", "write the report to a file; standard output then gets the default one")
    .option("--watch", "run again when a file changes")
    .addHelpText("after", TEST_STATES)
    .action(async (paths: string[], options) => end(await (await import("./test/index.ts")).test(paths, { ...options, root })));

  program
    .command("trace")
    .summary("show what happened in a recorded session")
    .description("Shows what happened in a recorded session: Claude Code stream-json, json or session file, Codex exec --json.")
    .argument("<file>", "the recording")
    .option("--session <file>", "the session file of the same run: gives hooks their command and duration")
    .option("--cwd <dir>", "the directory the run worked in, as it is after the run")
    .option("--json", "print the whole trace as JSON")
    .action(async (file: string, options) => end((await import("./trace.ts")).trace(file, options)));

  program
    .command("check")
    .summary("judge recorded sessions")
    .description("Judges recorded sessions by checks, and prints the result of each check on each session.")
    .argument("<files...>", "recordings, or globs")
    .requiredOption("--checks <file>", "the checks: JSON (a list, or {\"checks\": list}), or a module whose default export is a list")
    .option("--cwd <dir>", "the directory the runs worked in, for checks of files")
    .option("--json", "print the results as JSON")
    .option("--junit <file>", "write the results to a file as JUnit XML")
    .addOption(new Option("--timeout <time>", "give up on a session after this long: 500ms, 90s, 10m, 1h").argParser(duration).default(10_000, "10s"))
    .addHelpText("after", CHECK_EXIT_CODES)
    .action(async (files: string[], options) => end(await (await import("./check.ts")).check(files, { ...options, root })));

  program
    .command("explain")
    .summary("say which hooks would run for an event")
    .description("Says which hooks of every settings layer would run for an event, with file and line, and why the others would not.")
    .argument("[dir]", "the project's directory", ".")
    .option("--event <name>", "the event", "PreToolUse")
    .option("--tool <name>", "the tool of a tool event")
    .option("--input <json>", "the tool's arguments")
    .option("--subject <text>", "what the matcher of another event is compared with: the source of a start, an agent's type")
    .addOption(new Option("--harness <name>", "the CLI (default: the one whose settings are there)").choices(["claude-code", "codex"]))
    .option("--config-dir <dir>", "the CLI's configuration directory (default: the user's)")
    .option("--plugin <dirs...>", "plugins, as with --plugin-dir of Claude Code")
    .option("--settings <file>", "a settings file, as with --settings of Claude Code")
    .option("--json", "print the answer as JSON")
    .addHelpText("after", EXPLAIN_EXIT_CODES)
    .action(async (dir: string, options) => end((await import("./explain.ts")).explain(dir, options)));

  program
    .command("doctor")
    .summary("look whether everything needed is there")
    .description("Looks whether everything that vigiles needs is there, and says what to do about what is not.")
    .option("--json", "print the findings as JSON")
    .addHelpText("after", DOCTOR_EXIT_CODES)
    .action(async (options) => end(await (await import("./doctor/index.ts")).doctor({ ...options, root, version: versionOf(root) })));

  return program;
}

/** The version of this package. */
function versionOf(root: string): string {
  return (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }).version;
}

const EXIT_CODES = `
Exit codes: 0 fine, 1 what you asked about is not fine, 2 it could not be done.`;

const TEST_STATES = `
Each script ends as one of:
  pass          it exited with 0
  0 checks      it exited with 0 and imports vigiles, but checked nothing
  skip          it called skip()
  fail          it exited with another code, or a signal ended it
  never loaded  a module could not be loaded, before the first check
  error         it could not be run to its end: timeout, too much output

Exit codes: 0 nothing failed; 1 a script failed, never loaded or could not be
run to its end, or --min or --no-skip was not met; 2 there was nothing to run.`;

const CHECK_EXIT_CODES = `
Exit codes: 0 every check holds; 1 some do not, or could not be judged;
2 nothing could be judged at all.`;

const EXPLAIN_EXIT_CODES = `
Exit codes: 0 the question was answered; 2 it could not be, for example because
a settings file is not what the CLI reads.`;

const DOCTOR_EXIT_CODES = `
Exit codes: 0 all that is needed is there, 1 something is not.`;
