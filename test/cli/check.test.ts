import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { ROOT } from "../../scripts/lib/entries.mjs";
import { Project, shown } from "./project.ts";

const GOLDEN = join(ROOT, "test/fixtures/golden/claude/2.1.332");

function project(checks: unknown): Project {
  const made = new Project({ "checks.json": JSON.stringify(checks) });
  for (const name of ["a_text", "c_bash"]) cpSync(join(GOLDEN, `${name}.jsonl`), join(made.dir, `${name}.jsonl`));
  return made;
}

const BASH = { kind: "tool", name: "Bash" };
const TURNS = { kind: "turns", max: 9 };
const FIRED = { kind: "hookFired", event: "PreToolUse" };

test("every check on every session", async () => {
  expect(shown(await project([BASH, TURNS, FIRED]).vigiles(["check", "*.jsonl", "--checks=checks.json"]))).toMatchInlineSnapshot(`
    "exit 1
    --- stdout
    a_text.jsonl
      ✗ tool(Bash)
          expected the agent to use tool "Bash", but it used no tool
      ✓ turns
      ? hookFired(PreToolUse)
          could not judge hookFired("PreToolUse"): what every hook did was not recorded in this trace. Record with \`--output-format stream-json --verbose --include-hook-events\`

    c_bash.jsonl
      ✓ tool(Bash)
      ✓ turns
      ? hookFired(PreToolUse)
          could not judge hookFired("PreToolUse"): what every hook did was not recorded in this trace. Record with \`--output-format stream-json --verbose --include-hook-events\`

    2 sessions, 6 checks: 3 passed, 1 failed, 2 could not be judged"
  `);
});

test.each([
  ["all hold", [TURNS], "a_text.jsonl", 0],
  ["one does not", [BASH, TURNS], "a_text.jsonl", 1],
  ["one cannot be judged, another holds", [FIRED, TURNS], "a_text.jsonl", 1],
  ["nothing can be judged", [FIRED], "a_text.jsonl", 2],
  ["one of two files is no recording", [TURNS], "{a_text.jsonl,checks.json}", 1],
  ["no file is a recording", [TURNS], "checks.json", 2],
])("exit code: %s", async (_, checks, files, code) => {
  expect((await project(checks).vigiles(["check", files, "--checks=checks.json"])).code).toBe(code);
});

test("a file that is no recording is told beside the others", async () => {
  expect(shown(await project([TURNS]).vigiles(["check", "checks.json", "a_text.jsonl", "--checks=checks.json"]))).toMatchInlineSnapshot(`
    "exit 1
    --- stdout
    a_text.jsonl
      ✓ turns

    checks.json
      ? expected Claude Code stream-json, json or session lines, or Codex \`exec --json\` lines in <project>/checks.json, but the 1 line(s) of JSON among the first 1 are of no known kind. Record with \`claude -p --output-format stream-json --verbose --include-hook-events\` or \`codex exec --json\`

    2 sessions, 2 checks: 1 passed, 1 could not be judged"
  `);
});

test("checks of a module, own ones too", async () => {
  const made = project([]);
  made.write(
    "checks.mjs",
    `import { tool, turns } from "vigiles";
const short = { kind: "short-answer", eval: ({ output }) => ({ pass: output.length < 3, score: 0, message: \`expected a short answer, but it has \${output.length} characters\` }), toJSON: () => ({ kind: "short-answer" }) };
export default [tool("Bash"), turns({ max: 9 }), short];`,
  );
  expect(shown(await made.vigiles(["check", "c_bash.jsonl", "--checks=checks.mjs"]))).toMatchInlineSnapshot(`
    "exit 1
    --- stdout
    c_bash.jsonl
      ✓ tool(Bash)
      ✓ turns
      ✗ short-answer
          expected a short answer, but it has 5 characters

    1 session, 3 checks: 2 passed, 1 failed"
  `);
});

test("--json", async () => {
  const { code, stdout } = await project({ version: 1, checks: [BASH, FIRED] }).vigiles(["check", "a_text.jsonl", "--checks=checks.json", "--json"]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchInlineSnapshot(`
    {
      "error": 1,
      "fail": 1,
      "pass": 0,
      "sessions": [
        {
          "file": "a_text.jsonl",
          "results": [
            {
              "check": "tool(Bash)",
              "message": "expected the agent to use tool "Bash", but it used no tool",
              "verdict": "fail",
            },
            {
              "check": "hookFired(PreToolUse)",
              "code": "VIGILES_NOT_OBSERVED",
              "message": "could not judge hookFired("PreToolUse"): what every hook did was not recorded in this trace. Record with \`--output-format stream-json --verbose --include-hook-events\`",
              "verdict": "error",
            },
          ],
        },
      ],
      "version": 1,
    }
  `);
});

test("--junit", async () => {
  const made = project([BASH, TURNS, FIRED]);
  expect((await made.vigiles(["check", "a_text.jsonl", "--checks=checks.json", "--junit=out/junit.xml"])).code).toBe(1);
  expect(readFileSync(join(made.dir, "out/junit.xml"), "utf8")).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="vigiles check" tests="3" skipped="0" failures="1" errors="1">
        <testsuite name="a_text.jsonl" tests="3" skipped="0" errors="1" failures="1">
            <testcase name="tool(Bash)" classname="a_text.jsonl">
                <failure message="expected the agent to use tool &quot;Bash&quot;, but it used no tool">expected the agent to use tool &quot;Bash&quot;, but it used no tool</failure>
            </testcase>
            <testcase name="turns" classname="a_text.jsonl"/>
            <testcase name="hookFired(PreToolUse)" classname="a_text.jsonl">
                <error message="could not judge hookFired(&quot;PreToolUse&quot;): what every hook did was not recorded in this trace. Record with \`--output-format stream-json --verbose --include-hook-events\`">could not judge hookFired(&quot;PreToolUse&quot;): what every hook did was not recorded in this trace. Record with \`--output-format stream-json --verbose --include-hook-events\`</error>
            </testcase>
        </testsuite>
    </testsuites>
    "
  `);
});

