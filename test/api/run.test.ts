import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  decideHook,
  fileToolEvents,
  type HookAnswer,
  type HookEventName,
  hookEvent,
  postToolUse,
  preToolUse,
  runHook,
  runHookAsync,
  runHooks,
  type RunScriptOptions,
  runScript,
  runScriptAsync,
  userPromptSubmit,
  verifyGuardrail,
  VigilesError,
} from "vigiles";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

import { refusal, thrown } from "../support/thrown.ts";

let dir = "";
beforeAll(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "vigiles-run-")));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));
afterEach(() => vi.unstubAllEnvs());

const event = preToolUse("Bash", { command: "git push --force" });

/** What `runHook` and `runScript` have in common, of all four functions. */
const RUNNERS: readonly (readonly [string, (command: string | string[], options?: RunScriptOptions) => Promise<{ stdout: string; stderr: string; exitCode: number | null; timedOut: boolean }>])[] = [
  ["runScript", async (command, options) => runScript(command, options)],
  ["runScriptAsync", runScriptAsync],
  ["runHook", async (command, options) => runHook(command, event, options)],
  ["runHookAsync", async (command, options) => await runHookAsync(command, event, options)],
];

describe.each(RUNNERS)("%s", (_, run) => {
  test("gives both streams and the exit code; a failure is a result", async () => {
    expect(await run("echo out; echo advice >&2; exit 3")).toMatchObject({ stdout: "out\n", stderr: "advice\n", exitCode: 3, timedOut: false });
  });

  test("runs an array without a shell", async () => {
    expect(await run(["printf", "%s|", "$HOME", "a b", "*"])).toMatchObject({ stdout: "$HOME|a b|*|", exitCode: 0 });
  });

  test("passes the environment as it is now, overlaid", async () => {
    vi.stubEnv("VIGILES_TEST_A", "changed");
    vi.stubEnv("VIGILES_TEST_B", "kept");
    const show = 'echo "[${VIGILES_TEST_A-unset}][${VIGILES_TEST_B-unset}][${VIGILES_TEST_C-unset}]"';
    expect((await run(show)).stdout).toBe("[changed][kept][unset]\n");
    expect((await run(show, { env: { VIGILES_TEST_A: undefined, VIGILES_TEST_C: "new" } })).stdout).toBe("[unset][kept][new]\n");
    vi.unstubAllEnvs();
    expect((await run(show)).stdout).toBe("[unset][unset][unset]\n");
  });

  test("works in the directory of the process, or in another", async () => {
    expect((await run("pwd -P")).stdout).toBe(`${realpathSync(process.cwd())}\n`);
    expect((await run("pwd -P", { cwd: dir })).stdout).toBe(`${dir}\n`);
  });

  test("kills what outlasts its time, with all that it started", async () => {
    const started = Date.now();
    expect(await run("sleep 30 & sleep 30", { timeoutMs: 80 })).toMatchObject({ timedOut: true });
    expect(Date.now() - started).toBeLessThan(5000);
  });

  test("tells a signal from an exit code", async () => {
    expect(await run("kill -KILL $$")).toMatchObject({ exitCode: null, signal: "SIGKILL", timedOut: false });
  });

  test("tells of programs that cannot be run by their exit codes", async () => {
    writeFileSync(join(dir, "plain.txt"), "echo never\n");
    expect(await run(["./plain.txt"], { cwd: dir })).toMatchObject({ exitCode: 126, stdout: "" });
    expect(await run("./plain.txt", { cwd: dir })).toMatchObject({ exitCode: 126, stdout: "" });
    expect(await run(["./nope"], { cwd: dir })).toMatchObject({ exitCode: 127, stderr: expect.stringContaining("nope") });
    expect(await run("./nope", { cwd: dir })).toMatchObject({ exitCode: 127, stderr: expect.stringContaining("nope") });
  });

  test("keeps start and end of a long stream and says how much was left out", async () => {
    const long = await run("printf start; head -c 100000 /dev/zero | tr '\\0' x; printf end", { maxOutputBytes: 1000 });
    expect(long).toMatchObject({ stdoutOmittedBytes: 100_008 - 1000 });
    expect(long.stdout).toMatch(/^startx/);
    expect(long.stdout).toMatch(/xend$/);
  });

  test.each<[string, string | string[], RunScriptOptions, string]>([
    ["a directory that is not there", "true", { cwd: "/nonexistent" }, "VIGILES_PROCESS_CWD"],
    ["an empty command", " ", {}, "VIGILES_PROCESS_EMPTY"],
    ["no arguments", [], {}, "VIGILES_PROCESS_EMPTY"],
    ["a NUL byte", "echo \0", {}, "VIGILES_PROCESS_NUL"],
    ["no command", undefined as never, {}, "VIGILES_INVALID_ARGUMENT"],
    ["arguments that are no strings", ["echo", 1 as never], {}, "VIGILES_INVALID_ARGUMENT"],
    ["a variable that is no string", "true", { env: { A: 1 as never } }, "VIGILES_INVALID_ARGUMENT"],
    ["a time limit of NaN", "true", { timeoutMs: Number.NaN }, "VIGILES_INVALID_ARGUMENT"],
    ["no time", "true", { timeoutMs: 0 }, "VIGILES_INVALID_ARGUMENT"],
    ["negative time", "true", { timeoutMs: -1 }, "VIGILES_INVALID_ARGUMENT"],
    ["half a byte", "true", { maxOutputBytes: 0.5 }, "VIGILES_INVALID_ARGUMENT"],
  ])("refuses %s", async (__, command, options, code) => {
    const error = await run(command, options).then(() => undefined, (reason: unknown) => reason);
    expect(error).toBeInstanceOf(VigilesError);
    expect(error).toMatchObject({ code, message: expect.stringMatching(/expected|cannot|has a NUL/) });
  });

  test("waits without limit when asked", async () => {
    expect(await run("echo done", { timeoutMs: Number.POSITIVE_INFINITY })).toMatchObject({ stdout: "done\n" });
  });
});

