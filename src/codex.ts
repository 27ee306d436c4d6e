/** Codex: its adapter, scripted models for it. */
import { startServer, type ModelHandle } from "./model/start.ts";
import type { ModelScript, ModelStep } from "./model/types.ts";

export { codexAdapter } from "./harness/codex.ts";
export { scriptModel } from "./model/script.ts";
export type { ModelHandle } from "./model/start.ts";
export type { ModelScript, ModelStep, ModelTurn, SideRequestKind } from "./model/types.ts";

/** Starts a scripted model that speaks the OpenAI Responses API on loopback, for any client. */
export async function startCodexMock(script: readonly ModelStep[] | ModelScript): Promise<ModelHandle> {
  return await startServer("openai-responses", script);
}
