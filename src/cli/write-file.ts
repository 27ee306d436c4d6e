import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

import { UnableError } from "./exit.ts";
import { messageOf } from "./text.ts";

function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It was never there: what should be its folder is a file.
  }
}

/** Writes a report whole or not at all: whoever reads it while it is written again gets the old one. */
export function writeReport(path: string, text: string): void {
  const target = resolve(path);
  const pending = `${target}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(pending, text);
    renameSync(pending, target);
  } catch (error) {
    discard(pending);
    throw new UnableError(`expected to write the report to ${path}, but ${messageOf(error)}`);
  }
}
