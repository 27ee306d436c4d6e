import assert from "node:assert/strict";
import { copyFileSync, createReadStream, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";

import { NotObservedError, parseTrace, parseTraceStream, type Trace, VigilesError } from "vigiles";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { ROOT } from "../../scripts/lib/entries.mjs";
import { claude, claudeSession, codex } from "../support/golden.ts";
import { refusal, thrown } from "../support/thrown.ts";

let dir = "";
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "vigiles-trace-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe("a stream of Claude Code", () => {
  const trace = parseTrace(claude("c_bash"));

  test("tells tool calls with arguments, answers, errors and turns", () => {
    expect(trace.toolCalls).toStrictEqual([
      { id: "toolu_0001", name: "Bash", input: { command: "echo out; echo err >&2", description: "Echo" }, resultText: "out\nerr", isError: false, denied: false, turn: 1 },
      { id: "toolu_0002", name: "Bash", input: { command: "echo bad >&2; exit 3", description: "Fail" }, resultText: "Exit code 3\nbad", isError: true, denied: false, turn: 2 },
      { id: "toolu_0003", name: "Bash", input: { command: "true", description: "Nothing" }, resultText: "(Bash completed with no output)", isError: false, denied: false, turn: 3 },
    ]);
  });

  test("tells the result, turns, usage and what it ran with", () => {
    expect(trace).toMatchObject({
      kind: "claude-stream-json",
      output: "Done.",
      replies: ["Done."],
      turns: 4,
      result: { subtype: "success", isError: false, terminalReason: "completed", numTurns: 4 },
      usage: { costUsd: expect.closeTo(0.0024, 10), durationMs: 217, inputTokens: 400, outputTokens: 40, cacheCreationTokens: 0, cacheReadTokens: 0 },
      permissionDenials: [],
      subagents: [],
      mcpServers: [],
      model: "claude-opus-5-5",
      sessionId: "68152b79-bbe0-44d5-85e2-11bb21e843fc",
      cwd: "/home/dev/work/332/c_bash/proj",
      parseErrors: [],
      complete: true,
    });
    expect(trace.skills).toContain("code-review");
  });

  test("leaves undefined what was not recorded, and says why", () => {
    expect(trace.hooks).toBeUndefined();
    expect(trace.modelRequests).toBeUndefined();
    expect(trace.filesWritten).toBeUndefined();
    expect(trace.prompt).toBeUndefined();
    expect(trace.warnings).toEqual([expect.stringContaining("--include-hook-events")]);
  });

  test("tells of hooks when their events were recorded", () => {
    const [hook] = parseTrace(claude("f1_pretool_exit2")).hooks ?? [];
    expect(hook).toStrictEqual({
      name: "PreToolUse:Bash",
      event: "PreToolUse",
      exitCode: 2,
      blocked: true,
      effect: "prevented",
      outcome: "error",
      stdout: "HOUT\n",
      stderr: "blocked by policy\n",
      output: "HOUT\nblocked by policy\n",
      command: 'cat > hook-in.json; echo "HOUT"; echo "blocked by policy" >&2; exit 2',
      toolUseId: "toolu_0001",
      timedOut: false,
    });
  });

  test("with hookEvents, no event of a hook means that none fired", () => {
    expect(parseTrace(claude("c_bash"), { hookEvents: true }).hooks).toEqual([]);
    expect(parseTrace(claude("f1_pretool_exit2"), { hookEvents: true }).hooks).toHaveLength(1);
  });

  test("nests the calls of a subagent, which are calls of the run too", () => {
    const nested = parseTrace(claude("i2_subagent_fg"));
    const [agent] = nested.subagents ?? [];
    expect(agent).toMatchObject({ id: "toolu_0001", name: "x", output: "SUB RESULT", toolCalls: [{ name: "Bash", input: { command: "echo from-sub" }, resultText: "from-sub" }] });
    expect(agent?.toolCalls?.[0]).toBe(nested.toolCalls?.[1]);
    expect(nested.toolCalls?.[1]?.parentId).toBe(nested.toolCalls?.[0]?.id);
  });

  test("that was killed is not complete and has no result", () => {
    const killed = parseTrace(claude("n1_kill_SIGTERM"));
    expect(killed).toMatchObject({ complete: false, output: undefined, usage: undefined, result: undefined, permissionDenials: undefined });
    expect(killed.warnings).toContainEqual(expect.stringContaining("no result event"));
  });
});

