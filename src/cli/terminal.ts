import { Exit } from "./exit.ts";

/** Writes a result: standard output is what a pipe or a file gets. */
export function print(text: string): void {
  process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
}

/** Writes what is not a result: progress, hints, errors. */
export function say(text: string): void {
  process.stderr.write(text.endsWith("\n") ? text : `${text}\n`);
}

/** Ends the process in silence when the reader of its output has left. */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      process.exit(Exit.brokenPipe);
    });
  }
}

/** Paints text, or leaves it as it is. */
export type Paint = Readonly<Record<"red" | "green" | "yellow" | "dim" | "bold", (text: string) => string>>;

/** Colours for a stream: on a terminal, unless `NO_COLOR` is set; anywhere with `FORCE_COLOR`. */
export function paintFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): Paint {
  return isColoured(stream, env) ? COLOURS : PLAIN;
}

function isColoured(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  const { FORCE_COLOR: force, NO_COLOR: none, TERM: terminal } = env;
  // As Node reads it: the empty value and `true` ask for colour, 0 and `false` forbid it.
  if (force !== undefined) return force !== "0" && force !== "false";
  if (none !== undefined && none !== "") return false;
  return stream.isTTY === true && terminal !== "dumb";
}

const code = (open: number, close: number) => (text: string) => (text === "" ? "" : `\u{1B}[${open}m${text}\u{1B}[${close}m`);
const same = (text: string) => text;

const COLOURS: Paint = { red: code(31, 39), green: code(32, 39), yellow: code(33, 39), dim: code(2, 22), bold: code(1, 22) };

/** No colours. */
export const PLAIN: Paint = { red: same, green: same, yellow: same, dim: same, bold: same };
