import type { NativeTrace } from "../../native/binding.cjs";
import { environment } from "../environment.ts";
import { fromNative } from "../errors.ts";
import type { SubagentTrace, ToolCall, Trace } from "./types.ts";

/**
 * The native handle behind a trace. Not enumerable, so it takes no part in comparisons. Registered, because the package
 * exists twice in a process that both imports and requires it.
 */
const HANDLE = Symbol.for("vigiles.trace");

interface Facts {
  kind: Trace["kind"];
  complete: boolean;
  model?: string;
  sessionId?: string;
  prompt?: string;
  cwd?: string;
}

/** The native handle of a trace that we made. */
export function handleOf(trace: object): NativeTrace | undefined {
  return (trace as { [HANDLE]?: NativeTrace })[HANDLE];
}

/**
 * A trace over a native handle.
 *
 * A plain object with own getters: test runners compare own fields, and a class with getters on its prototype would
 * be equal to every other of its kind.
 */
export function traceOf(handle: NativeTrace): Trace {
  const field = <T>(name: string): T | undefined => {
    const json = fromNative(() => handle.field(name));
    return json === null ? undefined : (JSON.parse(json) as T);
  };
  const facts = once(() => field<Facts>("facts") as Facts);
  const calls = once(() => field<ToolCall[]>("toolCalls")?.map((call, index) => lazyCall(handle, call, index)));
  const lazy = <T>(name: string) => once(() => field<T>(name));
  const [hooks, output, replies, modelRequests] = [lazy("hooks"), lazy("output"), lazy("replies"), lazy("modelRequests")];
  const [usage, permissionDenials, result, skills] = [lazy("usage"), lazy("permissionDenials"), lazy("result"), lazy("skills")];
  const [mcpServers, filesWritten, warnings, parseErrors] = [lazy("mcpServers"), lazy("filesWritten"), lazy("warnings"), lazy("parseErrors")];
  const [turns, subagentFacts] = [lazy("turns"), lazy<NestedFacts[]>("subagents")];
  const subagents = once(() => subagentFacts()?.map((agent) => nested(agent, calls() ?? [])));
  const trace = {
    get kind() {
      return facts().kind;
    },
    get toolCalls() {
      return calls();
    },
    get hooks() {
      return hooks();
    },
    get output() {
      return output();
    },
    get replies() {
      return replies();
    },
    get modelRequests() {
      return modelRequests();
    },
    get turns() {
      return turns();
    },
    get subagents() {
      return subagents();
    },
    get usage() {
      return usage();
    },
    get permissionDenials() {
      return permissionDenials();
    },
    get result() {
      return result();
    },
    get skills() {
      return skills();
    },
    get mcpServers() {
      return mcpServers();
    },
    get model() {
      return facts().model;
    },
    get sessionId() {
      return facts().sessionId;
    },
    get prompt() {
      return facts().prompt;
    },
    get cwd() {
      return facts().cwd;
    },
    get filesWritten() {
      return filesWritten();
    },
    get warnings() {
      return warnings();
    },
    get parseErrors() {
      return parseErrors();
    },
    get complete() {
      return facts().complete;
    },
  } as Trace;
  return hidden(trace, {
    [HANDLE]: handle,
    file: (path: string) => fromNative(() => handle.file(path)),
    sh: (command: string) => fromNative(() => handle.sh(command, JSON.stringify(environment()))),
    // Node prints getters as [Getter]; a person wants to see what they hold.
    [Symbol.for("nodejs.util.inspect.custom")]: () => plain(trace),
  });
}

function hidden<T extends object>(target: T, members: object): T {
  for (const key of Reflect.ownKeys(members)) {
    Object.defineProperty(target, key, { value: (members as Record<PropertyKey, unknown>)[key], enumerable: false });
  }
  return target;
}

/** Without getters, at every depth where there are some. */
function plain<T extends { toolCalls?: readonly ToolCall[] | undefined; subagents?: readonly SubagentTrace[] | undefined }>(of: T): T {
  return { ...of, toolCalls: of.toolCalls?.map((call) => ({ ...call })), subagents: of.subagents?.map((agent) => plain(agent)) };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** The arguments and the answer of a call may be megabytes: they cross when they are asked for. */
function lazyCall(handle: NativeTrace, facts: ToolCall, index: number): ToolCall {
  let input: unknown;
  let hasInput = false;
  let text: string | null | undefined;
  return {
    ...facts,
    get input() {
      if (!hasInput) {
        input = JSON.parse(fromNative(() => handle.input(index)));
        hasInput = true;
      }
      return input;
    },
    get resultText() {
      if (text === undefined) text = fromNative(() => handle.resultText(index));
      return text ?? undefined;
    },
  };
}

interface NestedFacts extends Omit<SubagentTrace, "toolCalls" | "subagents"> {
  /** Indices of its calls in the trace's. */
  toolCalls?: number[];
  subagents?: NestedFacts[];
}

function nested({ toolCalls, subagents, ...facts }: NestedFacts, calls: readonly ToolCall[]): SubagentTrace {
  const own = toolCalls?.flatMap((index) => calls[index] ?? []);
  return { ...facts, toolCalls: own, subagents: (subagents ?? []).map((agent) => nested(agent, calls)) };
}
