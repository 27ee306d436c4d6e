import { modelRow } from "../lib/model-row.mjs";

export default { name: "model-c16-85kb", ...modelRow({ kilobytes: 85, connections: 16, requests: 4000, bar: 3 }) };
