import { VigilesError } from "vigiles";

/** What `act` throws, which must be an error of ours. */
export function thrown(act: () => unknown): VigilesError {
  let result: unknown;
  try {
    result = act();
  } catch (error) {
    if (error instanceof VigilesError) return error;
    throw error;
  }
  throw new Error(`expected an error, but it gave ${String(result)}`);
}

/** The code of what `act` throws, and its message. */
export function refusal(act: () => unknown): string {
  const { code, message } = thrown(act);
  return `${code}: ${message}`;
}
