/**
 * Fetches the pinned versions of the real CLIs into `.clis/`, without running anything of theirs.
 *
 *     node scripts/fetch-clis.mjs
 *
 * What is there already stays. Only Linux on x86-64 has them; elsewhere it says so and does nothing.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { cliFolder, cliProgram, CLIS } from "./lib/clis.mjs";
import { run } from "./lib/run.mjs";

if (process.platform === "linux" && process.arch === "x64") {
  process.exitCode = await fetchAll();
} else {
  console.log(`The pinned CLIs are for Linux on x86-64, this is ${process.platform}-${process.arch}: tests of the real CLIs will be skipped.`);
}

async function fetchAll() {
  for (const cli of CLIS) {
    const { name, version } = cli;
    if (cliProgram(name, version) !== undefined) continue;
    const folder = cliFolder(cli);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), `${JSON.stringify({ private: true, description: "fetched by scripts/fetch-clis.mjs" })}\n`);
    console.log(`Fetching ${name} ${version}`);
    const { code } = await run(["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--prefix", folder, `${cli.package}@${version}`]);
    if (code !== 0) return code;
    if (cliProgram(name, version) === undefined) {
      console.error(`Expected ${cli.program} in ${cli.package}@${version}, but the package does not have it.`);
      return 1;
    }
  }
  return 0;
}
