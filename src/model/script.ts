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
  const whole = wholeScript(script);
  const functions: ((request: ModelRequest) => ModelTurn | Promise<ModelTurn>)[] = [];
  const json = JSON.stringify(whole, (_key, value: unknown) => {
    if (typeof value !== "function") return value;
    functions.push(value as (request: ModelRequest) => ModelTurn);
    return { function: functions.length - 1 };
  });
  const makeTurn = async (number: number, request: string): Promise<string> => {
    const make = functions[number];
    if (make === undefined) throw new VigilesError("VIGILES_INTERNAL", `no function ${number} in the script`);
    const turn: unknown = await make(JSON.parse(request) as ModelRequest);
    if (typeof turn !== "object" || turn === null) {
      throw new VigilesError("VIGILES_SCRIPT_FAILED", `expected it to return a turn, such as { text: "done" }, but got ${turn === null ? "null" : typeof turn}`);
    }
    return JSON.stringify(turn);
  };
  return { json, makeTurn };
}

function wholeScript(script: unknown): ModelScript {
  if (Array.isArray(script)) return { turns: script as ModelStep[] };
  if (typeof script === "object" && script !== null && Array.isArray((script as ModelScript).turns)) return script as ModelScript;
  const seen = script === null ? "null" : typeof script === "object" ? "an object without `turns`" : typeof script;
  throw new VigilesError("VIGILES_INVALID_ARGUMENT", `expected a model script, an array of turns such as [{ text: "done" }] or scriptModel([...]), but got ${seen}`);
}
