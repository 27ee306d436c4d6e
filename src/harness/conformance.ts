import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { VigilesError } from "../errors.ts";
import { mockMcpServer } from "../mcp/server.ts";
import { knownOptions } from "../options.ts";
import type { HarnessAdapter, HarnessCapabilities } from "./adapter.ts";
import type { HarnessTestResult } from "./result.ts";
import { runHarnessTest } from "./run.ts";
import type { HarnessTestSpec } from "./spec.ts";

/** One thing that a harness adapter must do. */
export interface ConformanceCase {
  /** What it must do, as the end of a sentence: `runs a tool call`. */
  readonly name: string;
  /** Tries it. @throws {VigilesError} `VIGILES_ADAPTER_CONFORMANCE` when the adapter does not do it, with what was seen. */
  run(): Promise<void>;
}

/** Options of {@link adapterConformance}. */
export interface ConformanceOptions {
  /** The CLI's program. Default: where runs look for it. */
  readonly program?: string;
}

type Run = (spec: HarnessTestSpec) => Promise<HarnessTestResult>;

interface Kit {
  readonly adapter: HarnessAdapter;
  /** Runs a spec and cleans up after `see`. */
  use(spec: HarnessTestSpec, see: (result: HarnessTestResult) => void): Promise<void>;
  /** Runs a spec that must fail with a code; gives the message. */
  fails(spec: HarnessTestSpec, code: string): Promise<string>;
  readonly run: Run;
}

const DONE = { text: "done" };

/**
 * What every harness adapter must do, as cases for any test runner. They run the adapter's real CLI, against a scripted
 * model on loopback.
 *
 * ```ts
 * describe("my adapter", () => {
 *   test.each(adapterConformance(myAdapter))("$name", async ({ run }) => await run());
 * });
 * ```
 */
export function adapterConformance(adapter: HarnessAdapter, options: ConformanceOptions = {}): ConformanceCase[] {
  knownOptions("adapterConformance", options, ["program"]);
  const run: Run = async (spec) => await runHarnessTest({ ...(options.program === undefined ? {} : { program: options.program }), ...spec }, { adapter });
  const kit: Kit = {
    adapter,
    run,
    use: async (spec, see) => {
      const result = await run(spec);
      try {
        see(result);
      } finally {
        result.cleanup();
      }
    },
    fails: async (spec, code) => {
      const error = await run(spec).then(
        (result) => {
          result.cleanup();
          return undefined;
        },
        (thrown: unknown) => thrown as VigilesError,
      );
      const kept = /^ {2}kept: (.*)$/m.exec(error?.message ?? "")?.[1];
      if (kept !== undefined) rmSync(kept, { recursive: true, force: true });
      must(error?.code === code, adapter, `the run to fail with ${code}`, error === undefined ? "a run that did not fail" : `${error.code ?? "no code"}: ${error.message}`);
      return error?.message ?? "";
    },
  };
  const capable = (Object.keys(CAPABILITIES) as (keyof HarnessCapabilities)[]).map((name) => {
    const [able, unable] = CAPABILITIES[name];
    return adapter.capabilities?.[name] === true ? able : unable;
  });
  return [...CASES, ...capable].map(([name, test]) => ({ name, run: async () => await test(kit) }));
}

function must(holds: boolean, adapter: HarnessAdapter, expected: string, seen: string): void {
  if (holds) return;
  throw new VigilesError("VIGILES_ADAPTER_CONFORMANCE", `the adapter of ${adapter.title}: expected ${expected}, but saw ${seen}`);
}

/** A value as a message shows it. */
function shown(value: unknown): string {
  const text = value === undefined ? "undefined (not recorded)" : (JSON.stringify(value) ?? typeof value);
  return text.length > 600 ? `${text.slice(0, 600)}...` : text;
}

function same(adapter: HarnessAdapter, what: string, seen: unknown, expected: unknown): void {
  must(JSON.stringify(seen) === JSON.stringify(expected), adapter, `${what} to be ${shown(expected)}`, shown(seen));
}

/** The texts of what the agent asked the model. */
function asked(result: HarnessTestResult): string {
  return result.modelRequests.flatMap(({ system, messages }) => [system, ...messages.map(({ text }) => text)]).join("\n");
}

type Case = readonly [name: string, test: (kit: Kit) => Promise<void>];

