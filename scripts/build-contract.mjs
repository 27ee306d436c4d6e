/**
 * Writes `index.d.ts`: the public types of the root entry as one file without imports of our own, for review.
 *
 *     node scripts/build-contract.mjs [--check]
 *
 * --check   write nothing; fail when the committed file differs
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { build } from "tsdown";

import { ROOT } from "./lib/entries.mjs";
import { settle } from "./lib/generated.mjs";

const HEADER = `// The public types of \`vigiles\`, rolled up from src/index.ts by \`npm run build:contract\`: read it in review, do not edit it.
// Packages get the same declarations from dist/.

`;

const { values: flags } = parseArgs({ options: { check: { type: "boolean", default: false } } });

const outDir = mkdtempSync(join(tmpdir(), "vigiles-contract-"));
try {
  await build({
    config: false,
    cwd: ROOT,
    entry: { index: "src/index.ts" },
    format: "esm",
    platform: "node",
    tsconfig: "tsconfig.build.json",
    dts: { emitDtsOnly: true },
    checks: { pluginTimings: false },
    outDir,
    logLevel: "warn",
  });
  const text = `${HEADER}${readFileSync(join(outDir, "index.d.mts"), "utf8").trimEnd()}\n`;
  const current = settle("index.d.ts", text, { check: flags.check, command: "npm run build:contract" });
  process.exitCode = flags.check && !current ? 1 : 0;
} finally {
  rmSync(outDir, { recursive: true, force: true });
}
