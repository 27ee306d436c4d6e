import { fromNative } from "../errors.ts";
import { native } from "../native.ts";
import { knownOptions } from "../options.ts";
import type { HookCli, HookEvent } from "./types.ts";

/** The fields that all events of a session share; what is left out has a fixed value. */
export interface EventContext {
  /** The CLI. Default `claude-code`. */
  readonly cli?: HookCli;
  /** The working directory, absolute. Default: that of the process. */
  readonly cwd?: string;
  /** `session_id`: the session that the event is of. */
  readonly sessionId?: string;
  /** `transcript_path`: where the CLI would write the session. */
  readonly transcriptPath?: string;
  /** `permission_mode`, such as `default`, `plan`, `bypassPermissions`. */
  readonly permissionMode?: string;
  /** `tool_use_id`, for events of a tool call. */
  readonly toolUseId?: string;
  /** `model`. Codex only. */
  readonly model?: string;
  /** `turn_id`. Codex only. */
  readonly turnId?: string;
  /** `prompt_id`. Claude Code only. */
  readonly promptId?: string;
}

const CONTEXT_FIELDS = ["cli", "cwd", "sessionId", "transcriptPath", "permissionMode", "toolUseId", "model", "turnId", "promptId"] as const;

/** Events that hooks can be registered for. */
export type HookEventName =
  | "SessionStart"
  | "UserPromptSubmit"
  | "PreToolUse"
  | "PostToolUse"
  | "PostToolUseFailure"
  | "PermissionRequest"
  | "Notification"
  | "Stop"
  | "SubagentStart"
  | "SubagentStop"
  | "PreCompact"
  | "SessionEnd";

/**
 * An event with the fields that the CLI was measured to send.
 *
 * @param fields The event's own fields by the CLI's names (`tool_name`, `tool_input`, `prompt`, ...); they win.
 * @throws {VigilesError} `VIGILES_HOOK_UNKNOWN_EVENT` when the CLI has no such event; `VIGILES_INVALID_ARGUMENT` for a
 * field of the context that it does not know.
 */
export function hookEvent(event: HookEventName, fields: HookEvent = {}, context: EventContext = {}): HookEvent {
  knownOptions("an event's context", context, CONTEXT_FIELDS);
  const { cli = "claude-code", cwd = process.cwd(), ...rest } = context;
  const built = fromNative(() => native().buildHookEvent(cli, event, JSON.stringify({ cwd, ...rest }), JSON.stringify(fields)));
  return JSON.parse(built) as HookEvent;
}

/** A call of a tool before it runs: `preToolUse("Bash", { command: "rm -rf /" })`. */
export function preToolUse(tool: string, input: HookEvent, context?: EventContext): HookEvent {
  return hookEvent("PreToolUse", { tool_name: tool, tool_input: input }, context);
}

/** A call of a tool after it ran. */
export function postToolUse(tool: string, input: HookEvent, response: unknown, context?: EventContext): HookEvent {
  return hookEvent("PostToolUse", { tool_name: tool, tool_input: input, tool_response: response }, context);
}

/** A prompt of the user. */
export function userPromptSubmit(prompt: string, context?: EventContext): HookEvent {
  return hookEvent("UserPromptSubmit", { prompt }, context);
}

/** Options of {@link fileToolEvents}. */
export interface FileToolEventOptions {
  /** Default `PostToolUse`. */
  readonly event?: string;
  /** Default `Edit`. */
  readonly tool?: string;
  /** The project's directory. Default: `CLAUDE_PROJECT_DIR` if it is absolute, else the working directory. */
  readonly root?: string;
  /** More fields of `tool_input`. They cannot replace `file_path`. */
  readonly input?: HookEvent;
  /** More fields of the event. */
  readonly extra?: HookEvent;
}

const FILE_EVENT_OPTIONS = ["event", "tool", "root", "input", "extra"] as const;

/**
 * The same edit of a file as two events: with its path relative to the project, and absolute. CLIs send both, and a
 * guard that knows one of them lets the other through.
 *
 * @throws {VigilesError} `VIGILES_INVALID_ARGUMENT` for an option that it does not know.
 */
export function fileToolEvents(path: string, options: FileToolEventOptions = {}): [HookEvent, HookEvent] {
  knownOptions("fileToolEvents", options, FILE_EVENT_OPTIONS);
  const spec = { path, projectDir: process.env["CLAUDE_PROJECT_DIR"], cwd: process.cwd(), ...options };
  return JSON.parse(fromNative(() => native().buildFileToolEvents(JSON.stringify(spec)))) as [HookEvent, HookEvent];
}
