import { harnessRow } from "../lib/harness-row.mjs";

export default { name: "harness-2.1.197-c6", ...harnessRow({ version: "2.1.197", atOnce: 6, rounds: 1, most: 1.15 }) };
