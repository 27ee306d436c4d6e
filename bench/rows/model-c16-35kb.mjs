import { modelRow } from "../lib/model-row.mjs";

export default { name: "model-c16-35kb", ...modelRow({ kilobytes: 35, connections: 16, requests: 4000, bar: 3 }) };
