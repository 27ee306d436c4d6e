import { modelRow } from "../lib/model-row.mjs";

export default { name: "model-c16-115kb", ...modelRow({ kilobytes: 115, connections: 16, requests: 1600, bar: 3 }) };
