import { spawnSync } from "node:child_process";
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { median } from "./statistics.mjs";

const CHILD = fileURLToPath(new URL("child.mjs", import.meta.url));
const WARM_READ_BYTES = 1 << 20;

function runJson(program, args) {
  const { error, status, signal, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", maxBuffer: 64 << 20 });
  if (error) throw error;
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${signal ?? `exit code ${status}`}\n${stderr}`);
  return JSON.parse(stdout);
}

/** Reads the file once, so that every measurement finds it in the page cache. */
function warmPageCache(path) {
  const buffer = Buffer.allocUnsafeSlow(WARM_READ_BYTES);
  const file = openSync(path, "r");
  while (readSync(file, buffer, 0, buffer.length, null) > 0);
  closeSync(file);
}

/**
 * Measures all sides of a row, each time in a fresh process: one untimed round that only compares answers, then `rounds` rounds in
 * alternating order, so that a slow spell of the machine hits every side.
 *
 * @returns {{ sides: Record<string, { ms: number, samples: number[], peakRssKb?: number }>, bytes?: number }}
 * @throws when two sides do not give the same answer: figures of different work must not be compared
 */
export function measureRow(row, { rounds, withOurs, floorProgram }) {
  const names = [...(withOurs ? ["ours"] : []), ...Object.keys(row.peers)];
  const measured = Object.fromEntries(names.map((name) => [name, { samples: [], peaks: [] }]));
  let expected;
  const measure = (name) => {
    const { ms, peakRssKb, answer } = runJson(process.execPath, [CHILD, row.name, name]);
    if (answer.wrong?.length > 0) throw new Error(`${row.name}: ${name} misjudged the stream: ${answer.wrong.join(", ")}`);
    expected ??= { name, answer };
    if (!isDeepStrictEqual(answer, expected.answer)) {
      throw new Error(
        `${row.name}: ${name} and ${expected.name} do not agree; run \`node ${CHILD} ${row.name} ${name}\`\n` +
          `${expected.name}: ${JSON.stringify(expected.answer)}\n${name}: ${JSON.stringify(answer)}`,
      );
    }
    return { ms, peakRssKb };
  };

  if (row.file) warmPageCache(row.file);
  for (const name of names) measure(name);
  const floor = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 ? names.toReversed() : names) {
      const { ms, peakRssKb } = measure(name);
      measured[name].samples.push(ms);
      measured[name].peaks.push(peakRssKb);
    }
    if (row.floor && floorProgram) floor.push(runJson(floorProgram, [row.file]).ms);
  }

  const sides = {};
  for (const [name, { samples, peaks }] of Object.entries(measured)) {
    sides[name] = { ms: median(samples), samples, peakRssKb: median(peaks) };
  }
  if (floor.length > 0) sides.floor = { ms: median(floor), samples: floor };
  return { sides, bytes: row.file ? statSync(row.file).size : undefined };
}

/** Peak resident memory of a process that only loads the benchmark, in KB. */
export function measureIdleRss() {
  return median([1, 2, 3].map(() => runJson(process.execPath, [CHILD, "none", "idle"]).peakRssKb));
}
