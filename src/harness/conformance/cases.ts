import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { VigilesError } from "../../errors.ts";
import { CAPABILITIES } from "./capabilities.ts";
import { asked, DONE, inDirectory, must, same, shown, type Case } from "./kit.ts";

/** What every adapter must do, whatever its CLI can. */
export const CASES: readonly Case[] = [
  [
    "is described",
    async ({ adapter }) => {
      const { name, title, modelApi, capabilities, program, dialect } = adapter;
      must(/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name ?? ""), adapter, "`name` in small letters with hyphens, such as `claude-code`", shown(name));
      must(typeof title === "string" && title.trim() !== "", adapter, "`title` for people", shown(title));
      must(["anthropic-messages", "openai-responses"].includes(modelApi), adapter, "`modelApi` to be anthropic-messages or openai-responses", shown(modelApi));
      const missing = Object.keys(CAPABILITIES).filter((key) => typeof capabilities?.[key as keyof typeof CAPABILITIES] !== "boolean");
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