const CASES: readonly Case[] = [
  [
    "is described",
    async ({ adapter }) => {
      const { name, title, modelApi, capabilities, program, dialect } = adapter;
      must(/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name ?? ""), adapter, "`name` in small letters with hyphens, such as `claude-code`", shown(name));
      must(typeof title === "string" && title.trim() !== "", adapter, "`title` for people", shown(title));
      must(["anthropic-messages", "openai-responses"].includes(modelApi), adapter, "`modelApi` to be anthropic-messages or openai-responses", shown(modelApi));
      const missing = (Object.keys(CAPABILITIES) as (keyof HarnessCapabilities)[]).filter((key) => typeof capabilities?.[key] !== "boolean");
      must(missing.length === 0, adapter, "`capabilities` to say true or false for each", `nothing for ${missing.join(", ")}`);
      must(/^[A-Z][A-Z0-9_]*$/.test(program?.variable ?? "") && (program?.name ?? "") !== "", adapter, "`program` with a variable and a name", shown(program));
      must(typeof dialect?.shell === "function" && (dialect.instructions ?? "") !== "", adapter, "`dialect` with `shell` and `instructions`", shown(dialect));
    },
  ],
  [
    "gives the model's text as the output",
    async ({ adapter, use }) =>
      await use({ model: [{ text: "the seventh answer" }] }, (result) => {
        same(adapter, "output", result.output, "the seventh answer");
        same(adapter, "toolCalls", result.toolCalls, []);
        same(adapter, "turns", result.turns, 1);
        same(adapter, "complete", result.complete, true);
      }),
  ],
  [
    "tells the model what the user said",
    async ({ adapter, use }) => await use({ prompt: "Count the pineapples.", model: [DONE] }, (result) => must(asked(result).includes("Count the pineapples."), adapter, "the prompt in a model request", shown(asked(result)))),
  ],
  [
    "runs a tool call in the work dir, and tells its result",
    async ({ adapter, use }) =>
      await use({ files: { "given.txt": "pear-5813" }, model: [adapter.dialect.shell("cat given.txt | tee copy.txt"), DONE] }, (result) => {
        same(adapter, "the file copy.txt", result.file("copy.txt"), "pear-5813");
        const [call] = result.toolCalls ?? [];
        must(result.toolCalls?.length === 1 && call?.isError === false, adapter, "one tool call without an error", shown(result.toolCalls));
        must(call?.resultText?.includes("pear-5813") === true, adapter, "the result of the call to hold what it printed", shown(call));
        must(asked(result).includes("pear-5813"), adapter, "the result in the next model request", shown(asked(result)));
        same(adapter, "turns", result.turns, 2);
      }),
  ],
  [
    "tells of a tool call that fails",
    async ({ adapter, use }) =>
      await use({ model: [adapter.dialect.shell("echo went wrong; exit 3"), DONE] }, (result) => {
        must(result.toolCalls?.[0]?.isError === true, adapter, "a call with an error", shown(result.toolCalls));
        must(asked(result).includes("went wrong"), adapter, "what it printed in the next model request", shown(asked(result)));
      }),
  ],
  [
    "has an environment of its own",
    async ({ adapter, use }) => {
      const name = "CANARY_OF_THE_CALLER";
      process.env[name] = "of the caller";
      try {
        await use({ env: { FROM_THE_SPEC: "given" }, model: [adapter.dialect.shell("env > env.txt"), DONE] }, (result) => {
          const variables = new Map((result.file("env.txt") ?? "").split("\n").map((line) => [line.split("=", 1)[0], line.slice(line.indexOf("=") + 1)]));
          must(!variables.has(name), adapter, "no variable of the caller in the run", `${name}=${variables.get(name)}`);
          same(adapter, "the variable FROM_THE_SPEC of `env`", variables.get("FROM_THE_SPEC"), "given");
          const home = variables.get("HOME") ?? "";
          must(home !== "" && home !== process.env["HOME"], adapter, "a HOME of the run's own", `HOME=${home}`);
        });
      } finally {
        delete process.env[name];
      }
    },
  ],
  [
    "reads the project's instructions",
    async ({ adapter, use }) =>
      await use({ files: { [adapter.dialect.instructions]: "Always answer in the words of the sea." }, model: [DONE] }, (result) =>
        must(asked(result).includes("words of the sea"), adapter, `${adapter.dialect.instructions} in a model request`, shown(asked(result))),
      ),
  ],
  [
    "keeps runs apart that run at the same time",
    async ({ adapter, use }) => {
      const names = ["one", "two", "three"];
      await Promise.all(
        names.map(
          async (name) =>
            await use({ prompt: `I am ${name}.`, model: [adapter.dialect.shell(`echo ${name} > name.txt`), { text: `hello ${name}` }] }, (result) => {
              same(adapter, "output", result.output, `hello ${name}`);
              same(adapter, "the file name.txt", result.file("name.txt"), `${name}\n`);
              const others = names.filter((other) => other !== name && asked(result).includes(`I am ${other}.`));
              must(others.length === 0, adapter, "no prompt of another run", shown(others));
            }),
        ),
      );
    },
  ],
  [
    "fails where the script has too few turns",
    async ({ adapter, fails }) => {
      await fails({ model: [adapter.dialect.shell("true")] }, "VIGILES_SCRIPT_OVERRUN");
    },
  ],
  [
    "fails a strict run where the script has too many turns",
    async ({ fails }) => {
      await fails({ strictScript: true, model: [DONE, DONE] }, "VIGILES_SCRIPT_UNUSED");
    },
  ],
  [
    "fails where the program is not there",
    async ({ fails }) => {
      await fails({ program: join(tmpdir(), "vigiles-no-such-program"), model: [DONE] }, "VIGILES_CLI_MISSING");
    },
  ],
  [
    "fails where the program ends at once, with its last words",
    async ({ adapter, fails }) =>
      await inDirectory({ "dies.sh": "#!/bin/sh\necho 'the last words' >&2\nexit 9\n" }, async (dir) => {
        const message = await fails({ program: join(dir, "dies.sh"), model: [DONE] }, "VIGILES_CLI_NOT_STARTED");
        must(message.includes("the last words") && message.includes("exit code 9"), adapter, "a message with the exit code and stderr", message);
      }),
  ],
  [
    "is ended at its time limit",
    async ({ fails }) => {
      await fails({ timeoutMs: 2000, model: [{ text: "too late", delayMs: 60_000 }] }, "VIGILES_CLI_TIMED_OUT");
    },
  ],
  [
    "runs confined, or is refused where nothing can be confined",
    async ({ adapter, use }) =>
      await inDirectory({ "secret.txt": "quince-1618" }, async (dir) => {
        const script = `id -u > uid.txt; cat ${join(dir, "secret.txt")} > leak.txt; touch ${join(dir, "touched.txt")}; true`;
        try {
          await use({ sandbox: "strict", model: [adapter.dialect.shell(script), DONE] }, (result) => {
            same(adapter, "output", result.output, "done");
            same(adapter, "the user that the agent's commands run as", result.file("uid.txt"), "1000\n");
            same(adapter, "what it read of the caller's files", result.file("leak.txt"), "");
            same(adapter, "what it wrote outside of its work dir", existsSync(join(dir, "touched.txt")), false);
            same(adapter, "filesWritten", result.filesWritten?.toSorted(), ["leak.txt", "uid.txt"]);
          });
        } catch (error) {
          if ((error as VigilesError).code !== "VIGILES_CONFINE_UNAVAILABLE") throw error;
        }
      }),
  ],
  [
    "leaves no directory after cleaning up",
    async ({ adapter, run }) => {
      const result = await run({ model: [DONE] });
      must(existsSync(result.cwd), adapter, "the work dir before cleaning up", "none");
      result.cleanup();
      must(!existsSync(result.cwd), adapter, "no work dir after cleaning up", result.cwd);
    },
  ],
];

