import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { manifest, ROOT } from "../scripts/lib/entries.mjs";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

test("the crates and the package have one version", () => {
  const { packages } = JSON.parse(
    execFileSync("cargo", ["metadata", "--no-deps", "--format-version", "1", "--offline"], { cwd: ROOT, encoding: "utf8" }),
  ) as { packages: { name: string; version: string }[] };
  expect(packages.length).toBeGreaterThan(0);
  expect(packages.filter(({ version }) => version !== manifest().version)).toEqual([]);
});

describe("the lock file", () => {
  test("names no registry, so that an installation asks the one it is set up for", () => {
    const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, { resolved?: string; integrity?: string }> };
    const all = Object.entries(packages).filter(([path]) => path !== "");
    expect(all.length).toBeGreaterThan(0);
    expect(all.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });

  test("is of the same version", () => {
    expect((JSON.parse(read("package-lock.json")) as { version: string }).version).toBe(manifest().version);
  });
});

test("native packages are named in what is published, never in the repository, where they do not exist", () => {
  expect(manifest().optionalDependencies).toBeUndefined();
});
