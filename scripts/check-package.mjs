/** Checks the package as it would be published: publint on its files and metadata, attw on its types for each kind of import. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { run } from "./lib/run.mjs";

const archives = mkdtempSync(join(tmpdir(), "vigiles-check-"));
try {
  process.exitCode = await check();
} finally {
  rmSync(archives, { recursive: true, force: true });
}

async function check() {
  const pack = await run([process.execPath, "scripts/pack.mjs", archives], { show: false });
  if (pack.code !== 0) {
    console.error(pack.stderr);
    return 1;
  }
  const [main = ""] = pack.stdout.trim().split("\n");
  let worst = 0;
  for (const tool of [
    ["node_modules/publint/src/cli.js", "run", main, "--strict"],
    // Resolution without `exports` (node10) finds the root entry alone, as it must for any package with several entries.
    ["node_modules/@arethetypeswrong/cli/dist/index.js", main, "--profile", "node16"],
  ]) {
    worst = Math.max(worst, (await run([process.execPath, ...tool])).code);
  }
  return worst;
}
