import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

import { explainHooks } from "vigiles";
import { loadPlugin, resolveHarness } from "vigiles/claude-code";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

let dir = "";

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "vigiles-surfaces-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function write(files: Record<string, string>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return dir;
}

const HOOK = '{ "hooks": { "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "true", "timeout": 5 }] }] } }';

describe("loadPlugin", () => {
  test("gives everything of a plugin, with the place of each hook", () => {
    const plugin = loadPlugin("test/fixtures/plugins/guard");
    expect(plugin).toMatchObject({
      name: "guard",
      version: "1.2.0",
      hooks: [{ event: "PreToolUse", matcher: "Bash", type: "command", line: 3, pointer: "/hooks/PreToolUse/0/hooks/0", command: 'sh "${CLAUDE_PLUGIN_ROOT}/hooks/deny-rm.sh"' }],
      skills: [{ name: "greet", allowedTools: ["Read", "Bash(echo *)"] }],
      agents: [{ name: "reviewer", description: "Reviews a change." }],
      commands: [{ name: "hi" }],
      mcpServers: {},
      warnings: [],
    });
  });

  test("follows the manifest to other places, and takes inline hooks and servers", () => {
    const manifest = { name: "other", skills: "./more/skills", agents: ["./more/agents"], hooks: "./more/hooks.json", mcpServers: { demo: { command: "demo" } } };
    const plugin = loadPlugin(
      write({
        ".claude-plugin/plugin.json": JSON.stringify(manifest),
        "more/skills/a/SKILL.md": "---\ndescription: A.\n---\n",
        "more/agents/team/b.md": "You are b.",
        "more/hooks.json": HOOK,
        ".mcp.json": '{ "mcpServers": { "second": { "command": "second" } } }',
      }),
    );
    expect(plugin.skills.map(({ name }) => name)).toEqual(["a"]);
    expect(plugin.agents.map(({ name }) => name)).toEqual(["team:b"]);
    expect(plugin.hooks.map(({ file, timeout }) => [basename(file), timeout])).toEqual([["hooks.json", 5]]);
    expect(Object.keys(plugin.mcpServers)).toEqual(["demo", "second"]);
    const inline = loadPlugin(write({ ".claude-plugin/plugin.json": JSON.stringify({ name: "inline", hooks: JSON.parse(HOOK) as unknown }) }));
    expect(inline.hooks.map(({ event }) => event)).toContain("PreToolUse");
  });

  test("says what a run will not exercise", () => {
    const prompt = '{ "hooks": { "Stop": [{ "hooks": [{ "type": "prompt", "prompt": "Done?" }, { "type": "http", "url": "http://x" }] }] } }';
    const { warnings } = loadPlugin(write({ "hooks/hooks.json": prompt, "CLAUDE.md": "Rules.", ".lsp.json": "{}", "skills/empty/readme.txt": "", "skills/mute/SKILL.md": "Nothing." }));
    for (const part of ["CLAUDE.md", "LSP servers", 'type "prompt"', 'type "http"', "a directory without SKILL.md", "without a `description`"]) expect(warnings.join("\n")).toContain(part);
  });

  test.each<[string, Record<string, string>, string, RegExp]>([
    ["a directory that is no plugin", { "readme.txt": "" }, "VIGILES_PLUGIN_MISSING", /expected a plugin, but .* has no \.claude-plugin\/plugin\.json/],
    ["a manifest that is no JSON", { ".claude-plugin/plugin.json": "{ name: 'x' }" }, "VIGILES_PLUGIN_INVALID", /plugin\.json: .*line 1/],
    ["a manifest with a wrong name", { ".claude-plugin/plugin.json": '{ "name": 7 }' }, "VIGILES_PLUGIN_INVALID", /`name`: invalid type: integer/],
    ["hooks that are named and not there", { ".claude-plugin/plugin.json": '{ "name": "x", "hooks": "./no.json" }' }, "VIGILES_SETTINGS_UNREADABLE", /no\.json could not be read/],
    ["an event that is spelled wrong", { "hooks/hooks.json": HOOK.replace("PreToolUse", "PreTolUse") }, "VIGILES_SETTINGS_INVALID", /hooks\.json:1:\d+: .*write "PreToolUse"/],
    ["a hook without a command", { "hooks/hooks.json": HOOK.replace('"command": "true", ', "") }, "VIGILES_SETTINGS_INVALID", /expected `command`.* \(at \/hooks\/PreToolUse\/0\/hooks\/0\)/],
    ["a time limit that is a text", { "hooks/hooks.json": HOOK.replace("5", '"5s"') }, "VIGILES_SETTINGS_INVALID", /expected a number of seconds above 0, but got a string/],
    ["a comma too many", { "hooks/hooks.json": HOOK.replace("}] }] } }", "}], }] } }") }, "VIGILES_SETTINGS_INVALID", /expected JSON, but/],
    ["frontmatter without an end", { "skills/a/SKILL.md": "---\nname: a\n" }, "VIGILES_PLUGIN_INVALID", /frontmatter begins with `---` and has no end/],
    ["frontmatter that is no YAML", { "agents/a.md": "---\nname: [\n---\n" }, "VIGILES_PLUGIN_INVALID", /a\.md: its frontmatter is not what the CLI reads/],
    ["settings nested without end", { "hooks/hooks.json": `${"[".repeat(50_000)}` }, "VIGILES_SETTINGS_INVALID", /nested deeper than 100 levels/],
  ])("refuses %s", (_name, files, code, message) => {
    expect(() => loadPlugin(write(files))).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) }));
  });
});

describe("resolveHarness", () => {
  test("reads a repository for Claude Code", () => {
    const found = resolveHarness(
      write({ ".claude/settings.json": HOOK, ".claude/settings.local.json": HOOK, ".claude/skills/a/SKILL.md": "---\nname: a\ndescription: A.\n---\n", ".claude/agents/b.md": "b", ".claude/commands/c/d.md": "d", "CLAUDE.md": "x", ".mcp.json": '{ "mcpServers": { "demo": {} } }' }),
    );
    expect(found.hooks.map(({ file }) => basename(file))).toEqual(["settings.json", "settings.local.json"]);
    expect([found.skills, found.agents, found.commands].map((list) => list.map(({ name }) => name))).toEqual([["a"], ["b"], ["c:d"]]);
    expect(found.instructions.map((file) => basename(file))).toEqual(["CLAUDE.md"]);
    expect(Object.keys(found.mcpServers)).toEqual(["demo"]);
  });

  test("and for Codex", () => {
    const found = resolveHarness(write({ ".codex/hooks.json": HOOK, ".agents/skills/a/SKILL.md": "---\ndescription: A.\n---\n", "AGENTS.md": "x", "AGENTS.override.md": "y" }), { cli: "codex" });
    expect([found.hooks.length, found.skills.map(({ name }) => name), found.instructions.map((file) => basename(file))]).toEqual([1, ["a"], ["AGENTS.override.md"]]);
  });
});

test("explainHooks refuses options and events that it does not know", () => {
  expect(() => explainHooks(dir, "PreToolUse", { tol: "Bash" } as never)).toThrow(/did you mean "tool"\?/);
  expect(explainHooks(dir, "PreToolUse", { configDir: null })).toEqual([]);
});