describe("a script", () => {
  test("reads stdin, which is empty unless given", () => {
    expect(runScript("cat", { stdin: "lines\nand ü\n" }).stdout).toBe("lines\nand ü\n");
    expect(runScript("cat").stdout).toBe("");
    expect(runScript("exec <&-; echo gone", { stdin: "x".repeat(1_000_000) })).toMatchObject({ exitCode: 0, stdout: "gone\n" });
    expect(refusal(() => runScript("cat", { stdin: Buffer.from("x") as never }))).toMatch(/^VIGILES_INVALID_ARGUMENT: expected stdin to be a string/);
  });

  test("has effects and no decision", () => {
    const run = runScript("exit 2");
    for (const field of ["blocked", "decision", "json", "ran", "unresolved"]) expect(run).not.toHaveProperty(field);
    expect(run).toEqual({ exitCode: 2, stdout: "", stderr: "", stdoutOmittedBytes: 0, stderrOmittedBytes: 0, timedOut: false, durationMs: expect.any(Number) });
    expect(run.filesWritten).toBeUndefined();
    expect(run.durationMs).toBeGreaterThan(0);
  });

  test("that writes bytes which are no text has them raw, too", () => {
    const run = runScript("printf 'a\\377b'; printf '\\376' >&2");
    expect([run.stdout, run.stderr]).toEqual(["a\uFFFDb", "\uFFFD"]);
    expect(run.stdoutBytes).toEqual(Buffer.from([0x61, 0xff, 0x62]));
    expect(run.stderrBytes).toEqual(Buffer.from([0xfe]));
    expect(run.stdoutBytes).toBe(run.stdoutBytes);
    expect(Object.keys(run)).not.toContain("stdoutBytes");
    expect(structuredClone(run)).toEqual(run);
  });

  test("runs beside the event loop when it is asked for", async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    await Promise.all([runScriptAsync("sleep 0.2"), runScriptAsync("sleep 0.2")]);
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(5);
  });
});

