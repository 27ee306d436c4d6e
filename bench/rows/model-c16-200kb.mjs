import { modelRow } from "../lib/model-row.mjs";

export default { name: "model-c16-200kb", ...modelRow({ kilobytes: 200, connections: 16, requests: 1600, bar: 3 }) };
