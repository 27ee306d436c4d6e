import { decideHook, type HookAnswer, type HookCli, type HookEffect } from "vigiles";

type Answer = Omit<HookAnswer, "cli" | "event">;

const json = (answer: object): Answer => ({ exitCode: 0, stdout: JSON.stringify(answer) });
const specific = (fields: object) => (event: string) => json({ hookSpecificOutput: { hookEventName: event, ...fields } });
const permission = (decision: string, more: object = {}) =>
  specific({ permissionDecision: decision, permissionDecisionReason: "a reason", ...more });

/** The answers that the table of hook decisions names, each as a hook would give it at an event. */
const ANSWERS: Readonly<Record<string, readonly ((event: string) => Answer)[]>> = {
  "exit 2": [() => ({ exitCode: 2, stderr: "a reason" })],
  "JSON `deny`": [permission("deny")],
  '`decision: "block"`': [() => json({ decision: "block", reason: "a reason" })],
  'exit 2, `decision: "block"`': [() => ({ exitCode: 2, stderr: "a reason" }), () => json({ decision: "block", reason: "a reason" })],
  "JSON `ask`": [permission("ask")],
  "JSON `allow`, with or without `updatedInput`": [permission("allow"), permission("allow", { updatedInput: { command: "ls" } })],
  "`continue: false`": [() => json({ continue: false, stopReason: "a reason" })],
  "**exit 1**, 127, any other": [() => ({ exitCode: 1 }), () => ({ exitCode: 127 }), () => ({ exitCode: 3 })],
  timeout: [() => ({ timedOut: true })],
  "JSON that does not fit the schema": [() => json({ continue: "no" })],
  "`additionalContext`": [specific({ additionalContext: "a text" })],
  "any failure": [() => ({ exitCode: 1 }), () => ({ exitCode: 127 }), () => ({ timedOut: true })],
  any: [() => ({ exitCode: 0 }), () => ({ exitCode: 1 }), () => ({ exitCode: 2, stderr: "a reason" }), () => ({ timedOut: true })],
};

/** The answers behind one cell of the table. */
export function answersOf(cell: string): readonly ((event: string) => Answer)[] {
  const answers = ANSWERS[cell];
  if (answers === undefined) throw new Error(`expected an answer that ${import.meta.url} knows, got ${cell}`);
  return answers;
}

/** The distinct effects of answers at an event. */
export function effectsOf(cli: HookCli, event: string, answers: readonly ((event: string) => Answer)[]): (HookEffect | undefined)[] {
  return [...new Set(answers.map((answer) => decideHook({ cli, event, ...answer(event) }).effect))];
}
