import { defineConfig, type UserConfig } from "tsdown";

import { entries } from "./scripts/lib/entries.mjs";

const library = Object.fromEntries(entries().map(({ name, source }) => [name, source]));

const shared = {
  platform: "node",
  target: "node20",
  tsconfig: "tsconfig.build.json",
  dts: true,
  sourcemap: true,
  clean: true,
  // How long plugins took is no problem of the sources.
  checks: { pluginTimings: false },
} satisfies UserConfig;

// Each of the two formats shares one set of chunks between its entries, so that a class is the same class whichever entry it came from.
export default defineConfig([
  { ...shared, format: "esm", entry: { ...library, cli: "src/cli.ts", "check-worker": "src/cli/check/worker.ts" } },
  // Loaded into test scripts with `node --require`.
  { ...shared, format: "cjs", entry: { ...library, preload: "src/cli/test/preload.ts" } },
]);