describe("a hook", () => {
  test("reads its event on stdin", () => {
    expect(JSON.parse(runHook("cat", event).stdout)).toEqual(event);
  });

  test("that exits 2 blocks, and the CLI does not run the tool", () => {
    expect(runHook("echo no >&2; exit 2", event)).toMatchObject({ blocked: true, effect: "prevented", blockedBy: ["exit-code"], reason: "no", ran: true, unresolved: false, json: null });
  });

  test("that denies in JSON blocks", () => {
    const answer = { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "policy" } };
    expect(runHook(["printf", "%s", JSON.stringify(answer)], event)).toMatchObject({ blocked: true, decision: "deny", blockedBy: ["deny-decision"], reason: "policy", json: answer, haltsTurn: false });
  });

  test("that exits 1 blocks nothing", () => {
    expect(runHook("exit 1", event)).toMatchObject({ blocked: false, effect: "none", blockedBy: [], exitCode: 1, explanation: expect.stringContaining("blocks nothing") });
  });

  test("whose script is not there is unresolved, whatever its exit code", () => {
    for (const command of ["/nonexistent/guard.sh", "python3 /nonexistent/guard.py", "bash /nonexistent/guard.sh", ["/nonexistent/guard"]]) {
      expect(runHook(command, event), String(command)).toMatchObject({ unresolved: true });
    }
    expect(runHook("python3 /nonexistent/guard.py", event)).toMatchObject({ exitCode: 2, blocked: true, unresolved: true });
  });

  test("is judged by the rules of the CLI", () => {
    expect(runHook("exit 2", event, { cli: "codex" })).toMatchObject({ blocked: true, blockedBy: ["exit-code"], note: expect.stringContaining("no reason on stderr") });
    expect(runHook("exit 2", event, { cli: "codex" })).not.toHaveProperty("effect");
    expect(runHook("echo no >&2; exit 2", event, { cli: "codex" })).toMatchObject({ blocked: true, effect: "prevented" });
    expect(refusal(() => runHook("exit 2", event, { cli: "claude" as never }))).toBe('VIGILES_INVALID_ARGUMENT: expected the CLI to be "claude-code" or "codex", but got "claude"');
  });

  test("is not started when its condition does not match", () => {
    const marker = join(dir, "started");
    const skipped = runHook(`touch ${marker}; exit 2`, event, { condition: "Bash(npm publish:*)" });
    expect(skipped).toMatchObject({ ran: false, blocked: false, exitCode: 0, stdout: "", stderr: "", json: null, blockedBy: [], haltsTurn: false, conditionReason: expect.stringContaining("npm publish") });
    expect(runScript(["test", "-e", marker]).exitCode).toBe(1);
    expect(skipped.stdoutBytes).toEqual(Buffer.alloc(0));
    const run = runHook("exit 2", event, { condition: "Bash(git push:*)" });
    expect(run).toMatchObject({ ran: true, blocked: true });
    expect(run.conditionReason).toBeUndefined();
  });

  test.each<[string, unknown]>([["undefined", undefined], ["null", null], ["text", "{}"], ["a list", [event]]])("refuses %s for an event", async (_, bad) => {
    expect(refusal(() => runHook("exit 2", bad as never))).toMatch(/^VIGILES_INVALID_ARGUMENT: expected an event/);
    await expect(runHookAsync("exit 2", bad as never)).rejects.toThrow(VigilesError);
    await expect(runHooks("exit 2", [event, bad as never])).rejects.toMatchObject({ code: "VIGILES_INVALID_ARGUMENT" });
  });

  test("refuses an event that is no JSON", () => {
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    expect(thrown(() => runHook("exit 2", circular))).toMatchObject({ code: "VIGILES_INVALID_ARGUMENT", cause: expect.any(TypeError) });
  });
});

describe("CLAUDE_PROJECT_DIR", () => {
  const shown = (options: Parameters<typeof runHook>[2]) => runHook('printf %s "${CLAUDE_PROJECT_DIR-unset}"', event, options).stdout;

  test("is the working directory that the test gives, absolute", () => {
    vi.stubEnv("CLAUDE_PROJECT_DIR", undefined);
    expect(shown({ cwd: dir })).toBe(dir);
    expect(shown({ cwd: "test" })).toBe(join(process.cwd(), "test"));
  });

  test("is not set when the test gives no directory", () => {
    vi.stubEnv("CLAUDE_PROJECT_DIR", undefined);
    expect(shown({})).toBe("unset");
  });

  test("is the one that the test gives, also when it is empty", () => {
    expect(shown({ cwd: dir, env: { CLAUDE_PROJECT_DIR: "/other" } })).toBe("/other");
    expect(shown({ cwd: dir, env: { CLAUDE_PROJECT_DIR: "" } })).toBe("");
    expect(shown({ env: { CLAUDE_PROJECT_DIR: "/other" } })).toBe("/other");
  });

  test("is removed when the test says undefined", () => {
    vi.stubEnv("CLAUDE_PROJECT_DIR", "/session/around");
    expect(shown({ cwd: dir, env: { CLAUDE_PROJECT_DIR: undefined } })).toBe("unset");
    expect(shown({ env: { CLAUDE_PROJECT_DIR: undefined } })).toBe("unset");
  });

  test("is not that of a session around the test, when the test gives a directory", () => {
    vi.stubEnv("CLAUDE_PROJECT_DIR", "/session/around");
    expect(shown({ cwd: dir })).toBe(dir);
    expect(shown({})).toBe("/session/around");
  });

  test("is not set for Codex", () => {
    vi.stubEnv("CLAUDE_PROJECT_DIR", undefined);
    expect(shown({ cwd: dir, cli: "codex" })).toBe("unset");
  });
});

