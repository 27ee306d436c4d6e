import assert from "node:assert/strict";

import { expect, test } from "@jest/globals";
import * as vigiles from "vigiles";
import "vigiles/jest";

import { contract } from "./contract.js";

for (const clause of contract(vigiles, assert)) test(clause.name, () => clause.run());

test("what is returned equals plain values", () => {
  expect({ version: vigiles.coreVersion() }).toStrictEqual({ version: expect.any(String) });
});
