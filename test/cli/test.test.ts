import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { ROOT } from "../../scripts/lib/entries.mjs";
import { userEnvironment } from "../support/environment.ts";
import { NODE_VERSIONS, nodeBinary } from "../support/node-versions.ts";
import { isAlive } from "../support/processes.ts";
import { Project, shown } from "./project.ts";

const CHECKED = `import { recordCheck } from "vigiles"; recordCheck(2);`;
const SKIPPED = `import { skip } from "vigiles"; skip("no docker here");`;
const UNCHECKED = `import "vigiles";`;
const FAILED = `import assert from "node:assert/strict";
import { recordCheck } from "vigiles";
recordCheck();
console.log("about to fail");
assert.equal(1, 2, "one is not two");`;

test.each(NODE_VERSIONS)("every way a script can end, on Node %s", async (version) => {
  const project = new Project({
    "a-pass.harness.mjs": CHECKED,
    "b-plain.harness.cjs": `console.log("no vigiles here");`,
    "c-unchecked.harness.js": UNCHECKED,
    "package.json": `{"type": "module"}`,
    "d-skip.harness.mjs": SKIPPED,
    "e-exit.harness.mjs": `import "vigiles"; console.error("to stderr"); console.log("to stdout"); process.exit(3);`,
    "f-syntax.harness.mjs": `import "vigiles"; const = 1;`,
    "g-missing.harness.mjs": `import "./not-there.mjs"; import "vigiles";`,
    "h-missing.harness.cjs": `require("not-a-package");`,
    "i-export.harness.mjs": `import { notThere } from "vigiles";`,
    "j-signal.harness.mjs": `import "vigiles"; process.kill(process.pid, "SIGTERM"); await new Promise((r) => setTimeout(r, 5000));`,
    "k-unsettled.harness.mjs": `import "vigiles"; await new Promise(() => {});`,
    "l-parse.harness.mjs": `import "vigiles"; JSON.parse("{"); `,
  });
  const { code, stdout, stderr } = await project.vigiles(["test"], { node: nodeBinary(version) });
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  // Stacks differ from one Node to the other.
  expect(stdout.replaceAll(/^ {4}(?!it |exit|to |no |The requested|Unexpected|Cannot|SIG).*\n/gm, "").replaceAll(/\n+/g, "\n")).toMatchInlineSnapshot(`
    "pass          a-pass.harness.mjs  2 checks, <time>
    pass          b-plain.harness.cjs  checks not counted, <time>
        no vigiles here
    0 checks      c-unchecked.harness.js  <time>
        it imports vigiles and exited with 0, but checked nothing. If it checks with something else, call recordCheck()
    skip          d-skip.harness.mjs  <time>
        no docker here
    fail          e-exit.harness.mjs  <time>
        exit 3
        to stderr
        to stdout
    never loaded  f-syntax.harness.mjs  <time>
        Unexpected token '='
    never loaded  g-missing.harness.mjs  <time>
        Cannot find module '<project>/not-there.mjs' imported from <project>/g-missing.harness.mjs
    never loaded  h-missing.harness.cjs  <time>
        Cannot find module 'not-a-package'
    never loaded  i-export.harness.mjs  <time>
        The requested module 'vigiles' does not provide an export named 'notThere'
    fail          j-signal.harness.mjs  <time>
        SIGTERM ended it
    fail          k-unsettled.harness.mjs  <time>
        exit 13: it waits at its top level for a promise that nothing can settle any more
    fail          l-parse.harness.mjs  <time>
        exit 1
    12 scripts: 2 passed, 4 failed, 4 never loaded, 1 skipped, 1 checked nothing; 2 checks in <time>
    "
  `);
});

test("what a failing script printed is shown whole, in the order it was printed", async () => {
  const project = new Project({ "x.harness.mjs": FAILED });
  const { code, stdout } = await project.vigiles(["test"]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^fail {10}x\.harness\.mjs {2}1 check, <time>\n {4}exit 1\n {4}about to fail\n/);
  expect(stdout).toContain("AssertionError [ERR_ASSERTION]: one is not two");
  expect(stdout).toContain("x.harness.mjs:5:8");
});

test("a script that checked before it could not load a module has failed", async () => {
  const project = new Project({ "x.harness.mjs": `${CHECKED} await import("./not-there.mjs");` });
  expect((await project.vigiles(["test"])).stdout).toMatch(/^fail {10}x\.harness\.mjs {2}2 checks/);
});

