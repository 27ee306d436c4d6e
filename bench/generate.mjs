import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { dirname, join } from "node:path";
import { claudeStream } from "./lib/stream.mjs";

export const DATA = join(dirname(fileURLToPath(import.meta.url)), "data");
export const LARGE_STREAM = join(DATA, "stream-200mb.jsonl");
export const SMALL_STREAM = join(DATA, "stream-70kb.jsonl");
export const GUARD = join(DATA, "guard.sh");

const FLUSH_BYTES = 8 << 20;

// Nothing but bash: programs that a guard starts take their own time, which is no runner's to save.
const GUARD_SOURCE = `#!/usr/bin/env bash
IFS= read -r -d '' event
if [[ $event == *"rm -rf"* ]]; then
  echo "refused: rm -rf" >&2
  exit 2
fi
exit 0
`;

/** Writes through a second name, so that an interrupted run leaves no half-made file to be taken for a whole one. */
function writeStream(path, { seed, bytes, maxOutput }) {
  const file = openSync(`${path}.part`, "w");
  let written = 0;
  let pending = [];
  let pendingBytes = 0;
  const flush = () => {
    const buffer = Buffer.from(pending.join(""));
    for (let at = 0; at < buffer.length; ) at += writeSync(file, buffer, at);
    pending = [];
    pendingBytes = 0;
  };
  for (const event of claudeStream({ seed, maxOutput, full: () => written >= bytes })) {
    const line = `${JSON.stringify(event)}\n`;
    const size = Buffer.byteLength(line);
    written += size;
    pendingBytes += size;
    pending.push(line);
    if (pendingBytes >= FLUSH_BYTES) flush();
  }
  flush();
  closeSync(file);
  renameSync(`${path}.part`, path);
}

/** Makes what is missing in `bench/data`; delete the folder to have it made again. */
export function generate(log = () => {}) {
  mkdirSync(DATA, { recursive: true });
  if (!existsSync(LARGE_STREAM)) {
    log("generating a 200 MB stream, once");
    writeStream(LARGE_STREAM, { seed: 1, bytes: 200e6, maxOutput: 50_000 });
  }
  if (!existsSync(SMALL_STREAM)) {
    // Short outputs: with 50 KB ones the file would hold two calls.
    writeStream(SMALL_STREAM, { seed: 3, bytes: 65e3, maxOutput: 4000 });
  }
  writeFileSync(GUARD, GUARD_SOURCE);
  chmodSync(GUARD, 0o755);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) generate(console.error);
