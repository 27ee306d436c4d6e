import { defineConfig } from "vitest/config";

import { entries, ROOT } from "./scripts/lib/entries.mjs";

// Tests import the package by its name, as a user does, and get the sources. `test/runners` and `test/packed` prove the built package.
const alias = entries().map(({ specifier, source }) => ({ find: new RegExp(`^${specifier}$`), replacement: `${ROOT}/${source}` }));

const minutes = (count: number) => count * 60_000;

export default defineConfig({
  resolve: { alias },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/{heavy,harness,packed,runners,fixtures}/**"],
          testTimeout: minutes(0.5),
        },
      },
      { extends: true, test: { name: "harness", include: ["test/harness/**/*.test.ts"], testTimeout: minutes(2) } },
      { extends: true, test: { name: "runners", include: ["test/runners/*.test.ts"], testTimeout: minutes(2), hookTimeout: minutes(5) } },
      { extends: true, test: { name: "packed", include: ["test/packed/*.test.ts"], testTimeout: minutes(10), hookTimeout: minutes(10) } },
      { extends: true, test: { name: "heavy", include: ["test/heavy/**/*.test.ts"], testTimeout: minutes(30), hookTimeout: minutes(5) } },
    ],
  },
});