test("a script that imports and requires vigiles counts its checks once", async () => {
  const project = new Project({
    "x.harness.mjs": `import { createRequire } from "node:module"; import { recordCheck } from "vigiles";
createRequire(import.meta.url)("vigiles").recordCheck(3); recordCheck(4);`,
  });
  expect((await project.vigiles(["test"])).stdout).toContain("7 checks");
});

test("a program that a script starts takes no part in its count", async () => {
  const project = new Project({
    "other.mjs": `import { recordCheck } from "vigiles"; recordCheck(50);`,
    "x.harness.mjs": `${CHECKED} import { execFileSync } from "node:child_process"; execFileSync(process.execPath, ["other.mjs"]);`,
  });
  expect((await project.vigiles(["test"])).stdout).toContain("x.harness.mjs  2 checks");
});

test("scripts are looked for in folders, and sorted", async () => {
  const project = new Project({
    "z.harness.mjs": CHECKED,
    "b/a.harness.mjs": CHECKED,
    "b/c.harness.cjs": "",
    ".claude/hooks/guard.harness.mjs": CHECKED,
    "b/not-a-test.mjs": "throw 1",
    "node_modules/dep/x.harness.mjs": "throw 1",
    "dist/x.harness.mjs": "throw 1",
    "tmp/x.harness.mjs": "throw 1",
    ".gitignore": "tmp/\n",
  });
  const files = async (...paths: string[]) => {
    const { stdout } = await project.vigiles(["test", "--reporter=json", ...paths]);
    return (JSON.parse(stdout.replaceAll("<time>", "0")) as { scripts: { file: string }[] }).scripts.map(({ file }) => file);
  };
  expect(await files()).toEqual([".claude/hooks/guard.harness.mjs", "b/a.harness.mjs", "b/c.harness.cjs", "z.harness.mjs"]);
  expect(await files("z.harness.mjs", "b", "b/a.harness.mjs")).toEqual(["b/a.harness.mjs", "b/c.harness.cjs", "z.harness.mjs"]);
  expect(await files("b/*.mjs")).toEqual(["b/a.harness.mjs", "b/not-a-test.mjs"]);
  expect(await files("tmp")).toEqual(["tmp/x.harness.mjs"]);
});

test.each([
  ["an empty folder", ["empty"], "vigiles: expected test scripts (*.harness.{mjs,cjs,js,mts,cts,ts}) in empty, but found none. Name a script, or a folder that holds some\n"],
  ["a path that is not there", ["nowhere.mjs"], "vigiles: expected a file or folder at nowhere.mjs, but there is none. Paths start at <project>\n"],
  ["a glob that fits nothing", ["*.nothing"], "vigiles: expected files that fit *.nothing, but there are none. * stays within one folder, ** goes through all\n"],
])("%s is an error of the call", async (_, paths, message) => {
  const project = new Project({ "x.harness.mjs": CHECKED, "empty/readme": "" });
  expect(await project.vigiles(["test", ...paths])).toEqual({ code: 2, stdout: "", stderr: message });
});

test("30 scripts, several at a time, are reported in order", async () => {
  const names = Array.from({ length: 30 }, (_, index) => `${String(index).padStart(2, "0")}.harness.cjs`);
  // The later in the list, the sooner it ends.
  const project = new Project(Object.fromEntries(names.map((name, index) => [name, `setTimeout(() => console.log("${name}"), ${(30 - index) * 10})`])));
  const { code, stdout } = await project.vigiles(["test", "--jobs=8"]);
  expect(code).toBe(0);
  expect(stdout.match(/(?<=^pass {10})\S+/gm)).toEqual(names);
  expect(stdout.match(/(?<=^ {4})\S+$/gm)).toEqual(names);
  expect(stdout).toContain("30 scripts: 30 passed; 0 checks");
});

test("--jobs limits how many run at a time", async () => {
  const script = `const fs = require("fs"); fs.mkdirSync("busy"); setTimeout(() => fs.rmdirSync("busy"), 100);`;
  const project = new Project({ "a.harness.cjs": script, "b.harness.cjs": script, "c.harness.cjs": script });
  expect((await project.vigiles(["test", "--jobs=1"])).code).toBe(0);
  expect((await project.vigiles(["test", "--jobs=3"])).code).toBe(1);
});

