// What the types of the built package say, and under @ts-expect-error what they refuse.
import {
  all,
  allowed,
  assertAgentErr,
  assertAgentOk,
  assertAgentResult,
  assertChecks,
  blocked,
  type Check,
  checkFromJSON,
  type CheckTarget,
  decideHook,
  didNotWrite,
  DISASTER_CATALOG,
  hookBlocked,
  hookEvent,
  hookFailed,
  hookFired,
  type HookRunResult,
  not,
  parseAgentResult,
  parseTrace,
  parseTraceStream,
  propertyHook,
  runHook,
  runHooks,
  runScript,
  type ScriptRunResult,
  skip,
  tool,
  toolUsedWith,
  toolWith,
  type Trace,
  type TraceLike,
  turns,
  usedTool,
  verifyGuardrail,
  wrote,
} from "vigiles";
import { experimental_agent } from "vigiles/spec";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Compiles when both types are the same. */
declare function same<A, B>(ok: Same<A, B>): void;

// A trace: what may not have been recorded may be undefined.
const trace = parseTrace("run.jsonl", { session: "session.jsonl", cwd: "/work", hookEvents: true });
same<typeof trace, Trace>(true);
same<undefined extends Trace["toolCalls"] ? true : false, true>(true);
for (const field of ["hooks", "output", "replies", "modelRequests", "turns", "subagents", "usage", "permissionDenials", "result", "skills", "mcpServers", "model", "sessionId", "prompt", "cwd", "filesWritten"] as const) {
  const value: undefined extends Trace[typeof field] ? "may be undefined" : never = "may be undefined";
  void [trace[field], value];
}
same<Trace["complete"], boolean>(true);
same<Trace["warnings"], readonly string[]>(true);
same<ReturnType<Trace["file"]>, string | null>(true);
same<Awaited<ReturnType<typeof parseTraceStream>>, Trace>(true);
// @ts-expect-error tool calls may not have been recorded
void trace.toolCalls.length;
// @ts-expect-error fields are read only
trace.output = "changed";
// @ts-expect-error a usage may lack its cost
void (trace.usage?.costUsd satisfies number);
// @ts-expect-error no such option
parseTrace("run.jsonl", { sesion: "session.jsonl" });

// Whatever has the shape of a trace is one.
const plain: TraceLike = { toolCalls: [{ name: "Bash", input: { command: "ls" } }], output: "done" };
same<ReturnType<typeof usedTool>, boolean>(true);
usedTool(plain, "Bash");
usedTool({ output: "done" }, /^Bash$/);
toolUsedWith(trace, "Edit", (input) => input.file_path === "a.ts");
// @ts-expect-error a name is a string or a RegExp
usedTool(trace, 1);

// Hook predicates are predicates with a trace and checks without.
same<ReturnType<typeof fired>, boolean>(true);
const fired = () => hookFired(trace, "PreToolUse");
const answers: boolean[] = [hookFired(trace, "Stop"), hookBlocked(trace, "Stop"), hookFailed(trace, "Stop")];
const checks: Check<CheckTarget>[] = [hookFired("Stop"), hookBlocked("Stop"), hookFailed("Stop")];
void [answers, checks];
// @ts-expect-error a trace without a name asks nothing
hookFired(trace);
// @ts-expect-error a check takes the event alone
hookFired("PreToolUse", "Stop");

