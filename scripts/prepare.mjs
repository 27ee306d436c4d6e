/**
 * `npm install` in a checkout ends here: builds everything, and does next to nothing when nothing changed.
 * VIGILES_NATIVE_PROFILE=debug builds the native part unoptimised, which is quicker while developing.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";

import { ROOT } from "./lib/entries.mjs";
import { run } from "./lib/run.mjs";

process.exitCode = await prepare();

async function prepare() {
  // `npx vigiles` in a checkout installs the checkout into its own cache first, some versions of npm at every call: that is no time to build.
  if (process.env["npm_command"] === "exec" && isBuilt()) return 0;
  if (!existsSync(join(ROOT, "node_modules/tsdown"))) {
    console.error("vigiles: the development dependencies are not installed, so nothing was built. Run `npm install` without --omit=dev to build.");
    return 0;
  }
  if (spawnSync("cargo", ["--version"]).status !== 0) {
    console.error("vigiles: expected Rust (cargo 1.90 or newer) to build the native part, found no `cargo` on PATH. Install it from https://rustup.rs and run `npm install` again.");
    return 1;
  }
  for (const step of [
    ["scripts/build-native.mjs"],
    ["node_modules/tsdown/dist/run.mjs", "--logLevel", "warn"],
    ["scripts/build-contract.mjs"],
  ]) {
    const { code } = await run([process.execPath, ...step]);
    if (code !== 0) return code;
  }
  linkBin();
  return 0;
}

function isBuilt() {
  const native = join(ROOT, "native");
  return existsSync(join(ROOT, "dist/cli.mjs")) && existsSync(native) && readdirSync(native).some((name) => name.endsWith(".node"));
}

/** npm links the commands of dependencies but not of the package itself: without this `vigiles` in an npm script would not be found. */
function linkBin() {
  if (process.platform === "win32") return;
  const bin = join(ROOT, "node_modules/.bin");
  mkdirSync(bin, { recursive: true });
  rmSync(join(bin, "vigiles"), { force: true });
  symlinkSync("../../bin/vigiles.mjs", join(bin, "vigiles"));
}
