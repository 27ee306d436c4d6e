import { cliProgram } from "../../scripts/lib/clis.mjs";
import { BareClaude } from "../peers/claude-code.mjs";
import { loadClaudeCode, loadVigiles } from "./vigiles.mjs";

const ANSWER = "done";
const MODEL = [{ text: ANSWER }];

/** Runs beside each other: together they take several cores, as tests do. */
const together = async (count, run) => await Promise.all(Array.from({ length: count }, run));

/**
 * Runs of Claude Code with one model turn, `atOnce` at a time, over the bare CLI with the same flags.
 *
 * @param {object} options
 * @param {string} options.version
 * @param {number} options.atOnce
 * @param {number} options.rounds how often, one after the other
 * @param {number} options.most highest ratio to the bare CLI
 */
export function harnessRow({ version, atOnce, rounds, most }) {
  const program = cliProgram("claude", version);
  const repeat = async (run) => {
    const answers = [];
    for (let round = 0; round < rounds; round += 1) answers.push(...(await together(atOnce, run)));
    return answers;
  };
  const ours = async () => {
    const { runHarnessTest } = await loadVigiles();
    const run = async () => {
      const result = await runHarnessTest({ claude: program, model: MODEL });
      const { output } = result;
      result.cleanup();
      return output;
    };
    await run();
    return { run: async () => await repeat(run), answer: (answers) => answers };
  };
  const bare = async () => {
    const { startModel } = await loadClaudeCode();
    const cli = new BareClaude(program, { debugFile: version !== "2.1.197" });
    const run = async () => {
      const model = await startModel(MODEL);
      const answer = await cli.run(model.url);
      await model.close();
      return answer;
    };
    await run();
    return {
      run: async () => await repeat(run),
      answer: (answers) => {
        cli.remove();
        return answers;
      },
    };
  };
  return {
    title: `runHarnessTest, Claude Code ${version}, one turn, ${atOnce} at a time`,
    runs: atOnce * rounds,
    missing: program === undefined ? `Claude Code ${version} is not here: \`npm run fetch:clis\` fetches it` : undefined,
    ours,
    peers: { "bare CLI": bare },
    bars: {},
    most: { "bare CLI": most },
  };
}
