import { existsSync } from "node:fs";
import { join } from "node:path";

import { ROOT } from "./entries.mjs";

/**
 * The versions of the real CLIs that are tested. Their packages are large and proprietary: `npm run fetch:clis` puts
 * them into `.clis/`, which is never committed.
 */
export const CLIS = [
  { name: "claude", version: "2.1.332", package: "@anthropic-ai/claude-code-linux-x64", program: "@anthropic-ai/claude-code-linux-x64/claude" },
  { name: "claude", version: "2.1.197", package: "@anthropic-ai/claude-code-linux-x64", program: "@anthropic-ai/claude-code-linux-x64/claude" },
  { name: "codex", version: "0.171.0", package: "@openai/codex", program: "@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex" },
];

/**
 * The folder that a CLI is installed into.
 *
 * @param {{ name: string, version: string }} cli
 */
export function cliFolder({ name, version }) {
  return join(ROOT, ".clis", `${name}-${version}`);
}

/**
 * The program of a pinned CLI; `undefined` where it was not fetched.
 *
 * @param {string} name
 * @param {string} version
 * @returns {string | undefined}
 */
export function cliProgram(name, version) {
  const cli = CLIS.find((one) => one.name === name && one.version === version);
  if (cli === undefined) throw new Error(`No CLI ${name} ${version} is pinned; there are ${CLIS.map((one) => `${one.name} ${one.version}`).join(", ")}.`);
  const program = join(cliFolder(cli), "node_modules", cli.program);
  return existsSync(program) ? program : undefined;
}
