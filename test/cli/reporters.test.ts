import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { Project, shown } from "./project.ts";

const FILES = {
  "a.harness.mjs": `import { recordCheck } from "vigiles"; recordCheck(2); console.log("said <&> \\u001b[31mred");`,
  "b.harness.mjs": `import "vigiles";`,
  "c.harness.mjs": `import { skip } from "vigiles"; skip("no docker");`,
  "d.harness.cjs": `console.log("50% done,\\nthen: x"); process.exitCode = 3;`,
  "e.harness.cjs": `require("./not-there");`,
};

test("json", async () => {
  const { code, stdout, stderr } = await new Project(FILES).vigiles(["test", "--reporter=json", "--min=5"]);
  expect(code).toBe(1);
  const report = JSON.parse(stdout.replaceAll("<time>", "1")) as { scripts: { output: string }[] };
  // Stacks differ from one Node to the other.
  const scripts = report.scripts.map((script) => ({ ...script, output: script.output.replace(/^node:internal.*/s, "<stack>") }));
  expect({ ...report, scripts }).toMatchInlineSnapshot(`
    {
      "checks": 2,
      "durationMs": 1,
      "passed": false,
      "problems": [
        "expected at least 5 checks (--min), but 2 ran",
      ],
      "scripts": [
        {
          "checks": 2,
          "durationMs": 1,
          "exitCode": 0,
          "file": "a.harness.mjs",
          "output": "said <&> [31mred
    ",
          "signal": null,
          "status": "pass",
        },
        {
          "checks": 0,
          "durationMs": 1,
          "exitCode": 0,
          "file": "b.harness.mjs",
          "output": "",
          "reason": "it imports vigiles and exited with 0, but checked nothing. If it checks with something else, call recordCheck()",
          "signal": null,
          "status": "no-checks",
        },
        {
          "checks": 0,
          "durationMs": 1,
          "exitCode": 0,
          "file": "c.harness.mjs",
          "output": "",
          "reason": "no docker",
          "signal": null,
          "status": "skip",
        },
        {
          "durationMs": 1,
          "exitCode": 3,
          "file": "d.harness.cjs",
          "output": "50% done,
    then: x
    ",
          "reason": "exit 3",
          "signal": null,
          "status": "fail",
        },
        {
          "durationMs": 1,
          "exitCode": 1,
          "file": "e.harness.cjs",
          "output": "<stack>",
          "reason": "Cannot find module './not-there'",
          "signal": null,
          "status": "never-loaded",
        },
      ],
      "version": 1,
    }
  `);
  // Standard output is the report alone.
  expect(stderr).toMatchInlineSnapshot(`
    "expected at least 5 checks (--min), but 2 ran
    5 scripts: 1 passed, 1 failed, 1 never loaded, 1 skipped, 1 checked nothing; 2 checks in <time>
    "
  `);
});

test("junit", async () => {
  const { code, stdout } = await new Project(FILES).vigiles(["test", "--reporter=junit", "--no-skip", "a.harness.mjs", "b.harness.mjs", "c.harness.mjs", "d.harness.cjs"]);
  expect(code).toBe(1);
  expect(stdout).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="vigiles test" tests="5" skipped="2" failures="2" errors="0">
        <testsuite name="vigiles test" tests="5" skipped="2" errors="0" failures="2" time="<time>">
            <testcase name="a.harness.mjs" classname="vigiles test" time="<time>">
                <system-out>said &lt;&amp;&gt; red
    </system-out>
            </testcase>
            <testcase name="b.harness.mjs" classname="vigiles test" time="<time>">
                <skipped message="0 checks: it imports vigiles and exited with 0, but checked nothing. If it checks with something else, call recordCheck()">0 checks: it imports vigiles and exited with 0, but checked nothing. If it checks with something else, call recordCheck()</skipped>
            </testcase>
            <testcase name="c.harness.mjs" classname="vigiles test" time="<time>">
                <skipped message="no docker">no docker</skipped>
            </testcase>
            <testcase name="d.harness.cjs" classname="vigiles test" time="<time>">
                <failure message="exit 3">exit 3</failure>
                <system-out>50% done,
    then: x
    </system-out>
            </testcase>
            <testcase name="all scripts" classname="vigiles test">
                <failure message="expected no script to skip itself (--no-skip), but these did: c.harness.mjs">expected no script to skip itself (--no-skip), but these did: c.harness.mjs</failure>
            </testcase>
        </testsuite>
    </testsuites>
    "
  `);
});

test("junit tells a script that never loaded from one that failed", async () => {
  const { stdout } = await new Project(FILES).vigiles(["test", "--reporter=junit", "e.harness.cjs"]);
  expect(stdout).toContain(`<testsuites name="vigiles test" tests="1" skipped="0" failures="0" errors="1">`);
  expect(stdout).toContain(`<error message="Cannot find module &apos;./not-there&apos;">`);
});

test("github", async () => {
  const { code, stdout } = await new Project(FILES).vigiles(["test", "--reporter=github", "--min=9"]);
  expect(code).toBe(1);
  // Stacks differ from one Node to the other.
  expect(stdout.match(/^::.*/gm)?.map((line) => line.replace(/(Cannot find module [^%]*).*/, "$1"))).toMatchInlineSnapshot(`
    [
      "::warning file=b.harness.mjs,title=0 checks::it imports vigiles and exited with 0, but checked nothing. If it checks with something else, call recordCheck()",
      "::error file=d.harness.cjs,title=fail::exit 3%0A50%25 done,%0Athen: x",
      "::error file=e.harness.cjs,line=1,title=never loaded::Cannot find module './not-there'",
      "::error title=vigiles test::expected at least 9 checks (--min), but 2 ran",
    ]
  `);
});

test("github points at the line that threw", async () => {
  const project = new Project({ "a.harness.mjs": `\n\nthrow new Error("here");` });
  expect((await project.vigiles(["test", "--reporter=github"])).stdout).toContain("::error file=a.harness.mjs,line=3,title=fail::exit 1%0A");
});

test("--output writes the report, and standard output has the default one", async () => {
  const project = new Project({ "a.harness.mjs": FILES["a.harness.mjs"] });
  const outcome = await project.vigiles(["test", "--reporter=junit", "--output=reports/junit.xml"]);
  expect(outcome.stdout).toMatch(/^pass {10}a\.harness\.mjs/);
  expect(outcome.stdout).not.toContain("<?xml");
  // Written whole and renamed: nothing else is left.
  expect(readdirSync(join(project.dir, "reports"))).toEqual(["junit.xml"]);
  expect(readFileSync(join(project.dir, "reports/junit.xml"), "utf8")).toMatch(/^<\?xml.*<\/testsuites>\n$/s);
});

test("--output to where nothing can be written is an error of the call", async () => {
  const project = new Project({ "a.harness.cjs": "", file: "" });
  const { code, stderr } = await project.vigiles(["test", "--reporter=json", "--output=file/report.json"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^vigiles: expected to write the report to file\/report\.json, but /);
});

test("the text of the default report can be written to a file too", async () => {
  const project = new Project({ "a.harness.cjs": "" });
  const { code, stdout } = await project.vigiles(["test", "--output=report.txt"], { env: { FORCE_COLOR: "1" } });
  expect(code).toBe(0);
  expect(stdout).toContain("\u{1B}[32m");
  expect(shown({ code, stdout: project.mask(readFileSync(join(project.dir, "report.txt"), "utf8")), stderr: "" })).toMatchInlineSnapshot(`
    "exit 0
    --- stdout
    pass          a.harness.cjs  checks not counted, <time>

    1 script: 1 passed; 0 checks in <time>"
  `);
});
