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
  await install(project, [...archives, ...["vitest", "jest"].map((name) => `${name}@${manifest().devDependencies?.[name]}`)]);
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

test("the package, and the native part of this platform", () => {
  const names = archives.map((path) => basename(path).replace(`-${manifest().version}.tgz`, ""));
  expect(names[0]).toBe("vigiles");
  expect(names.slice(1)).toContainEqual(expect.stringContaining(`vigiles-native-${process.platform}-${process.arch}`));
});

test("vitest runs a test that imports it", async () => {
  const report = await succeed(["npx", "--no-install", "vitest", "run", "--reporter=json"], project);
  expect(JSON.parse(report)).toMatchObject({ success: true, numPassedTests: 1, numTotalTests: 1 });
});

test("jest runs a test that requires it", async () => {
  const report = await succeed(["npx", "--no-install", "jest", "--json", "--no-watchman"], project);
  expect(JSON.parse(report)).toMatchObject({ success: true, numPassedTests: 1, numTotalTests: 1 });
});

test("npx vigiles --version prints the version", async () => {
  expect((await succeed(["npx", "--no-install", "vigiles", "--version"], project)).trim()).toBe(manifest().version);
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

/** The standard output of a command that has to succeed. */
async function succeed(argv: string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await run(argv, { cwd, env: userEnvironment(), show: false });
  expect(code, `${argv.join(" ")}\n${stdout}\n${stderr}`).toBe(0);
  return stdout;
}
