import { InvalidArgumentError } from "commander";

/** Reads a whole number that is at least `least`. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value;
    throw new InvalidArgumentError(`Expected a whole number of at least ${least}.`);
  };
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** What a timer can wait for: a signed 32-bit number of milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** Reads a time with its unit, `90s`, as milliseconds. */
export function duration(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  const value = Number(amount) * (UNITS[unit ?? ""] ?? Number.NaN);
  if (value > 0 && value <= LONGEST) return value;
  throw new InvalidArgumentError("Expected a time with its unit, such as 500ms, 90s, 10m or 1h.");
}
