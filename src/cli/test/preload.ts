// Loaded into every test script before its own code (`node --require`). Tells the parent that a module could not be
// loaded: the script's exit code alone does not say whether its checks failed or never ran.
import { writeFileSync } from "node:fs";

import { CHECK_REPORT_ENV, unloadedPath } from "./protocol.ts";

/** Errors of resolving and loading a module, which Node gives codes of their own. */
const CODES = new Set([
  "MODULE_NOT_FOUND",
  "ERR_IMPORT_ATTRIBUTE_MISSING",
  "ERR_IMPORT_ATTRIBUTE_UNSUPPORTED",
  "ERR_INVALID_MODULE_SPECIFIER",
  "ERR_INVALID_PACKAGE_CONFIG",
  "ERR_INVALID_PACKAGE_TARGET",
  "ERR_INVALID_TYPESCRIPT_SYNTAX",
  "ERR_MODULE_NOT_FOUND",
  "ERR_PACKAGE_IMPORT_NOT_DEFINED",
  "ERR_PACKAGE_PATH_NOT_EXPORTED",
  "ERR_REQUIRE_ASYNC_MODULE",
  "ERR_REQUIRE_CYCLE_MODULE",
  "ERR_REQUIRE_ESM",
  "ERR_UNKNOWN_FILE_EXTENSION",
  "ERR_UNSUPPORTED_DIR_IMPORT",
  "ERR_UNSUPPORTED_ESM_URL_SCHEME",
  "ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING",
  "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX",
]);

const report = process.env[CHECK_REPORT_ENV];
if (report !== undefined) {
  process.on("uncaughtExceptionMonitor", (error: unknown) => {
    if (!isLoadError(error)) return;
    try {
      writeFileSync(unloadedPath(report), String(error.message));
    } catch {
      // The script's own error is on stderr all the same.
    }
  });
}

function isLoadError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code, name, stack = "" } = error as NodeJS.ErrnoException;
  if (code !== undefined && CODES.has(code)) return true;
  // tsx reports a syntax error as esbuild does.
  if (name === "TransformError" || error.message.startsWith("Transform failed with ")) return true;
  // JSON.parse and new Function throw SyntaxErrors too; those of the loader come from the loader.
  return name === "SyntaxError" && /^\s+at .*\(?node:internal\/modules\//.test(stack.slice(stack.search(/^\s+at /m)));
}
