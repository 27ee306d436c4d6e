import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { VigilesError } from "../../errors.ts";
import type { HarnessAdapter } from "../adapter.ts";
import type { HarnessTestResult } from "../result.ts";
import type { HarnessTestSpec } from "../spec.ts";

export type Run = (spec: HarnessTestSpec) => Promise<HarnessTestResult>;

export interface Kit {
  readonly adapter: HarnessAdapter;
  /** Runs a spec and cleans up after `see`. */
  use(spec: HarnessTestSpec, see: (result: HarnessTestResult) => void): Promise<void>;
  /** Runs a spec that must fail with a code; gives the message. */
  fails(spec: HarnessTestSpec, code: string): Promise<string>;
  readonly run: Run;
}

export type Case = readonly [name: string, test: (kit: Kit) => Promise<void>];

export const DONE = { text: "done" };

/** Fails a case that does not hold. */
export function must(holds: boolean, adapter: HarnessAdapter, expected: string, seen: string): void {
  if (holds) return;
  throw new VigilesError("VIGILES_ADAPTER_CONFORMANCE", `the adapter of ${adapter.title}: expected ${expected}, but saw ${seen}`);
}

/** A value as a message shows it. */
export function shown(value: unknown): string {
  const text = value === undefined ? "undefined (not recorded)" : (JSON.stringify(value) ?? typeof value);
  return text.length > 600 ? `${text.slice(0, 600)}...` : text;
}

/** Fails a case whose value is another. */
export function same(adapter: HarnessAdapter, what: string, seen: unknown, expected: unknown): void {
  must(JSON.stringify(seen) === JSON.stringify(expected), adapter, `${what} to be ${shown(expected)}`, shown(seen));
}

/** The texts of what the agent asked the model. */
export function asked(result: HarnessTestResult): string {
  return result.modelRequests.flatMap(({ system, messages }) => [system, ...messages.map(({ text }) => text)]).join("\n");
}

/** A directory with files, for the time of `use`. */
export async function inDirectory(files: Readonly<Record<string, string>>, use: (dir: string) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "vigiles-conformance-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), text, { mode: text.startsWith("#!") ? 0o755 : 0o644 });
    }
    await use(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
