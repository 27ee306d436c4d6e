import type Assert from "node:assert/strict";
import type * as Vigiles from "vigiles";

export interface Clause {
  readonly name: string;
  run(): void | Promise<void>;
}

/** `expect` of the runner, as far as it is used. node:test has none. */
// oxlint-disable-next-line typescript/no-explicit-any -- that of vitest and that of jest, with matchers registered at run time
export type Expect = (received: unknown) => any;

/** Five lines of a Claude Code stream: one call, its answer, the end. */
const STREAM = [
  { type: "system", subtype: "init", cwd: "/project", session_id: "s", model: "m", tools: ["Bash"], skills: [], mcp_servers: [] },
  { type: "assistant", session_id: "s", message: { id: "m1", role: "assistant", content: [{ type: "tool_use", id: "t1", name: "Bash", input: { command: "ls", list: [1, { deep: true }] } }] } },
  { type: "user", session_id: "s", message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "a.ts", is_error: false }] } },
  { type: "assistant", session_id: "s", message: { id: "m2", role: "assistant", content: [{ type: "text", text: "Done." }] } },
  { type: "result", subtype: "success", is_error: false, session_id: "s", result: "Done.", num_turns: 2, total_cost_usd: 0.5, duration_ms: 9, usage: { input_tokens: 1, output_tokens: 2 } },
]
  .map((line) => JSON.stringify(line))
  .join("\n");

const CALL = { id: "t1", name: "Bash", input: { command: "ls", list: [1, { deep: true }] }, resultText: "a.ts", isError: false, denied: false, turn: 1 };
const EVENT = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } };

/**
 * What has to hold wherever the package is loaded. Some runners give each test file its own global objects, so that what
 * native code or a cached module makes can be an `Error` or an array of another world: each clause fails if that leaks.
 *
 * It takes what it tests as arguments, so that one text serves modules of both kinds, and runners with `expect` and without.
 */