/** What must hold with a capability, and without it. */
const CAPABILITIES: Readonly<Record<keyof HarnessCapabilities, readonly [able: Case, unable: Case]>> = {
  hooks: [
    [
      "runs hooks, and tells what they did",
      async ({ adapter, use }) => {
        const hook = adapter.dialect.shellHook?.("PreToolUse", "echo not this one >&2; exit 2");
        must(hook !== undefined, adapter, "`dialect.shellHook`, as it says that it has hooks", "none");
        await use({ ...hook, model: [adapter.dialect.shell("touch ran.txt"), DONE] }, (result) => {
          same(adapter, "the file ran.txt", result.file("ran.txt"), null);
          const [fire] = result.hooks ?? [];
          must(result.hooks?.length === 1 && fire?.event === "PreToolUse" && fire.blocked === true, adapter, "one firing that blocked", shown(result.hooks));
          must(result.toolCalls?.[0]?.denied === true, adapter, "a denied tool call", shown(result.toolCalls));
          must(asked(result).includes("not this one"), adapter, "the hook's reason in the next model request", shown(asked(result)));
        });
        await use({ model: [DONE] }, (result) => same(adapter, "hooks of a run without any", result.hooks, []));
      },
    ],
    ["says nothing of hooks that it does not see", async ({ adapter, use }) => await use({ model: [DONE] }, (result) => same(adapter, "hooks", result.hooks, undefined))],
  ],
  skills: [
    ["offers a project's skills, and tells which there are", async (kit) => await offersSkill(kit, true)],
    ["offers a project's skills, if it has any", async (kit) => await offersSkill(kit, false)],
  ],
  subagentCalls: [
    ["tells of subagents", async ({ adapter, use }) => await use({ model: [DONE] }, (result) => same(adapter, "subagents of a run without any", result.subagents, []))],
    // What a child thread called may be unknown although it is known that there was one.
    ["tells of no subagents where there are none", async ({ adapter, use }) => await use({ model: [DONE] }, ({ subagents }) => must(subagents === undefined || subagents.length === 0, adapter, "no subagents", shown(subagents)))],
  ],
  mcp: [
    [
      "calls a tool of an MCP server",
      async ({ adapter, use }) => {
        const server = await mockMcpServer({ tools: { echo: { reply: { text: "plum-2718" } } } });
        try {
          await use({ ...adapter.dialect.allowMcp?.("kit"), mcpServers: { kit: server.config }, model: [{ tool: "mcp__kit__echo", input: { text: "hi" } }, DONE] }, (result) => {
            same(adapter, "calls that reached the server", server.calls.map((call) => [call.tool, call.arguments]), [["echo", { text: "hi" }]]);
            must(result.toolCalls?.[0]?.name === "mcp__kit__echo", adapter, "a call of mcp__kit__echo", shown(result.toolCalls));
            must(asked(result).includes("plum-2718"), adapter, "its reply in the next model request", shown(asked(result)));
          });
        } finally {
          await server.close();
        }
      },
    ],
    refuses("MCP servers", { mcpServers: { kit: { command: "true" } } }),
  ],
  plugins: [
    [
      "installs a plugin",
      async ({ adapter, use }) => {
        const { plugin, callSkill } = adapter.dialect;
        must(plugin !== undefined && callSkill !== undefined, adapter, "`dialect.plugin` and `dialect.callSkill`, as it says that it has plugins", "none");
        const files = plugin?.({ name: "orchard", skill: { name: "greet", description: "Greets.", body: "Say ahoy to the orchard." } }) ?? {};
        await inDirectory(files, async (dir) => await use({ pluginDir: dir, prompt: callSkill?.("orchard:greet") ?? "", model: [DONE] }, (result) => must(asked(result).includes("ahoy to the orchard"), adapter, "the plugin's skill in a model request", shown(asked(result)))));
      },
    ],
    refuses("plugins", { pluginDir: "." }),
  ],
  tools: [
    [
      "limits the tools that exist",
      async ({ adapter, use }) => {
        const shell = adapter.dialect.shell("true");
        const name = "tool" in shell ? (shell.tool ?? "") : "";
        await use({ tools: [name], model: [DONE] }, (result) => same(adapter, "the tools that were offered", result.modelRequests.filter(({ kind }) => kind === "main").flatMap(({ tools }) => tools ?? []), [name]));
      },
    ],
    refuses("a list of tools", { tools: ["Bash"] }),
  ],
  effort: [
    ["takes a reasoning effort", async ({ adapter, use }) => await use({ effort: "low", model: [DONE] }, ({ output }) => same(adapter, "output", output, "done"))],
    refuses("a reasoning effort", { effort: "low" }),
  ],
  resume: [
    [
      "goes on with a session",
      async ({ adapter, use }) =>
        await use({ prompts: ["Remember the number 8128.", "Which number?"], model: [{ text: "noted" }, { text: "it is known" }] }, (result) => {
          same(adapter, "replies", result.replies, ["noted", "it is known"]);
          const last = result.modelRequests.findLast(({ kind }) => kind === "main");
          const said = last?.messages.map(({ text }) => text).join("\n") ?? "";
          must(said.includes("8128") && said.includes("Which number?"), adapter, "the first prompt before the second in the last model request", shown(said));
        }),
    ],
    refuses("several prompts", { prompts: ["one", "two"] }),
  ],
};

