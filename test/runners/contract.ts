import type Assert from "node:assert/strict";
import type * as Vigiles from "vigiles";

export interface Clause {
  readonly name: string;
  run(): void | Promise<void>;
}

/**
 * What has to hold wherever the package is loaded. Some runners give each test file its own global objects, so that what
 * native code or a cached module makes can be an `Error` or an array of another world: each clause fails if that leaks.
 *
 * It takes what it tests as arguments, so that one text serves modules of both kinds.
 */
export function contract(vigiles: typeof Vigiles, assert: typeof Assert): Clause[] {
  return [
    {
      name: "the native part loads and gives plain values",
      run() {
        assert.match(vigiles.coreVersion(), /^\d+\.\d+\.\d+/);
      },
    },
    {
      name: "an error is an Error here, with its code",
      run() {
        const error = new vigiles.NativeMissingError(new Error("cause"));
        assert.ok(error instanceof Error);
        assert.ok(error instanceof vigiles.NativeMissingError);
        assert.equal(error.code, "VIGILES_NATIVE_MISSING");
      },
    },
  ];
}
