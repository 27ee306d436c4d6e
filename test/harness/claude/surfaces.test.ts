import { fileURLToPath } from "node:url";

import { expect, it } from "vitest";
import { assertChecks, assertRequestContains, assertSkillResolved, mcp, received, requestContains, skill, skillResolved, subagent, tool, withHarness, type HarnessTestResult, type HarnessTestSpec } from "vigiles";

import { onClaude } from "../clis.ts";

const DONE = { text: "done" };
const GUARD = "test/fixtures/plugins/guard";
const call = (name: string, input: Record<string, unknown>) => ({ tool: name, input });
const useSkill = (name: string, args = "Bob") => call("Skill", { skill: name, args });
const agent = (subagent_type: string, prompt: string) => call("Agent", { description: "work", prompt, subagent_type });

const GREET = "---\nname: greet\ndescription: Greets a person.\n---\nGreet $ARGUMENTS like a sailor.\n";
const SCOUT = "---\nname: scout\ndescription: Looks around.\ntools: Bash\n---\nYou look around, quietly.\n";
const SERVER = { command: process.execPath, args: [fileURLToPath(new URL("../../fixtures/mcp/echo-server.mjs", import.meta.url))] };

interface Case {
  readonly spec: Omit<HarnessTestSpec, "claude">;
  readonly see: (result: HarnessTestResult, version: string) => void;
}

const SKILLS: Record<string, Case> = {
  "of the project": {
    spec: { files: { ".claude/skills/greet/SKILL.md": GREET }, allowedTools: ["Skill"], model: [useSkill("greet"), DONE] },
    see: (result) => {
      assertSkillResolved(result, "greet");
      assertRequestContains(result, "Greet Bob like a sailor.");
      expect(result.skills).toContain("greet");
    },
  },
  "that is not there": {
    spec: { allowedTools: ["Skill"], model: [useSkill("nosuch"), DONE] },
    see: (result) => {
      expect(skillResolved(result, "nosuch")).toBe(false);
      expect(result.toolCalls).toMatchObject([{ isError: true, resultText: expect.stringContaining("Unknown skill: nosuch") }]);
    },
  },
  "that a rule denies": {
    spec: { files: { ".claude/skills/greet/SKILL.md": GREET, ".claude/settings.json": '{"permissions":{"deny":["Skill(greet)"]}}' }, allowedTools: ["Skill"], model: [useSkill("greet"), DONE] },
    see: (result) => {
      expect(skillResolved(result, "greet")).toBe(false);
      expect(result.toolCalls).toMatchObject([{ denied: true, isError: true }]);
    },
  },
  "as a /name prompt, which calls no tool": {
    spec: { prompt: "/greet Zed", files: { ".claude/skills/greet/SKILL.md": GREET }, model: [DONE] },
    see: (result) => {
      expect(result.toolCalls).toEqual([]);
      assertRequestContains(result, "Greet Zed like a sailor.");
      expect(() => assertSkillResolved(result, "greet")).toThrow(/\/greet/);
    },
  },
  "of a plugin, by its full name": {
    spec: { pluginDir: GUARD, allowedTools: ["Skill"], model: [useSkill("guard:greet"), DONE] },
    see: (result) => {
      assertChecks(result, [skill("guard:greet"), received("lighthouse keeper")]);
      expect(result.skills).toContain("guard:greet");
    },
  },
  "of a plugin, by its bare name": {
    spec: { pluginDir: GUARD, allowedTools: ["Skill"], model: [useSkill("greet"), DONE] },
    see: (result) => assertChecks(result, [skill("greet"), skill("guard:greet")]),
  },
  "of a directory of loose skills": {
    spec: { skillsDir: `${GUARD}/skills`, allowedTools: ["Skill"], model: [useSkill("vigiles-loose-skills:greet"), DONE] },
    see: (result) => assertChecks(result, [skill("vigiles-loose-skills:greet"), received("lighthouse keeper")]),
  },
};

