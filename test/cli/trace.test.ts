import { cpSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { ROOT } from "../../scripts/lib/entries.mjs";
import { parseTrace } from "vigiles";
import { Project, shown } from "./project.ts";

const GOLDEN = join(ROOT, "test/fixtures/golden");

function project(recordings: Record<string, string>): Project {
  const made = new Project();
  for (const [name, golden] of Object.entries(recordings)) cpSync(join(GOLDEN, golden), join(made.dir, name));
  return made;
}

const run = (made: Project, ...args: string[]) => made.vigiles(["trace", ...args]).then(shown);

test("a Claude Code stream with its session file", async () => {
  const made = project({ "run.jsonl": "claude/2.1.332/f1_pretool_exit2.jsonl", "session.jsonl": "claude/sessions/2.1.332/f1_pretool_exit2.jsonl" });
  expect(await run(made, "run.jsonl", "--session", "session.jsonl")).toMatchInlineSnapshot(`
    "exit 0
    --- stdout
    format     claude-stream-json
    model      claude-opus-5-5
    session    16adebf7-e1ab-46cb-94fa-d6a7ce171abd
    directory  /home/dev/work/332/f1_pretool_exit2/proj
    prompt     hello
    result     success, completed
    turns      2
    cost       $0.0012
    time       <time>
    tokens     200 in, 20 out, 0 to cache, 0 from cache

    tools: 1 call, 1 denied
      Bash  1 call, 1 denied

    hooks: 1 firing
      PreToolUse:Bash  exit 2  blocked  → prevented  cat > hook-in.json; echo "HOUT"; echo "blocked by policy" >&2; exit 2

    skills: 16 offered, none called

    denied: 1 call
      Bash  {"command":"echo hi > created.txt","description":"x"}

    answer
      ok blocked"
  `);
});

test("a Claude Code stream of a subagent", async () => {
  expect(await run(project({ "run.jsonl": "claude/2.1.332/i2_subagent_fg.jsonl" }), "run.jsonl")).toMatchInlineSnapshot(`
    "exit 0
    --- stdout
    format     claude-stream-json
    model      claude-opus-5-5
    session    94754808-1d57-4716-989f-83e182b6b9b2
    directory  /home/dev/work/332/i2_subagent_fg/proj
    result     success, completed
    turns      2
    cost       $0.0012
    time       <time>
    tokens     200 in, 20 out, 0 to cache, 0 from cache

    tools: 1 call
      Agent  1 call

    hooks: not recorded

    skills: 16 offered, none called

    subagents
      x: 1 call (Bash 1)
        answer: SUB RESULT

    warnings
      the stream tells of no hook but SessionStart: it was recorded without --include-hook-events, or no other hook fired

    answer
      main done"
  `);
});

test("--json prints the whole trace", async () => {
  const made = project({ "run.jsonl": "claude/2.1.332/f1_pretool_exit2.jsonl" });
  const { code, stdout } = await made.vigiles(["trace", "run.jsonl", "--json"]);
  expect(code).toBe(0);
  const printed = JSON.parse(stdout.replaceAll("<time>", "0")) as Record<string, unknown>;
  const trace = parseTrace(join(made.dir, "run.jsonl"));
  expect(printed).toMatchObject({ kind: trace.kind, model: trace.model, turns: trace.turns, output: trace.output, complete: true });
  expect(printed["toolCalls"]).toEqual(trace.toolCalls?.map((call) => ({ ...call })));
});

test.each([
  ["a file that is not there", ["nowhere.jsonl"], "expected a trace at nowhere.jsonl, but there is no such file"],
  ["a folder", ["node_modules"], "expected a regular file at node_modules, but it is a directory"],
  ["a session of another run", ["run.jsonl", "--session=other.jsonl"], "expected the session file of the same run"],
])("%s is an error of the call", async (_, args, message) => {
  const made = project({ "run.jsonl": "claude/2.1.332/f1_pretool_exit2.jsonl", "other.jsonl": "claude/sessions/2.1.332/c_bash.jsonl" });
  const { code, stdout, stderr } = await made.vigiles(["trace", ...args]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^vigiles: /);
  expect(stderr).toContain(message);
});
