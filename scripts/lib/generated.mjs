import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { ROOT } from "./entries.mjs";

/**
 * Generated files are committed, so CI compares them and never rewrites them: a build there would hide a stale one.
 */
const FROZEN = process.env["CI"] === "true";

/**
 * Brings a committed generated file up to date, or says that it is not.
 *
 * @param {string} path relative to the repository
 * @param {string} text what the generator made
 * @param {{ check: boolean, command: string }} how `check` compares only; `command` is what a reader has to run
 * @returns {boolean} whether the file held `text` before
 */
export function settle(path, text, { check, command }) {
  const file = join(ROOT, path);
  const before = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  if (before === text) return true;
  if (check) {
    const state = before === undefined ? "is missing" : `is out of date (${firstDifference(before, text)})`;
    console.error(`${path} ${state}. Run \`${command}\` and commit the result.`);
    return false;
  }
  if (FROZEN) return false;
  replace(file, text);
  return false;
}

/**
 * Writes a file by renaming a finished one over it, so that a process that has the old one open or mapped keeps it whole.
 *
 * @param {string} file
 * @param {string} content
 */
function replace(file, content) {
  const pending = `${file}.${process.pid}.tmp`;
  writeFileSync(pending, content);
  renameSync(pending, file);
}

/**
 * @param {string} before
 * @param {string} after
 */
function firstDifference(before, after) {
  const old = before.split("\n");
  const line = after.split("\n").findIndex((text, index) => text !== old[index]);
  return line === -1 ? "lines at the end are too many" : `from line ${line + 1}`;
}
