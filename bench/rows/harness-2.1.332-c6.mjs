import { harnessRow } from "../lib/harness-row.mjs";

export default { name: "harness-2.1.332-c6", ...harnessRow({ version: "2.1.332", atOnce: 6, rounds: 1, most: 1.15 }) };
