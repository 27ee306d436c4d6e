import { spawn } from "node:child_process";

import { ROOT } from "./entries.mjs";

/**
 * Runs a command with its output shown, and also hands the output back.
 *
 * @param {string[]} argv
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, show?: boolean }} [options] `show: false` keeps the output to the caller
 * @returns {Promise<{ code: number, stdout: string, stderr: string }>} a command that a signal ended has the code 1
 */
export function run([command, ...args], { cwd = ROOT, env = process.env, show = true } = {}) {
  return new Promise((resolve, reject) => {
    if (command === undefined) throw new TypeError("run() needs a command");
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text;
      if (show) process.stdout.write(text);
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      stderr += text;
      if (show) process.stderr.write(text);
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, stdout, stderr }));
  });
}
