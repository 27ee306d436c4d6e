import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder of the repository, without a slash at the end. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");

/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} version
 * @property {Record<string, unknown>} exports
 * @property {Record<string, string>} engines
 * @property {Record<string, string>} [optionalDependencies]
 * @property {Record<string, string>} [devDependencies]
 * @property {Record<string, string>} [scripts]
 * @property {{ binaryName: string, packageName: string }} napi
 * @property {string} license
 * @property {string} description
 */

/** @returns {Manifest} the package.json of the repository */
export function manifest() {
  return JSON.parse(readFileSync(`${ROOT}/package.json`, "utf8"));
}

/**
 * The entry points, read from `exports` of package.json so that they are listed in one place:
 * `./engine/matchers` is the source `src/engine/matchers.ts` and the build `dist/engine/matchers.*`.
 *
 * @returns {{ specifier: string, name: string, source: string }[]}
 */
export function entries() {
  const { name: packageName, exports } = manifest();
  return Object.keys(exports)
    .filter((key) => key !== "./package.json")
    .map((key) => {
      const name = key === "." ? "index" : key.slice(2);
      return { specifier: key === "." ? packageName : `${packageName}/${name}`, name, source: `src/${name}.ts` };
    });
}