test("--min", async () => {
  const project = new Project({ "x.harness.mjs": CHECKED });
  expect((await project.vigiles(["test", "--min=2"])).code).toBe(0);
  expect(shown(await project.vigiles(["test", "--min=3"]))).toMatchInlineSnapshot(`
    "exit 1
    --- stdout
    pass          x.harness.mjs  2 checks, <time>

    expected at least 3 checks (--min), but 2 ran
    1 script: 1 passed; 2 checks in <time>"
  `);
});

test("--no-skip", async () => {
  const project = new Project({ "x.harness.mjs": SKIPPED });
  expect((await project.vigiles(["test"])).code).toBe(0);
  expect(shown(await project.vigiles(["test", "--no-skip"]))).toMatchInlineSnapshot(`
    "exit 1
    --- stdout
    skip          x.harness.mjs  <time>
        no docker here

    expected no script to skip itself (--no-skip), but these did: x.harness.mjs
    1 script: 1 skipped; 0 checks in <time>"
  `);
});

test("a script that hangs is killed with what it started", async () => {
  const project = new Project({
    "x.harness.mjs": `import "vigiles"; import { spawn } from "node:child_process"; import { writeFileSync } from "node:fs";
const child = spawn("sleep", ["300"], { stdio: "ignore" });
writeFileSync("pid", String(child.pid));
console.log("started");`,
  });
  const outcome = await project.vigiles(["test", "--timeout=1500ms"]);
  expect(shown(outcome)).toMatchInlineSnapshot(`
    "exit 1
    --- stdout
    error         x.harness.mjs  <time>
        it ran longer than <time> and was killed with all it started. If it needs longer, raise --timeout
        started

    1 script: 1 could not be finished; 0 checks in <time>"
  `);
  expect(isAlive(Number(readFileSync(join(project.dir, "pid"), "utf8")))).toBe(false);
});

test("what a script leaves behind is killed", async () => {
  const project = new Project({
    "x.harness.mjs": `import { spawn } from "node:child_process"; import { writeFileSync } from "node:fs";
const child = spawn("sleep", ["300"], { stdio: "inherit" });
writeFileSync("pid", String(child.pid));
child.unref();`,
  });
  expect((await project.vigiles(["test"])).code).toBe(0);
  expect(isAlive(Number(readFileSync(join(project.dir, "pid"), "utf8")))).toBe(false);
});

test("an interrupt kills the scripts", async () => {
  const project = new Project({
    "x.harness.mjs": `import { writeFileSync } from "node:fs"; writeFileSync("pid", String(process.pid)); setInterval(() => {}, 1000);`,
  });
  const child = project.start(["test"]);
  await until(() => existsSync(join(project.dir, "pid")) && readFileSync(join(project.dir, "pid"), "utf8") !== "");
  const ended = new Promise((resolve) => {
    child.once("exit", resolve);
  });
  child.kill("SIGINT");
  expect(await ended).toBe(130);
  await until(() => !isAlive(Number(readFileSync(join(project.dir, "pid"), "utf8"))));
});

test("a script that floods is cut in the middle", async () => {
  const project = new Project({ "x.harness.cjs": `console.log("first"); process.stdout.write("x".repeat(1_000_000)); console.log("last");` });
  const { stdout } = await project.vigiles(["test"]);
  expect(stdout).toMatch(/ {4}first\n {4}x+\n {4}… \d+ bytes left out …\n {4}x+last\n/);
  expect(stdout.length).toBeLessThan(300_000);
});

test("a reader that leaves ends the command in silence", async () => {
  const names = Array.from({ length: 20 }, (_, index) => [`${index}.harness.cjs`, `console.log("x".repeat(10_000))`]);
  const project = new Project(Object.fromEntries(names) as Record<string, string>);
  const shell = spawn("sh", ["-c", `"${process.execPath}" "${ROOT}/bin/vigiles.mjs" test --jobs=2 | head -n 1`], { cwd: project.dir, env: userEnvironment() });
  let [stdout, stderr] = ["", ""];
  shell.stdout.on("data", (text: Buffer) => (stdout += String(text)));
  shell.stderr.on("data", (text: Buffer) => (stderr += String(text)));
  await new Promise((resolve) => {
    shell.once("close", resolve);
  });
  expect(stdout).toMatch(/^pass {10}0\.harness\.cjs/);
  expect(stderr).toBe("");
});