test("--cwd is where checks of files look", async () => {
  const made = project([{ kind: "created", path: "made.txt" }]);
  made.write("after/made.txt", "");
  expect((await made.vigiles(["check", "a_text.jsonl", "--checks=checks.json", "--cwd=after"])).code).toBe(0);
  expect((await made.vigiles(["check", "a_text.jsonl", "--checks=checks.json", "--cwd=node_modules"])).code).toBe(1);
});

test.each([
  ["no list", {}, 'expected a list of checks, or {"checks": list} in checks.json, but found an object with nothing in it'],
  ["an empty list", [], "expected at least one check in checks.json, but the list is empty: it would pass whatever happened"],
  ["an unknown kind", [{ kind: "tol" }], "check 1 in checks.json: "],
  ["a newer version", { version: 2, checks: [BASH] }, "expected version 1 of a file of checks in checks.json, but found 2. A newer vigiles may read it"],
  ["an unknown key", { checks: [BASH], min: 1 }, 'expected only "checks" and "version" in checks.json, but found "min"'],
])("%s is an error of the call", async (_, checks, message) => {
  const { code, stdout, stderr } = await project(checks).vigiles(["check", "a_text.jsonl", "--checks=checks.json"]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(`vigiles: ${message}`);
});

test.each([
  ["nowhere.json", "expected checks as JSON in nowhere.json, but ENOENT"],
  ["broken.json", "expected checks as JSON in broken.json, but "],
  ["throws.mjs", "expected a module with checks in throws.mjs, but it could not be loaded: no luck"],
  ["empty.mjs", "expected a list of checks as the default export in empty.mjs, but found none"],
])("--checks=%s is an error of the call", async (file, message) => {
  const made = project([]);
  made.write("broken.json", "[");
  made.write("throws.mjs", `throw new Error("no luck");`);
  made.write("empty.mjs", "export const checks = [];");
  const { code, stderr } = await made.vigiles(["check", "a_text.jsonl", `--checks=${file}`]);
  expect(code).toBe(2);
  expect(stderr).toContain(`vigiles: ${message}`);
});

describe("a session that takes too long", () => {
  const ENDLESS = { kind: "output", matcher: "(a+)+$", regex: true };
  const withOutput = (result: string) => `${JSON.stringify({ type: "result", subtype: "success", is_error: false, num_turns: 1, result, session_id: "s" })}\n`;

  function slow(): Project {
    const made = project([ENDLESS, TURNS]);
    made.write("b_slow.json", withOutput(`${"a".repeat(60)}!`));
    made.write("z_quick.json", withOutput("baa"));
    return made;
  }

  test("is given up, and the others are judged", async () => {
    const { code, stdout } = await slow().vigiles(["check", "a_text.jsonl", "b_slow.json", "z_quick.json", "--checks=checks.json", "--timeout=700ms", "--json"]);
    expect(code).toBe(1);
    const { sessions } = JSON.parse(stdout) as { sessions: { file: string; error?: string; results: { verdict: string; code?: string }[] }[] };
    expect(sessions.map(({ file, results }) => `${file}: ${results.map(({ verdict, code: why }) => why ?? verdict).join(", ")}`)).toEqual([
      "a_text.jsonl: fail, pass",
      "b_slow.json: VIGILES_PATTERN_ENGINE, VIGILES_PATTERN_ENGINE",
      expect.stringMatching(/^z_quick\.json: pass, /),
    ]);
    expect(sessions[1]?.error).toMatch(/^expected the session to be judged within <time>, but it was not\. A pattern/);
  });

  test("alone: nothing could be judged", async () => {
    const { code, stdout, stderr } = await slow().vigiles(["check", "b_slow.json", "--checks=checks.json", "--timeout=300ms"]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
    expect(stdout).toContain("make it simpler. If the session is only large, raise --timeout");
  });

  test("--timeout=0 is an error of the call", async () => {
    expect((await slow().vigiles(["check", "b_slow.json", "--checks=checks.json", "--timeout=0"])).code).toBe(2);
  });
});

test("a check of a module that throws hides neither the other checks nor the other sessions", async () => {
  const made = project([]);
  made.write(
    "checks.mjs",
    `import { turns } from "vigiles";
const check = (kind, run) => ({ kind, eval: run, toJSON: () => ({ kind }) });
export default [check("throws", () => { throw new Error("no luck"); }), check("rejects", async () => { throw new Error("late"); }), turns({ max: 9 })];`,
  );
  const { code, stdout, stderr } = await made.vigiles(["check", "*.jsonl", "--checks=checks.mjs", "--json"]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  const { sessions } = JSON.parse(stdout) as { sessions: { results: unknown[] }[] };
  expect(sessions).toHaveLength(2);
  for (const { results } of sessions) {
    expect(results).toMatchObject([
      { verdict: "error", code: "VIGILES_CHECK_RESULT", message: 'could not judge "throws": its eval threw: no luck' },
      { verdict: "error", code: "VIGILES_CHECK_RESULT", message: expect.stringContaining("eval must not be async") },
      { verdict: "pass" },
    ]);
  }
});

test("a check of a module that ends the process is an error of the call", async () => {
  const made = project([]);
  made.write("checks.mjs", `export default [{ kind: "ends", eval: () => process.exit(0), toJSON: () => ({ kind: "ends" }) }];`);
  const { code, stdout, stderr } = await made.vigiles(["check", "a_text.jsonl", "--checks=checks.mjs"]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("they must not call process.exit()");
});
