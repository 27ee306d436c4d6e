import { hookRow } from "../lib/hook-row.mjs";

export default { name: "hooks-c4-500mb", ...hookRow({ concurrency: 4, megabytes: 500, bar: 2 }) };
