import { expect } from "vitest";

import { vigilesMatchers, type VigilesMatchers } from "./matchers.ts";

expect.extend(vigilesMatchers);

declare module "vitest" {
  // oxlint-disable-next-line typescript/no-explicit-any, typescript/no-empty-object-type -- the signature of the interface that is extended
  interface Matchers<T = any> extends VigilesMatchers<T> {}
}
