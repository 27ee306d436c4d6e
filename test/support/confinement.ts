import { existsSync } from "node:fs";

import { runScript, VigilesError } from "vigiles";

const DIRECTORIES = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"];

/** Whether the system has a program. */
export const hasProgram = (name: string) => DIRECTORIES.some((directory) => existsSync(`${directory}/${name}`));

/** Why commands cannot be confined here; `undefined` where they can. Where bubblewrap is installed it has to work. */
export function confinementMissing(): string | undefined {
  try {
    runScript("true", { sandbox: "strict" });
    return undefined;
  } catch (error) {
    if (!(error instanceof VigilesError) || error.code !== "VIGILES_CONFINE_UNAVAILABLE" || hasProgram("bwrap")) throw error;
    return error.message;
  }
}

/** Says aloud that tests are skipped. */
export function skipping(what: string, reason: string | undefined): boolean {
  if (reason !== undefined) process.stderr.write(`SKIPPED ${what}: ${reason}\n`);
  return reason !== undefined;
}
