/** One thing that was looked at. */
export interface Finding {
  /** What: `Node.js`, `native part`. */
  readonly name: string;
  /** `ok`; `note` when something optional is not there; `problem` when something needed is not. */
  readonly status: "ok" | "note" | "problem";
  /** What was found. */
  readonly found: string;
  /** What to do, when there is something to do. */
  readonly advice?: string;
}
