import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { onTestFinished } from "vitest";

import { ROOT } from "../../scripts/lib/entries.mjs";
import { linkPackages } from "../support/built-package.ts";
import { userEnvironment } from "../support/environment.ts";

/** What a command did. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a command is started. */
export interface RunOptions {
  readonly env?: Record<string, string>;
  /** The Node that runs the command. */
  readonly node?: string;
}

const BIN = join(ROOT, "bin/vigiles.mjs");

/** A folder of files, with vigiles installed, that is gone after the test. */
export class Project {
  readonly dir: string;

  constructor(files: Record<string, string> = {}) {
    this.dir = realpathSync(mkdtempSync(join(tmpdir(), "vigiles-cli-")));
    onTestFinished(() => rmSync(this.dir, { recursive: true, force: true }));
    mkdirSync(join(this.dir, "node_modules"));
    symlinkSync(ROOT, join(this.dir, "node_modules/vigiles"));
    for (const [path, text] of Object.entries(files)) this.write(path, text);
  }

  /** Writes a file; its folders are made. */
  write(path: string, text: string): void {
    const file = join(this.dir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** Makes packages of this repository's own installation available. */
  link(...packages: string[]): this {
    linkPackages(this.dir, packages);
    return this;
  }

  /** Starts `vigiles`; it is killed after the test. */
  start(args: readonly string[], { env = {}, node = process.execPath }: RunOptions = {}): ChildProcess {
    const child = spawn(node, [BIN, ...args], { cwd: this.dir, env: { ...userEnvironment({ NO_COLOR: "1" }), ...env }, stdio: ["ignore", "pipe", "pipe"] });
    onTestFinished(() => {
      child.kill("SIGKILL");
    });
    return child;
  }

  /** Runs `vigiles` to its end. Paths, times and versions are masked. */
  async vigiles(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
    const child = this.start(args, options);
    let [stdout, stderr] = ["", ""];
    child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    return { code, stdout: this.mask(stdout), stderr: this.mask(stderr) };
  }

  /** Replaces what differs from run to run. */
  mask(text: string): string {
    return text
      .replaceAll(this.dir, "<project>")
      .replaceAll(ROOT, "<vigiles>")
      .replaceAll(/\b\d+(?:\.\d+)? (?:ms|s)\b/g, "<time>")
      .replaceAll(/("durationMs":|time=")\d+(?:\.\d+)?/g, "$1<time>");
  }
}

/** The outcome as one text, for snapshots. */
export function shown({ code, stdout, stderr }: Outcome): string {
  return [`exit ${code}`, ...(stdout === "" ? [] : ["--- stdout", stdout.trimEnd()]), ...(stderr === "" ? [] : ["--- stderr", stderr.trimEnd()])].join("\n");
}
