import { VigilesError } from "./errors.ts";

/** The environment as pairs: native code does not see what tests change in `process.env`, so it is passed. */
export function environment(overlay: Overlay = {}): [string, string][] {
  return pairs(process.env, overlay);
}

type Overlay = Readonly<Record<string, string | undefined>>;

/** Variables with others over them, as pairs; `undefined` removes one. */
export function pairs(base: Overlay, overlay: Overlay): [string, string][] {
  const merged = { ...base, ...overlay };
  for (const [name, value] of Object.entries(overlay)) {
    if (value === undefined || typeof value === "string") continue;
    throw new VigilesError("VIGILES_INVALID_ARGUMENT", `expected env.${name} to be a string, or undefined to remove it, but got ${value === null ? "null" : typeof value}`);
  }
  return Object.entries(merged).filter((pair): pair is [string, string] => pair[1] !== undefined);
}
