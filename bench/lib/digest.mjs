import { createHash } from "node:crypto";

/** One hash over id, name, error flag and turn of every call: equal when both sides saw the same calls. */
export function digestToolCalls(calls) {
  const hash = createHash("sha256");
  for (const { id, name, isError, turn } of calls) hash.update(`${id}\t${name}\t${isError}\t${turn}\n`);
  return `${calls.length} calls, ${hash.digest("hex")}`;
}