describe("runHooks", () => {
  test("gives results in the order of the events, however long each takes", async () => {
    const events = [300, 0, 150, 0, 50].map((ms, index) => ({ ...event, ms, index }));
    const hook = ["node", "-e", `let text = ""; process.stdin.on("data", (part) => (text += part)).on("end", () => { const { ms, index } = JSON.parse(text); setTimeout(() => console.log(index), ms); });`];
    const runs = await runHooks(hook, events, { concurrency: 3 });
    expect(runs.map(({ stdout }) => stdout.trim())).toEqual(["0", "1", "2", "3", "4"]);
  });

  test("runs no more at a time than it is told", async () => {
    const log = join(dir, "running");
    const hook = `echo start >> ${log}; sleep 0.1; echo end >> ${log}`;
    const peak = async (concurrency: number) => {
      writeFileSync(log, "");
      await runHooks(hook, Array.from({ length: 6 }, () => event), { concurrency });
      let running = 0;
      return Math.max(...runScript(["cat", log]).stdout.trim().split("\n").map((line) => (running += line === "start" ? 1 : -1)));
    };
    expect(await peak(1)).toBe(1);
    expect(await peak(3)).toBeLessThanOrEqual(3);
    expect(await peak(3)).toBeGreaterThan(1);
  });

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "x", null])("refuses to run %s at a time, and runs nothing", async (concurrency) => {
    const marker = join(dir, `concurrency-${String(concurrency)}`);
    await expect(runHooks(`touch ${marker}`, [event], { concurrency: concurrency as never })).rejects.toMatchObject({ code: "VIGILES_INVALID_ARGUMENT", message: expect.stringMatching(/^expected concurrency to be a whole number of at least 1, but got /) });
    expect(existsSync(marker)).toBe(false);
  });

  test("runs none for no events", async () => {
    expect(await runHooks("exit 2", [])).toEqual([]);
  });

  test("skips those whose condition does not match, in their places", async () => {
    const events = ["git push", "ls", "git push origin"].map((command) => preToolUse("Bash", { command }));
    const runs = await runHooks("exit 2", events, { condition: "Bash(git push:*)" });
    expect(runs.map(({ ran, blocked }) => [ran, blocked])).toEqual([[true, true], [false, false], [true, true]]);
  });

  test("fails as a whole when the command cannot be run", async () => {
    await expect(runHooks(" ", [event, event])).rejects.toMatchObject({ code: "VIGILES_PROCESS_EMPTY" });
  });
});

