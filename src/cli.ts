import { fileURLToPath } from "node:url";

import { main } from "./cli/program.ts";

// From `src` and from `dist` alike the package is one level up.
process.exitCode = await main(process.argv.slice(2), fileURLToPath(new URL("..", import.meta.url)));
