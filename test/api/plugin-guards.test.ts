/** The guards of a plugin against the disaster battery. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";
import { DISASTER_CATALOG, experimental_verifyPluginGuards, type PluginGuardReport } from "vigiles";
import { codexAdapter } from "vigiles/codex";

import { confinementMissing, skipping } from "../support/confinement.ts";

const PUSHES = ["force-push", "chained-force-push"];

function write(files: Record<string, string>): string {
  const dir = mkdtempSync(join(tmpdir(), "vigiles-guards-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return dir;
}

const hooks = (...commands: string[]) => JSON.stringify({ hooks: { PreToolUse: [{ matcher: "Bash", hooks: commands.map((command) => ({ type: "command", command })) }] } });
const GUARD = 'case "$(cat)" in *"git push"*) echo "no pushing" >&2; exit 2;; esac\n';
const plugin = (...commands: string[]) => write({ "hooks/hooks.json": hooks(...commands), "guard.sh": GUARD });
const told = ({ hooks: swept }: PluginGuardReport) => swept.map((hook) => (hook.status === "measured" ? [hook.blocked, hook.allowed.length, hook.notRun] : [hook.status, hook.reason]));

describe("experimental_verifyPluginGuards, of a plugin that is trusted", () => {
  it("says what each hook did with each disaster", () => {
    const dir = plugin('sh "${CLAUDE_PLUGIN_ROOT}/guard.sh"', "exit 0");
    const report = experimental_verifyPluginGuards(dir, { trusted: true });
    expect(report).toMatchObject({ dir, event: "PreToolUse", harness: "claude-code", notes: [], unmeasurable: [] });
    expect(report.events).toEqual(DISASTER_CATALOG);
    expect(told(report)).toEqual([
      [PUSHES, 5, []],
      [[], 7, []],
    ]);
    expect(report.hooks[0]).toMatchObject({ hook: { index: 0, event: "PreToolUse", matcher: "Bash", condition: null, file: join(dir, "hooks/hooks.json"), line: 1 }, results: expect.arrayContaining([expect.objectContaining({ outcome: "blocked", reason: "no pushing" })]) });
  });

  it("sends only what is asked for", () => {
    const report = experimental_verifyPluginGuards(plugin('sh "${CLAUDE_PLUGIN_ROOT}/guard.sh"'), { trusted: true, categories: ["destructive-git"] });
    expect(told(report)).toEqual([[PUSHES, 1, []]]);
    expect(report.events.map(({ category }) => category)).toEqual(Array.from({ length: 3 }, () => "destructive-git"));
  });

  it("gives a hook the project's directory and the variables of the test", () => {
    const project = write({ "allowed.txt": "" });
    const report = experimental_verifyPluginGuards(plugin('[ -f "$CLAUDE_PROJECT_DIR/allowed.txt" ] && [ "$MODE" = strict ] && exit 2; exit 0'), { trusted: true, cwd: project, env: { MODE: "strict" } });
    expect(told(report)).toEqual([[DISASTER_CATALOG.map(({ id }) => id), 0, []]]);
  });

  it("says which variable is missing", () => {
    expect(told(experimental_verifyPluginGuards(plugin("sh $GUARDS_OF_NOBODY/guard.sh"), { trusted: true }))).toEqual([["unresolved", expect.stringContaining("reads the variable GUARDS_OF_NOBODY, which is not set here")]]);
  });

  it("says that no hook is no guard", () => {
    const report = experimental_verifyPluginGuards(write({ "hooks/hooks.json": "{}" }), { trusted: true });
    expect(report).toMatchObject({ hooks: [], notes: [expect.stringContaining("an absence of guards")] });
  });

  it("judges by Codex's rules, where the directory is a repository", () => {
    const dir = write({ ".codex/hooks.json": hooks("cat > /dev/null; echo no >&2; exit 2") });
    const report = experimental_verifyPluginGuards(dir, { trusted: true, adapter: codexAdapter });
    expect(report.harness).toBe("codex");
    expect(told(report)).toEqual([[DISASTER_CATALOG.map(({ id }) => id), 0, []]]);
  });

  it.each([
    ["VIGILES_PLUGIN_MISSING", () => join(tmpdir(), "vigiles-no-such-plugin")],
    ["VIGILES_SETTINGS_INVALID", () => write({ "hooks/hooks.json": '{"hooks": {"PreTolUse": []}}' })],
  ])("refuses what is no plugin: %s", (code, dir) => {
    expect(() => experimental_verifyPluginGuards(dir(), { trusted: true })).toThrow(expect.objectContaining({ code }));
  });
});

describe.skipIf(skipping("guards of untrusted plugins", confinementMissing()))("experimental_verifyPluginGuards, of anybody's plugin", () => {
  it("runs its hooks confined", () => {
    const outside = write({ "secret.txt": "the secret" });
    const touched = join(outside, "touched.txt");
    const dir = plugin(`touch ${touched}; cat ${join(outside, "secret.txt")} >&2; sh "\${CLAUDE_PLUGIN_ROOT}/guard.sh"`);
    const report = experimental_verifyPluginGuards(dir);
    expect(told(report)).toEqual([[PUSHES, 5, []]]);
    expect(JSON.stringify(report)).not.toContain("the secret");
    expect(existsSync(touched)).toBe(false);
    // The same plugin, trusted, gets it done.
    expect(JSON.stringify(experimental_verifyPluginGuards(dir, { trusted: true }))).toContain("the secret");
    expect(existsSync(touched)).toBe(true);
  });

  it("says that a relative path needs the project", () => {
    expect(told(experimental_verifyPluginGuards(plugin("sh ./guards/guard.sh")))).toEqual([["unresolved", expect.stringContaining("A relative path needs the project's directory: give it as `cwd`")]]);
    const project = write({ "guards/guard.sh": GUARD });
    expect(told(experimental_verifyPluginGuards(plugin("sh ./guards/guard.sh"), { cwd: project }))).toEqual([[PUSHES, 5, []]]);
  });
});
