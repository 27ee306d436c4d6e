import { describe } from "vitest";

import { cliProgram } from "../../scripts/lib/clis.mjs";

/** A pinned version of a real CLI. */
export interface Cli {
  readonly version: string;
  /** Its program. */
  readonly program: string;
}

/** Runs a suite on each pinned version of Claude Code; one that was not fetched is a skip that says so. */
export function onClaude(name: string, suite: (cli: Cli) => void, versions: readonly string[] = ["2.1.332", "2.1.197"]): void {
  for (const version of versions) onCli("claude", version, `Claude Code ${version}`, name, suite);
}

/** Runs a suite on the pinned version of Codex. */
export function onCodex(name: string, suite: (cli: Cli) => void): void {
  onCli("codex", "0.171.0", "Codex 0.171.0", name, suite);
}

function onCli(cli: string, version: string, title: string, name: string, suite: (cli: Cli) => void): void {
  const program = cliProgram(cli, version);
  const label = program === undefined ? `${name} (${title} is not here: \`npm run fetch:clis\` fetches it)` : `${name} on ${title}`;
  describe.skipIf(program === undefined)(label, () => {
    suite({ version, program: program ?? "" });
  });
}
