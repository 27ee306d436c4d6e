/** How many scripts are done, on a terminal; nothing elsewhere. */
export interface Progress {
  /** One more is done. */
  done(): void;
  /** Takes the line away, so that something else can be printed. */
  clear(): void;
}

const CLEAR_LINE = "\r\u{1B}[2K";

/** Shows progress on standard error while both streams are a terminal: with one of them in a pipe there is nothing to wait at. */
export function showProgress(total: number): Progress {
  if (!process.stderr.isTTY || !process.stdout.isTTY || process.env["TERM"] === "dumb") return { done: () => {}, clear: () => {} };
  let finished = 0;
  const draw = () => process.stderr.write(`${CLEAR_LINE}${finished} of ${total} scripts done`);
  draw();
  return {
    done: () => {
      finished += 1;
      draw();
    },
    clear: () => {
      process.stderr.write(CLEAR_LINE);
    },
  };
}
