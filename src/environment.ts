import { VigilesError } from "./errors.ts";

/** The environment as pairs: native code does not see what tests change in `process.env`, so it is passed. */
export function environment(overlay: Readonly<Record<string, string | undefined>> = {}): [string, string][] {
  const merged = { ...process.env, ...overlay };
  for (const [name, value] of Object.entries(overlay)) {
    if (value === undefined || typeof value === "string") continue;
    throw new VigilesError("VIGILES_INVALID_ARGUMENT", `expected env.${name} to be a string, or undefined to remove it, but got ${value === null ? "null" : typeof value}`);
  }
  return Object.entries(merged).filter((pair): pair is [string, string] => pair[1] !== undefined);
}
