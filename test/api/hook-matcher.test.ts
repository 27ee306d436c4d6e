import { decideHookCondition, type HookCli, hookMatcherIssues, hookMatcherReach, preToolUse, runHook } from "vigiles";
import { describe, expect, test } from "vitest";

import { refusal } from "../support/thrown.ts";

describe("hookMatcherReach", () => {
  test.each<[string | null | undefined, string, HookCli, string]>([
    [undefined, "Bash", "claude-code", "selects"],
    [null, "Bash", "codex", "selects"],
    ["", "Bash", "claude-code", "selects"],
    ["*", "Bash", "claude-code", "selects"],
    ["*", "Bash", "codex", "uncompilable"],
    ["**", "Bash", "claude-code", "uncompilable"],
    ["Edit", "NotebookEdit", "claude-code", "misses"],
    ["Edit", "NotebookEdit", "codex", "selects"],
    ["Edit|Write", "NotebookEdit", "claude-code", "misses"],
    ["(Edit|Write)", "NotebookEdit", "claude-code", "selects"],
    ["^(Edit|Write)$", "NotebookEdit", "claude-code", "misses"],
    ["Edit, Write", "Edit", "claude-code", "selects"],
    ["Edit Write", "Edit", "claude-code", "misses"],
    ["ash", "Bash", "claude-code", "misses"],
    ["ash", "Bash", "codex", "selects"],
    ["mcp__github__.*", "mcp__github__get", "claude-code", "selects"],
  ])("%j and %s with %s: %4$s", (matcher, tool, cli, expected) => {
    expect(hookMatcherReach(matcher, tool, { cli })).toBe(expected);
  });

  test("speaks of Claude Code unless told", () => {
    expect(hookMatcherReach("Edit", "NotebookEdit")).toBe("misses");
  });

  test("refuses what is not a matcher, a tool, a CLI, an option", () => {
    expect(refusal(() => hookMatcherReach(1 as never, "Bash"))).toBe("VIGILES_INVALID_ARGUMENT: expected matcher to be a string, but got number");
    expect(refusal(() => hookMatcherReach("Bash", undefined as never))).toBe("VIGILES_INVALID_ARGUMENT: expected tool to be a string, but got undefined");
    expect(refusal(() => hookMatcherReach("Bash", "Bash", { cli: "claude" as never }))).toMatch(/^VIGILES_INVALID_ARGUMENT: expected the CLI to be "claude-code" or "codex"/);
    expect(refusal(() => hookMatcherReach("Bash", "Bash", { style: "regex" } as never))).toMatch(/^VIGILES_INVALID_ARGUMENT: .*hookMatcherReach knows, but got "style"/);
  });
});

describe("hookMatcherIssues", () => {
  const of = (matcher: string, options?: Parameters<typeof hookMatcherIssues>[1]) => hookMatcherIssues([{ event: "PreToolUse", matcher }], options).map(({ kind, suggestion }) => [kind, suggestion]);

  test("names the trouble and a matcher without it", () => {
    expect(of("bash")).toEqual([["tool-typo", "Bash"]]);
    expect(of("Edit Write")).toEqual([["tool-typo", "Edit|Write"]]);
    expect(of("Edit, Write")).toEqual([]);
    expect(of("**")).toEqual([["invalid-regex", "*"]]);
    expect(of("mcp_github_create")).toEqual([["mcp-form", "mcp__github__.*"]]);
    expect(of("mcp__[a-z]+__.*")).toEqual([["mcp-narrow", "mcp__.*__.*"]]);
    expect(of("Bash")).toEqual([]);
    expect(of("Edit|Write")).toEqual([]);
  });

  test("knows the declared servers, and the rules of the CLI", () => {
    expect(of("mcp__githbu__.*", { servers: ["github"] })).toEqual([["mcp-undeclared", "mcp__github__.*"]]);
    expect(of("mcp__githbu__.*")).toEqual([]);
    expect(of("*", { cli: "codex" })).toEqual([["invalid-regex", ".*"]]);
  });

  test("speaks once of each matcher, and of none where none is given", () => {
    const issues = hookMatcherIssues([{ event: "PreToolUse", matcher: "bash" }, { event: "PostToolUse", matcher: "bash" }, { event: "Stop" }, { event: "Stop", matcher: null }]);
    expect(issues).toEqual([{ matcher: "bash", kind: "tool-typo", suggestion: "Bash", message: expect.stringMatching(/^expected the name of a tool, but .*write "Bash"$/) }]);
  });

  test("refuses entries that are none, and options that it does not know", () => {
    expect(refusal(() => hookMatcherIssues("bash" as never))).toMatch(/^VIGILES_INVALID_ARGUMENT: expected a list of matchers/);
    expect(refusal(() => hookMatcherIssues([], { server: ["github"] } as never))).toMatch(/^VIGILES_INVALID_ARGUMENT: .*did you mean "servers"/);
  });
});

describe("decideHookCondition", () => {
  const push = { event: "PreToolUse", tool: "Bash", input: { command: "cd x && git push -f" } } as const;

  test("says whether the hook runs, and why", () => {
    expect(decideHookCondition("Bash(git push:*)", push)).toEqual({ runs: true, why: expect.stringContaining("matches the call") });
    expect(decideHookCondition("Bash(npm publish:*)", push)).toEqual({ runs: false, why: expect.stringContaining("does not match") });
    expect(decideHookCondition(undefined, push).runs).toBe(true);
    expect(decideHookCondition("Bash(npm publish:*)", { ...push, cli: "codex" }).runs).toBe(true);
    expect(decideHookCondition("Bash", { event: "Stop" }).runs).toBe(false);
  });

  test("takes paths from the directories that it is given", () => {
    const edit = { event: "PreToolUse", tool: "Edit", input: { file_path: "/p/src/a.ts" } } as const;
    expect(decideHookCondition("Edit(/src/**)", { ...edit, root: "/p" }).runs).toBe(true);
    expect(decideHookCondition("Edit(/src/**)", { ...edit, root: "/q" }).runs).toBe(false);
    expect(decideHookCondition("Edit(~/src/**)", { ...edit, home: "/p" }).runs).toBe(true);
    expect(decideHookCondition("Edit(~/src/**)", { ...edit, home: "/q" }).runs).toBe(false);
  });

  test("is what runHook goes by", () => {
    for (const condition of ["Bash(git push:*)", "Bash(npm publish:*)", "Edit", "Bash"]) {
      expect(runHook("exit 0", preToolUse("Bash", push.input), { condition }).ran, condition).toBe(decideHookCondition(condition, push).runs);
    }
  });

  test("refuses fields that it does not know", () => {
    expect(refusal(() => decideHookCondition("Bash", { event: "PreToolUse", tools: "Bash" } as never))).toMatch(/^VIGILES_INVALID_ARGUMENT: .*did you mean "tool"/);
  });
});
