import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { DATA } from "../generate.mjs";
import { startPlainModel } from "../peers/model.mjs";
import { buildProgram } from "./cargo.mjs";
import { modelRequest } from "./model-request.mjs";
import { loadClaudeCode } from "./vigiles.mjs";

const run = promisify(execFile);

/**
 * Requests of one size to a scripted model, from a load generator in a process of its own.
 *
 * @param {object} options
 * @param {number} options.kilobytes of each request
 * @param {number} options.connections one request at a time on each
 * @param {number} options.requests
 * @param {number} options.bar least ratio to the peer
 */
export function modelRow({ kilobytes, connections, requests, bar }) {
  const texts = Array.from({ length: requests }, (_, at) => `Turn ${at} of the script.`);
  const side = (start) => async () => {
    const model = await start();
    const load = buildProgram("load");
    if (load === undefined) throw new Error("expected cargo, to build the load generator bench/load, saw none");
    mkdirSync(DATA, { recursive: true });
    const body = join(DATA, `request-${kilobytes}kb.json`);
    writeFileSync(body, modelRequest(kilobytes * 1000));
    return {
      async run() {
        const { stdout } = await run(load, [new URL(model.url).host, body, String(connections), String(requests)]);
        const { failed } = JSON.parse(stdout);
        if (failed > 0) throw new Error(`${failed} of ${requests} requests failed`);
        return model;
      },
      answer() {
        const { length } = model.requests;
        const { system, messages, tools, kind } = model.requests.at(-1);
        model.close();
        const told = [system, ...messages.flatMap(({ role, text }) => [role, text]), ...tools, kind];
        return { requests: length, told: createHash("sha256").update(JSON.stringify(told)).digest("hex") };
      },
    };
  };
  return {
    title: `model server, ${requests} requests of ${kilobytes} KB, ${connections} at a time`,
    runs: requests,
    ours: side(async () => (await loadClaudeCode()).startModel(texts.map((text) => ({ text })))),
    peers: { "node:http": side(() => startPlainModel(texts)) },
    bars: { "node:http": bar },
  };
}
