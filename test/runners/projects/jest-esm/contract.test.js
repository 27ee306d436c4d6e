import assert from "node:assert/strict";

import { expect, test } from "@jest/globals";
import * as vigiles from "vigiles";
import "vigiles/jest";

import { contract } from "./contract.js";

for (const clause of contract(vigiles, assert, expect)) test(clause.name, () => clause.run());
