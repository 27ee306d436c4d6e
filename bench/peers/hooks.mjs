import { spawn, spawnSync } from "node:child_process";

/** Exit codes of `argv`, run once per event with the event on its standard input, one after the other. */
export function spawnSyncEach([program, ...args], events, { cwd, env, timeoutMs }) {
  return events.map((event) => {
    const { status, error } = spawnSync(program, args, { input: JSON.stringify(event), cwd, env, timeout: timeoutMs, encoding: "utf8" });
    if (error) throw error;
    return status;
  });
}

/** The same with `concurrency` processes at a time. */
export async function spawnEach(argv, events, { concurrency, ...options }) {
  const codes = Array.from({ length: events.length });
  let next = 0;
  const worker = async () => {
    while (next < events.length) {
      const at = next++;
      codes[at] = await spawnOne(argv, events[at], options);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return codes;
}

function spawnOne([program, ...args], event, { cwd, env, timeoutMs }) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, timeout: timeoutMs });
    const output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"]) {
      child[name].setEncoding("utf8").on("data", (text) => (output[name] += text));
    }
    child.on("error", reject).on("close", resolve);
    // A hook may exit before it has read its input.
    child.stdin.on("error", (error) => error.code === "EPIPE" || reject(error));
    child.stdin.end(JSON.stringify(event));
  });
}
