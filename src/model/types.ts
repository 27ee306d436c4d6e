import type { ModelRequest, ToolInput } from "../trace/types.ts";

/**
 * One answer of a scripted model. The fields combine: a text and tool calls are one message. `error` and `disconnect`
 * stand for the whole answer.
 */
export interface ModelTurn {
  /** What the model thinks before it speaks. */
  readonly thinking?: string;
  /** What it says. */
  readonly text?: string;
  /** One tool that it calls. */
  readonly tool?: string;
  /** The arguments of `tool`. Default: none. */
  readonly input?: ToolInput;
  /** Several tools that it calls at once. */
  readonly tools?: readonly { readonly tool: string; readonly input?: ToolInput }[];
  /** Why it stopped, where that is not the end of its turn or a tool call: `max_tokens`, `refusal`, ... */
  readonly stop?: string;
  /** An HTTP error in place of an answer. */
  readonly error?: {
    /** 400 to 599. */
    readonly status: number;
    /** The API's name of the error. Default: the usual one of the status, such as `rate_limit_error` of 429. */
    readonly type?: string;
    /** Its text. */
    readonly message?: string;
    /** Seconds of the `retry-after` header. */
    readonly retryAfter?: number;
  };
  /** Milliseconds before the answer begins. */
  readonly delayMs?: number;
  /** Cuts the connection in the middle of the answer. */
  readonly disconnect?: boolean;
  /** The token counts of the answer. Default: 10 in, 5 out, nothing cached. */
  readonly usage?: {
    readonly inputTokens?: number;
    readonly outputTokens?: number;
    readonly cacheCreationTokens?: number;
    readonly cacheReadTokens?: number;
  };
}

/** One step of a script: a turn, or a function that makes it from the request. */
export type ModelStep = ModelTurn | ((request: ModelRequest) => ModelTurn | Promise<ModelTurn>);

/** Requests that a CLI makes on its own account, not as a turn of an agent. */
export type SideRequestKind = "title" | "promptHook" | "webSearch" | "classifier" | "other";

/** What a scripted model says, and to whom. */
export interface ModelScript {
  /** The main agent's turns. */
  readonly turns: readonly ModelStep[];
  /**
   * The turns of subagents, by type (`Explore`, `my-plugin:reviewer`). They are told apart by a header of the request,
   * so agents that run at the same time cannot take each other's turns.
   */
  readonly subagents?: Readonly<Record<string, readonly ModelStep[]>>;
  /** Answers to requests of the CLI itself; a kind without one is answered with `{}`. */
  readonly side?: Readonly<Partial<Record<SideRequestKind, readonly ModelStep[]>>>;
}
