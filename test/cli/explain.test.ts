import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { ROOT } from "../../scripts/lib/entries.mjs";
import { run } from "../../scripts/lib/run.mjs";
import { userEnvironment } from "../support/environment.ts";

let project = "";

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "vigiles-explain-"));
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

function write(path: string, content: unknown): void {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), typeof content === "string" ? content : JSON.stringify(content, null, 2));
}

const explain = async (...args: string[]) =>
  await run([process.execPath, join(ROOT, "bin/vigiles.mjs"), "explain", ".", "--config-dir", join(project, "user"), ...args], { cwd: project, env: userEnvironment({ NO_COLOR: "1" }), show: false });

const hooks = (...groups: [matcher: string, command: string][]) => ({ hooks: { PreToolUse: groups.map(([matcher, command]) => ({ matcher, hooks: [{ type: "command", command }] })) } });

test("says of every layer what runs, where it stands, and why not", async () => {
  write(".claude/settings.json", hooks(["Bash", "sh guard.sh"], ["bash", "sh typo.sh"]));
  write("user/settings.json", hooks(["Edit|Write", "sh user.sh"]));
  const { code, stdout } = await explain("--tool", "Bash");
  expect(code).toBe(0);
  expect(stdout).toContain("1 of 3 hooks run for PreToolUse of Bash");
  expect(stdout).toMatch(/runs {10}\.claude\/settings\.json:7 {2}\(project; command\)\n {14}sh guard\.sh\n {14}the matcher "Bash" selects "Bash"/);
  expect(stdout).toMatch(/does not run {2}\.claude\/settings\.json:\d+.*\n {14}sh typo\.sh\n {14}the matcher "bash" does not select "Bash"/);
  expect(stdout).toMatch(/does not run {2}user\/settings\.json:\d+ {2}\(user; command\)/);
});

test("--json gives the same as data", async () => {
  write(".claude/settings.local.json", hooks(["", "true"]));
  const { stdout } = await explain("--tool", "Bash", "--input", '{"command":"ls"}', "--json");
  expect(JSON.parse(stdout)).toMatchObject({ harness: "claude-code", event: "PreToolUse", hooks: [{ layer: "local", wouldRun: "yes", hook: { command: "true", pointer: "/hooks/PreToolUse/0/hooks/0" } }] });
});

test("a hook of Codex that is not trusted has its own verdict, with what would trust it", async () => {
  write(".codex/hooks.json", hooks(["Bash", "true"]));
  const { stdout } = await explain("--tool", "Bash", "--json");
  expect(JSON.parse(stdout)).toMatchObject({ harness: "codex", hooks: [{ wouldRun: "no", reason: expect.stringContaining("not trusted"), trust: { state: "untrusted", hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) } }] });
});

test.each([
  ["no hook at all", [], "No hook is registered for PreToolUse."],
  ["another event", ["--event", "Stop"], "No hook is registered for Stop."],
])("%s", async (_name, args, printed) => {
  expect(await explain(...args)).toMatchObject({ code: 0, stdout: expect.stringContaining(printed) });
});

test("what cannot be answered ends with 2 and says why", async () => {
  expect(await explain("--input", "ls")).toMatchObject({ code: 2, stderr: expect.stringContaining("expected --input to be a JSON object") });
  write(".claude/settings.json", '{ "hooks": { "PreToolUse": [ }');
  expect(await explain()).toMatchObject({ code: 2, stderr: expect.stringMatching(/settings\.json:1:\d+: expected JSON, but/) });
});
