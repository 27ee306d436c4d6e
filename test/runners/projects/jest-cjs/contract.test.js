const assert = require("node:assert/strict");

const vigiles = require("vigiles");
require("vigiles/jest");

const { contract } = require("./contract.js");

for (const clause of contract(vigiles, assert, expect)) test(clause.name, () => clause.run());
