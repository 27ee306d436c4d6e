/**
 * Writes `docs/harnesses.md`: what each built-in harness can do, as its adapter says it.
 *
 *     node scripts/build-harnesses.mjs [--check]
 *
 * --check   write nothing; fail when the committed file differs
 *
 * Reads the built package: run `npm run build` first.
 */
import { createRequire } from "node:module";
import { parseArgs } from "node:util";

import { CLIS } from "./lib/clis.mjs";
import { ROOT } from "./lib/entries.mjs";
import { settle } from "./lib/generated.mjs";

/** @type {import("../native/binding.cjs")} */
const { harnessRefuses } = createRequire(import.meta.url)("../native/binding.cjs");
const { values: flags } = parseArgs({ options: { check: { type: "boolean", default: false } } });

/** @param {string} name */
const entry = async (name) => await import(`${ROOT}/dist/${name}.mjs`);
/** @type {import("../src/harness/adapter.ts").HarnessAdapter[]} */
const adapters = [(await entry("claude-code")).claudeCodeAdapter, (await entry("codex")).codexAdapter];

const CAPABILITIES = {
  hooks: "hooks are recorded in the trace",
  skills: "the run tells which skills there are and which was called",
  subagentCalls: "the run tells the calls of subagents",
  mcp: "MCP servers can be given",
  plugins: "plugins can be installed for a run",
  tools: "the tools that exist can be limited",
  effort: "the reasoning effort can be set",
  resume: "several prompts in one session",
};

/** @param {string[]} cells */
const row = (...cells) => `| ${cells.join(" | ")} |`;
/**
 * @param {string[]} head
 * @param {string[][]} rows
 */
const table = (head, rows) => [row(...head), `|${"---|".repeat(head.length)}`, ...rows.map((cells) => row(...cells))].join("\n");
/** @param {string | undefined} text */
const code = (text) => `\`${text}\``;
/** @param {(adapter: import("../src/harness/adapter.ts").HarnessAdapter) => string} of */
const each = (of) => adapters.map((adapter) => of(adapter));

const skill = { name: "NAME", description: "", body: "" };
const facts = [
  ["adapter", ...each(({ name }) => `${code(name === "codex" ? "codexAdapter" : "claudeCodeAdapter")} of ${code(`vigiles/${name}`)}`)],
  ["versions it is tested with", ...each(({ name }) => CLIS.filter((cli) => name.startsWith(cli.name)).map(({ version }) => version).join(", "))],
  ["its program", ...each(({ program }) => `variable ${code(program.variable)}, then ${code(program.name)} in PATH`)],
  ["model API", ...each(({ modelApi }) => modelApi)],
  ["instructions", ...each(({ dialect }) => code(dialect.instructions))],
  ["a project's skill", ...each(({ dialect }) => code(Object.keys(dialect.skill?.(skill) ?? {})[0]))],
  ["calling a skill", ...each(({ dialect }) => code(dialect.callSkill?.("NAME")))],
  ["letting the tools of an MCP server run", ...each(({ dialect }) => (dialect.allowMcp === undefined ? "nothing is needed" : code(JSON.stringify(dialect.allowMcp("SERVER")))))],
];
const can = Object.entries(CAPABILITIES).map(([name, meaning]) => [
  code(name),
  meaning,
  ...each(({ capabilities }) => (capabilities[/** @type {keyof typeof CAPABILITIES} */ (name)] ? "yes" : "no")),
]);
const refusals = adapters.flatMap(({ title, name }) => {
  /** @type {{ field: string, reason: string }[]} */
  const refused = JSON.parse(harnessRefuses(name));
  return refused.map(({ field, reason }) => [code(field), title, reason]);
});

const text = `# Harnesses

Written by \`npm run build:harnesses\` from what the adapters say; do not edit it. How to add another harness: [guide/adapters.md](guide/adapters.md).

## Facts

${table(["", ...each(({ title }) => title)], facts)}

## Capabilities

${table(["capability", "what it means", ...each(({ title }) => title)], can)}

## Fields of a spec that are refused

A field that a harness has nothing for is refused before anything runs (\`VIGILES_HARNESS_UNSUPPORTED\`). All others work.

${table(["field", "harness", "why"], refusals)}
`;

const current = settle("docs/harnesses.md", text, { check: flags.check, command: "npm run build:harnesses" });
process.exitCode = flags.check && !current ? 1 : 0;