export function contract(vigiles: typeof Vigiles, assert: typeof Assert, expect?: Expect): Clause[] {
  const read = (text = STREAM) => vigiles.parseTrace(Buffer.from(text));

  /** Equal to plain values in the eyes of the runner and of Node. */
  const equals = (seen: unknown, plain: unknown) => {
    assert.deepStrictEqual(seen, plain);
    expect?.(seen).toEqual(plain);
    expect?.(seen).toStrictEqual(plain);
  };
  const differs = (seen: unknown, plain: unknown) => {
    assert.notDeepStrictEqual(seen, plain);
    expect?.(seen).not.toEqual(plain);
  };
  /** Of a class of this world, which `Array.isArray` and the like would not tell. */
  const isOf = (seen: unknown, World: abstract new (...args: never) => unknown) => assert.ok(seen instanceof World, `instanceof ${World.name}`);
  const isOurs = (error: unknown, code: string) => {
    assert.ok(error instanceof Error, "instanceof Error");
    assert.ok(error instanceof vigiles.VigilesError, "instanceof VigilesError");
    assert.equal(error.code, code);
  };
  const refused = (act: () => unknown, code: string) => {
    assert.throws(act, (error: unknown) => {
      isOurs(error, code);
      return true;
    });
    expect?.(act).toThrow(Error);
    expect?.(act).toThrow(vigiles.VigilesError);
  };

  return [
    {
      name: "the native part loads and gives plain values",
      run() {
        assert.match(vigiles.coreVersion(), /^\d+\.\d+\.\d+/);
      },
    },
    {
      name: "an error is an Error here, with its code",
      run() {
        const error = new vigiles.NativeMissingError(new Error("cause"));
        assert.ok(error instanceof Error);
        assert.ok(error instanceof vigiles.NativeMissingError);
        assert.equal(error.code, "VIGILES_NATIVE_MISSING");
      },
    },
    {
      name: "fields of a trace are plain objects and arrays of this world",
      run() {
        const trace = read();
        equals(trace.toolCalls, [CALL]);
        equals(trace.toolCalls?.[0]?.input, CALL.input);
        equals(trace.replies, ["Done."]);
        equals(trace.subagents, []);
        equals(trace.parseErrors, []);
        equals(trace.result, { subtype: "success", isError: false, numTurns: 2 });
        isOf(trace.toolCalls, Array);
        isOf(trace.toolCalls?.[0]?.input, Object);
      },
    },
    {
      name: "traces of one recording are equal, of two are not",
      run() {
        equals(read(), read());
        differs(read(), read(STREAM.replace("a.ts", "b.ts")));
        differs(read().toolCalls, read(STREAM.replace('"ls"', '"rm"')).toolCalls);
      },
    },
    {
      name: "bytes of this world are read: Buffer, Uint8Array, a stream",
      async run() {
        const bytes = new TextEncoder().encode(STREAM);
        equals(vigiles.parseTrace(bytes), read());
        async function* parts() {
          yield bytes.subarray(0, 10);
          yield STREAM.slice(10);
        }
        equals(await vigiles.parseTraceStream(parts()), read());
      },
    },
    {
      name: "errors of native code are ours, by kind",
      run() {
        refused(() => vigiles.parseTrace("/nonexistent.jsonl"), "VIGILES_TRACE_NOT_FOUND");
        refused(() => vigiles.parseTrace(undefined as never), "VIGILES_INVALID_ARGUMENT");
        refused(() => vigiles.runScript("true", { cwd: "/nonexistent" }), "VIGILES_PROCESS_CWD");
        refused(() => vigiles.checkFromJSON({ kind: "nope" }), "VIGILES_CHECK_UNKNOWN_KIND");
        refused(() => vigiles.assertToolUsed(read(), "Edit"), "VIGILES_CHECKS_FAILED");
        assert.throws(() => vigiles.usedTool({}, "Bash"), vigiles.NotObservedError);
        assert.throws(() => vigiles.assertToolUsed(read(), "Edit"), vigiles.AssertionError);
      },
    },
    {
      name: "what the caller's own code throws comes through",
      run() {
        class Own extends Error {
          readonly code = "ENOENT";
        }
        const own = new Own("mine");
        const broken = () => {
          throw own;
        };
        assert.throws(() => vigiles.assertCreated({ file: broken }, "x"), (error: unknown) => error === own);
        assert.throws(() => vigiles.toolUsedWith(read(), "Bash", broken), (error: unknown) => error === own);
      },
    },
    {
      name: "async functions give promises of this world, which reject with our errors",
      async run() {
        const promises = [vigiles.runScriptAsync("echo out"), vigiles.runHookAsync("exit 2", EVENT), vigiles.runHooks("exit 2", [EVENT]), vigiles.parseTraceStream((async function* () { yield STREAM; })())];
        for (const promise of promises) isOf(promise, Promise);
        const [script, hook, hooks] = (await Promise.all(promises)) as [Vigiles.ScriptRunResult, Vigiles.HookRunResult, Vigiles.HookRunResult[]];
        assert.equal(script.stdout, "out\n");
        assert.equal(hook.blocked, true);
        isOf(hooks, Array);
        for (const act of [() => vigiles.runScriptAsync(" "), () => vigiles.runHookAsync(" ", EVENT), () => vigiles.runHooks(" ", [EVENT])]) {
          await assert.rejects(act, (error: unknown) => {
            isOurs(error, "VIGILES_PROCESS_EMPTY");
            return true;
          });
          await expect?.(act()).rejects.toThrow(Error);
        }
      },
    },
    {
      name: "results of runs are plain, with bytes beside them",
      run() {
        const { durationMs, ...script } = vigiles.runScript("printf out; printf err >&2; exit 3");
        assert.ok(durationMs > 0);
        equals(script, { exitCode: 3, stdout: "out", stderr: "err", stdoutOmittedBytes: 0, stderrOmittedBytes: 0, timedOut: false });
        equals(vigiles.runHook(`echo '{"decision":"block","list":[1]}'`, EVENT).json, { decision: "block", list: [1] });
        assert.ok(Buffer.from("out").equals(vigiles.runScript("printf out").stdoutBytes));
      },
    },
    {
      name: "the environment as a test changed it reaches children",
      run() {
        process.env["VIGILES_CONTRACT"] = "changed";
        try {
          assert.equal(vigiles.runScript('printf %s "$VIGILES_CONTRACT"').stdout, "changed");
        } finally {
          delete process.env["VIGILES_CONTRACT"];
        }
        assert.equal(vigiles.runScript('printf %s "${VIGILES_CONTRACT-gone}"').stdout, "gone");
      },
    },
    {
      name: "checks and what they say are plain, and patterns of this world are patterns",
      run() {
        equals(vigiles.tool(/^bash$/i).toJSON(), { kind: "tool", name: { regex: "^bash$", flags: "i" } });
        equals(vigiles.evalChecks(read(), [vigiles.tool(/^bash$/i)]).map(({ pass, verdict }) => ({ pass, verdict })), [{ pass: true, verdict: "pass" }]);
        assert.equal(vigiles.usedTool(read(), /^B/g), true);
        equals(vigiles.checkFromJSON({ kind: "turns", min: 2 }).toJSON(), { kind: "turns", min: 2 });
      },
    },
    {
      name: "the disaster catalog, events, decisions and typed answers are plain",
      run() {
        equals([...vigiles.DISASTER_CATALOG], JSON.parse(JSON.stringify(vigiles.DISASTER_CATALOG)));
        equals(vigiles.DISASTER_CATALOG, [...vigiles.DISASTER_CATALOG]);
        equals(vigiles.fileToolEvents("a.ts", { root: "/p" })[1]["tool_input"], { file_path: "/p/a.ts" });
        equals(vigiles.decideHook({ event: "PreToolUse", exitCode: 2 }).blockedBy, ["exit-code"]);
        equals(vigiles.parseAgentResult('```vigiles:ok\n{"files":["a"]}\n```'), { kind: "ok", value: { files: ["a"] } });
        equals(vigiles.verifyGuardrail("exit 2").map(({ outcome }) => outcome), Array.from({ length: 7 }, () => "blocked"));
      },
    },
    ...(expect === undefined ? [] : matcherClauses(vigiles, assert, expect)),
  ];
}

