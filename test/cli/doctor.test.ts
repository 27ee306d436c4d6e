import { chmodSync } from "node:fs";
import { dirname, join } from "node:path";

import { expect, test } from "vitest";

import { NODE_VERSIONS, nodeBinary } from "../support/node-versions.ts";
import { Project } from "./project.ts";

interface Finding {
  name: string;
  status: string;
  found: string;
  advice?: string;
}

const [OLD_NODE] = NODE_VERSIONS;
const node = nodeBinary(OLD_NODE);

/** The findings by name. PATH has the project's `bin` alone, where programs are made. */
async function findings(project: Project): Promise<{ code: number | null; ok: boolean; of: (name: string) => Finding | undefined }> {
  const { code, stdout } = await project.vigiles(["doctor", "--json"], { node, env: { PATH: join(project.dir, "bin"), SECRET_KEY: "s3cret" } });
  const report = JSON.parse(stdout) as { ok: boolean; findings: Finding[] };
  return { code, ok: report.ok, of: (name) => report.findings.find((finding) => finding.name === name) };
}

function program(project: Project, name: string, script: string): void {
  project.write(`bin/${name}`, `#!/bin/sh\n${script}\n`);
  chmodSync(join(project.dir, "bin", name), 0o755);
}

test("where nothing needed is missing it ends with 0", async () => {
  const project = new Project();
  const { code, stdout } = await project.vigiles(["doctor"], { node, env: { PATH: "/nowhere" } });
  expect(code).toBe(0);
  const masked = stdout.replaceAll(dirname(dirname(node)), "<node>").replaceAll(/(?<=Node\.js +)\d+\.\d+\.\d+/g, "20.x").replaceAll(/linux \w+/g, "<platform>");
  expect(masked).toMatchInlineSnapshot(`
    "✓ vigiles             0.1.0, <vigiles>
    ✓ native part         0.1.0, <platform>
    ✓ Node.js             20.x, <node>/bin/node
    - TypeScript scripts  not run: this Node does not strip types, and the project has no tsx
                          run \`npm install --save-dev tsx\`, or use Node 22.18, 23.6 or newer
    ✓ vitest              not in the project
    ✓ jest                not in the project
    - claude              not on PATH
                          it is needed to run a harness with Claude Code, and by nothing else: \`npm install -g @anthropic-ai/claude-code\`
    - codex               not on PATH
                          it is needed to run a harness with Codex, and by nothing else: \`npm install -g @openai/codex\`
    - bwrap               not on PATH
                          it is needed to run a script or a harness confined: install the package \`bubblewrap\` of your system

    Everything that is needed is there.
    "
  `);
});

test("the CLIs are asked for their version, without the caller's environment", async () => {
  const project = new Project();
  program(project, "claude", 'echo "2.1.332 (Claude Code) home=${HOME#/tmp/} key=$SECRET_KEY"');
  program(project, "codex", "echo broken pipe >&2; exit 1");
  const { code, of } = await findings(project);
  expect(code).toBe(0);
  expect(of("claude")).toEqual({ name: "claude", status: "ok", found: expect.stringMatching(/^2\.1\.332 \(Claude Code\) home=vigiles-doctor-\w+ key=, <project>\/bin\/claude$/) });
  expect(of("codex")).toMatchObject({ status: "note", found: "<project>/bin/codex, but it does not tell its version: broken pipe", advice: "run `codex --version` and read what it says" });
});

test.runIf(process.platform === "linux")("bubblewrap, where a run is confined by it", async () => {
  const project = new Project();
  program(project, "bwrap", "echo bubblewrap 0.9.0");
  expect((await findings(project)).of("bwrap")).toMatchObject({ status: "ok", found: "bubblewrap 0.9.0, <project>/bin/bwrap" });
});

test("a CLI that hangs does not hang the doctor", async () => {
  const project = new Project();
  program(project, "claude", "exec /bin/sleep 60");
  expect((await findings(project)).of("claude")?.found).toBe("<project>/bin/claude, but it does not tell its version: no answer within <time>");
});

test("TypeScript scripts that cannot run are a problem", async () => {
  const project = new Project({ "x.harness.ts": "" });
  const { code, ok, of } = await findings(project);
  expect({ code, ok }).toEqual({ code: 1, ok: false });
  expect(of("TypeScript scripts")).toMatchObject({ status: "problem", advice: "run `npm install --save-dev tsx`, or use Node 22.18, 23.6 or newer" });

  project.link("tsx");
  expect((await findings(project)).of("TypeScript scripts")).toMatchObject({ status: "ok", found: "run with the project's tsx" });
});

test("test runners, and whether the matchers are set up", async () => {
  const project = new Project().link("vitest", "jest");
  const first = await findings(project);
  expect(first.of("vitest")).toMatchObject({ status: "note", advice: 'to use them, add setupFiles: ["vigiles/vitest"] to its configuration, or import "vigiles/vitest" in a test' });
  expect(first.of("jest")).toMatchObject({ status: "note", advice: 'to use them, add setupFilesAfterEnv: ["vigiles/jest"] to its configuration, or import "vigiles/jest" in a test' });

  project.write("vitest.config.ts", `export default { test: { setupFiles: ["./test/setup.ts"] } };`);
  project.write("test/setup.ts", `import "vigiles/vitest";`);
  project.write("package.json", `{"jest": {"setupFilesAfterEnv": ["vigiles/jest"]}}`);
  const second = await findings(project);
  expect(second.of("vitest")).toMatchObject({ status: "ok", found: expect.stringMatching(/^4\.\d+\.\d+, set up with vigiles\/vitest$/) });
  expect(second.of("jest")).toMatchObject({ status: "ok", found: expect.stringMatching(/^30\.\d+\.\d+, set up with vigiles\/jest$/) });
});

test("a runner that is too old is a problem", async () => {
  const project = new Project({ "node_modules/vitest/package.json": `{"name": "vitest", "version": "1.6.0"}` });
  const { code, of } = await findings(project);
  expect(code).toBe(1);
  expect(of("vitest")).toEqual({ name: "vitest", status: "problem", found: "1.6.0", advice: "`vigiles/vitest` needs vitest 3 or newer: `npm install --save-dev vitest@latest`" });
});
