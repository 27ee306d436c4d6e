import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { run } from "../../scripts/lib/run.mjs";
import { Project } from "../cli/project.ts";
import { userEnvironment } from "../support/environment.ts";
import { isAlive } from "../support/processes.ts";

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;

test("a command that prints 10 GiB is read to its end in little memory", async () => {
  const made = new Project();
  // A process of its own: the peak of this one says nothing about the run.
  made.write(
    "print.mjs",
    `import { runScript } from "vigiles";
const { exitCode, timedOut, stdout, stdoutOmittedBytes } = runScript("yes | head -c 10G", { timeoutMs: 600_000 });
console.log(JSON.stringify({ exitCode, timedOut, kept: stdout.length, omitted: stdoutOmittedBytes, ends: [stdout.slice(0, 4), stdout.slice(-4)], peakBytes: process.resourceUsage().maxRSS * 1024 }));`,
  );
  const { code, stdout, stderr } = await run([process.execPath, "print.mjs"], { cwd: made.dir, env: userEnvironment(), show: false });
  expect(code, stderr).toBe(0);
  const { peakBytes, kept, omitted, ...told } = JSON.parse(stdout) as { peakBytes: number; kept: number; omitted: number };
  expect(told).toEqual({ exitCode: 0, timedOut: false, ends: ["y\ny\n", "y\ny\n"] });
  expect(omitted).toBeGreaterThan(9 * GIB);
  // What is left out is told within the text that is kept.
  expect(kept).toBeLessThan(17 * MIB);
  expect(peakBytes).toBeLessThan(200 * MIB);
});

test("a test script that prints without end is killed with all it started, and shown by its head and tail", async () => {
  const made = new Project({
    "endless.harness.mjs": `import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
const child = spawn("yes", { stdio: "inherit" });
writeFileSync("pids.json", JSON.stringify([process.pid, child.pid]));`,
    "quick.harness.mjs": `import { recordCheck } from "vigiles";
recordCheck();`,
  });
  const { code } = await made.vigiles(["test", "--reporter=json", "--output=report.json", "--timeout=5m"]);
  expect(code).toBe(1);
  const { scripts } = report(made) as { scripts: { file: string; status: string; reason?: string; output: string }[] };
  expect(scripts).toMatchObject([
    { file: "endless.harness.mjs", status: "error", reason: "it printed more than 256 MiB and was killed with all it started" },
    { file: "quick.harness.mjs", status: "pass" },
  ]);
  const shown = scripts[0]?.output ?? "";
  expect(shown).toMatch(/^y\ny\n/);
  expect(shown).toMatch(/\n… \d+ bytes left out …\n/);
  expect(shown.length).toBeLessThan(257 * 1024);
  for (const pid of JSON.parse(readFileSync(join(made.dir, "pids.json"), "utf8")) as number[]) {
    expect(isAlive(pid), `process ${pid}`).toBe(false);
  }
});

test("200 scripts at a time: each with its own result, in the order of their names", async () => {
  const COUNT = 200;
  const made = new Project();
  const names = Array.from({ length: COUNT }, (_, index) => `${String(index).padStart(3, "0")}.harness.mjs`);
  for (const [index, name] of names.entries()) {
    made.write(name, `import { recordCheck } from "vigiles";\nrecordCheck(${index});\nconsole.log("script ${index}");\n${index % 10 === 7 ? "process.exit(3);" : ""}`);
  }
  const { code } = await made.vigiles(["test", "--reporter=json", "--output=report.json", `--jobs=${COUNT}`]);
  expect(code).toBe(1);
  const { scripts } = report(made) as { scripts: { file: string; status: string; checks: number; output: string }[] };
  const status = (index: number) => (index % 10 === 7 ? "fail" : index === 0 ? "no-checks" : "pass");
  expect(scripts.map(({ file, status: seen, checks, output }) => ({ file, status: seen, checks, output: output.trim() }))).toEqual(
    names.map((file, index) => ({ file, status: status(index), checks: index, output: `script ${index}` })),
  );
});

test("a session larger than a string of JavaScript can be is judged, in less memory than its size", async () => {
  const made = new Project();
  const path = join(made.dir, "session.jsonl");
  const line = (value: object) => `${JSON.stringify(value)}\n`;
  writeFileSync(path, line({ type: "system", subtype: "init", session_id: "s", tools: ["Bash"], model: "m", cwd: "/w" }));
  const text = "x".repeat(MIB);
  const COUNT = 600;
  for (let index = 0; index < COUNT; index++) {
    const id = `toolu_${index}`;
    const call = { type: "assistant", session_id: "s", parent_tool_use_id: null, message: { id: `msg_${index}`, role: "assistant", content: [{ type: "tool_use", id, name: "Bash", input: { command: `echo ${index}` } }] } };
    const answer = { type: "user", session_id: "s", parent_tool_use_id: null, message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: text }] } };
    writeFileSync(path, line(call) + line(answer), { flag: "a" });
  }
  writeFileSync(path, line({ type: "result", subtype: "success", is_error: false, num_turns: COUNT + 1, result: "done", session_id: "s" }), { flag: "a" });
  made.write(
    "judge.mjs",
    `import { assertToolCount, parseTrace, usedTool } from "vigiles";
const trace = parseTrace("session.jsonl");
assertToolCount(trace, "Bash", { exactly: ${COUNT} });
console.log(JSON.stringify({ wrote: usedTool(trace, "Write"), output: trace.output, last: trace.toolCalls.at(-1).resultText.length, peakBytes: process.resourceUsage().maxRSS * 1024 }));`,
  );
  const { code, stdout, stderr } = await run([process.execPath, "judge.mjs"], { cwd: made.dir, env: userEnvironment(), show: false });
  expect(code, stderr).toBe(0);
  const { peakBytes, ...told } = JSON.parse(stdout) as { peakBytes: number };
  expect(told).toEqual({ wrote: false, output: "done", last: MIB });
  expect(peakBytes).toBeLessThan(COUNT * MIB);
});

function report(made: Project): unknown {
  return JSON.parse(readFileSync(join(made.dir, "report.json"), "utf8"));
}
