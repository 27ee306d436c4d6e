/**
 * Packs what a release publishes: the main package, and a native package for each platform that has its file in native/.
 * On a developer's machine that is one; a release collects those of all platforms first.
 *
 *     node scripts/pack.mjs FOLDER        prints the paths of the archives, one a line, the main package first
 *
 * The main package names its native packages only here: in the repository they would be dependencies that do not exist yet.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

import { manifest, ROOT } from "./lib/entries.mjs";

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("Expected a folder for the archives: node scripts/pack.mjs FOLDER");
  process.exit(2);
}
const destination = resolve(folder);
mkdirSync(destination, { recursive: true });

const staging = mkdtempSync(join(tmpdir(), "vigiles-pack-"));
try {
  const files = readdirSync(join(ROOT, "native")).filter((name) => name.endsWith(".node"));
  if (files.length === 0) throw new Error("expected native/*.node, found none: run `npm run build:native`");
  const natives = files.map((file) => stageNative(join(staging, file), file));
  stageMain(join(staging, "main"), Object.fromEntries(natives.map(({ name, version }) => [name, version])));
  for (const part of ["main", ...files]) console.log(npmPack(join(staging, part)));
} finally {
  rmSync(staging, { recursive: true, force: true });
}

/**
 * @param {string} dir
 * @param {string} file as in `vigiles.linux-x64-gnu.node`
 * @returns {{ name: string, version: string }}
 */
function stageNative(dir, file) {
  const { version, license, engines, napi } = manifest();
  const platform = file.slice(`${napi.binaryName}.`.length, -".node".length);
  const [os, cpu, abi] = platform.split("-");
  const name = `${napi.packageName}-${platform}`;
  writePackage(dir, {
    name,
    version,
    description: `Native part of vigiles for ${platform}`,
    license,
    main: file,
    files: [file, "vigiles-hook"],
    os: [os],
    cpu: [cpu],
    ...(os === "linux" ? { libc: [abi === "musl" ? "musl" : "glibc"] } : {}),
    engines,
  });
  cpSync(join(ROOT, "native", file), join(dir, file));
  cpSync(join(ROOT, "native", `vigiles-hook.${platform}`), join(dir, "vigiles-hook"));
  cpSync(join(ROOT, "LICENSE"), join(dir, "LICENSE"));
  return { name, version };
}

/**
 * @param {string} dir
 * @param {Record<string, string>} optionalDependencies
 */
function stageMain(dir, optionalDependencies) {
  // Nothing in a published package builds it or tests it.
  const { devDependencies: _dev, scripts: _scripts, ...published } = manifest();
  writePackage(dir, { ...published, optionalDependencies });
  for (const { path } of packedFiles()) {
    if (path === "package.json") continue;
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    cpSync(join(ROOT, path), join(dir, path));
  }
}

/** @returns {{ path: string }[]} */
function packedFiles() {
  const [{ files }] = JSON.parse(npm(["pack", "--dry-run", "--json", "--ignore-scripts"], ROOT));
  return files;
}

/**
 * @param {string} dir
 * @param {Record<string, unknown>} content
 */
function writePackage(dir, content) {
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, "package.json"), `${JSON.stringify(content, null, 2)}\n`);
}

/** @param {string} dir */
function npmPack(dir) {
  const [{ filename }] = JSON.parse(npm(["pack", "--json", "--ignore-scripts", "--pack-destination", destination], dir));
  return join(destination, filename);
}

/**
 * @param {string[]} args
 * @param {string} cwd
 */
function npm(args, cwd) {
  const { status, stdout, stderr, error } = spawnSync("npm", args, { cwd, encoding: "utf8", shell: process.platform === "win32" });
  if (status !== 0) throw new Error(`npm ${args.join(" ")} failed in ${cwd}: ${stderr}`, { cause: error });
  return stdout;
}
