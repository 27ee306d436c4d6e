/**
 * The rules of `guard.mjs`, apart from reading and answering, so that a test can ask them a thousand times a second.
 *
 * @param {{ tool_name?: string, tool_input?: { command?: unknown } }} event of PreToolUse
 * @returns {{ deny: boolean, reason?: string }}
 */
export function decide(event) {
  if (event.tool_name !== "Bash") return { deny: false };
  const command = String(event.tool_input?.command ?? "");
  const broken = RULES.find(({ pattern }) => pattern.test(command));
  return broken === undefined ? { deny: false } : { deny: true, reason: broken.reason };
}

const RULES = [
  { pattern: /\bgit\s+push\b.*\s(?:--force|-f)(?:\s|$)/, reason: "a force-push rewrites what others have; push to a new branch" },
  { pattern: /\bgit\s+reset\s+--hard\b/, reason: "reset --hard loses work; commit or stash first" },
  { pattern: /\bgit\s+commit\b.*\s--no-verify\b/, reason: "commit hooks are there to be run" },
  { pattern: /\brm\s+-[a-z]*[rf][a-z]*\s+[/~](?:\s|\*|$)/i, reason: "that deletes everything" },
  { pattern: /\.ssh\/id_/, reason: "private keys are not read" },
  { pattern: /\b(?:curl|wget)\s[^|]*\|\s*(?:ba)?sh\b/, reason: "code from the network is not run unseen" },
];
