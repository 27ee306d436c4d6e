import type { HarnessAdapter } from "./adapter.ts";

/** Claude Code, versions 2.1.197 to 2.1.332. */
export const claudeCodeAdapter: HarnessAdapter = Object.freeze({
  name: "claude-code",
  title: "Claude Code",
  modelApi: "anthropic-messages",
  capabilities: Object.freeze({
    hooks: true,
    skills: true,
    subagentCalls: true,
    mcp: true,
    plugins: true,
    tools: true,
    effort: true,
    resume: true,
    sandbox: true,
  }),
  program: Object.freeze({ variable: "VIGILES_CLAUDE", name: "claude" }),
});
