import { hookRow } from "../lib/hook-row.mjs";

export default { name: "hooks-c1-20mb", ...hookRow({ concurrency: 1, megabytes: 20, bar: 1.7 }) };
