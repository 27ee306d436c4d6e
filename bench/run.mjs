import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { generate } from "./generate.mjs";
import { buildProgram } from "./lib/cargo.mjs";
import { describeMachine } from "./lib/machine.mjs";
import { measureIdleRss, measureRow } from "./lib/measure.mjs";
import { renderMarkdown, renderText } from "./lib/report.mjs";
import { isBuilt } from "./lib/vigiles.mjs";
import { rows } from "./rows/index.mjs";

const RESULTS = fileURLToPath(new URL("results/", import.meta.url));
const ROUNDS = 9;
const QUICK_ROUNDS = 3;

const HELP = `node bench/run.mjs [options]

  --only ROW     measure this row only; may be given more than once
  --quick        ${QUICK_ROUNDS} rounds instead of ${ROUNDS}
  --peers-only   leave vigiles out, to look at the peers before the package is built
  --markdown     print the table as Markdown

Rows: ${rows.map(({ name }) => name).join(", ")}
Writes bench/results/latest.json. Exit code 0: every bar holds; 1: one does not; 2: it could not be measured.`;

const log = (text) => process.stderr.write(`${text}\n`);

function options() {
  const { values } = parseArgs({
    options: {
      only: { type: "string", multiple: true },
      quick: { type: "boolean", default: false },
      "peers-only": { type: "boolean", default: false },
      markdown: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const unknown = values.only?.filter((name) => !rows.some((row) => row.name === name)) ?? [];
  if (unknown.length > 0) throw new Error(`expected --only to name a row, saw ${unknown.join(", ")}; rows: ${rows.map(({ name }) => name).join(", ")}`);
  return values;
}

function compare(row, sides) {
  if (sides.ours === undefined) return [];
  const ratio = (peer) => sides[peer].ms / sides.ours.ms;
  const peers = Object.keys(row.peers).map((peer) => {
    const [bar, most] = [row.bars[peer], row.most?.[peer]];
    if (most) return { peer, ratio: ratio(peer), most, holds: 1 / ratio(peer) <= most };
    return { peer, ratio: ratio(peer), ...(bar && { bar, holds: ratio(peer) >= bar }) };
  });
  return sides.floor ? [...peers, { peer: "floor", ratio: ratio("floor") }] : peers;
}

/** Peak memory of ours above an idle node's, as a multiple of the file. */
function compareMemory(row, { sides, bytes }, idleRssKb) {
  if (sides.ours === undefined || row.peakRssBar === undefined) return undefined;
  const ratio = ((sides.ours.peakRssKb - idleRssKb) * 1024) / bytes;
  return { ratio, bar: row.peakRssBar, holds: ratio < row.peakRssBar };
}

/** Through a second name: a reader never sees half a file. */
function save(report) {
  mkdirSync(RESULTS, { recursive: true });
  const path = `${RESULTS}latest.json`;
  writeFileSync(`${path}.part`, `${JSON.stringify(report, undefined, 2)}\n`);
  renameSync(`${path}.part`, path);
}

function main() {
  const { only, quick, "peers-only": peersOnly, markdown, help } = options();
  if (help) {
    process.stdout.write(`${HELP}\n`);
    return 0;
  }
  if (!peersOnly && !isBuilt()) throw new Error("expected the built package in dist/, saw none; run `npm run build` (release), or pass --peers-only");
  generate(log);
  const asked = rows.filter(({ name }) => only?.includes(name) ?? true);
  for (const { name, missing } of asked) if (missing) log(`leaving out ${name}: ${missing}`);
  const selected = asked.filter(({ missing }) => !missing);
  const floorProgram = selected.some((row) => row.floor) ? buildProgram("floor") : undefined;
  const rounds = quick ? QUICK_ROUNDS : ROUNDS;
  const idleRssKb = measureIdleRss();
  const results = selected.map((row) => {
    log(`measuring ${row.name}`);
    const measured = measureRow(row, { rounds, withOurs: !peersOnly, floorProgram });
    const { name, title, runs } = row;
    return { name, title, runs, ...measured, comparisons: compare(row, measured.sides), memory: compareMemory(row, measured, idleRssKb) };
  });
  const report = { machine: describeMachine(), rounds, idleRssKb, results };
  save(report);
  process.stdout.write(`${markdown ? renderMarkdown(report) : renderText(report)}\n`);
  const missed = results.some(({ comparisons, memory }) => memory?.holds === false || comparisons.some(({ holds }) => holds === false));
  return missed ? 1 : 0;
}

try {
  process.exitCode = main();
} catch (error) {
  log(error.message);
  process.exitCode = 2;
}
