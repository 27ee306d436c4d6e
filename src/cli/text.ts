/** `1 check`, `3 checks`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Milliseconds as `740 ms`, `12.3 s`, `4 min 05 s`. */
export function showDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${String(Math.floor(seconds % 60)).padStart(2, "0")} s`;
}

/** Every line with spaces before it; empty lines stay empty. */
export function indent(text: string, width: number): string {
  return text.replaceAll(/^(?=.)/gm, " ".repeat(width));
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
