import { hookRow } from "../lib/hook-row.mjs";

export default { name: "hooks-c4-20mb", ...hookRow({ concurrency: 4, megabytes: 20, bar: 2 }) };
