import { rmSync } from "node:fs";

import type { VigilesError } from "../../errors.ts";
import { knownOptions } from "../../options.ts";
import type { HarnessAdapter, HarnessCapabilities } from "../adapter.ts";
import { runHarnessTest } from "../run.ts";
import { CAPABILITIES } from "./capabilities.ts";
import { CASES } from "./cases.ts";
import { must, type Kit, type Run } from "./kit.ts";

/** One thing that a harness adapter must do. */
export interface ConformanceCase {
  /** What it must do, as the end of a sentence: `runs a tool call`. */
  readonly name: string;
  /** Tries it. @throws {VigilesError} `VIGILES_ADAPTER_CONFORMANCE` when the adapter does not do it, with what was seen. */
  run(): Promise<void>;
}

/** Options of {@link adapterConformance}. */
export interface ConformanceOptions {
  /** The CLI's program. Default: where runs look for it. */
  readonly program?: string;
}

/**
 * What every harness adapter must do, as cases for any test runner. They run the adapter's real CLI, against a scripted
 * model on loopback.
 *
 * ```ts
 * describe("my adapter", () => {
 *   test.each(adapterConformance(myAdapter))("$name", async ({ run }) => await run());
 * });
 * ```
 */
export function adapterConformance(adapter: HarnessAdapter, options: ConformanceOptions = {}): ConformanceCase[] {
  knownOptions("adapterConformance", options, ["program"]);
  const run: Run = async (spec) => await runHarnessTest({ ...(options.program === undefined ? {} : { program: options.program }), ...spec }, { adapter });
  const kit: Kit = {
    adapter,
    run,
    use: async (spec, see) => {
      const result = await run(spec);
      try {
        see(result);
      } finally {
        result.cleanup();
      }
    },
    fails: async (spec, code) => {
      const error = await run(spec).then(
        (result) => {
          result.cleanup();
          return undefined;
        },
        (thrown: unknown) => thrown as VigilesError,
      );
      const kept = /^ {2}kept: (.*)$/m.exec(error?.message ?? "")?.[1];
      if (kept !== undefined) rmSync(kept, { recursive: true, force: true });
      must(error?.code === code, adapter, `the run to fail with ${code}`, error === undefined ? "a run that did not fail" : `${error.code ?? "no code"}: ${error.message}`);
      return error?.message ?? "";
    },
  };
  const capable = (Object.keys(CAPABILITIES) as (keyof HarnessCapabilities)[]).map((name) => {
    const [able, unable] = CAPABILITIES[name];
    return adapter.capabilities?.[name] === true ? able : unable;
  });
  return [...CASES, ...capable].map(([name, test]) => ({ name, run: async () => await test(kit) }));
}
