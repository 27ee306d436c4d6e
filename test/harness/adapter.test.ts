/** The conformance kit on the built-in adapters and the real CLIs. */
import { it } from "vitest";
import { adapterConformance } from "vigiles/adapter";
import { claudeCodeAdapter } from "vigiles/claude-code";
import { codexAdapter } from "vigiles/codex";

import { onClaude, onCodex } from "./clis.ts";

onClaude("its adapter", ({ program }) => {
  it.concurrent.each(adapterConformance(claudeCodeAdapter, { program }))("$name", async ({ run }) => await run());
});

onCodex("its adapter", ({ program }) => {
  it.concurrent.each(adapterConformance(codexAdapter, { program }))("$name", async ({ run }) => await run());
});