describe("decideHook", () => {
  const json = (value: object) => ({ exitCode: 0, stdout: JSON.stringify(value) });
  const pre = (fields: object) => json({ hookSpecificOutput: { hookEventName: "PreToolUse", ...fields } });
  const claude: readonly [string, HookAnswer, boolean, string | undefined][] = [
    ["PreToolUse, exit 2", { event: "PreToolUse", exitCode: 2 }, true, "prevented"],
    ["PreToolUse, deny", { event: "PreToolUse", ...pre({ permissionDecision: "deny" }) }, true, "prevented"],
    ["PreToolUse, the older block", { event: "PreToolUse", ...json({ decision: "block" }) }, true, "prevented"],
    ["PreToolUse, ask", { event: "PreToolUse", ...pre({ permissionDecision: "ask" }) }, true, "prevented"],
    ["PreToolUse, allow with other input", { event: "PreToolUse", ...pre({ permissionDecision: "allow", updatedInput: { command: "ls" } }) }, false, "none"],
    ["PreToolUse, allow", { event: "PreToolUse", ...pre({ permissionDecision: "allow" }) }, false, "none"],
    ["PreToolUse, continue false", { event: "PreToolUse", ...json({ continue: false }) }, false, "halted"],
    ["PreToolUse, exit 1", { event: "PreToolUse", exitCode: 1 }, false, "none"],
    ["PreToolUse, exit 127", { event: "PreToolUse", exitCode: 127 }, false, "none"],
    ["PreToolUse, timeout", { event: "PreToolUse", timedOut: true }, false, "none"],
    ["PreToolUse, an answer that fits no schema", { event: "PreToolUse", ...json({ hookSpecificOutput: "no" }) }, false, "none"],
    ["PreToolUse, JSON and exit 2", { event: "PreToolUse", ...pre({ permissionDecision: "allow" }), exitCode: 2 }, true, "prevented"],
    ["PostToolUse, exit 2", { event: "PostToolUse", exitCode: 2 }, true, "feedback"],
    ["PostToolUse, block", { event: "PostToolUse", ...json({ decision: "block", reason: "fix it" }) }, true, "feedback"],
    ["PostToolUse, context", { event: "PostToolUse", ...json({ hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "note" } }) }, false, "feedback"],
    ["UserPromptSubmit, exit 2", { event: "UserPromptSubmit", exitCode: 2 }, true, "prevented"],
    ["UserPromptSubmit, block", { event: "UserPromptSubmit", ...json({ decision: "block" }) }, true, "prevented"],
    ["Stop, exit 2", { event: "Stop", exitCode: 2 }, true, "continued"],
    ["SubagentStop, block", { event: "SubagentStop", ...json({ decision: "block", reason: "go on" }) }, true, "continued"],
    ["SessionStart, exit 2", { event: "SessionStart", exitCode: 2 }, false, "none"],
    ["SessionEnd, exit 2", { event: "SessionEnd", exitCode: 2 }, false, "none"],
    ["Notification, block", { event: "Notification", ...json({ decision: "block" }) }, false, "none"],
    ["PreCompact, exit 2", { event: "PreCompact", exitCode: 2 }, true, undefined],
  ];
  test.each(claude)("Claude Code: %s", (_, answer, isBlocked, effect) => {
    const decision = decideHook(answer);
    expect([decision.blocked, decision.effect]).toEqual([isBlocked, effect]);
    expect(decision.blockedBy.length > 0).toBe(isBlocked);
    expect(decision.explanation).not.toBe("");
    expect(decision.explanation.includes("not measured")).toBe(effect === undefined);
  });

  const stderr = "because";
  const codexRows: readonly [string, HookAnswer, boolean, string | undefined][] = [
    ["PreToolUse, exit 2", { event: "PreToolUse", exitCode: 2, stderr }, true, "prevented"],
    ["PreToolUse, deny", { event: "PreToolUse", ...pre({ permissionDecision: "deny", permissionDecisionReason: "no" }) }, true, "prevented"],
    ["PreToolUse, ask", { event: "PreToolUse", ...pre({ permissionDecision: "ask" }) }, false, "none"],
    ["PreToolUse, allow", { event: "PreToolUse", ...pre({ permissionDecision: "allow" }) }, false, "none"],
    ["PreToolUse, continue false", { event: "PreToolUse", ...json({ continue: false }) }, false, undefined],
    ["PreToolUse, exit 1", { event: "PreToolUse", exitCode: 1 }, false, "none"],
    ["PostToolUse, exit 2", { event: "PostToolUse", exitCode: 2, stderr }, true, "feedback"],
    ["Stop, exit 2", { event: "Stop", exitCode: 2, stderr }, true, "continued"],
    ["SessionStart, continue false", { event: "SessionStart", ...json({ continue: false }) }, true, "prevented"],
    ["SessionEnd, exit 2", { event: "SessionEnd", exitCode: 2, stderr }, false, "none"],
    ["PreToolUse, exit 2 without a reason", { event: "PreToolUse", exitCode: 2 }, true, undefined],
    ["PreToolUse, deny without a reason", { event: "PreToolUse", ...pre({ permissionDecision: "deny" }) }, true, undefined],
  ];
  test.each(codexRows)("Codex: %s", (_, answer, isBlocked, effect) => {
    const decision = decideHook({ cli: "codex", ...answer });
    expect([decision.blocked, decision.effect]).toEqual([isBlocked, effect]);
  });

  test("says the same as runHook of the same answer", () => {
    for (const [name, answer] of claude.filter(([, { timedOut }]) => timedOut !== true)) {
      const command = ["sh", "-c", 'printf %s "$1"; exit "$2"', "hook", answer.stdout ?? "", String(answer.exitCode ?? 0)];
      const run = runHook(command, { hook_event_name: answer.event });
      expect(run, name).toMatchObject(decideHook({ ...answer }));
    }
  });
});

