/** The environment as pairs: native code does not see what tests change in `process.env`, so it is passed. */
export function environment(overlay: Readonly<Record<string, string | undefined>> = {}): [string, string][] {
  const merged = { ...process.env, ...overlay };
  return Object.entries(merged).filter((pair): pair is [string, string] => pair[1] !== undefined);
}
