/** The port for other harnesses: what an adapter is, and the kit that tries one. */
export type { DialectSkill, HarnessAdapter, HarnessCapabilities, HarnessDialect } from "./harness/adapter.ts";
export { adapterConformance, type ConformanceCase, type ConformanceOptions } from "./harness/conformance/index.ts";
export { readJsonLines, type HarnessDriver, type HarnessEnded, type HarnessLaunch, type HarnessLeft, type HarnessPlace, type HarnessUserTurn } from "./harness/driver.ts";