test("--output-format json tells the result alone", () => {
  const trace = parseTrace(claude("v5_json_output"));
  expect(trace).toMatchObject({ kind: "claude-json", output: "x", result: { subtype: "success", numTurns: 2 } });
  for (const field of ["toolCalls", "hooks", "turns", "subagents", "replies", "skills"] as const) expect(trace[field], field).toBeUndefined();
});

test("a Codex stream has no hooks, turns and denials, and a subagent without calls", () => {
  const trace = parseTrace(codex("subagent_wait"));
  expect(trace).toMatchObject({ kind: "codex-exec-json", hooks: undefined, turns: undefined, permissionDenials: undefined, output: "all done" });
  expect(trace.subagents).toMatchObject([{ output: "child says hi", toolCalls: undefined }]);
  expect(parseTrace(codex("shell_ok")).toolCalls).toMatchObject([{ name: "Bash", input: { command: expect.stringContaining("echo hi-from-shell") } }]);
  expect(parseTrace(codex("shell_ok")).toolCalls?.[0]?.turn).toBeUndefined();
});

test("a session file tells the prompt and the hooks that said something", () => {
  const trace = parseTrace(claudeSession("c_bash"));
  expect(trace).toMatchObject({ kind: "claude-session", prompt: "hello", turns: 4, mcpServers: undefined });
  expect(trace.toolCalls).toHaveLength(3);
});

test("a session file gives the stream's hooks their command and duration", () => {
  const stream = parseTrace(claude("g_all_hooks"));
  const merged = parseTrace(claude("g_all_hooks"), { session: claudeSession("g_all_hooks") });
  const names = (trace: Trace) => trace.hooks?.map(({ name }) => name);
  expect(names(merged)).toEqual(names(stream));
  expect(stream.hooks?.every((hook) => hook.durationMs === undefined)).toBe(true);
  const told = merged.hooks?.filter((hook) => hook.command !== undefined && hook.durationMs !== undefined);
  expect(told?.length).toBeGreaterThan(0);
  expect(merged.toolCalls).toEqual(stream.toolCalls);
});

