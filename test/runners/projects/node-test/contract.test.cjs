const assert = require("node:assert/strict");
const { test } = require("node:test");

const vigiles = require("vigiles");

const { contract } = require("./contract.cjs");

for (const clause of contract(vigiles, assert)) test(clause.name, () => clause.run());
