import { coreVersion } from "./index.ts";

console.log(coreVersion());
