import { expect } from "@jest/globals";

import { vigilesMatchers, type VigilesMatchers } from "./matchers.ts";

expect.extend(vigilesMatchers);

declare module "expect" {
  // oxlint-disable-next-line typescript/no-empty-object-type, no-unused-vars -- the signature of the interface that is extended
  interface Matchers<R extends void | Promise<void>, T = unknown> extends VigilesMatchers<R> {}
}

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- where @types/jest keeps its matchers
  namespace jest {
    // oxlint-disable-next-line typescript/no-empty-object-type, typescript/ban-types, no-unused-vars -- the signature of the interface that is extended
    interface Matchers<R, T = {}> extends VigilesMatchers<R> {}
  }
}
