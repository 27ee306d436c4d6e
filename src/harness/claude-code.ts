import type { HarnessAdapter, HarnessDialect } from "./adapter.ts";
import { shellHook, skillText } from "./dialect.ts";

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
  }),
  program: Object.freeze({ variable: "VIGILES_CLAUDE", name: "claude" }),
  hookProtocol: "claude-code",
  dialect: Object.freeze<HarnessDialect>({
    shell: (command) => ({ tool: "Bash", input: { command } }),
    instructions: "CLAUDE.md",
    skill: (skill) => ({ [`.claude/skills/${skill.name}/SKILL.md`]: skillText(skill) }),
    plugin: ({ name, skill }) => ({
      ".claude-plugin/plugin.json": JSON.stringify({ name }),
      [`skills/${skill.name}/SKILL.md`]: skillText(skill),
    }),
    callSkill: (name) => `/${name}`,
    shellHook,
    allowMcp: (server) => ({ allowedTools: [`mcp__${server}`] }),
  }),
});
