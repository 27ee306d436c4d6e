import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";

const running = new Set<ChildProcess>();

/** What is done to leave nothing behind, however this process ends. */
const cleanups = new Set<() => void>();

let isGuarded = false;

/** Sees to it that a child ends with this process. */
export function track(child: ChildProcess): void {
  guard();
  running.add(child);
  child.once("exit", () => running.delete(child));
}

/** Runs `cleanup` when this process ends, by a signal too, unless the returned function ran it before. */
export function atEnd(cleanup: () => void): () => void {
  guard();
  cleanups.add(cleanup);
  return () => {
    if (cleanups.delete(cleanup)) cleanup();
  };
}

/** Kills a child and all that it started: each child leads a process group of its own. */
export function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nothing of it is left.
  }
}

function guard(): void {
  if (isGuarded) return;
  isGuarded = true;
  process.on("exit", () => {
    for (const child of running) killGroup(child);
    for (const cleanup of cleanups) cleanup();
  });
  // The terminal sends Ctrl-C to the group in the foreground, and the children are not in it.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  }
}
