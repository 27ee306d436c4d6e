import { VigilesError } from "../errors.ts";
import { knownOptions } from "../options.ts";
import type { ModelRequest } from "../trace/types.ts";
import type { ModelScript, ModelStep, ModelTurn } from "./types.ts";

/**
 * A script of a model, for {@link runHarnessTest} and `startModel`: the main agent's turns, and who else speaks.
 *
 * @throws {VigilesError} `VIGILES_INVALID_ARGUMENT` for what is no script.
 */
export function scriptModel(turns: readonly ModelStep[], more: Omit<ModelScript, "turns"> = {}): ModelScript {
  knownOptions("scriptModel", more, ["subagents", "side"]);
  return { ...more, turns };
}

/** A script as it crosses to native code: functions are numbers there, and `makeTurn` calls the one with a number. */
export function crossing(script: readonly ModelStep[] | ModelScript): { json: string; makeTurn: (number: number, request: string) => Promise<string> } {
  const { turns, subagents, side, ...rest } = wholeScript(script);
  const functions: ((request: ModelRequest) => ModelTurn | Promise<ModelTurn>)[] = [];
  const numbered = (steps: unknown): unknown =>
    Array.isArray(steps) ? steps.map((step: unknown) => (typeof step === "function" ? { function: functions.push(step as (typeof functions)[number]) - 1 } : step)) : steps;
  const each = (groups: unknown): unknown =>
    typeof groups === "object" && groups !== null && !Array.isArray(groups) ? Object.fromEntries(Object.entries(groups).map(([name, steps]) => [name, numbered(steps)])) : groups;
  const json = dataOf({ ...rest, turns: numbered(turns), subagents: each(subagents), side: each(side) });
  const makeTurn = async (number: number, request: string): Promise<string> => {
    const make = functions[number];
    if (make === undefined) throw new VigilesError("VIGILES_INTERNAL", `no function ${number} in the script`);
    const turn: unknown = await make(JSON.parse(request) as ModelRequest);
    if (typeof turn !== "object" || turn === null) {
      throw new VigilesError("VIGILES_SCRIPT_FAILED", `expected it to return a turn, such as { text: "done" }, but got ${turn === null ? "null" : typeof turn}`);
    }
    return dataOf(turn);
  };
  return { json, makeTurn };
}

/** JSON that leaves nothing out: a function in the arguments of a tool would be gone without a word. */
function dataOf(value: unknown): string {
  const refuse = (seen: string, cause?: unknown): never => {
    throw new VigilesError("VIGILES_INVALID_ARGUMENT", `expected the turns of a model to be plain data, but got ${seen}; a function can stand for a whole turn only`, { cause });
  };
  try {
    return JSON.stringify(value, (key, field: unknown) => (["function", "bigint", "symbol"].includes(typeof field) ? refuse(`a ${typeof field} in ${JSON.stringify(key)}`) : field));
  } catch (cause) {
    if (cause instanceof VigilesError) throw cause;
    return refuse("what is no JSON", cause);
  }
}

function wholeScript(script: unknown): ModelScript {
  if (Array.isArray(script)) return { turns: script as ModelStep[] };
  if (typeof script === "object" && script !== null && Array.isArray((script as ModelScript).turns)) return script as ModelScript;
  const seen = script === null ? "null" : typeof script === "object" ? "an object without `turns`" : typeof script;
  throw new VigilesError("VIGILES_INVALID_ARGUMENT", `expected a model script, an array of turns such as [{ text: "done" }] or scriptModel([...]), but got ${seen}`);
}
