import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  all,
  assertAgentErr,
  assertAgentOk,
  assertAgentResult,
  assertBlocksDisasters,
  assertChecks,
  assertCreated,
  assertHookAllowed,
  assertHookBlocked,
  assertHookFired,
  assertNotCreated,
  assertNoWrite,
  assertOutputContains,
  assertRequestContains,
  assertServedTurns,
  assertSkillResolved,
  assertToolCalls,
  assertToolCount,
  assertToolNotUsed,
  assertToolSequence,
  assertToolUsed,
  assertToolUsedWith,
  assertWroteOnly,
  assertEgressOnly,
  assertNoEgress,
  evalChecks,
  fileToolEvents,
  hookFired,
  output,
  outputContains,
  parseTrace,
  preToolUse,
  propertyHook,
  recordCheck,
  requestContains,
  runHook,
  runHookAsync,
  runHooks,
  runScript,
  runScriptAsync,
  skip,
  SkipError,
  skillResolved,
  tool,
  toolCount,
  toolUsedWith,
  turns,
  usedTool,
  verifyGuardrail,
  vigilesMatchers,
} from "vigiles";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { ROOT } from "../../scripts/lib/entries.mjs";
import { claude } from "../support/golden.ts";
import { thrown } from "../support/thrown.ts";

/** How many checks were counted while `act` ran, thrown or not. */
async function counted(act: () => unknown): Promise<number> {
  const counter = (globalThis as { [key: symbol]: unknown })[Symbol.for("vigiles.checks")] as { checks: number };
  const before = counter.checks;
  try {
    await act();
  } catch {
    // A check that failed is a check.
  }
  return counter.checks - before;
}

const trace = parseTrace(claude("d_write_read_edit"));
const event = preToolUse("Bash", { command: "ls" });
const run = runHook("exit 2", event);
const answer = "```vigiles:ok\n{}\n```";

describe("counts", () => {
  test.each<[string, number, () => unknown]>([
    ["runScript", 1, () => runScript("true")],
    ["runScriptAsync", 1, () => runScriptAsync("true")],
    ["runHook", 1, () => runHook("exit 2", event)],
    ["runHookAsync", 1, () => runHookAsync("exit 2", event)],
    ["runHook that is not started", 1, () => runHook("exit 2", event, { condition: "Edit" })],
    ["runHooks, each event", 3, () => runHooks("exit 2", [event, event, event])],
    ["verifyGuardrail, each disaster", 7, () => verifyGuardrail("exit 2")],
    ["assertBlocksDisasters, each disaster", 7, () => assertBlocksDisasters("exit 0")],
    ["propertyHook", 1, () => propertyHook({ seed: 1, mutate: (one) => one, decide: () => true, invariants: { holds: (ok) => ok } })],
    ["assertChecks, each check", 2, () => assertChecks(trace, [tool("Edit"), tool("Bash")])],
    ["a compound check as one", 1, () => assertChecks(trace, [all([tool("Edit"), turns({ min: 1 })])])],
    ["assertToolUsed", 1, () => assertToolUsed(trace, "Edit")],
    ["assertToolUsed that fails", 1, () => assertToolUsed(trace, "Bash")],
    ["assertToolNotUsed", 1, () => assertToolNotUsed(trace, "Bash")],
    ["assertToolCount", 1, () => assertToolCount(trace, "Edit", { max: 2 })],
    ["assertToolSequence", 1, () => assertToolSequence(trace, ["Read", "Edit"])],
    ["assertToolUsedWith", 1, () => assertToolUsedWith(trace, "Edit", () => true)],
    ["assertToolCalls", 1, () => assertToolCalls(trace, () => true)],
    ["assertSkillResolved", 1, () => assertSkillResolved(trace, "x")],
    ["assertOutputContains", 1, () => assertOutputContains(trace, "Edited")],
    ["assertRequestContains", 1, () => assertRequestContains(trace, "x")],
    ["assertHookFired", 1, () => assertHookFired(trace, "Stop")],
    ["assertHookBlocked", 1, () => assertHookBlocked(run)],
    ["assertHookAllowed", 1, () => assertHookAllowed(run)],
    ["assertCreated", 1, () => assertCreated({ file: () => "" }, "a")],
    ["assertNotCreated", 1, () => assertNotCreated({ file: () => null }, "a")],
    ["assertServedTurns", 1, () => assertServedTurns(trace, 1)],
    ["assertNoWrite", 1, () => assertNoWrite({ filesWritten: [] }, "a")],
    ["assertWroteOnly", 1, () => assertWroteOnly({ filesWritten: [] }, [])],
    ["assertNoEgress", 1, () => assertNoEgress({ ...run, egress: [] })],
    ["assertEgressOnly", 1, () => assertEgressOnly({ ...run, egress: [] }, [])],
    ["assertAgentOk", 1, () => assertAgentOk(answer)],
    ["assertAgentErr", 1, () => assertAgentErr(answer)],
    ["assertAgentResult", 1, () => assertAgentResult(answer, () => true)],
    ["toPass", 1, () => vigilesMatchers.toPass(trace, tool("Edit"))],
    ["toPassAll, each check", 2, () => vigilesMatchers.toPassAll(trace, [tool("Edit"), output("x")])],
    ["toHaveCreated", 1, () => vigilesMatchers.toHaveCreated({ file: () => "" }, "a")],
    ["toBlock", 1, () => vigilesMatchers.toBlock(run)],
    ["toBeatBaseline", 1, () => vigilesMatchers.toBeatBaseline({ arms: { a: { metrics: { m: 0 } }, b: { metrics: { m: 1 } } } }, "a", "b", "m")],
    ["recordCheck", 1, () => recordCheck()],
    ["recordCheck of several", 5, () => recordCheck(5)],
    // Questions, not checks: what is asked is up to the caller's own assertion.
    ["no predicates", 0, () => [usedTool(trace, "Edit"), toolCount(trace, "Edit"), toolUsedWith(trace, "Edit", () => true), skillResolved(trace, "x"), outputContains(trace, "x"), hookFired({ hooks: [] }, "Stop"), requestContains({ modelRequests: [] }, "x")]],
    ["no reading, building and judging", 0, () => [parseTrace(claude("c_bash")), evalChecks(trace, [tool("Edit")]), tool("Edit").eval(trace), fileToolEvents("a.ts")]],
  ])("%s: %d", async (_, count, act) => {
    expect(await counted(act)).toBe(count);
  });

  test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])("recordCheck refuses %d", (count) => {
    expect(thrown(() => recordCheck(count))).toMatchObject({ code: "VIGILES_INVALID_ARGUMENT" });
  });
});