const AGENTS: Record<string, Case> = {
  "of the project: its calls, its turns, its text": {
    spec: {
      files: { ".claude/agents/scout.md": SCOUT },
      model: { turns: [agent("scout", "Look around."), DONE], subagents: { scout: [call("Bash", { command: "echo a cave" }), { text: "There is a cave." }] } },
    },
    see: (result) => {
      assertChecks(result, [subagent("scout", [tool("Bash")]), tool("Task")]);
      expect(result.subagents).toMatchObject([{ name: "scout", output: expect.stringContaining("There is a cave."), toolCalls: [{ name: "Bash", resultText: "a cave", turn: 1 }] }]);
      expect(result.turns).toBe(2);
      const own = result.modelRequests.filter(({ kind }) => kind === "subagent");
      expect(own.map(({ agent: name }) => name)).toEqual(["scout", "scout"]);
      expect(own[0]?.system).toContain("You look around, quietly.");
      expect(own[0]?.tools).toEqual(["Bash"]);
    },
  },
  "two types at once cannot take each other's turns": {
    spec: {
      agents: { one: { description: "One.", prompt: "You are one." }, two: { description: "Two.", prompt: "You are two." } },
      model: {
        turns: [{ tools: [agent("one", "First."), agent("two", "Second.")] }, DONE],
        subagents: { one: [{ delayMs: 200, ...call("Bash", { command: "echo 1" }) }, { text: "one is done" }], two: [call("Bash", { command: "echo 2" }), { text: "two is done" }] },
      },
    },
    see: (result) => {
      const outputs = Object.fromEntries(result.subagents?.map(({ name, output }) => [name, output]) ?? []);
      expect(outputs).toEqual({ one: expect.stringContaining("one is done"), two: expect.stringContaining("two is done") });
      assertChecks(result, [subagent("one", [tool("Bash")]), subagent("two", [tool("Bash")])]);
    },
  },
  "in the background: the main agent goes on": {
    spec: {
      backgroundTasks: true,
      files: { ".claude/agents/scout.md": SCOUT },
      model: { turns: [{ ...agent("scout", "Look around."), input: { ...agent("scout", "Look around.").input, run_in_background: true } }, { text: "meanwhile" }, { text: "it reported" }], subagents: { scout: [{ text: "A cave." }] } },
    },
    see: (result) => {
      expect(result.subagents).toMatchObject([{ name: "scout" }]);
      expect(result.modelRequests.some(({ kind }) => kind === "subagent")).toBe(true);
    },
  },
  "of a type that is not there": {
    spec: { model: [agent("nobody", "Hello?"), DONE] },
    see: (result) => expect(result.toolCalls).toMatchObject([{ isError: true, resultText: expect.stringContaining("Agent type 'nobody' not found") }]),
  },
  "of a plugin": {
    spec: { pluginDir: GUARD, model: { turns: [agent("guard:reviewer", "Review."), DONE], subagents: { "guard:reviewer": [{ text: "fine" }] } } },
    see: (result) => expect(result.subagents).toMatchObject([{ name: "guard:reviewer", output: expect.stringContaining("fine") }]),
  },
};

const MCP: Record<string, Case> = {
  "connected and called": {
    spec: { mcpServers: { demo: SERVER }, allowedTools: ["mcp__demo__echo"], model: [call("mcp__demo__echo", { text: "hello" }), DONE] },
    see: (result) => {
      assertChecks(result, [mcp("demo", "echo"), received("echo: hello")]);
      expect(result.mcpServers).toEqual([{ name: "demo", status: "connected" }]);
    },
  },
  "of the project's .mcp.json": {
    spec: { files: { ".mcp.json": JSON.stringify({ mcpServers: { demo: SERVER } }) }, allowedTools: ["mcp__demo__echo"], model: [call("mcp__demo__echo", { text: "hello" }), DONE] },
    see: (result) => assertChecks(result, [mcp("demo", "echo")]),
  },
  "that does not start": {
    spec: { mcpServers: { demo: { command: process.execPath, args: ["-e", "process.exit(1)"] } }, model: [DONE] },
    see: (result) => expect(result.mcpServers).toEqual([{ name: "demo", status: "failed" }]),
  },
  "whose tool is not allowed": {
    spec: { mcpServers: { demo: SERVER }, model: [call("mcp__demo__echo", { text: "hello" }), DONE] },
    see: (result) => expect(result.toolCalls).toMatchObject([{ name: "mcp__demo__echo", denied: true, isError: true }]),
  },
  "whose tool fails": {
    spec: { mcpServers: { demo: SERVER }, allowedTools: ["mcp__demo__fail"], model: [call("mcp__demo__fail", {}), DONE] },
    see: (result) => expect(result.toolCalls).toMatchObject([{ denied: false, isError: true, resultText: expect.stringContaining("it broke") }]),
  },
};

