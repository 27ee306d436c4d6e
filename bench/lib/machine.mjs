import { spawnSync } from "node:child_process";
import { cpus, release, totalmem } from "node:os";

/** Where a table was measured: without it the figures mean nothing. */
export function describeMachine() {
  const rust = spawnSync("rustc", ["--version"], { encoding: "utf8" });
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${release()} ${process.arch}`,
    node: process.version,
    rust: rust.status === 0 ? rust.stdout.trim().replace(/^rustc /, "") : undefined,
  };
}
