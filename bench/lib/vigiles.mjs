import { existsSync } from "node:fs";

const ENTRY = new URL("../../dist/index.mjs", import.meta.url);

/** Whether the package was built; the rows measure what is published, not the sources. */
export const isBuilt = () => existsSync(ENTRY);

export const loadVigiles = () => import(ENTRY);
export const loadClaudeCode = () => import(new URL("claude-code.mjs", ENTRY));
