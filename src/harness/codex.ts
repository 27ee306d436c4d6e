import type { HarnessAdapter, HarnessDialect } from "./adapter.ts";
import { shellHook, skillText } from "./dialect.ts";

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
  }),
  program: Object.freeze({ variable: "VIGILES_CODEX", name: "codex" }),
  hookProtocol: "codex",
  dialect: Object.freeze<HarnessDialect>({
    shell: (command) => ({ tool: "Bash", input: { command } }),
    instructions: "AGENTS.md",
    skill: (skill) => ({ [`.agents/skills/${skill.name}/SKILL.md`]: skillText(skill) }),
    callSkill: (name) => `$${name}`,
    shellHook,
  }),
});
