import { modelRow } from "../lib/model-row.mjs";

export default { name: "model-c1-35kb", ...modelRow({ kilobytes: 35, connections: 1, requests: 2000, bar: 3 }) };
