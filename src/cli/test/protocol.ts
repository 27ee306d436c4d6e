/** As in `src/record.ts`, whose import would take part in the count. */
export const CHECK_REPORT_ENV = "VIGILES_CHECK_REPORT";

/** Where a script's process tells which module it could not load. */
export function unloadedPath(report: string): string {
  return `${report}.unloaded`;
}
