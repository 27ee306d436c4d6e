import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { describe, expect, it } from "vitest";
import { explainHooks, withHarness, type ExplainHooksOptions, type HarnessTestSpec, type ModelStep } from "vigiles";

import { onClaude } from "../clis.ts";

/**
 * A hook that leaves a mark when it runs. Each case registers one, asks `explainHooks`, and looks whether the real CLI
 * ran it: the answer must be the same, or `unknown`.
 */
interface Case {
  readonly event?: string;
  readonly matcher?: string;
  readonly if?: string;
  /** Fields of the handler. */
  readonly handler?: Record<string, unknown>;
  /** The call that the model makes. */
  readonly call?: { readonly tool: string; readonly input: Record<string, unknown> };
  /** Where the hook stands. Default: the project's settings. */
  readonly place?: "user" | "project" | "local" | "flag" | "plugin";
  /** Other settings in the same file. */
  readonly beside?: Record<string, unknown>;
  readonly args?: readonly string[];
  readonly options?: ExplainHooksOptions;
}

const bash = (command: string) => ({ tool: "Bash", input: { command } });
const write = (file_path: string) => ({ tool: "Write", input: { file_path, content: "x" } });

const CASES: Record<string, Case> = {
  ...table("matcher", ["", "*", ".*", "Bash", "bash", "Bas", "ash", "Ba.*", "as.", "^as.", "Bash|Edit", "Bash, Edit", "Bash Edit", " Bash ", "|Bash", ",", "Edit|Write", "(Bash)", "[", "**", "B?ash", "a:b|Ba", "a-b|Ba", "(?i)bash", "Bash(echo *)", "^Bash$", "Task|Bash", "mcp__.*"], (matcher) => ({ matcher, call: bash("echo hi") })),
  ...table("if", ["Bash", "Bash(echo *)", "Bash(echo:*)", "Bash(echo hi)", "Bash(ls *)", "Bash(git *)", "Edit", "Bash(*)", "Bash(echo*)", "Bash(*hi)", "bash(echo *)"], (condition) => ({ if: condition, call: bash("echo hi") })),
  ...table("if on a chain", ["Bash(git push *)", "Bash(rm *)", "Bash(cd *)"], (condition) => ({ if: condition, call: bash("cd . && git push --dry-run") })),
  ...table("if on a path", ["Write(*.txt)", "Write(sub/**)", "Write(*.md)", "Write(/sub/a.txt)", "Edit(*.txt)"], (condition) => ({ if: condition, call: write("sub/a.txt") })),
  ...table("place", ["user", "project", "local", "flag", "plugin"] as const, (place) => ({ place, matcher: "Bash", call: bash("echo hi") })),
  ...table("--setting-sources user with a hook of", ["user", "project", "local", "flag"] as const, (place) => ({ place, call: bash("echo hi"), args: ["--setting-sources", "user"], options: { settingSources: ["user"] } })),
  ...table("--setting-sources project with a hook of", ["user", "project", "local"] as const, (place) => ({ place, call: bash("echo hi"), args: ["--setting-sources", "project"], options: { settingSources: ["project"] } })),
  "disableAllHooks of the project": { call: bash("echo hi"), beside: { disableAllHooks: true } },
  "disableAllHooks of the user, a hook of the user": { place: "user", call: bash("echo hi"), beside: { disableAllHooks: true } },
  "disableAllHooks: false": { call: bash("echo hi"), beside: { disableAllHooks: false } },
  "--bare": { place: "flag", call: bash("echo hi"), args: ["--bare"], options: { bare: true } },
  "async": { call: bash("echo hi"), handler: { async: true } },
  ...table("another event", ["UserPromptSubmit", "Stop", "SessionStart", "SessionEnd", "PostToolUse"], (event) => ({ event, call: bash("echo hi"), options: event === "SessionStart" ? { subject: "startup" } : {} })),
  ...table("SessionStart with matcher", ["startup", "resume", "start.*", "startup|resume"], (matcher) => ({ event: "SessionStart", matcher, options: { subject: "startup" } })),
  "UserPromptSubmit with a matcher": { event: "UserPromptSubmit", matcher: "nothing" },
  "Stop with a matcher": { event: "Stop", matcher: "nothing" },
  "UserPromptSubmit with a condition": { event: "UserPromptSubmit", if: "Bash(echo *)" },
  "PostToolUseFailure of a failing call": { event: "PostToolUseFailure", matcher: "Bash", call: bash("exit 3") },
};

