import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

import type { Finding } from "./finding.ts";

interface Runner {
  /** The package, and the name of the entry that registers matchers. */
  readonly name: "vitest" | "jest";
  /** The oldest major version that is supported. */
  readonly oldest: number;
  /** Where its settings are. */
  readonly config: RegExp;
  /** The setting that names setup files. */
  readonly setting: string;
}

const RUNNERS: readonly Runner[] = [
  { name: "vitest", oldest: 3, config: /^vite(?:st)?\.(?:config|workspace)\.[mc]?[jt]s$/, setting: "setupFiles" },
  { name: "jest", oldest: 29, config: /^(?:jest\.config\.(?:[mc]?[jt]s|json)|package\.json)$/, setting: "setupFilesAfterEnv" },
];

/** The test runners of the project, and whether the matchers are registered with them. */
export function runners(cwd: string): Finding[] {
  return RUNNERS.map((runner) => look(runner, cwd));
}

function look({ name, oldest, config, setting }: Runner, cwd: string): Finding {
  const version = installedVersion(name, cwd);
  if (version === undefined) return { name, status: "ok", found: "not in the project" };
  if (major(version) < oldest) {
    return { name, status: "problem", found: version, advice: `\`vigiles/${name}\` needs ${name} ${oldest} or newer: \`npm install --save-dev ${name}@latest\`` };
  }
  const entry = `vigiles/${name}`;
  if (isWired(entry, cwd, config)) return { name, status: "ok", found: `${version}, set up with ${entry}` };
  return {
    name,
    status: "note",
    found: `${version}, without the matchers of vigiles`,
    advice: `to use them, add ${setting}: ["${entry}"] to its configuration, or import "${entry}" in a test`,
  };
}

/** The first number of a version. */
export function major(version: string): number {
  return Number(version.split(".", 1)[0]);
}

function installedVersion(name: string, cwd: string): string | undefined {
  try {
    const manifest = createRequire(join(cwd, "package.json")).resolve(`${name}/package.json`);
    return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
  } catch {
    return undefined;
  }
}

/** Whether the configuration, or a local file that it names, names the entry. Configurations are programs: reading is all that is safe. */
function isWired(entry: string, cwd: string, config: RegExp): boolean {
  const configs = readdirSync(cwd).filter((file) => config.test(file)).map((file) => join(cwd, file));
  return configs.some((file) => {
    const text = readFileSync(file, "utf8");
    if (text.includes(entry)) return true;
    const local = [...text.matchAll(/["'`](?:<rootDir>\/)?(\.{0,2}\/?[\w./-]+\.[mc]?[jt]sx?)["'`]/g)].map(([, path]) => resolve(dirname(file), path ?? ""));
    return local.some((path) => existsSync(path) && readFileSync(path, "utf8").includes(entry));
  });
}
