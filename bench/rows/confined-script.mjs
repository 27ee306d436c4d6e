import { scriptRow } from "../lib/confined-row.mjs";

export default { name: "confined-script", ...scriptRow(50) };
