import type { DialectSkill } from "./adapter.ts";
import type { HarnessTestSpec } from "./spec.ts";

/** A SKILL.md, in the form that all harnesses read. */
export function skillText({ name, description, body }: DialectSkill): string {
  // JSON strings are YAML strings.
  return `---\nname: ${JSON.stringify(name)}\ndescription: ${JSON.stringify(description)}\n---\n${body}\n`;
}

/** A command hook on an event, for the shell tool where the event has one. */
export function shellHook(event: string, command: string): Pick<HarnessTestSpec, "settings"> {
  const matcher = event.endsWith("ToolUse") ? { matcher: "Bash" } : {};
  return { settings: { hooks: { [event]: [{ ...matcher, hooks: [{ type: "command", command }] }] } } };
}
