import { mockMcpServer } from "../../mcp/server.ts";
import type { HarnessCapabilities } from "../adapter.ts";
import type { HarnessTestSpec } from "../spec.ts";
import { asked, DONE, inDirectory, must, same, shown, type Case, type Kit } from "./kit.ts";

/** What must hold with a capability, and without it. */
export const CAPABILITIES: Readonly<Record<keyof HarnessCapabilities, readonly [able: Case, unable: Case]>> = {
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
