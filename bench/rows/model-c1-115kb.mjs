import { modelRow } from "../lib/model-row.mjs";

export default { name: "model-c1-115kb", ...modelRow({ kilobytes: 115, connections: 1, requests: 1200, bar: 3 }) };
