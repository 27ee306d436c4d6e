import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { join } from "node:path";

/**
 * Builds a program of this folder that is written in Rust: `floor`, `load`.
 *
 * @param {string} name
 * @returns {string | undefined} its path; undefined where there is no cargo. A build that fails is an error
 */
export function buildProgram(name) {
  const manifest = fileURLToPath(new URL(`../${name}/Cargo.toml`, import.meta.url));
  const target = process.env.CARGO_TARGET_DIR ?? fileURLToPath(new URL(`../../target/bench-${name}`, import.meta.url));
  const args = ["build", "--release", "--quiet", "--locked", "--manifest-path", manifest, "--target-dir", target];
  const { error, status, stderr } = spawnSync("cargo", args, { encoding: "utf8" });
  if (error?.code === "ENOENT") return undefined;
  if (error) throw error;
  if (status !== 0) throw new Error(`building bench/${name} failed: cargo exited with ${status}\n${stderr}`);
  return join(target, "release", process.platform === "win32" ? `bench-${name}.exe` : `bench-${name}`);
}
