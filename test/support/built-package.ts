import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";

import { ROOT } from "../../scripts/lib/entries.mjs";

/**
 * Puts the built package into `project/node_modules/vigiles` as an installation would: copied, because runners treat a
 * linked package as the user's own source.
 */
export function installBuiltPackage(project: string): void {
  const target = join(project, "node_modules/vigiles");
  const { files } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { files: string[] };
  const natives = readdirSync(join(ROOT, "native"))
    .filter((name) => name.endsWith(".node") || name.startsWith("vigiles-hook."))
    .map((name) => `native/${name}`);
  for (const path of ["package.json", ...files, ...natives]) {
    if (!existsSync(join(ROOT, path))) continue;
    mkdirSync(dirname(join(target, path)), { recursive: true });
    cpSync(join(ROOT, path), join(target, path), { recursive: true });
  }
}

/** Makes packages of this repository's own installation available to `project`. */
export function linkPackages(project: string, names: readonly string[]): void {
  for (const name of names) {
    const link = join(project, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", name), link);
  }
}
