import { modelRow } from "../lib/model-row.mjs";

export default { name: "model-c1-50kb", ...modelRow({ kilobytes: 50, connections: 1, requests: 2000, bar: 3 }) };
