import { modelRow } from "../lib/model-row.mjs";

export default { name: "model-c16-50kb", ...modelRow({ kilobytes: 50, connections: 16, requests: 4000, bar: 3 }) };
