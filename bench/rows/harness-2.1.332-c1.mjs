import { harnessRow } from "../lib/harness-row.mjs";

export default { name: "harness-2.1.332-c1", ...harnessRow({ version: "2.1.332", atOnce: 1, rounds: 3, most: 1.15 }) };
