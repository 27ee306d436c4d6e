import assert from "node:assert/strict";
import { test } from "node:test";

import * as vigiles from "vigiles";

import { contract } from "./contract.js";

for (const clause of contract(vigiles, assert)) test(clause.name, () => clause.run());
