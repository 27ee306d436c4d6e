/** Claude Code: its adapter, scripted models for it. */
import { startServer, type ModelHandle } from "./model/start.ts";
import type { ModelScript, ModelStep } from "./model/types.ts";

export { claudeCodeAdapter } from "./harness/claude-code.ts";
export { loadPlugin, resolveHarness } from "./harness/surfaces.ts";
export type { ConfiguredHook, HarnessSurfaces, LoadedDocument, LoadedPlugin, LoadedSkill } from "./harness/surfaces.ts";
export { scriptModel } from "./model/script.ts";
export type { ModelHandle } from "./model/start.ts";
export type { ModelScript, ModelStep, ModelTurn, SideRequestKind } from "./model/types.ts";

/** Starts a scripted model that speaks the Anthropic Messages API on loopback, for any client. */
export async function startModel(script: readonly ModelStep[] | ModelScript): Promise<ModelHandle> {
  return await startServer("anthropic-messages", script);
}
