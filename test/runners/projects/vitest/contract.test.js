import assert from "node:assert/strict";

import * as vigiles from "vigiles";
import "vigiles/vitest";
import { expect, test } from "vitest";

import { contract } from "./contract.js";

for (const clause of contract(vigiles, assert, expect)) test(clause.name, () => clause.run());