test("skip outside of vigiles test throws, so that a test runner does not take it for a pass", () => {
  const error = thrown(() => skip("no docker"));
  expect(error).toBeInstanceOf(SkipError);
  expect(error).toMatchObject({ name: "SkipError", code: "VIGILES_SKIPPED" });
  expect(error.message).toMatchInlineSnapshot(`"skipped: no docker. skip() ends a script that \`vigiles test\` runs; in a test runner use its own skip"`);
});

describe("the report of a script", () => {
  let dir = "";
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), "vigiles-record-"));
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  let scripts = 0;
  /** Runs a script with the built package, as `vigiles test` does. */
  function script(code: string, report = join(dir, `${++scripts}.json`)) {
    const source = `import { createRequire } from "node:module"; import * as v from ${JSON.stringify(join(ROOT, "dist/index.mjs"))}; const require = createRequire(${JSON.stringify(join(ROOT, "package.json"))});\n${code}`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", source], {
      encoding: "utf8",
      env: { ...process.env, ...(report !== "" && { VIGILES_CHECK_REPORT: report }) },
    });
    const told = report !== "" && existsSync(report) ? (JSON.parse(readFileSync(report, "utf8")) as unknown) : undefined;
    return { status, stdout, stderr, told };
  }

  test("tells how many checks ran", () => {
    expect(script(`v.recordCheck(); v.runScript("true"); v.assertToolUsed({ toolCalls: [{ name: "Bash" }] }, "Bash");`)).toMatchObject({ status: 0, told: { checks: 3 } });
  });

  test("tells of a script that checked nothing", () => {
    expect(script("")).toMatchObject({ status: 0, told: { checks: 0 } });
  });

  test("is written when the script fails or ends itself", () => {
    expect(script(`v.recordCheck(2); throw new Error("x");`)).toMatchObject({ status: 1, told: { checks: 2 } });
    expect(script(`v.recordCheck(); process.exit(3);`)).toMatchObject({ status: 3, told: { checks: 1 } });
  });

  test("counts what is imported and what is required as one", () => {
    expect(script(`v.recordCheck(); require("./dist/index.cjs").recordCheck(2);`)).toMatchObject({ told: { checks: 3 } });
  });

  test("tells why a script skipped itself, and ends it there", () => {
    expect(script(`v.recordCheck(); v.skip("no docker"); console.log("not reached");`)).toMatchObject({ status: 0, stdout: "", told: { checks: 1, skipped: "no docker" } });
    expect(script(`v.skip();`)).toMatchObject({ told: { checks: 0, skipped: expect.any(String) } });
  });

  test("is not overwritten by children of the script", () => {
    expect(script(`v.recordCheck(); process.stdout.write(v.runScript('printf %s "[$VIGILES_CHECK_REPORT]"').stdout);`)).toMatchObject({ stdout: "[]", told: { checks: 2 } });
  });

  test("that cannot be written does not break the script", () => {
    expect(script(`v.recordCheck(); console.log("ran");`, join(dir, "missing/report.json"))).toMatchObject({ status: 0, stdout: "ran\n", told: undefined });
  });

  test("is not written when nobody asked", () => {
    expect(script(`v.recordCheck();`, "")).toMatchObject({ status: 0, stderr: "" });
    expect(script(`v.skip("x");`, "")).toMatchObject({ status: 1, stderr: expect.stringContaining("VIGILES_SKIPPED") });
  });
});

test("checks made by an imported and a required copy of the package work together", () => {
  const code = `import { createRequire } from "node:module"; import assert from "node:assert/strict";
    import * as esm from ${JSON.stringify(join(ROOT, "dist/index.mjs"))};
    const cjs = createRequire(${JSON.stringify(join(ROOT, "package.json"))})("./dist/index.cjs");
    const path = ${JSON.stringify(claude("g1b_all_hooks_noevents"))};
    for (const [one, other] of [[esm, cjs], [cjs, esm]]) {
      const trace = one.parseTrace(path);
      other.assertChecks(trace, [one.tool("Bash"), other.not(one.tool("Edit")), other.all([one.tool("Bash"), other.turns({ min: 1 })])]);
      assert.throws(() => other.hookFired(trace, "PreToolUse"), { code: "VIGILES_NOT_OBSERVED" });
    }
    console.log("fine");`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", code], { encoding: "utf8" });
  expect({ stdout, stderr }).toEqual({ stdout: "fine\n", stderr: "" });
});
