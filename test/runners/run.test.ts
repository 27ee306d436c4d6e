import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import ts from "typescript";
import * as vigiles from "vigiles";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { ROOT } from "../../scripts/lib/entries.mjs";
import { run } from "../../scripts/lib/run.mjs";
import { installBuiltPackage, linkPackages } from "../support/built-package.ts";
import { userEnvironment } from "../support/environment.ts";
import { NODE_VERSIONS, nodeBinary } from "../support/node-versions.ts";
import { contract } from "./contract.ts";

interface Proof {
  readonly name: string;
  /** A folder below `projects/`. */
  readonly project: string;
  /** What the project imports besides vigiles. */
  readonly packages: readonly string[];
  /** What comes after `node`. */
  readonly argv: readonly string[];
  readonly env?: Record<string, string>;
  /** How many tests passed, read from the runner's own report. */
  passed(stdout: string): number;
  /** How many tests the project has, given the clauses of the contract: a run of fewer proves nothing. */
  readonly expected: (clauses: Clauses) => number;
}

/** How many clauses the contract has for a runner with `expect`, and for one without. */
interface Clauses {
  readonly withExpect: number;
  readonly without: number;
}

const VITEST = ["node_modules/vitest/vitest.mjs", "run", "--reporter=json"];
const JEST = ["node_modules/jest/bin/jest.js", "--json", "--no-watchman", "--no-cache"];

const fromJson = (stdout: string) => (JSON.parse(stdout) as { numPassedTests: number }).numPassedTests;
const fromTap = (stdout: string) => Number(/^# pass (\d+)$/m.exec(stdout)?.[1] ?? Number.NaN);

const PROOFS: readonly Proof[] = [
  ...["forks", "threads", "vmThreads", "vmForks"].map((pool) => ({
    name: `vitest, pool ${pool}`,
    project: "vitest",
    packages: ["vitest"],
    argv: [...VITEST, `--pool=${pool}`],
    passed: fromJson,
    expected: ({ withExpect }: Clauses) => withExpect,
  })),
  {
    name: "jest, CommonJS",
    project: "jest-cjs",
    packages: ["jest", "@jest/globals"],
    argv: JEST,
    passed: fromJson,
    expected: ({ withExpect }) => withExpect,
  },
  {
    name: "jest, ES modules",
    project: "jest-esm",
    packages: ["jest", "@jest/globals"],
    argv: JEST,
    env: { NODE_OPTIONS: "--experimental-vm-modules" },
    passed: fromJson,
    expected: ({ withExpect }) => withExpect,
  },
  {
    name: "node:test, both kinds of modules",
    project: "node-test",
    packages: [],
    argv: ["--test", "--test-reporter=tap", "contract.test.mjs", "contract.test.cjs"],
    passed: fromTap,
    expected: ({ without }) => without * 2,
  },
];

const clauses: Clauses = { withExpect: contract(vigiles, assert, () => undefined).length, without: contract(vigiles, assert).length };

describe.each(NODE_VERSIONS)("node %s", (version) => {
  let node = "";
  let projects = "";

  beforeAll(() => {
    node = nodeBinary(version);
    projects = mkdtempSync(join(tmpdir(), "vigiles-runners-"));
  });
  afterAll(() => rmSync(projects, { recursive: true, force: true }));

  test.each(PROOFS)("$name", async (proof) => {
    const dir = mkdtempSync(join(projects, "project-"));
    cpSync(join(ROOT, "test/runners/projects", proof.project), dir, { recursive: true });
    writeContract(dir);
    installBuiltPackage(dir);
    linkPackages(dir, proof.packages);

    const { code, stdout, stderr } = await run([node, ...proof.argv], { cwd: dir, env: userEnvironment(proof.env), show: false });

    expect(code, `${stdout}\n${stderr}`).toBe(0);
    expect(proof.passed(stdout), stdout).toBe(proof.expected(clauses));
  });
});

/** The contract as the module kind that the project is of, and once more as CommonJS under a name that always is. */
function writeContract(dir: string): void {
  const source = readFileSync(join(ROOT, "test/runners/contract.ts"), "utf8");
  const { type } = JSON.parse(readFileSync(join(dir, "package.json"), "utf8")) as { type: string };
  const compile = (module: ts.ModuleKind) => ts.transpileModule(source, { compilerOptions: { module, target: ts.ScriptTarget.ES2022 } }).outputText;
  writeFileSync(join(dir, "contract.js"), compile(type === "module" ? ts.ModuleKind.ESNext : ts.ModuleKind.CommonJS));
  writeFileSync(join(dir, "contract.cjs"), compile(ts.ModuleKind.CommonJS));
}
