import { modelRow } from "../lib/model-row.mjs";

export default { name: "model-c1-200kb", ...modelRow({ kilobytes: 200, connections: 1, requests: 800, bar: 3 }) };
