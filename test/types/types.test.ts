import { join } from "node:path";

import { expect, test } from "vitest";

import { ROOT } from "../../scripts/lib/entries.mjs";
import { run } from "../../scripts/lib/run.mjs";

// The files hold both what must compile and, under @ts-expect-error, what must not.
test.each(["api", "vitest", "jest-globals", "jest-ambient"])("%s", async (project) => {
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const { code, stdout } = await run([process.execPath, tsc, "-p", join(ROOT, "test/types", project)], { show: false });
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
});