/** What an adapter does without a capability: it refuses, before anything runs. */
function refuses(what: string, spec: Omit<HarnessTestSpec, "model">): Case {
  return [
    `refuses ${what}, and says why`,
    async ({ fails }) => {
      await fails({ ...spec, model: [DONE] }, "VIGILES_HARNESS_UNSUPPORTED");
    },
  ];
}

async function offersSkill({ adapter, use }: Kit, listed: boolean): Promise<void> {
  const { skill, callSkill } = adapter.dialect;
  if (skill === undefined || callSkill === undefined) {
    must(!listed, adapter, "`dialect.skill` and `dialect.callSkill`, as it says that it tells of skills", "none");
    return;
  }
  const files = skill({ name: "greet", description: "Greets people.", body: "Say ahoy to everybody." });
  await use({ files, prompt: callSkill("greet"), model: [DONE] }, (result) => {
    must(asked(result).includes("ahoy to everybody"), adapter, "the skill's text in a model request", shown(asked(result)));
    if (listed) must(result.skills?.includes("greet") === true, adapter, "`skills` with greet", shown(result.skills));
  });
}

/** A directory with files, for the time of `use`. */
async function inDirectory(files: Readonly<Record<string, string>>, use: (dir: string) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "vigiles-conformance-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), text, { mode: text.startsWith("#!") ? 0o755 : 0o644 });
    }
    await use(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
