import { cliProgram } from "../../scripts/lib/clis.mjs";
import { loadVigiles } from "./vigiles.mjs";

const VERSION = "2.1.332";

/** One after the other, confined or not: our side is confined, the peer is the same unconfined, so the ratio is the price. */
const row = (title, runs, once) => {
  const side = (sandbox) => async () => {
    const vigiles = await loadVigiles();
    return {
      async run() {
        const results = [];
        for (let at = 0; at < runs; at++) results.push(await once(vigiles, sandbox));
        return results;
      },
      answer: (results) => results,
    };
  };
  return { title, runs, ours: side("strict"), peers: { unconfined: side(false) }, bars: {} };
};

/** A script that does nothing: what is left is the making and ending of a sandbox. */
export const scriptRow = (runs) => row(`runScript x ${runs}, confined`, runs, ({ runScript }, sandbox) => runScript("true", { sandbox }).exitCode);

/** One turn of Claude Code. */
export const claudeRow = (runs) =>
  row(`one turn of Claude Code x ${runs}, confined`, runs, async ({ runHarnessTest }, sandbox) => {
    const claude = cliProgram("claude", VERSION);
    if (claude === undefined) throw new Error(`expected Claude Code ${VERSION}, saw none; run \`npm run fetch:clis\``);
    const result = await runHarnessTest({ claude, sandbox, model: [{ text: "done" }] });
    result.cleanup();
    return result.output;
  });
