import { createRequire } from "node:module";
import { join } from "node:path";

import ts from "typescript";
import { expect, test } from "vitest";

import { entries, ROOT } from "../scripts/lib/entries.mjs";

/** Entries whose import registers matchers with a test runner, and so needs that runner around it. */
const NEEDS_RUNNER: ReadonlySet<string> = new Set(["vitest", "jest"]);

const program = ts.createProgram(
  [...entries().flatMap(({ name }) => [built(name, "d.mts"), built(name, "d.cts")]), join(ROOT, "index.d.ts")],
  { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, skipLibCheck: true, noEmit: true },
);
const checker = program.getTypeChecker();

test("every entry point exports what the list says", async () => {
  const list = entries().map(({ name, specifier }) => [specifier, ...declared(built(name, "d.mts")).map((line) => `  ${line}`)].join("\n"));
  // The list is a file so that growth of the API is a line in review. `npx vitest run test/exports.test.ts -u` rewrites it.
  await expect(`${list.join("\n\n")}\n`).toMatchFileSnapshot("exports.txt");
});

test("index.d.ts declares what the root entry declares", () => {
  expect(declared(join(ROOT, "index.d.ts"))).toEqual(declared(built("index", "d.mts")));
});

test.each(entries())("$specifier is the same as an ES module and as CommonJS", async ({ name }) => {
  expect(declared(built(name, "d.cts"))).toEqual(declared(built(name, "d.mts")));
  if (NEEDS_RUNNER.has(name)) return;

  const values = declared(built(name, "d.mts")).filter((line) => !line.startsWith("type ")).map((line) => line.split(" ")[1]);
  const esm = (await import(built(name, "mjs"))) as object;
  const cjs = createRequire(import.meta.url)(built(name, "cjs")) as object;
  expect(Object.keys(esm).toSorted()).toEqual(values.toSorted());
  expect(Object.keys(cjs).toSorted()).toEqual(values.toSorted());
});

function built(name: string, extension: string): string {
  return join(ROOT, "dist", `${name}.${extension}`);
}

/** The exports of a declaration file, as `class NAME`, `function NAME`, `const NAME` or `type NAME`, in the order of names. */
function declared(file: string): string[] {
  const source = program.getSourceFile(file);
  if (source === undefined) throw new Error(`expected ${file} to exist; run \`npm run build\``);
  const module = checker.getSymbolAtLocation(source);
  // A file that exports nothing is no module to the checker.
  if (module === undefined) return [];
  return checker
    .getExportsOfModule(module)
    .map((symbol) => ({ name: symbol.name, kind: kindOf(symbol) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, kind }) => `${kind} ${name}`);
}

function kindOf(symbol: ts.Symbol): string {
  const { flags } = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  if (flags & ts.SymbolFlags.Class) return "class";
  if (flags & ts.SymbolFlags.Function) return "function";
  if (flags & ts.SymbolFlags.Variable) return "const";
  if (flags & ts.SymbolFlags.Type) return "type";
  throw new Error(`expected a class, function, variable or type, got flags ${flags} for ${symbol.name}`);
}
