import * as vigiles from "vigiles";
import "vigiles/vitest";
import { expect, test } from "vitest";

test("the native part answers", () => {
  expect(vigiles.coreVersion()).toMatch(/^\d+\.\d+\.\d+/);
});
