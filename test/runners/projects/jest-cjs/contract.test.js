const assert = require("node:assert/strict");

const vigiles = require("vigiles");
require("vigiles/jest");

const { contract } = require("./contract.js");

for (const clause of contract(vigiles, assert)) test(clause.name, () => clause.run());

test("what is returned equals plain values", () => {
  expect({ version: vigiles.coreVersion() }).toStrictEqual({ version: expect.any(String) });
});
