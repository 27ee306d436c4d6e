import { SourceMap, type SourceMapPayload } from "node:module";

import { build } from "esbuild";
import { expect, test } from "vitest";

import { ROOT } from "../scripts/lib/entries.mjs";

/** Everything that someone who only judges a transcript ships. A new line here is code for each of them: is it worth that? */
const ONE_PREDICATE: readonly string[] = [
  "src/check/check.ts",
  "src/check/patterns.ts",
  "src/check/target.ts",
  "src/check/vocabulary.ts",
  "src/errors.ts",
  "src/native.ts",
  "src/predicates.ts",
  "src/trace/trace.ts",
];

test("one predicate pulls in these files and no others", async () => {
  expect(await bundledSources(`export { usedTool } from "vigiles";`)).toEqual(ONE_PREDICATE);
});

test("the list would show other files", async () => {
  const sources = await bundledSources(`export { usedTool, propertyHook } from "vigiles";`);
  expect(sources.filter((source) => !ONE_PREDICATE.includes(source))).toContain("src/property-hook.ts");
});

test("registering matchers survives tree shaking", async () => {
  expect(await bundledSources(`import "vigiles/vitest";`)).toContain("src/vitest.ts");
});

/** The files of `src/` that put code into a bundle of `entry`, in the order of names. */
async function bundledSources(entry: string): Promise<string[]> {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: ROOT },
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    external: ["vitest", "@jest/globals"],
    outdir: "bundle",
    sourcemap: "external",
    // The repository's own tsconfig points the package's name at its sources; this is about what is shipped.
    tsconfigRaw: "{}",
    logLevel: "silent",
  });
  const text = (extension: string) => outputFiles.find(({ path }) => path.endsWith(extension))?.text ?? "";
  const map = new SourceMap(JSON.parse(text(".js.map")) as SourceMapPayload);

  // A map lists every file that was read; only a line that maps back to one shows that its code is in the bundle.
  const sources = new Set<string>();
  for (const [line, code] of text(".js").split("\n").entries()) {
    // The code of a package that has no map of its own comes from nowhere, whatever the types say.
    const { originalSource } = map.findEntry(line, code.search(/\S/)) as { originalSource?: string };
    if (originalSource !== undefined) sources.add(originalSource.replace(/^(?:\.\.?\/)+/, ""));
  }
  return [...sources].filter((source) => source.startsWith("src/")).toSorted();
}
