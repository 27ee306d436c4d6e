import { fileURLToPath } from "node:url";

import { readJsonLines, type HarnessAdapter, type HarnessDriver } from "vigiles/adapter";

export const MINI = fileURLToPath(new URL("../fixtures/mini-cli/mini.mjs", import.meta.url));

type Event =
  | { kind: "say"; text: string; calls: number }
  | { kind: "call"; id: string; line: string; printed: string; status: number }
  | { kind: "end"; ok: boolean; error?: string };

const NOT_THERE = "it has no such thing";

/** What drives the small agent of the fixtures. */
export const miniDriver: HarnessDriver = {
  refuses: {
    mcpServers: NOT_THERE,
    pluginDir: NOT_THERE,
    tools: "it has one tool",
    effort: NOT_THERE,
    settings: "it has no settings",
  },
  launch: (_spec, { program, modelUrl }, { prompt }) => ({ argv: [program], env: { MINI_MODEL_URL: modelUrl }, stdin: prompt }),
  failure: ({ stdoutFile }) => {
    const end = (readJsonLines(stdoutFile) as Event[]).findLast(({ kind }) => kind === "end");
    if (end?.kind !== "end") return "it printed no end";
    return end.ok ? undefined : `the model said ${end.error}`;
  },
  read: ({ stdoutFile, modelRequests }) => {
    const events = readJsonLines(stdoutFile) as Event[];
    const replies = events.flatMap((event) => (event.kind === "say" && event.calls === 0 ? [event.text] : []));
    return {
      output: replies.at(-1),
      replies,
      turns: modelRequests.length,
      toolCalls: events.flatMap((event) => (event.kind === "call" ? [{ id: event.id, name: "run", input: { line: event.line }, isError: event.status !== 0, denied: false, resultText: event.printed }] : [])),
    };
  },
};

/** The small agent of the fixtures as a third party would describe it. */
export const miniAdapter: HarnessAdapter = {
  name: "mini",
  title: "Mini",
  modelApi: "anthropic-messages",
  capabilities: { hooks: false, skills: false, subagentCalls: false, mcp: false, plugins: false, tools: false, effort: false, resume: true },
  program: { variable: "VIGILES_MINI", name: "mini" },
  dialect: { shell: (line) => ({ tool: "run", input: { line } }), instructions: "MINI.md" },
  driver: miniDriver,
};
