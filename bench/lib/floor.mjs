import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { join } from "node:path";

const MANIFEST = fileURLToPath(new URL("../floor/Cargo.toml", import.meta.url));
const TARGET = process.env.CARGO_TARGET_DIR ?? fileURLToPath(new URL("../../target/bench-floor", import.meta.url));

/** The built scanner's path, or undefined where there is no cargo; a build that fails is an error. */
export function buildFloor() {
  const args = ["build", "--release", "--quiet", "--locked", "--manifest-path", MANIFEST, "--target-dir", TARGET];
  const { error, status, stderr } = spawnSync("cargo", args, { encoding: "utf8" });
  if (error?.code === "ENOENT") return undefined;
  if (error) throw error;
  if (status !== 0) throw new Error(`building bench/floor failed: cargo exited with ${status}\n${stderr}`);
  return join(TARGET, "release", process.platform === "win32" ? "bench-floor.exe" : "bench-floor");
}
