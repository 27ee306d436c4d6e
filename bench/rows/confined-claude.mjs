import { claudeRow } from "../lib/confined-row.mjs";

export default { name: "confined-claude", ...claudeRow(5) };
