import { statSync } from "node:fs";
import { relative, resolve, sep } from "node:path";

import { fromNative } from "../errors.ts";
import { native } from "../native.ts";
import { UnableError } from "./exit.ts";
import { say } from "./terminal.ts";

/** Names of test scripts. */
export const SCRIPT_NAMES = "*.harness.{mjs,cjs,js,mts,cts,ts}";

/** Files below a folder by globs of their names; `node_modules`, `dist`, `.git` and what git ignores are passed over. */
export function filesBelow(folder: string, names: readonly string[]): string[] {
  return found(fromNative(() => native().discoverFiles(folder, [...names])));
}

/** The recordings that paths and globs name, sorted. */
export function recordings(patterns: readonly string[], cwd: string): string[] {
  return distinct(patterns, cwd, (path) => [path]);
}

/** The scripts that paths, folders and globs name, sorted; those below `cwd` when nothing is named. */
export function scripts(paths: readonly string[], cwd: string): string[] {
  return distinct(paths.length === 0 ? ["."] : paths, cwd, (path, isFolder) => {
    if (!isFolder) return [path];
    const below = filesBelow(path, [SCRIPT_NAMES]);
    if (below.length > 0) return below;
    throw new UnableError(`expected test scripts (${SCRIPT_NAMES}) in ${showPath(path, cwd)}, but found none. Name a script, or a folder that holds some`);
  });
}

/** Absolute paths, each once, in the order of how they are shown. */
function distinct(patterns: readonly string[], cwd: string, expand: (path: string, isFolder: boolean) => string[]): string[] {
  const paths = patterns.flatMap((pattern) => {
    const path = resolve(cwd, pattern);
    const stats = statSync(path, { throwIfNoEntry: false });
    // A name may hold the characters of a glob: what is there is meant.
    if (stats !== undefined) return expand(path, stats.isDirectory());
    const globbed = isGlob(pattern) ? found(fromNative(() => native().expandGlobPattern(cwd, pattern))) : [];
    if (globbed.length > 0) return globbed;
    throw new UnableError(
      isGlob(pattern)
        ? `expected files that fit ${pattern}, but there are none. * stays within one folder, ** goes through all`
        : `expected a file or folder at ${pattern}, but there is none. Paths start at ${cwd}`,
    );
  });
  return [...new Set(paths.map((path) => resolve(cwd, path)))].toSorted((a, b) => (showPath(a, cwd) < showPath(b, cwd) ? -1 : 1));
}

function isGlob(pattern: string): boolean {
  return /[*?[{]/.test(pattern);
}

function found(json: string): string[] {
  const { files, unreadable } = JSON.parse(json) as { files: string[]; unreadable: string[] };
  for (const problem of unreadable) say(`vigiles: could not look into a folder: ${problem}`);
  return files;
}

/** A path as people read it: from the working directory, with `/`. */
export function showPath(path: string, cwd: string): string {
  return (relative(cwd, path) || ".").replaceAll(sep, "/");
}
