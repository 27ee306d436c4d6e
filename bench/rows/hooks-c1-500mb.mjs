import { hookRow } from "../lib/hook-row.mjs";

export default { name: "hooks-c1-500mb", ...hookRow({ concurrency: 1, megabytes: 500, bar: 1.7 }) };