describe("an option that is not known", () => {
  let marker = "";
  beforeEach(() => {
    marker = join(dir, "unknown-option");
    rmSync(marker, { force: true });
  });
  const attempts: readonly (readonly [string, (options: object) => unknown])[] = [
    ["runScript", (options) => runScript(`touch ${marker}`, options)],
    ["runScriptAsync", (options) => runScriptAsync(`touch ${marker}`, options)],
    ["runHook", (options) => runHook(`touch ${marker}`, event, options)],
    ["runHookAsync", (options) => runHookAsync(`touch ${marker}`, event, options)],
    ["runHooks", (options) => runHooks(`touch ${marker}`, [event], options)],
    ["verifyGuardrail", (options) => verifyGuardrail(`touch ${marker}`, options)],
  ];

  describe.each(attempts)("of %s", (name, attempt) => {
    const message = async (options: object) => {
      const error = await Promise.resolve().then(() => attempt(options)).then(() => undefined, (reason: unknown) => reason);
      expect(error).toBeInstanceOf(VigilesError);
      expect(error).toMatchObject({ code: "VIGILES_INVALID_ARGUMENT" });
      expect(existsSync(marker)).toBe(false);
      return (error as VigilesError).message;
    };

    test("is refused with the nearest name, and nothing runs", async () => {
      expect(await message({ timoutMs: 5 })).toMatch(new RegExp(`^expected options that ${name} knows, but got "timoutMs", so nothing was done: did you mean "timeoutMs"\\?`));
      expect(await message({ TIMEOUTMS: 5 })).toContain('did you mean "timeoutMs"?');
      expect(await message({ somethingElse: 5 })).toMatch(/it knows cwd, env, timeoutMs, maxOutputBytes/);
      expect(await message({ somethingElse: 5 })).not.toContain("did you mean");
    });

    test("is refused when the options are no object", async () => {
      expect(await message("fast" as never)).toBe(`expected the options of ${name} to be an object, but got string`);
      expect(await message([] as never)).toContain("got an array");
    });
  });

  test("names `cli` for `protocol`", () => {
    expect(refusal(() => runHook("true", event, { protocol: "codex" } as never))).toContain('is the option "cli"');
  });

  test("is refused by event builders and decideHook, too", () => {
    expect(refusal(() => fileToolEvents("a.ts", { rot: "/p" } as never))).toMatch(/^VIGILES_INVALID_ARGUMENT: .*fileToolEvents.*did you mean "root"/);
    expect(refusal(() => hookEvent("Stop", {}, { session_id: "s" } as never))).toMatch(/^VIGILES_INVALID_ARGUMENT: .*did you mean "sessionId"/);
    expect(refusal(() => decideHook({ event: "Stop", exitcode: 2 } as never))).toMatch(/^VIGILES_INVALID_ARGUMENT: .*did you mean "exitCode"/);
  });

  test("is refused for a script that is given those of a hook", () => {
    expect(refusal(() => runScript("true", { condition: "Bash" } as never))).toContain('runScript knows, but got "condition"');
    expect(refusal(() => runHook("true", event, { stdin: "x" } as never))).toContain('runHook knows, but got "stdin"');
  });
});

