import { VigilesError } from "./errors.ts";
import { confinedPath } from "./run/sandbox.ts";

/** The environment as pairs: native code does not see what tests change in `process.env`, so it is passed. */
export function environment(overlay: Overlay = {}): [string, string][] {
  return pairs(process.env, overlay);
}

/** The environment of a confined command: nothing of the process's. */
export function confinedEnvironment(overlay: Overlay = {}): [string, string][] {
  return pairs({ PATH: confinedPath() }, overlay);
}

type Overlay = Readonly<Record<string, string | undefined>>;

function pairs(base: Overlay, overlay: Overlay): [string, string][] {
  const merged = { ...base, ...overlay };
  for (const [name, value] of Object.entries(overlay)) {
    if (value === undefined || typeof value === "string") continue;
    throw new VigilesError("VIGILES_INVALID_ARGUMENT", `expected env.${name} to be a string, or undefined to remove it, but got ${value === null ? "null" : typeof value}`);
  }
  return Object.entries(merged).filter((pair): pair is [string, string] => pair[1] !== undefined);
}
