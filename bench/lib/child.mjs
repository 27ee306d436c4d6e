/** One measurement in a fresh process: `node child.mjs ROW SIDE` prints `{ ms, peakRssKb, answer }`; SIDE `idle` does nothing. */
import { readFileSync } from "node:fs";
import { rows } from "../rows/index.mjs";
import { median } from "./statistics.mjs";

const [rowName, sideName] = process.argv.slice(2);

/**
 * Peak resident memory, mapped pages included. `resourceUsage().maxRSS` would do, but on Linux it keeps the parent's peak
 * across exec, which is above that of a small child.
 */
function peakRssKb() {
  if (process.platform === "linux") return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))[1]);
  return process.resourceUsage().maxRSS;
}

/**
 * What a worker that has loaded a large test suite holds: live objects on the JavaScript heap, or buffers beside it. Node
 * starts processes more slowly per megabyte of the second kind.
 */
const fillers = {
  objects(bytes) {
    const kept = [];
    while (process.memoryUsage().heapUsed < bytes) {
      for (let i = 0; i < 10_000; i += 1) kept.push({ id: i, name: `object ${i}`, tags: [i] });
    }
    return kept;
  },
  buffers: (bytes) => Array.from({ length: bytes / 1e6 }, () => Buffer.alloc(1e6, 1)),
};

async function time(run) {
  const start = performance.now();
  const result = await run();
  return { ms: performance.now() - start, result };
}

async function timeWarm(run, { warmup, iterations }) {
  for (let i = 0; i < warmup; i += 1) await run();
  const times = [];
  let last;
  for (let i = 0; i < iterations; i += 1) {
    last = await time(run);
    times.push(last.ms);
  }
  return { ms: median(times), result: last.result };
}

async function measure() {
  const row = rows.find(({ name }) => name === rowName);
  const side = await (sideName === "ours" ? row.ours : row.peers[sideName])();
  globalThis.ballast = row.parent ? fillers[row.parent.holds](row.parent.megabytes * 1e6) : undefined;
  const { ms, result } = await (row.warm ? timeWarm(side.run, row.warm) : time(side.run));
  const peak = peakRssKb();
  return { ms, peakRssKb: peak, answer: side.answer(result) };
}

const measured = sideName === "idle" ? { ms: 0, peakRssKb: peakRssKb() } : await measure();
process.stdout.write(JSON.stringify(measured));
