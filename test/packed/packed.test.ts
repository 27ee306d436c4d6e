import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { manifest, ROOT } from "../../scripts/lib/entries.mjs";
import { run } from "../../scripts/lib/run.mjs";
import { userEnvironment } from "../support/environment.ts";

let work = "";
let project = "";
let archives: string[] = [];

beforeAll(async () => {
  work = mkdtempSync(join(tmpdir(), "vigiles-packed-"));
  archives = (await succeed([process.execPath, "scripts/pack.mjs", join(work, "archives")], ROOT)).trim().split("\n");
  project = emptyProject("project");
  cpSync(join(ROOT, "test/packed/project"), project, { recursive: true });
  cpSync(join(ROOT, "examples/fixtures/blocked-call.jsonl"), join(project, "session.jsonl"));
  cpSync(join(ROOT, "examples/fixtures/checks.json"), join(project, "checks.json"));
  await install(project, [...archives, ...["vitest", "jest"].map((name) => `${name}@${manifest().devDependencies?.[name]}`)]);
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

test("the package, and the native part of this platform", () => {
  const names = archives.map((path) => basename(path).replace(`-${manifest().version}.tgz`, ""));
  expect(names[0]).toBe("vigiles");
  expect(names.slice(1)).toContainEqual(expect.stringContaining(`vigiles-native-${process.platform}-${process.arch}`));
});

test("vitest runs tests that import it, with its matchers", async () => {
  const report = await succeed(["npx", "--no-install", "vitest", "run", "--reporter=json"], project);
  expect(JSON.parse(report)).toMatchObject({ success: true, numPassedTests: 2, numTotalTests: 2 });
});

test("jest runs tests that require it, with its matchers", async () => {
  const report = await succeed(["npx", "--no-install", "jest", "--json", "--no-watchman"], project);
  expect(JSON.parse(report)).toMatchObject({ success: true, numPassedTests: 2, numTotalTests: 2 });
});

test("npx vigiles --version prints the version", async () => {
  expect((await vigiles("--version")).trim()).toBe(manifest().version);
});

test("npx vigiles test tells a script that checks from one that does not", async () => {
  const { scripts } = JSON.parse(await vigiles("test", "--reporter=json")) as { scripts: { file: string; status: string; checks: number }[] };
  expect(scripts.map(({ file, status, checks }) => ({ file, status, checks }))).toEqual([
    { file: "harness/guard.harness.mjs", status: "pass", checks: 2 },
    { file: "harness/nothing.harness.mjs", status: "no-checks", checks: 0 },
  ]);
});

test("npx vigiles check judges a recorded session", async () => {
  const { pass, fail, error } = JSON.parse(await vigiles("check", "session.jsonl", "--checks=checks.json", "--json")) as Record<string, number>;
  expect({ fail, error }).toEqual({ fail: 0, error: 0 });
  expect(pass).toBe((JSON.parse(readFileSync(join(project, "checks.json"), "utf8")) as unknown[]).length);
});

test("npx vigiles trace shows a recorded session", async () => {
  expect(await vigiles("trace", "session.jsonl")).toContain("Bash");
});

test("without its native part it says so in plain words, and only when it is needed", async () => {
  const bare = emptyProject("bare");
  await install(bare, [archives[0] ?? "", "--omit=optional"]);
  writeFileSync(
    join(bare, "index.mjs"),
    `import { coreVersion } from "vigiles";
try { coreVersion(); } catch (error) { console.log(JSON.stringify({ code: error.code, message: error.message })); }`,
  );
  const error = JSON.parse(await succeed([process.execPath, "index.mjs"], bare)) as { code: string; message: string };
  expect(error.code).toBe("VIGILES_NATIVE_MISSING");
  expect(error.message).toContain(`@vigiles/native-${process.platform}-${process.arch}`);
  expect(error.message).toContain("npm install --include=optional");
});

test("a Rust program uses the crate by its path", async () => {
  const crate = join(project, "rust");
  const cargoToml = join(crate, "Cargo.toml");
  writeFileSync(cargoToml, readFileSync(cargoToml, "utf8").replace("VIGILES_CRATE", join(ROOT, "crates/vigiles")));
  // The same versions as in the repository, so that nothing new has to be fetched.
  cpSync(join(ROOT, "Cargo.lock"), join(crate, "Cargo.lock"));
  const session = join(ROOT, "test/fixtures/golden/claude/2.1.197/c_bash.jsonl");
  expect(await succeed(["cargo", "run", "--quiet", "--", session], crate)).toBe("Bash\nBash\nBash\n");
});

function emptyProject(name: string): string {
  const dir = join(work, name);
  mkdirSync(dir);
  writeFileSync(join(dir, "package.json"), JSON.stringify({ private: true, type: "module" }));
  return dir;
}

async function install(dir: string, what: readonly string[]): Promise<void> {
  await succeed(["npm", "install", "--no-audit", "--no-fund", "--prefer-offline", ...what], dir);
}

/** The standard output of the installed command. */
async function vigiles(...args: string[]): Promise<string> {
  return await succeed(["npx", "--no-install", "vigiles", ...args], project);
}

/** The standard output of a command that has to succeed. */
async function succeed(argv: string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await run(argv, { cwd, env: userEnvironment(), show: false });
  expect(code, `${argv.join(" ")}\n${stdout}\n${stderr}`).toBe(0);
  return stdout;
}
