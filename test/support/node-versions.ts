import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";

/** The oldest and the newest supported Node, as versions of the npm package `node`. */
export const NODE_VERSIONS = ["20.20.2", "24.21.0"] as const;

/** The path of a Node of the same major version: the running one if it is that, else one that npm fetches into its cache. */
export function nodeBinary(version: string): string {
  const major = (text: string) => text.split(".")[0];
  if (major(process.versions.node) === major(version)) return process.execPath;
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const path = execFileSync(npm, ["exec", "--yes", `--package=node@${version}`, "--", "node", "-p", "process.execPath"], {
    cwd: tmpdir(),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  }).trim();
  const found = execFileSync(path, ["-p", "process.versions.node"], { encoding: "utf8" }).trim();
  if (major(found) !== major(version)) throw new Error(`expected npm to fetch Node ${version}, got ${found} at ${path}`);
  return path;
}
