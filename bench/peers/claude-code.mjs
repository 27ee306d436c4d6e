import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * The bare CLI: the flags, the variables and the stream to a file that `runHarnessTest` uses, and nothing else around it. Its
 * directories are there and used before, so that it starts warm.
 */
export class BareClaude {
  #root = mkdtempSync(join(tmpdir(), "vigiles-bench-"));
  #runs = 0;

  /**
   * @param {string} program
   * @param {{ debugFile: boolean }} flags whether this version tells hooks in its debug log, which ours asks for then
   */
  constructor(program, { debugFile }) {
    this.program = program;
    this.debugFile = debugFile;
    for (const dir of ["home/.claude", "tmp"]) mkdirSync(join(this.#root, dir), { recursive: true });
  }

  /**
   * One run against a model; gives its final answer.
   *
   * @param {string} url of the model
   */
  async run(url) {
    this.#runs += 1;
    const work = join(this.#root, `work-${this.#runs}`);
    mkdirSync(work);
    const stream = `${work}.jsonl`;
    const stdout = openSync(stream, "w");
    const child = spawn(this.program, this.#flags(work), { cwd: work, env: this.#environment(url), stdio: ["pipe", stdout, "pipe"] });
    child.stderr.resume();
    child.stdin.end("go");
    await once(child, "close");
    closeSync(stdout);
    const result = readFileSync(stream, "utf8").split("\n").find((line) => line.includes('"type":"result"'));
    return JSON.parse(result).result;
  }

  #flags(work) {
    // Its directory is used again, and no session may be there twice.
    const session = `00000000-0000-4000-8000-${String(this.#runs).padStart(12, "0")}`;
    const stream = ["-p", "--output-format", "stream-json", "--verbose", "--include-hook-events", "--session-id", session];
    const debug = this.debugFile ? ["--debug-file", `${work}.debug`] : [];
    return [...stream, "--model", "claude-sonnet-4-5", "--allowed-tools", "Read,Edit,Write,Bash", ...debug];
  }

  #environment(url) {
    const home = join(this.#root, "home");
    return {
      PATH: process.env.PATH,
      HOME: home,
      CLAUDE_CONFIG_DIR: join(home, ".claude"),
      TMPDIR: join(this.#root, "tmp"),
      LANG: "C.UTF-8",
      TZ: "UTC",
      ANTHROPIC_API_KEY: "sk-ant-vigiles-scripted-model",
      ANTHROPIC_BASE_URL: url,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
      DISABLE_TELEMETRY: "1",
      DISABLE_ERROR_REPORTING: "1",
      DISABLE_AUTOUPDATER: "1",
    };
  }

  remove() {
    rmSync(this.#root, { recursive: true, force: true });
  }
}
