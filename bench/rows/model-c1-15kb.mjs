import { modelRow } from "../lib/model-row.mjs";

export default { name: "model-c1-15kb", ...modelRow({ kilobytes: 15, connections: 1, requests: 3000 }) };