const CONTEXT: Record<string, Case> = {
  "CLAUDE.md with an include, rules, and the user's own": {
    spec: {
      files: { "CLAUDE.md": "Main rule.\n@docs/more.md\n", "docs/more.md": "Included rule.", "CLAUDE.local.md": "Local rule.", ".claude/rules/one.md": "Ruled rule." },
      home: { ".claude/CLAUDE.md": "User rule." },
      model: [DONE],
    },
    see: (result) => {
      for (const text of ["Main rule.", "Included rule.", "Local rule.", "Ruled rule.", "User rule."]) assertRequestContains(result, text);
    },
  },
  "AGENTS.md, which the older version does not read": {
    spec: { files: { "AGENTS.md": "Agents rule." }, model: [DONE] },
    see: (result, version) => expect(requestContains(result, "Agents rule.")).toBe(version !== "2.1.197"),
  },
  "a slash command with arguments and a shell part": {
    spec: { prompt: "/guard:hi Bob", pluginDir: GUARD, model: [DONE] },
    see: (result) => assertRequestContains(result, /Say hi to Bob\. The shell says: from the shell/),
  },
  "an output style": {
    spec: { outputStyle: "test/fixtures/output-styles/pirate.md", model: [DONE] },
    see: (result) => assertRequestContains(result, "Speak like a pirate, always."),
  },
  "a plugin's files copied into the work dir, with its hooks": {
    spec: { plugin: GUARD, model: [call("Bash", { command: "rm -rf x" }), DONE] },
    see: (result) => {
      expect(result.hooks).toMatchObject([{ blocked: true, stderr: "rm is not for agents\n" }]);
      expect(result.file("hooks/deny-rm.sh")).toContain("rm is not for agents");
    },
  },
  "settings with {cwd}, variables, files that become executable": {
    spec: {
      files: { "tool.sh": "#!/bin/sh\necho $GREETING\n" },
      env: { GREETING: "ahoy" },
      settings: { hooks: { SessionStart: [{ hooks: [{ type: "command", command: "{cwd}/tool.sh" }] }] } },
      model: [DONE],
    },
    see: (result) => expect(result.hooks).toMatchObject([{ stdout: "ahoy\n", command: `${result.cwd}/tool.sh` }]),
  },
  "several prompts in one session": {
    spec: { prompts: ["first", "second"], model: [{ text: "one" }, { text: "two" }] },
    see: (result) => {
      expect([result.output, result.replies, result.turns]).toEqual(["two", ["one", "two"], 2]);
      expect(result.modelRequests[1]?.messages.map(({ text }) => text).join("\n")).toMatch(/first[^]*one[^]*second/);
      // 10 tokens in and 5 out, twice, at 3 and 15 dollars a million.
      expect(result.usage?.costUsd).toBeCloseTo(0.00021, 8);
    },
  },
  "a tool that is not allowed, and a tool that is denied": {
    spec: { allowedTools: ["Bash"], disallowedTools: ["Bash(git *)"], model: [{ tools: [call("Write", { file_path: "a.txt", content: "x" }), call("Bash", { command: "git status" })] }, DONE] },
    see: (result) => {
      expect(result.toolCalls?.map(({ denied }) => denied)).toEqual([true, true]);
      expect(result.permissionDenials).toHaveLength(2);
    },
  },
  "tools that exist": {
    spec: { tools: ["Bash", "Read"], model: [DONE] },
    see: (result) => expect(result.modelRequests[0]?.tools?.toSorted()).toEqual(["Bash", "Read"]),
  },
  "permission modes": {
    spec: { permissionMode: "bypassPermissions", allowedTools: [], model: [call("Write", { file_path: "a.txt", content: "x" }), DONE] },
    see: (result) => expect(result.file("a.txt")).toBe("x"),
  },
  "an effort": {
    spec: { effort: "low", modelName: "claude-opus-4-8", model: [DONE] },
    see: (result) => expect(result.modelRequests[0]?.raw.output_config).toMatchObject({ effort: "low" }),
  },
};

for (const [name, cases] of Object.entries({ "a skill": SKILLS, "a subagent": AGENTS, "an MCP server": MCP, "what reaches the model": CONTEXT })) {
  onClaude(name, ({ program, version }) => {
    it.concurrent.each(Object.entries(cases))("%s", async (_name, { spec, see }) => {
      await withHarness({ claude: program, ...spec }, (result) => see(result, version));
    });
  });
}