// Checks.
assertChecks(trace, [tool("Bash"), not(tool(/^Edit/)), all([turns({ min: 1 })])]);
assertChecks({ output: "done" }, [tool("Bash"), wrote("a.txt")]);
assertChecks(runHook("exit 2", {}), [blocked(), not(allowed()), wrote("a.txt")]);
assertChecks(runScript("true"), [didNotWrite(".env")]);
assertChecks(runScript("true"), [checkFromJSON({ kind: "wrote", path: "a.txt" })]);
const mixed: Check[] = [tool("Bash"), blocked(), wrote("a.txt")];
void mixed;
// @ts-expect-error a trace has no decision
assertChecks(trace, [blocked()]);
// @ts-expect-error nor has it one negated
assertChecks(trace, [not(allowed())]);
// @ts-expect-error a script decides nothing
assertChecks(runScript("true"), [blocked()]);
// @ts-expect-error one hook is no run of an agent
assertChecks(runHook("exit 2", {}), [tool("Bash")]);
// @ts-expect-error one script is none either
assertChecks(runScript("true"), [turns({ max: 1 })]);
// @ts-expect-error a list of checks over a run is not one over a hook
assertChecks(runHook("exit 2", {}), [all([tool("Bash")])]);
toolWith("Edit", { file_path: /a/, count: 1, replace_all: true, new_string: "x" });
// @ts-expect-error arguments are compared, not asked
toolWith("Edit", { file_path: (path: string) => path !== "" });
// @ts-expect-error an argument without a value matches nothing
toolWith("Edit", { file_path: undefined });
// @ts-expect-error a check is an object
assertChecks(trace, ["Bash"]);
const own: Check<{ readonly words: number }> = { kind: "words", eval: ({ words }) => ({ pass: words < 9, score: 1, message: "words" }), toJSON: () => ({ kind: "words" }) };
assertChecks({ words: 3 }, [own]);
assertChecks({ words: 3, output: "one two three" }, [own, tool("Bash")]);
// @ts-expect-error not the target of this check
assertChecks({ letters: 3 }, [own]);

// Runs: a script has no decision, a hook has.
const script = runScript(["echo", "a"], { env: { A: "1", B: undefined } });
same<typeof script, ScriptRunResult>(true);
same<ScriptRunResult["exitCode"], number | null>(true);
same<ScriptRunResult["filesWritten"], readonly string[] | undefined>(true);
same<ScriptRunResult["stdoutBytes"], Buffer>(true);
// @ts-expect-error a script decides nothing
void script.blocked;
// @ts-expect-error a variable is a string
runScript("true", { env: { A: 1 } });
// @ts-expect-error the event is what a hook reads on stdin
runHook("true", {}, { stdin: "text" });
same<ReturnType<typeof runHook>, HookRunResult>(true);
same<Awaited<ReturnType<typeof runHooks>>, HookRunResult[]>(true);
same<ReturnType<typeof decideHook>["blocked"], boolean>(true);
hookEvent("PreToolUse", { tool_name: "Bash" }, { cli: "codex" });
// @ts-expect-error no such event
hookEvent("preToolUse");
verifyGuardrail("guard", { categories: ["destructive-git"], events: DISASTER_CATALOG, concurrency: 2 });
// @ts-expect-error no such category
verifyGuardrail("guard", { categories: ["destructive"] });
// @ts-expect-error the catalog cannot be changed
DISASTER_CATALOG.push();

// Typed answers.
const contract = experimental_agent.result(
  { files: "string[]", summary: "string", tries: "number", clean: "boolean", risk: ["low", "high"] },
  { reason: "string" },
);
const value = assertAgentOk("answer", contract);
same<typeof value, { readonly files: string[]; readonly summary: string; readonly tries: number; readonly clean: boolean; readonly risk: "low" | "high" }>(true);
same<ReturnType<typeof errorOf>, { readonly reason: string }>(true);
const errorOf = () => assertAgentErr("answer", contract);
const parsed = parseAgentResult("answer", contract);
if (parsed.kind === "ok") same<typeof parsed.value.risk, "low" | "high">(true);
else if (parsed.kind === "err") same<typeof parsed.error, { readonly reason: string }>(true);
else same<typeof parsed.reason, string>(true);
assertAgentResult("answer", (result) => result.kind === "ok" && result.value.files.length > 0, contract);
assertAgentOk(parseTrace("run.jsonl").output, contract);
// @ts-expect-error without a final answer there is nothing to parse
parseAgentResult(parseTrace("run.jsonl").output, contract);
// @ts-expect-error not a field of the contract
void value.other;
// @ts-expect-error the value is read only
value.summary = "changed";
// @ts-expect-error nothing relational
experimental_agent.result({ files: "object[]" }, {});
// @ts-expect-error an enumeration has a member
experimental_agent.result({ risk: [] }, {});
const loose = parseAgentResult("answer");
if (loose.kind === "ok") void loose.value["anything"].deep;

// Properties.
const seed = { command: "ls" };
const property = propertyHook({ seed, mutate: (event, random) => ({ command: `${event.command}${random()}` }), decide: (event) => event.command.length, invariants: { short: (length, event) => length < event.command.length } });
same<typeof property.counterexample, { command: string } | undefined>(true);

// skip never returns.
same<ReturnType<typeof skip>, never>(true);
