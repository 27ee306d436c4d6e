import { join } from "node:path";

import { ROOT } from "../../scripts/lib/entries.mjs";

/** The path of a recording of Claude Code, the newest version that there are recordings of. */
export function claude(name: string, version = "2.1.332"): string {
  return join(ROOT, "test/fixtures/golden/claude", version, `${name}.jsonl`);
}

/** The path of a Claude Code session file. */
export function claudeSession(name: string, version = "2.1.332"): string {
  return join(ROOT, "test/fixtures/golden/claude/sessions", version, `${name}.jsonl`);
}

/** The path of a recording of Codex. */
export function codex(name: string): string {
  return join(ROOT, "test/fixtures/golden/codex/0.171.0", `${name}.jsonl`);
}
