import { failingChecks, passingChecks } from "../checks.mjs";
import { evaluate } from "../peers/checks.mjs";
import { readToolCalls, readTrace } from "../peers/trace.mjs";
import { digestToolCalls } from "./digest.mjs";
import { loadVigiles } from "./vigiles.mjs";

/**
 * A side of a row: an async function, called untimed, that gives
 * `run()`, the timed work, and `answer(result)`, untimed, what all sides of the row must agree on.
 */

/** Parse a stream and judge it by the ten checks, with vigiles. */
export const vigilesChecks = (path) => async () => {
  const vigiles = await loadVigiles();
  const build = (checks) => checks.map(([kind, ...args]) => vigiles[kind](...args));
  const [passing, failing] = [build(passingChecks), build(failingChecks)];
  const verdicts = (trace, checks) => vigiles.evalChecks(trace, checks).map((result) => result.pass);
  return {
    run() {
      const trace = vigiles.parseTrace(path);
      return { trace, verdicts: verdicts(trace, passing) };
    },
    answer: (result) => checksAnswer(result, verdicts(result.trace, failing)),
  };
};

/** The same in plain JavaScript; `read` is a reader of `peers/lines.mjs`. */
export const plainChecks = (path, read) => async () => ({
  run() {
    const trace = readTrace(path, read);
    return { trace, verdicts: evaluate(trace, passingChecks) };
  },
  answer: (result) => checksAnswer(result, evaluate(result.trace, failingChecks)),
});

/** Metadata of every tool call, with vigiles. */
export const vigilesToolCalls = (path) => async () => {
  const { parseTrace } = await loadVigiles();
  return {
    run: () => parseTrace(path).toolCalls.map(({ id, name, isError, turn }) => ({ id, name, isError, turn })),
    answer: digestToolCalls,
  };
};

/** The same in plain JavaScript. */
export const plainToolCalls = (path, read) => async () => ({
  run: () => readToolCalls(path, read),
  answer: digestToolCalls,
});

function checksAnswer({ trace, verdicts }, failing) {
  const wrong = [
    ...passingChecks.filter((_, at) => verdicts[at] !== true).map(([kind]) => `${kind} should pass`),
    ...failingChecks.filter((_, at) => failing[at] !== false).map(([kind]) => `${kind} should fail`),
  ];
  return { wrong, toolCalls: digestToolCalls(trace.toolCalls) };
}