test("colour is for terminals, or on request", async () => {
  const project = new Project({ "x.harness.mjs": CHECKED });
  const stdout = async (env: Record<string, string>) => (await project.vigiles(["test"], { env })).stdout;
  expect(await stdout({ NO_COLOR: "" })).not.toContain("\u{1B}");
  expect(await stdout({ NO_COLOR: "", FORCE_COLOR: "1" })).toContain("\u{1B}[32mpass");
  expect(await stdout({ NO_COLOR: "", FORCE_COLOR: "0" })).not.toContain("\u{1B}");
});

test("--watch runs again after a change", async () => {
  const project = new Project({ "x.harness.mjs": CHECKED, "hook.sh": "exit 0" });
  const child = project.start(["test", "--watch"]);
  let [stdout, stderr] = ["", ""];
  child.stdout?.on("data", (text: Buffer) => (stdout += String(text)));
  child.stderr?.on("data", (text: Buffer) => (stderr += String(text)));
  const runs = () => stdout.match(/1 script: 1 passed/g)?.length ?? 0;
  const waits = () => stderr.match(/waiting for a change/g)?.length ?? 0;
  await until(() => waits() === 1);
  project.write("hook.sh", "exit 2");
  await until(() => waits() === 2);
  expect(runs()).toBe(2);
  const ended = new Promise((resolve) => {
    child.once("exit", resolve);
  });
  child.kill("SIGINT");
  expect(await ended).toBe(130);
});

test("scripts that write files do not start each other under --watch", async () => {
  const project = new Project({ "x.harness.cjs": `require("fs").appendFileSync("log.txt", "ran\\n");` });
  const child = project.start(["test", "--watch"]);
  let stderr = "";
  child.stderr?.on("data", (text: Buffer) => (stderr += String(text)));
  await until(() => stderr.includes("waiting for a change"));
  await new Promise((resolve) => {
    setTimeout(resolve, 1000);
  });
  expect(readFileSync(join(project.dir, "log.txt"), "utf8")).toBe("ran\n");
});

const TYPESCRIPT = `import { recordCheck } from "vigiles";
enum Colour { Red = 1 }
const count: number = Colour.Red;
recordCheck(count);`;

const [OLD_NODE, NEW_NODE] = NODE_VERSIONS;

test("TypeScript on a Node that does not strip types, without tsx, says what to install", async () => {
  const project = new Project({ "x.harness.ts": TYPESCRIPT });
  const { code, stdout } = await project.vigiles(["test"], { node: nodeBinary(OLD_NODE) });
  expect(code).toBe(1);
  expect(stdout.replaceAll(/v20\.\d+\.\d+/g, "<node>")).toMatchInlineSnapshot(`
    "never loaded  x.harness.ts  <time>
        it is TypeScript, which this Node (<node>) does not run and the project has no tsx for. Run \`npm install --save-dev tsx\`, or use Node 22.18, 23.6 or newer

    1 script: 1 never loaded; 0 checks in <time>
    "
  `);
});

test("TypeScript with the project's tsx", async () => {
  const files = { "x.harness.ts": TYPESCRIPT, "y.harness.mts": TYPESCRIPT, "z.harness.cts": `const { recordCheck } = require("vigiles"); recordCheck(1 as number);`, "broken.harness.ts": "const = 1" };
  const project = new Project(files).link("tsx");
  const { code, stdout } = await project.vigiles(["test"], { node: nodeBinary(OLD_NODE) });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^never loaded {2}broken\.harness\.ts/m);
  expect(stdout.match(/^pass.*(?=, <time>)/gm)).toEqual(["x.harness.ts", "y.harness.mts", "z.harness.cts"].map((file) => `pass          ${file}  1 check`));
});

test("TypeScript on a Node that strips types", async () => {
  const project = new Project({ "x.harness.ts": `${CHECKED} const one: number = 1; console.log(one);`, "y.harness.ts": TYPESCRIPT });
  const { code, stdout } = await project.vigiles(["test"], { node: nodeBinary(NEW_NODE) });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^pass {10}x\.harness\.ts {2}2 checks/m);
  expect(stdout).toMatch(/^never loaded {2}y\.harness\.ts/m);
});

async function until(condition: () => boolean): Promise<void> {
  const LONGEST_MS = 20_000;
  const start = Date.now();
  while (!condition()) {
    if (Date.now() - start > LONGEST_MS) throw new Error(`waited ${LONGEST_MS} ms for ${String(condition)}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
}
