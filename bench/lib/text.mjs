const NAMES = "config parser session cache user token index buffer request response handler stream queue worker retry".split(" ");
const FILES = NAMES.map((name, at) => `${at % 3 ? "src" : "test"}/${name}${at % 2 ? ".ts" : "/index.ts"}`);

/** Lines as they stand in source files, logs and listings: quotes, backslashes, tabs, ANSI colours (a \u001b in JSON). */
const ASCII_LINES = [
  (r, a, b) => `\tif (${a}.${b} === "${r.hex(4)}") {`,
  (r, a, b) => `    const ${a}${r.int(1, 99)} = await ${b}.load({ "path": "${r.pick(FILES)}", retries: ${r.int(0, 9)} });`,
  (r, a) => `\t\tthrow new Error(\`unexpected ${a}: \${JSON.stringify(value)}\`);`,
  (r, a) => `  "${a}": { "version": "${r.int(0, 9)}.${r.int(0, 40)}.${r.int(0, 9)}", "integrity": "sha512-${r.hex(64)}" },`,
  (r) => `-rw-r--r-- 1 dev dev ${r.int(100, 99999)} Nov 30 23:${r.int(10, 59)} ${r.pick(FILES)}`,
  (r, a, b) => `\u001B[32mok\u001B[39m ${a} > ${b} (${r.int(1, 900)} ms)`,
  (r, a, b) => `${r.pick(FILES)}:${r.int(1, 900)}:${r.int(1, 80)}: error TS2345: Argument of type '${a}' is not assignable to '${b}'.`,
  (r) => `2026-11-30T23:${r.int(10, 59)}:${r.int(10, 59)}.${r.int(100, 999)}Z INFO  request ${r.uuid()} took ${r.int(1, 4000)} ms`,
  (r, a) => `  const pattern = /^\\s*(?:${a})\\d{${r.int(1, 9)}}\\\\?$/;`,
  (r, a, b) => `The ${a} reads the ${b} first, so that a failed ${r.pick(NAMES)} leaves nothing half written.`,
  () => "",
  () => "  }",
];
const UNICODE_LINES = [
  (r, a, b) => `├── ${a}/ │ └── ${b}.md — ${r.int(1, 90)} µs`,
  (r, a) => `// “${a}” heißt hier: größer als ${r.int(1, 9)} · naïve café`,
  (r, a, b) => `日本語のテキスト ${a} → ${b} ✓ 🚀`,
];
const POOL_SIZE = 4096;

/** Text of tool outputs, assembled from a pool of lines so that hundreds of megabytes are made in seconds. */
export function createText(random) {
  const line = (makers) => random.pick(makers)(random, random.pick(NAMES), random.pick(NAMES));
  const ascii = Array.from({ length: POOL_SIZE }, () => line(ASCII_LINES));
  const unicode = Array.from({ length: POOL_SIZE / 8 }, () => line(UNICODE_LINES));
  return {
    file: () => random.pick(FILES),
    sentence: () => `I will look at the ${random.pick(NAMES)} of ${random.pick(FILES)} and then run the "${random.pick(NAMES)}" tests.`,
    /**
     * One in five texts has characters beyond ASCII. One in a thousand ends in half a surrogate pair, as a text cut by a
     * JavaScript slice does.
     */
    output(length) {
      const mixed = random.chance(0.2);
      const lines = [];
      for (let size = 0; size < length; size += lines.at(-1).length + 1) {
        lines.push(random.pick(mixed && random.chance(0.1) ? unicode : ascii));
      }
      const text = lines.join("\n").slice(0, length);
      return random.chance(0.001) ? `${text}\uD83D` : text;
    },
  };
}
