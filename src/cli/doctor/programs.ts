import { execFile } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

import { messageOf } from "../text.ts";
import type { Finding } from "./finding.ts";

/** How long a program may take to tell its version. */
const TIMEOUT_MS = 5000;

/** The programs that some of the runners start. None is needed to test hooks, scripts and recordings. */
export async function programs(path: string): Promise<Finding[]> {
  return Promise.all([
    program("claude", path, {
      missing: "it is needed to run a harness with Claude Code, and by nothing else: `npm install -g @anthropic-ai/claude-code`",
    }),
    program("codex", path, { missing: "it is needed to run a harness with Codex, and by nothing else: `npm install -g @openai/codex`" }),
    ...(process.platform === "linux"
      ? [program("bwrap", path, { missing: "it is needed to run a script or a harness confined: install the package `bubblewrap` of your system" })]
      : []),
  ]);
}

async function program(name: string, path: string, { missing }: { missing: string }): Promise<Finding> {
  const file = which(name, path);
  if (file === undefined) return { name, status: "note", found: "not on PATH", advice: missing };
  try {
    return { name, status: "ok", found: `${await versionOf(file, path)}, ${file}` };
  } catch (error) {
    const why = messageOf(error).trim().split("\n").at(-1) ?? "";
    return { name, status: "note", found: `${file}, but it does not tell its version: ${why}`, advice: `run \`${name} --version\` and read what it says` };
  }
}

/** The file that a shell would start. */
function which(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return statSync(file).isFile();
      } catch {
        return false;
      }
    });
}

/** What `--version` prints. The program sees neither the user's settings nor the keys in the environment. */
async function versionOf(file: string, path: string): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), "vigiles-doctor-"));
  try {
    return await new Promise((resolve, reject) => {
      execFile(file, ["--version"], { env: { PATH: path, HOME: home }, cwd: home, timeout: TIMEOUT_MS, killSignal: "SIGKILL", encoding: "utf8" }, (error, stdout) => {
        if (error === null) resolve(stdout.trim().split("\n", 1)[0] ?? "");
        else reject(error.killed === true ? new Error(`no answer within ${TIMEOUT_MS / 1000} s`, { cause: error }) : error);
      });
    });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