function table<K extends string>(name: string, keys: readonly K[], make: (key: K) => Case): Record<string, Case> {
  return Object.fromEntries(keys.map((key) => [`${name} ${JSON.stringify(key)}`, make(key)]));
}

/** The marking hook as it stands in a settings file. */
function hooksOf({ event = "PreToolUse", matcher, if: condition, handler = {} }: Case, mark: string): Record<string, unknown> {
  const hook = { type: "command", command: `touch ${mark}`, ...(condition === undefined ? {} : { if: condition }), ...handler };
  return { hooks: { [event]: [{ ...(matcher === undefined ? {} : { matcher }), hooks: [hook] }] } };
}

/** A case as files: the path of the settings file is the same for the CLI and for `explainHooks`. */
function laidOut(one: Case, mark: string): { spec: Partial<HarnessTestSpec>; files: Record<string, string>; options: ExplainHooksOptions } {
  const text = JSON.stringify({ ...one.beside, ...hooksOf(one, mark) });
  switch (one.place ?? "project") {
    case "user":
      return { spec: { home: { ".claude/settings.json": text } }, files: { "config/settings.json": text }, options: {} };
    case "local":
      return { spec: { files: { ".claude/settings.local.json": text } }, files: { "project/.claude/settings.local.json": text }, options: {} };
    case "flag":
      return { spec: { settings: JSON.parse(text) as unknown }, files: { "flag.json": text }, options: { settings: "flag.json" } };
    case "plugin":
      return { spec: {}, files: { "plugin/.claude-plugin/plugin.json": '{"name":"demo"}', "plugin/hooks/hooks.json": text }, options: { plugins: ["plugin"] } };
    default:
      return { spec: { files: { ".claude/settings.json": text } }, files: { "project/.claude/settings.json": text }, options: {} };
  }
}

describe("the table", () => {
  it("has at least 60 settings", () => {
    expect(Object.keys(CASES).length).toBeGreaterThanOrEqual(60);
  });
});

onClaude("explainHooks says what the CLI does", ({ program }) => {
  it.concurrent.each(Object.entries(CASES))("%s", async (_name, one) => {
    const dir = mkdtempSync(join(tmpdir(), "vigiles-explain-"));
    try {
      const mark = join(dir, "ran");
      const { spec, files, options } = laidOut(one, mark);
      for (const [path, text] of Object.entries({ "project/.keep": "", ...files })) {
        mkdirSync(dirname(join(dir, path)), { recursive: true });
        writeFileSync(join(dir, path), text);
      }
      const turns: ModelStep[] = one.call === undefined ? [{ text: "done" }] : [{ tool: one.call.tool, input: one.call.input }, { text: "done" }];
      const [explained] = explainHooks(join(dir, "project"), one.event ?? "PreToolUse", {
        configDir: join(dir, "config"),
        ...(one.call === undefined ? {} : { tool: one.call.tool, input: one.call.input }),
        ...one.options,
        ...(options.settings === undefined ? {} : { settings: join(dir, options.settings) }),
        ...(options.plugins === undefined ? {} : { plugins: [join(dir, "plugin")] }),
      });
      // The hook leaves its mark outside of the work dir: what is not trusted could not.
      const ran = await withHarness(
        { claude: program, model: turns, args: one.args ?? [], ...spec, ...(options.plugins === undefined ? {} : { pluginDir: join(dir, "plugin"), trusted: true }) },
        ({ sh }) => sh(`test -e ${mark} && echo yes || echo no`).trim(),
      );
      expect([ran, "unknown"], explained?.reason).toContain(explained?.wouldRun);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});
