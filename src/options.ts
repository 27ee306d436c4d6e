import { VigilesError } from "./errors.ts";

/** Options that people know from elsewhere, and what to do instead. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ["protocol", 'the CLI whose rules judge a hook is the option "cli": "claude-code" or "codex"'],
]);

/**
 * Refuses options that a function does not know: one that is spelled wrong, or means something that does not exist,
 * must not be passed over in silence.
 *
 * @param caller The function's name, for the message.
 * @param options What it was given.
 * @param known The names of its options.
 * @throws {VigilesError} `VIGILES_INVALID_ARGUMENT`; nothing has been done by then.
 */
export function knownOptions(caller: string, options: object, known: readonly string[]): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    const seen = options === null ? "null" : Array.isArray(options) ? "an array" : typeof options;
    throw new VigilesError("VIGILES_INVALID_ARGUMENT", `expected the options of ${caller} to be an object, but got ${seen}`);
  }
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new VigilesError("VIGILES_INVALID_ARGUMENT", `expected options that ${caller} knows, but got ${JSON.stringify(unknown)}, so nothing was done: ${advice(unknown, known)}`);
}

function advice(unknown: string, known: readonly string[]): string {
  const elsewhere = ELSEWHERE.get(unknown);
  if (elsewhere !== undefined) return elsewhere;
  const near = nearest(unknown, known);
  const all = `it knows ${known.join(", ")}`;
  return near === undefined ? all : `did you mean ${JSON.stringify(near)}? ${all}`;
}

function nearest(name: string, candidates: readonly string[]): string | undefined {
  const wanted = name.toLowerCase();
  const allowed = Math.min(Math.max(Math.floor(wanted.length / 3), 1), 3);
  let best: string | undefined;
  let least = allowed + 1;
  for (const candidate of candidates) {
    const edits = distance(wanted, candidate.toLowerCase());
    if (edits < least) [best, least] = [candidate, edits];
  }
  return best;
}

/** Levenshtein distance. In TypeScript because an option must be refused without loading native code. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, char] of [...from].entries()) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j++) {
      next.push(Math.min((row[j] ?? 0) + (char === to[j] ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
