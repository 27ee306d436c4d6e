import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, it } from "vitest";
import { withHarness } from "vigiles";

import { onClaude } from "../harness/clis.ts";

// A directory of its own for what runs leave: other tests work in the usual one at the same time.
const usual = process.env["TMPDIR"];
let temp = "";

beforeAll(() => {
  temp = mkdtempSync(join(tmpdir(), "vigiles-heavy-"));
  process.env["TMPDIR"] = temp;
});
afterAll(() => {
  if (usual === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = usual;
  rmSync(temp, { recursive: true, force: true });
});

/** Processes that carry a text in their environment. */
function processesOf(text: string): string[] {
  return readdirSync("/proc").filter((entry) => {
    if (!/^\d+$/.test(entry) || Number(entry) === process.pid) return false;
    try {
      return readFileSync(`/proc/${entry}/environ`, "utf8").includes(text);
    } catch {
      return false; // it has just ended
    }
  });
}

onClaude("50 runs", ({ program }) => {
  it("leave no process and no directory, also with children in sessions of their own", async () => {
    mkdirSync(temp, { recursive: true });
    const model = [{ tool: "Bash", input: { command: "setsid sleep 300 > /dev/null 2>&1 < /dev/null & echo started" } }, { text: "done" }];
    const one = async () => await withHarness({ claude: program, model }, ({ output }) => output);
    const outputs: (string | undefined)[] = [];
    for (let round = 0; round < 10; round++) outputs.push(...(await Promise.all(Array.from({ length: 5 }, one))));
    expect(outputs).toEqual(Array.from({ length: 50 }, () => "done"));
    expect(readdirSync(temp)).toEqual([]);
    expect(processesOf(`VIGILES_RUN_ROOT=${temp}`)).toEqual([]);
  });
});
