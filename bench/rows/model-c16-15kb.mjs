import { modelRow } from "../lib/model-row.mjs";

export default { name: "model-c16-15kb", ...modelRow({ kilobytes: 15, connections: 16, requests: 6000 }) };
