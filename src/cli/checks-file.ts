import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { checkFromJSON } from "../check/check.ts";
import type { Check, CheckJSON } from "../check/types.ts";
import { VigilesError } from "../errors.ts";
import { UnableError } from "./exit.ts";
import { messageOf } from "./text.ts";

/** The newest form of a file of checks that is understood. */
const VERSION = 1;

/** Reads checks from JSON, or from the default export of a module. */
export async function readChecks(path: string, cwd: string): Promise<Check[]> {
  const file = resolve(cwd, path);
  const { value, shape } = file.endsWith(".json")
    ? { value: readJSON(file, path), shape: 'a list of checks, or {"checks": list}' }
    : { value: await importDefault(file, path), shape: "a list of checks as the default export" };
  const list = listIn(value, path);
  if (list === undefined) throw new UnableError(`expected ${shape} in ${path}, but found ${kindOf(value)}`);
  if (list.length === 0) throw new UnableError(`expected at least one check in ${path}, but the list is empty: it would pass whatever happened`);
  return list.map((check, index) => readCheck(check, index, path));
}

function readJSON(file: string, path: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new UnableError(`expected checks as JSON in ${path}, but ${messageOf(error)}`);
  }
}

async function importDefault(file: string, path: string): Promise<unknown> {
  try {
    return ((await import(pathToFileURL(file).href)) as { default?: unknown }).default;
  } catch (error) {
    throw new UnableError(`expected a module with checks in ${path}, but it could not be loaded: ${messageOf(error)}`);
  }
}

function listIn(value: unknown, path: string): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== "object" || value === null) return undefined;
  const { checks, version = VERSION, ...others } = value as { checks?: unknown; version?: unknown };
  if (typeof version !== "number" || version > VERSION) {
    throw new UnableError(`expected version ${VERSION} of a file of checks in ${path}, but found ${JSON.stringify(version)}. A newer vigiles may read it`);
  }
  const unknown = Object.keys(others);
  if (unknown.length > 0) throw new UnableError(`expected only "checks" and "version" in ${path}, but found ${unknown.map((key) => JSON.stringify(key)).join(", ")}`);
  return Array.isArray(checks) ? checks : undefined;
}

/** A check of a module is taken as it is; data is validated before anything is judged. */
function readCheck(value: unknown, index: number, path: string): Check {
  if (typeof value === "object" && value !== null && "eval" in value && typeof value.eval === "function") return value as Check;
  try {
    return checkFromJSON(value as CheckJSON);
  } catch (error) {
    if (!(error instanceof VigilesError)) throw error;
    throw new UnableError(`check ${index + 1} in ${path}: ${error.message}`);
  }
}

function kindOf(value: unknown): string {
  if (value === undefined) return "none";
  return typeof value === "object" && value !== null ? `an object with ${Object.keys(value).map((key) => JSON.stringify(key)).join(", ") || "nothing in it"}` : JSON.stringify(value);
}