describe("event builders", () => {
  const CLAUDE: readonly HookEventName[] = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "Notification", "Stop", "SubagentStart", "SubagentStop", "PreCompact", "SessionEnd"];
  const CODEX: readonly HookEventName[] = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SubagentStart", "SubagentStop", "SessionEnd"];

  test.each([...CLAUDE.map((name) => ["claude-code", name] as const), ...CODEX.map((name) => ["codex", name] as const)])("%s %s", (cli, name) => {
    const built = hookEvent(name, {}, { cli, cwd: "/project" });
    expect(built).toMatchObject({ hook_event_name: name, cwd: "/project", session_id: expect.any(String), transcript_path: expect.anything() });
    expect(hookEvent(name, {}, { cli, cwd: "/project" })).toEqual(built);
    expect(Object.keys(built).toSorted()).toMatchSnapshot();
  });

  test("take fields by the CLI's names, which win, and add what they do not know", () => {
    expect(hookEvent("PreToolUse", { tool_name: "Write", session_id: "mine", own: 1 })).toMatchObject({ tool_name: "Write", session_id: "mine", own: 1, cwd: process.cwd() });
  });

  test("take the context of a session", () => {
    expect(userPromptSubmit("hi", { sessionId: "s", transcriptPath: "/t", permissionMode: "plan", cwd: "/c" })).toMatchObject({ prompt: "hi", session_id: "s", transcript_path: "/t", permission_mode: "plan", cwd: "/c" });
    expect(preToolUse("Bash", { command: "ls" }, { cli: "codex", model: "m", turnId: "t" })).toMatchObject({ tool_name: "Bash", tool_input: { command: "ls" }, model: "m", turn_id: "t" });
    expect(postToolUse("Bash", { command: "ls" }, { stdout: "a" })).toMatchObject({ tool_name: "Bash", tool_input: { command: "ls" }, tool_response: { stdout: "a" } });
  });

  test("refuse an event that the CLI does not have, with those it has", () => {
    expect(refusal(() => hookEvent("PreCompact", {}, { cli: "codex" }))).toMatchInlineSnapshot(`"VIGILES_HOOK_UNKNOWN_EVENT: expected an event of Codex, but it has no "PreCompact". Known: SessionStart, UserPromptSubmit, PreToolUse, PostToolUse, Stop, SubagentStart, SubagentStop, SessionEnd"`);
    expect(thrown(() => hookEvent("preToolUse" as never))).toMatchObject({ code: "VIGILES_HOOK_UNKNOWN_EVENT" });
  });
});

describe("fileToolEvents", () => {
  test("gives the same edit with both spellings of its path", () => {
    const [relative, absolute] = fileToolEvents("src/a.ts", { root: "/project" });
    expect(relative).toEqual({ hook_event_name: "PostToolUse", tool_name: "Edit", cwd: "/project", tool_input: { file_path: "src/a.ts" } });
    expect(absolute).toEqual({ ...relative, tool_input: { file_path: "/project/src/a.ts" } });
  });

  test.each([
    ["./src/a.ts", "src/a.ts", "/project/src/a.ts"],
    ["src\\a.ts", "src/a.ts", "/project/src/a.ts"],
    ["/project/src/a.ts", "src/a.ts", "/project/src/a.ts"],
    ["/other/a.ts", "/other/a.ts", "/other/a.ts"],
  ])("normalizes %s", (path, relative, absolute) => {
    expect(fileToolEvents(path, { root: "/project/" }).map(({ tool_input: input }) => (input as { file_path: string }).file_path)).toEqual([relative, absolute]);
  });

  test("takes event, tool and more fields, which cannot replace its own", () => {
    const [first] = fileToolEvents("a.ts", { root: "/p", event: "PreToolUse", tool: "Write", input: { content: "x", file_path: "no" }, extra: { own: 1, cwd: "no", tool_name: "no" } });
    expect(first).toEqual({ hook_event_name: "PreToolUse", tool_name: "Write", cwd: "/p", own: 1, tool_input: { content: "x", file_path: "a.ts" } });
  });

  test("finds the project by root, then CLAUDE_PROJECT_DIR, then the working directory", () => {
    vi.stubEnv("CLAUDE_PROJECT_DIR", "/session");
    expect(fileToolEvents("a.ts", { root: "/p" })[0]["cwd"]).toBe("/p");
    expect(fileToolEvents("a.ts", { root: "relative" })[0]["cwd"]).toBe("/session");
    expect(fileToolEvents("a.ts")[0]["cwd"]).toBe("/session");
    vi.stubEnv("CLAUDE_PROJECT_DIR", "relative");
    expect(fileToolEvents("a.ts")[0]["cwd"]).toBe(process.cwd());
    expect(fileToolEvents("a.ts", { root: "/" })[1]["tool_input"]).toEqual({ file_path: "/a.ts" });
  });
});
