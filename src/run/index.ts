export { fileToolEvents, hookEvent, postToolUse, preToolUse, userPromptSubmit, type EventContext, type FileToolEventOptions, type HookEventName } from "./events.ts";
export { decideHook, runHook, runHookAsync, runHooks, type HookAnswer, type HookDecision, type RunHooksOptions } from "./hook.ts";
export {
  decideHookCondition,
  hookMatcherIssues,
  hookMatcherReach,
  type HookConditionSubject,
  type HookConditionVerdict,
  type HookMatcherEntry,
  type HookMatcherIssue,
  type HookMatcherIssuesOptions,
  type HookMatcherReach,
} from "./matcher.ts";
export { runScript, runScriptAsync } from "./script.ts";
export type { SandboxLimits, SandboxMode, SandboxOptions } from "./sandbox.ts";
export type { BlockMechanism, CommandLine, EgressAttempt, HookCli, HookEvent, HookRunResult, RunHookOptions, RunScriptOptions, ScriptRunResult } from "./types.ts";
