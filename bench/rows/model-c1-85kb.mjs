import { modelRow } from "../lib/model-row.mjs";

export default { name: "model-c1-85kb", ...modelRow({ kilobytes: 85, connections: 1, requests: 2000, bar: 3 }) };