describe("sources", () => {
  const path = claude("c_bash");
  const fromFile = parseTrace(path);

  test("a Buffer and a Uint8Array, also one that is a part of a larger buffer", () => {
    const bytes = readFileSync(path);
    expect(parseTrace(bytes)).toStrictEqual(fromFile);
    const larger = new Uint8Array(bytes.length + 200).fill(0x7b);
    larger.set(bytes, 100);
    expect(parseTrace(larger.subarray(100, 100 + bytes.length))).toStrictEqual(fromFile);
  });

  test("later changes of the bytes change nothing", () => {
    const bytes = readFileSync(path);
    const trace = parseTrace(bytes);
    bytes.fill(0x20);
    expect(trace).toStrictEqual(fromFile);
  });

  test("a stream in chunks that cut lines and characters, and one of strings", async () => {
    const text = `${readFileSync(path, "utf8").replace('"Done."', '"Fertig: ü😀."')}`;
    writeFileSync(join(dir, "unicode.jsonl"), text);
    const cut = await parseTraceStream(createReadStream(join(dir, "unicode.jsonl"), { highWaterMark: 7 }));
    expect(cut).toStrictEqual(parseTrace(join(dir, "unicode.jsonl")));
    async function* strings() {
      yield text.slice(0, 1000);
      yield text.slice(1000);
    }
    expect(await parseTraceStream(strings())).toStrictEqual(cut);
    // A producer may use its buffer again as soon as it is asked for the next chunk.
    async function* reused() {
      const chunk = new Uint8Array(64);
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; at += chunk.length) {
        const part = bytes.subarray(at, at + chunk.length);
        chunk.set(part);
        yield chunk.subarray(0, part.length);
      }
    }
    expect(await parseTraceStream(reused())).toStrictEqual(cut);
  });

  test("a stream of nothing, one that fails, and one that is no trace", async () => {
    async function* chunks(...parts: (string | Error)[]) {
      for (const part of parts) {
        if (part instanceof Error) throw part;
        yield part;
      }
    }
    await expect(parseTraceStream(chunks())).rejects.toMatchObject({ code: "VIGILES_TRACE_EMPTY" });
    await expect(parseTraceStream(chunks("plain ", "text\n"))).rejects.toMatchObject({ code: "VIGILES_TRACE_UNKNOWN_KIND" });
    const broken = new Error("the pipe broke");
    await expect(parseTraceStream(chunks("{", broken))).rejects.toBe(broken);
  });

  test("every recording loads, or says in plain words why not", () => {
    const refused: Record<string, string> = {};
    for (const folder of ["claude/2.1.332", "claude/2.1.197", "claude/sessions/2.1.332", "claude/sessions/2.1.197", "codex/0.171.0"]) {
      const base = join(ROOT, "test/fixtures/golden", folder);
      for (const name of readdirSync(base).filter((file) => file.endsWith(".jsonl"))) {
        try {
          JSON.stringify(parseTrace(join(base, name)));
        } catch (error) {
          refused[`${folder}/${name}`] = (error as VigilesError).code;
        }
      }
    }
    expect(refused).toMatchInlineSnapshot(`
      {
        "claude/2.1.332/v6_text_output.jsonl": "VIGILES_TRACE_UNKNOWN_KIND",
        "claude/2.1.332/v7_streamjson_no_verbose.jsonl": "VIGILES_TRACE_EMPTY",
      }
    `);
  });

  test.each([
    ["a file that is not there", () => parseTrace(join(dir, "nope.jsonl")), "VIGILES_TRACE_NOT_FOUND"],
    ["a directory", () => parseTrace(dir), "VIGILES_TRACE_NOT_A_FILE"],
    ["nothing", () => parseTrace(Buffer.alloc(0)), "VIGILES_TRACE_EMPTY"],
    ["text", () => parseTrace(claude("v6_text_output")), "VIGILES_TRACE_UNKNOWN_KIND"],
    ["JSON of something else", () => parseTrace(Buffer.from('{"a":1}\n')), "VIGILES_TRACE_UNKNOWN_KIND"],
    ["no source", () => parseTrace(undefined as never), "VIGILES_INVALID_ARGUMENT"],
    ["a number", () => parseTrace(1 as never), "VIGILES_INVALID_ARGUMENT"],
    ["a session that is not there", () => parseTrace(claude("c_bash"), { session: join(dir, "nope.jsonl") }), "VIGILES_TRACE_NOT_FOUND"],
  ])("%s is refused with a code", (_, read, code) => {
    const error = thrown(read);
    expect(error).toBeInstanceOf(Error);
    expect(error).toBeInstanceOf(VigilesError);
    expect(error).toMatchObject({ code, name: "VigilesError" });
    expect(error.message).toMatch(/expected|cannot/);
  });
});

describe("as a value", () => {
  const path = claude("i2_subagent_fg");
  const one = parseTrace(path);
  const same = parseTrace(path);
  const other = parseTrace(claude("i2_subagent_fg", "2.1.197"));

  test("equals another of the same recording, at every depth", () => {
    expect(one).toEqual(same);
    expect(one).toStrictEqual(same);
    assert.deepStrictEqual(one, same);
    for (const field of ["toolCalls", "subagents", "usage", "result"] as const) {
      expect(one[field]).toStrictEqual(same[field]);
      assert.deepStrictEqual(one[field], same[field]);
    }
  });

  test("differs from that of another recording", () => {
    expect(one).not.toEqual(other);
    assert.notDeepStrictEqual(one, other);
    const [first, second] = one.toolCalls ?? [];
    expect(first).not.toEqual(second);
    assert.notDeepStrictEqual(first, second);
  });

  test("differs where only an argument or an answer differs", () => {
    const text = readFileSync(path, "utf8");
    const changed = (from: string, to: string) => parseTrace(Buffer.from(text.replaceAll(from, to)));
    expect(text).toContain("echo from-sub");
    expect(changed("echo from-sub", "echo changed!")).not.toEqual(one);
    assert.notDeepStrictEqual(changed("echo from-sub", "echo changed!"), one);
    expect(changed("SUB RESULT", "SUB RESULU").subagents).not.toEqual(one.subagents);
  });

  test("is written as JSON, cloned and spread with all its fields", () => {
    const json = JSON.parse(JSON.stringify(one)) as Trace;
    expect(json).toEqual(one);
    expect(structuredClone(one)).toEqual(one);
    expect(structuredClone(one.toolCalls)).toEqual(one.toolCalls);
    expect({ ...one }).toEqual(one);
    expect(Object.keys(one)).toEqual(Object.keys(other));
    expect(Object.keys(one)).not.toContain("file");
  });

  test("is printed with what it holds", () => {
    const printed = inspect(one, { depth: 8 });
    expect(printed).toContain("echo from-sub");
    expect(printed).not.toContain("[Getter");
  });

  test("gives the same object for a field each time", () => {
    expect(one.toolCalls).toBe(one.toolCalls);
    expect(one.toolCalls?.[0]?.input).toBe(one.toolCalls?.[0]?.input);
    expect(one.hooks).toBe(one.hooks);
  });
});

