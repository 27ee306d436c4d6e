/** A regular expression as data. */
export interface PatternJSON {
  readonly regex: string;
  readonly flags?: string;
}

/** A name or an argument for the core: a RegExp becomes its source and flags. */
export function nameJSON<T>(value: T | RegExp): T | PatternJSON {
  if (!isRegExp(value)) return value;
  return value.flags === "" ? { regex: value.source } : { regex: value.source, flags: value.flags };
}

/** A text matcher as the fields `matcher`, `regex` and `flags` of a check. */
export function matcherJSON(matcher: string | RegExp): { matcher: string; regex: boolean; flags?: string } {
  if (!isRegExp(matcher)) return { matcher, regex: false };
  const data = { matcher: matcher.source, regex: true };
  return matcher.flags === "" ? data : { ...data, flags: matcher.flags };
}

/** By its tag, not its class: a RegExp of another realm (a test runner's sandbox) is one too. */
function isRegExp(value: unknown): value is RegExp {
  return Object.prototype.toString.call(value) === "[object RegExp]";
}

const compiled = new Map<string, RegExp>();

/**
 * Tests a pattern for the core, which asks the engine that made it.
 *
 * `g` would make the test depend on the one before; `y` asks for a match at the first character.
 */
export function isMatch(source: string, flags: string, text: string): boolean {
  const key = `${flags}/${source}`;
  let pattern = compiled.get(key);
  if (pattern === undefined) {
    pattern = new RegExp(source, flags.replace("g", ""));
    compiled.set(key, pattern);
  }
  pattern.lastIndex = 0;
  return pattern.test(text);
}
