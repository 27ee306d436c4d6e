import type { KnipConfig } from "knip";

import { entries } from "./scripts/lib/entries.mjs";

export default {
  entry: [...entries().map(({ source }) => source), "src/cli.ts", "scripts/*.mjs", "bench/*.mjs", "examples/**/*.{mjs,cjs,js,ts}"],
  project: ["src/**/*.ts", "scripts/**/*.mjs", "test/**/*.ts", "bench/**/*.mjs"],
  ignore: ["test/runners/projects/**"],
  // Started by the path of their command, so that a script works without a shell.
  ignoreDependencies: ["@arethetypeswrong/cli", "@napi-rs/cli", "jest", "tsx"],
  ignoreBinaries: ["rustc"],
} satisfies KnipConfig;
