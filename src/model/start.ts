import { fromNative, fromNativeAsync } from "../errors.ts";
import { native } from "../native.ts";
import type { ModelRequest } from "../trace/types.ts";
import { crossing } from "./script.ts";
import type { ModelScript, ModelStep } from "./types.ts";

/** A scripted model that listens on loopback. */
export interface ModelHandle {
  /** `http://127.0.0.1:PORT`: the base URL for the client. */
  readonly url: string;
  /** Turns of the main agent that were served so far. */
  readonly count: number;
  /** Requests that a CLI made on its own account so far. */
  readonly sideChannelCount: number;
  /** Every model request so far, in the order they arrived. */
  readonly requests: readonly ModelRequest[];
  /** The bodies of {@link requests}, as they were sent. */
  readonly bodies: readonly Buffer[];
  /** Turns that nobody has asked for, in words. */
  readonly unused: readonly string[];
  /** What went wrong: a request without a turn, a function of the script that failed. */
  readonly problem?: string;
  /** Ends it and every connection. What it was asked stays readable. */
  close(): Promise<void>;
}

interface Report {
  turns: number;
  sideRequests: number;
  unused: string[];
  overrun: string | null;
  failure: string | null;
}

/** Which model API a server speaks. */
export type ModelApi = "anthropic-messages" | "openai-responses";

/** Starts a scripted model. */
export async function startServer(api: ModelApi, script: readonly ModelStep[] | ModelScript): Promise<ModelHandle> {
  const { json, makeTurn } = crossing(script);
  const server = await fromNativeAsync(async () => await native().startModel(api, json, makeTurn));
  const url = fromNative(() => server.url());
  const report = (): Report => JSON.parse(fromNative(() => server.report())) as Report;
  const all = <T>(read: (index: number) => T | null): T[] =>
    Array.from({ length: fromNative(() => server.requestCount()) }, (_, index) => fromNative(() => read(index)) as T);
  return {
    url,
    get count() {
      return report().turns;
    },
    get sideChannelCount() {
      return report().sideRequests;
    },
    get requests() {
      return all((index) => server.request(index)).map((request) => JSON.parse(request) as ModelRequest);
    },
    get bodies() {
      return all((index) => server.requestBody(index));
    },
    get unused() {
      return report().unused;
    },
    get problem() {
      const { failure, overrun } = report();
      return failure ?? overrun ?? undefined;
    },
    close: async () => fromNative(() => server.close()),
  } as ModelHandle;
}
