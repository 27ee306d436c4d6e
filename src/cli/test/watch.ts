import { dirname } from "node:path";

import { watch as watchPaths } from "chokidar";

import type { ExitCode } from "../exit.ts";
import { filesBelow, SCRIPT_NAMES } from "../files.ts";
import { say } from "../terminal.ts";
import { messageOf } from "../text.ts";

/** Editors write a file in several steps, and branches change many files: all of it is one change. */
const SETTLE_MS = 100;

const IS_SCRIPT = /\.harness\.[mc]?[jt]s$/;

/**
 * Runs scripts, and again after every change below `cwd`, until a signal ends the process.
 *
 * While scripts run, only a change of a script starts another run: scripts write files themselves, and would start each
 * other for ever.
 */
export async function watch(cwd: string, run: () => Promise<ExitCode>): Promise<never> {
  // Files that git ignores are not watched: they are made of others.
  const folders = () => [...new Set([cwd, ...filesBelow(cwd, ["*"]).map((file) => dirname(file))])];
  const watcher = watchPaths(folders(), { ignoreInitial: true, depth: 0, ignorePermissionErrors: true });
  await new Promise<void>((resolve) => {
    watcher.once("ready", resolve);
  });

  let isRunning = false;
  let change = gate();
  watcher.on("all", (_, path) => {
    if (!isRunning || IS_SCRIPT.test(path)) change.open();
  });
  watcher.on("error", (error) => say(`vigiles: could not watch all files: ${messageOf(error)}`));

  for (;;) {
    isRunning = true;
    try {
      await run();
    } catch (error) {
      // A script may be away for the moment between two steps of its editor.
      say(`vigiles: ${messageOf(error)}`);
    }
    await pause();
    isRunning = false;
    watcher.add(folders());
    say(`\nwaiting for a change of ${SCRIPT_NAMES} or another file; Ctrl-C ends`);
    await change.opened;
    await pause();
    change = gate();
  }
}

/** A promise, and what settles it. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, SETTLE_MS);
  });
}