/** The matchers that `vigiles/vitest` and `vigiles/jest` registered with the runner. */
function matcherClauses(vigiles: typeof Vigiles, assert: typeof Assert, expect: Expect): Clause[] {
  const trace = () => vigiles.parseTrace(Buffer.from(STREAM));
  const fails = (act: () => unknown, message: RegExp) => assert.throws(act, { message });
  return [
    {
      name: "registered matchers hold",
      async run() {
        expect(trace()).toPass(vigiles.tool("Bash"));
        expect(trace()).not.toPass(vigiles.tool("Edit"));
        expect(trace()).toPassAll([vigiles.tool("Bash"), vigiles.output("Done")]);
        expect(vigiles.runHook("exit 2", EVENT)).toBlock();
        expect(vigiles.runHook("exit 1", EVENT)).not.toBlock();
        expect({ file: () => "" }).toHaveCreated("DONE");
        expect({ arms: { a: { metrics: { m: 1 } }, b: { metrics: { m: 2 } } } }).toBeatBaseline("a", "b", "m");
        await expect(vigiles.runHookAsync("exit 2", EVENT)).resolves.toBlock();
      },
    },
    {
      name: "registered matchers fail with our messages, and nothing passes that cannot be judged",
      run() {
        fails(() => expect(trace()).toPass(vigiles.tool("Edit")), /to use tool "Edit", but it used \[Bash\]/);
        fails(() => expect(trace()).not.toPass(vigiles.tool("Bash")), /not to hold/);
        fails(() => expect(vigiles.runHook("exit 1", EVENT)).toBlock(), /blocks nothing/);
        fails(() => expect(trace()).toPass(vigiles.hookFired("Stop")), /could not be judged/);
        fails(() => expect(trace()).not.toPass(vigiles.hookFired("Stop")), /could not be judged/);
        assert.throws(() => expect(trace()).not.toPass(vigiles.hookFired("Stop")), Error);
      },
    },
  ];
}
