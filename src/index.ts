export { assertAgentErr, assertAgentOk, assertAgentResult, parseAgentResult, type AgentResult, type FieldType, type OutputContract, type Shape, type ShapeValue } from "./agent-result.ts";
export {
  assertCreated,
  assertEgressOnly,
  assertHookAllowed,
  assertHookBlocked,
  assertHookFired,
  assertNoEgress,
  assertNotCreated,
  assertNoWrite,
  assertOutputContains,
  assertRequestContains,
  assertServedTurns,
  assertSkillResolved,
  assertToolCalls,
  assertToolCount,
  assertToolNotUsed,
  assertToolSequence,
  assertToolUsed,
  assertToolUsedWith,
  assertWroteOnly,
} from "./assertions.ts";
export { assertChecks, checkFromJSON, checkLabel, evalChecks } from "./check/check.ts";
export type { ArgMatcher, Bounds, Check, CheckJSON, CheckResult, CheckTarget, NameMatcher, TextMatcher, TraceTarget, Verdict } from "./check/types.ts";
export {
  all,
  allowed,
  any,
  blocked,
  cacheTokens,
  cost,
  didNotWrite,
  experimental_eachReply,
  experimental_replyCount,
  inputTokens,
  latency,
  mcp,
  not,
  notTool,
  onlyTools,
  output,
  outputTokens,
  received,
  skill,
  subagent,
  tokens,
  tool,
  toolSequence,
  toolWith,
  turns,
  wrote,
  type FilesCheck,
  type HookCheck,
  type TraceCheck,
} from "./check/vocabulary.ts";
export { AssertionError, NotObservedError, VigilesError, type VigilesErrorOptions } from "./errors.ts";
export {
  assertBlocksDisasters,
  DISASTER_CATALOG,
  experimental_alternateSpellings,
  formatGuardrailReport,
  unblockedDisasters,
  verifyGuardrail,
  type DisasterCategory,
  type DisasterEvent,
  type GuardrailResult,
  type VerifyGuardrailOptions,
} from "./guard/disasters.ts";
export {
  experimental_verifyPluginGuards,
  type NonCommandHookAction,
  type PluginGuardReport,
  type SweptHook,
  type SweptHookOutcome,
  type VerifyPluginGuardsOptions,
} from "./guard/plugin.ts";
export type { HarnessAdapter, HarnessCapabilities } from "./harness/adapter.ts";
export { explainHooks, type ExplainedHook, type ExplainHooksOptions, type SettingsLayer } from "./harness/explain.ts";
export type { HarnessModelRequest, HarnessTestResult } from "./harness/result.ts";
export { runHarness, runHarnessTest, withHarness, type HarnessOptions } from "./harness/run.ts";
export type { HarnessTestSpec, ToolIntercept } from "./harness/spec.ts";
export type { ConfiguredHook } from "./harness/surfaces.ts";
export { mockMcpServer } from "./mcp/server.ts";
export type { McpCall, McpContent, McpReply, McpReplyStep, McpRequest, MockMcpServer, MockMcpServerOptions, MockMcpTool } from "./mcp/types.ts";
export { vigilesMatchers, type MatcherResult, type VigilesMatchers } from "./matchers.ts";
export type { ModelScript, ModelStep, ModelTurn, SideRequestKind } from "./model/types.ts";
export { NativeMissingError } from "./native.ts";
export { experimental_stub, type StubAnswer, type StubCall, type StubReply, type StubRest, type StubRule, type StubToken, type ToolStub } from "./stub.ts";
export {
  egressHosts,
  hookBlocked,
  hookFailed,
  hookFired,
  outputContains,
  requestContains,
  skillResolved,
  toolCount,
  toolUsedWith,
  usedTool,
} from "./predicates.ts";
export { propertyHook, type ArbitraryLike, type PropertyHookOptions, type PropertyHookResult, type Random } from "./property-hook.ts";
export { recordCheck, skip, SkipError } from "./record.ts";
export * from "./run/index.ts";
export * from "./trace/index.ts";
export { coreVersion } from "./native.ts";
