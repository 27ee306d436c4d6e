import { contractJSON, type OutputContract, parseAgentResult, type Shape } from "./agent-result.ts";
import { fromNative } from "./errors.ts";
import { native } from "./native.ts";

/**
 * Declares what a subagent's answer ends with: exactly one fenced block, `vigiles:ok` or `vigiles:err`, with a JSON
 * object of these fields.
 *
 * @throws {VigilesError} `VIGILES_CONTRACT_*` when a type is not one of string, number, boolean, string[], or a list of
 * strings.
 */
function result<const Ok extends Shape, const Err extends Shape>(ok: Ok, err: Err): OutputContract<Ok, Err> {
  const contract: OutputContract<Ok, Err> = { _ref: "output", ok, err };
  // Reading any text with it checks the contract itself, here and not in the first test that uses it.
  parseAgentResult("", contract);
  return contract;
}

/** The section of an instruction file that tells a subagent its contract. */
function contractSection(contract: OutputContract): string {
  return fromNative(() => native().renderResultContract(contractJSON(contract)));
}

/** Builders for subagents. */
export const experimental_agent = { result, contractSection } as const;

export type { FieldType, OutputContract, Shape, ShapeValue } from "./agent-result.ts";
