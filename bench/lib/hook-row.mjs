import { DATA, GUARD } from "../generate.mjs";
import { spawnEach, spawnSyncEach } from "../peers/hooks.mjs";
import { loadVigiles } from "./vigiles.mjs";

const RUNS = 200;
const ARGV = ["bash", GUARD];
const OPTIONS = { cwd: DATA, timeoutMs: 10_000 };

/** Every second command is refused, so both outcomes of the guard are run. */
const EVENTS = Array.from({ length: RUNS }, (_, at) => ({
  session_id: "bench",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: at % 2 ? "rm -rf build" : "npm test", description: "A command" },
  cwd: DATA,
}));

const exitCodes = (results) => results.map((result) => result.exitCode);

const vigilesSide = (concurrency) => async () => {
  const { runHook, runHooks } = await loadVigiles();
  return {
    run:
      concurrency === 1
        ? () => EVENTS.map((event) => runHook(ARGV, event, OPTIONS))
        : () => runHooks(ARGV, EVENTS, { ...OPTIONS, concurrency }),
    answer: exitCodes,
  };
};

/**
 * 200 runs of a small bash guard from a process that holds `megabytes` of live objects (or buffers): node starts processes
 * more slowly the more memory it holds, so the size of the test worker counts.
 *
 * @param {object} options
 * @param {number} options.concurrency runs at a time
 * @param {number} options.megabytes
 * @param {"objects" | "buffers"} [options.holds]
 * @param {number} [options.bar] least ratio to the peer; reported only when left out
 */
export function hookRow({ concurrency, megabytes, holds = "objects", bar }) {
  const peer = concurrency === 1 ? "spawnSync" : "spawn";
  const run = concurrency === 1 ? () => spawnSyncEach(ARGV, EVENTS, OPTIONS) : () => spawnEach(ARGV, EVENTS, { ...OPTIONS, concurrency });
  return {
    title: `runHook x ${RUNS}, ${concurrency} at a time, parent holds ${megabytes} MB of ${holds}`,
    runs: RUNS,
    parent: { megabytes, holds },
    ours: vigilesSide(concurrency),
    peers: { [peer]: async () => ({ run, answer: (codes) => codes }) },
    bars: { [peer]: bar },
  };
}