test("arguments of a call are read when they are asked for", () => {
  const [call] = parseTrace(claude("c_bash")).toolCalls ?? [];
  for (const field of ["input", "resultText"] as const) {
    expect(Object.getOwnPropertyDescriptor(call, field)).toMatchObject({ get: expect.any(Function), enumerable: true });
  }
});

test("a trace outlives its file", () => {
  const copy = join(dir, "gone.jsonl");
  copyFileSync(claude("d_write_read_edit"), copy);
  const trace = parseTrace(copy);
  rmSync(copy);
  expect(trace).toStrictEqual(parseTrace(claude("d_write_read_edit")));
  expect(trace.toolCalls?.[0]?.input).toMatchObject({ content: "one\ntwo\n" });
});

describe("the work dir", () => {
  const work = () => {
    const cwd = mkdtempSync(join(dir, "work-"));
    mkdirSync(join(cwd, "sub"));
    writeFileSync(join(cwd, "sub/a.txt"), "one\n");
    return parseTrace(claude("c_bash"), { cwd });
  };

  test("file reads a file of it, and gives null where there is none", () => {
    const trace = work();
    expect(trace.file("sub/a.txt")).toBe("one\n");
    expect(trace.file("sub/b.txt")).toBeNull();
    expect(work().file(join(dir, "nope"))).toBeNull();
  });

  test("sh runs a command in it and gives its output without white space around it, also of one that fails", () => {
    const trace = work();
    expect(trace.sh("cat sub/a.txt; echo; echo")).toBe("one");
    expect(trace.sh("echo partial; exit 3")).toBe("partial");
    expect(trace.sh("exit 1")).toBe("");
  });

  test("sh sees the environment as it is now", () => {
    const trace = work();
    process.env["VIGILES_TEST_NOW"] = "now";
    try {
      expect(trace.sh('echo "$VIGILES_TEST_NOW"')).toBe("now");
    } finally {
      delete process.env["VIGILES_TEST_NOW"];
    }
    expect(trace.sh('echo "[$VIGILES_TEST_NOW]"')).toBe("[]");
  });

  test("is refused where it is not known", () => {
    const trace = parseTrace(claude("c_bash"));
    expect(thrown(() => trace.file("a.txt"))).toBeInstanceOf(NotObservedError);
    expect(thrown(() => trace.sh("ls"))).toBeInstanceOf(NotObservedError);
    expect(refusal(() => trace.file("a.txt"))).toMatchInlineSnapshot(`"VIGILES_NOT_OBSERVED: the file system after the run was not recorded in this trace. Give the directory the run worked in (\`cwd\` of parseTrace, \`Open::work_dir\` in Rust)"`);
  });
});

describe("options that are not known", () => {
  const path = claude("c_bash");

  test("are refused with the nearest name, before anything is read", () => {
    expect(refusal(() => parseTrace("nowhere.jsonl", { sesion: path } as never))).toMatch(/^VIGILES_INVALID_ARGUMENT: expected options that parseTrace knows, but got "sesion".*did you mean "session"/);
    expect(refusal(() => parseTrace(path, "session.jsonl" as never))).toMatch(/^VIGILES_INVALID_ARGUMENT: expected the options of parseTrace to be an object/);
  });

  test("are refused before a stream is awaited", async () => {
    async function* endless(): AsyncGenerator<string> {
      yield await new Promise<string>(() => {});
    }
    await expect(parseTraceStream(endless(), { hookevents: true } as never)).rejects.toThrow(/parseTraceStream knows, but got "hookevents".*did you mean "hookEvents"/);
  });
});

test("an error of the native part keeps it as its cause", () => {
  const error = thrown(() => parseTrace("nowhere.jsonl"));
  expect(error).toMatchObject({ code: "VIGILES_TRACE_NOT_FOUND", cause: { message: expect.stringContaining("VIGILES_TRACE_NOT_FOUND") } });
});
