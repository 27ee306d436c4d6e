import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/** How Node is started for a script, or why it cannot be. */
export type Loader = { readonly flags: readonly string[] } | { readonly problem: string };

/** Whether a script is TypeScript. */
function isTypeScript(file: string): boolean {
  return /\.[mc]?ts$/.test(file);
}

/**
 * How Node runs a script. tsx comes first where the project has it: it takes all of TypeScript, and the same on every
 * version of Node.
 */
export function loaderFor(file: string): Loader {
  if (!isTypeScript(file)) return { flags: [] };
  const tsx = tsxFor(file);
  if (tsx !== undefined) return { flags: ["--import", pathToFileURL(tsx).href] };
  if (stripsTypes()) return { flags: [] };
  return {
    problem:
      `it is TypeScript, which this Node (${process.version}) does not run and the project has no tsx for. ` +
      "Run `npm install --save-dev tsx`, or use Node 22.18, 23.6 or newer",
  };
}

/** The loader of tsx, as a module in this file would find it. */
export function tsxFor(file: string): string | undefined {
  try {
    return createRequire(file).resolve("tsx");
  } catch {
    return undefined;
  }
}

/** Whether this Node runs TypeScript by itself. */
export function stripsTypes(): boolean {
  // Newer than the types of the oldest supported Node.
  const { typescript } = process.features as { typescript?: false | "strip" | "transform" };
  return typescript !== undefined && typescript !== false;
}
