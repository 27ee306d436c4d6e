import { coreVersion } from "./native.ts";

console.log(coreVersion());
