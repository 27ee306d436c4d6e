/**
 * Builds the native part for this machine: `native/vigiles.<platform>.node`, its loader `binding.cjs` and types `binding.d.cts`; and
 * the program `native/vigiles-hook.<platform>`.
 *
 *     node scripts/build-native.mjs [--debug] [--check]
 *
 * --debug   the unoptimised profile, for development; so does VIGILES_NATIVE_PROFILE=debug
 * --check   build nothing into native/; fail when the committed loader or types differ from what the code gives
 */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { ROOT } from "./lib/entries.mjs";
import { settle } from "./lib/generated.mjs";
import { run } from "./lib/run.mjs";

const { values: flags } = parseArgs({ options: { debug: { type: "boolean", default: false }, check: { type: "boolean", default: false } } });

const debug = flags.debug || process.env["VIGILES_NATIVE_PROFILE"] === "debug";
const native = join(ROOT, "native");
const cache = join(ROOT, "node_modules/.cache");
for (const dir of [native, cache]) mkdirSync(dir, { recursive: true });
const built = mkdtempSync(join(cache, "vigiles-native-"));
try {
  process.exitCode = await build();
} finally {
  rmSync(built, { recursive: true, force: true });
}

async function build() {
  const napi = await run([
    process.execPath,
    join(ROOT, "node_modules/@napi-rs/cli/dist/cli.js"),
    "build",
    "--platform",
    "--manifest-path=crates/vigiles-node/Cargo.toml",
    `--output-dir=${built}`,
    "--js=binding.cjs",
    "--dts=binding.d.cts",
    ...(debug ? [] : ["--release"]),
  ]);
  if (napi.code !== 0) return napi.code;

  const command = "npm run build:native";
  const current = ["binding.cjs", "binding.d.cts"].map((name) =>
    settle(`native/${name}`, readFileSync(join(built, name), "utf8"), { check: flags.check, command }),
  );
  if (flags.check) return current.every(Boolean) ? 0 : 1;

  for (const name of readdirSync(built).filter((file) => file.endsWith(".node"))) {
    // A rename, not a copy onto the old file: a running test that has the old one mapped would crash.
    renameSync(join(built, name), join(native, name));
    const code = await buildHookProgram(name.split(".")[1] ?? "");
    if (code !== 0) return code;
  }
  return 0;
}

/**
 * The program that stands between a CLI and a hook: `native/vigiles-hook.<platform>`.
 *
 * @param {string} platform as in `linux-x64-gnu`
 */
async function buildHookProgram(platform) {
  const profile = debug ? [] : ["--release"];
  const cargo = await run(["cargo", "build", "--quiet", "--package=vigiles-hook", ...profile, "--message-format=json-render-diagnostics"], { show: false });
  if (cargo.code !== 0) {
    console.error(cargo.stderr);
    return cargo.code;
  }
  const messages = cargo.stdout.split("\n").filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
  const program = messages.map(({ executable }) => executable).findLast((path) => typeof path === "string");
  if (program === undefined) throw new Error("expected cargo to name the program it built, but it named none");
  const staged = join(built, "vigiles-hook");
  copyFileSync(program, staged);
  renameSync(staged, join(native, `vigiles-hook.${platform}`));
  return 0;
}
