import { hookRow } from "../lib/hook-row.mjs";

export default { name: "hooks-c1-500mb-buffers", ...hookRow({ concurrency: 1, megabytes: 500, holds: "buffers", bar: 8 }) };
