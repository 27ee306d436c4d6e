import type { HarnessAdapter } from "./adapter.ts";

/** Codex, version 0.171.0. */
export const codexAdapter: HarnessAdapter = Object.freeze({
  name: "codex",
  title: "Codex",
  modelApi: "openai-responses",
  capabilities: Object.freeze({
    hooks: true,
    skills: false,
    subagentCalls: false,
    mcp: true,
    plugins: false,
    tools: false,
    effort: false,
    resume: true,
    sandbox: true,
  }),
  program: Object.freeze({ variable: "VIGILES_CODEX", name: "codex" }),
});
