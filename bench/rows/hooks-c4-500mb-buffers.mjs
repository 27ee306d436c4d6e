import { hookRow } from "../lib/hook-row.mjs";

export default { name: "hooks-c4-500mb-buffers", ...hookRow({ concurrency: 4, megabytes: 500, holds: "buffers", bar: 8 }) };
