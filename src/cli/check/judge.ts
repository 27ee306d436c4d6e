import { once } from "node:events";
import { Worker } from "node:worker_threads";

import { UnableError } from "../exit.ts";
import { showDuration } from "../text.ts";
import type { Greeting, Judgement, JudgeSettings } from "./protocol.ts";

/** How sessions are judged. */
export interface JudgeOptions extends JudgeSettings {
  /** Milliseconds that one session may take: reading it and judging all checks. */
  readonly timeout: number;
  /** The module of the judging thread. */
  readonly worker: string;
}

/**
 * Judges sessions one after the other in a thread of its own, which is ended when a session takes too long: patterns come from a file, and
 * nothing else can stop a pattern that backtracks for hours. The sessions after it get a new thread.
 */
export class Judge {
  /** How reports name the checks, in their order. */
  readonly labels: readonly string[];
  readonly #options: JudgeOptions;
  #thread: Worker | undefined;

  private constructor(options: JudgeOptions, thread: Worker, labels: readonly string[]) {
    this.#options = options;
    this.#thread = thread;
    this.labels = labels;
  }

  /**
   * Reads the checks.
   *
   * @throws {UnableError} when they cannot be used.
   */
  static async start(options: JudgeOptions): Promise<Judge> {
    const { thread, labels } = await startThread(options);
    return new Judge(options, thread, labels);
  }

  /** What the checks say about the session at `path`. */
  async judge(path: string): Promise<Judgement> {
    const thread = (this.#thread ??= (await startThread(this.#options)).thread);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    thread.postMessage(path);
    const judgement = await answer<Judgement>(thread, this.#options.timeout);
    if (judgement !== undefined) return judgement;
    this.#thread = undefined;
    await thread.terminate();
    return tooSlow(this.#options.timeout);
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    await this.#thread?.terminate();
  }
}

async function startThread({ checks, cwd, workDir, worker }: JudgeOptions): Promise<{ thread: Worker; labels: readonly string[] }> {
  const settings: JudgeSettings = { checks, cwd, ...(workDir !== undefined && { workDir }) };
  const thread = new Worker(worker, { workerData: settings });
  const greeting = (await answer<Greeting>(thread)) as Greeting;
  if ("labels" in greeting) return { thread, labels: greeting.labels };
  throw new UnableError(greeting.unable);
}

/** The next message of a thread; `undefined` when none comes in time. What the thread dies of is thrown. */
async function answer<T>(thread: Worker, timeout?: number): Promise<T | undefined> {
  const listening = new AbortController();
  const { signal } = listening;
  const message = once(thread, "message", { signal }).then(([value]) => value as T);
  const end = once(thread, "exit", { signal }).then(() => {
    throw new UnableError("expected the checks to be judged, but they ended their thread: they must not call process.exit(), nor wait for what never comes");
  });
  // The losers of the race are rejected when the listening ends.
  message.catch(() => {});
  end.catch(() => {});
  try {
    return await Promise.race([message, end, ...(timeout === undefined ? [] : [wait(timeout, signal)])]);
  } finally {
    listening.abort();
  }
}

async function wait(ms: number, signal: AbortSignal): Promise<undefined> {
  return await new Promise((resolve) => {
    const timer = setTimeout(() => {
      resolve(undefined);
    }, ms);
    signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });
}

function tooSlow(timeout: number): Judgement {
  return {
    code: "VIGILES_PATTERN_ENGINE",
    error:
      `expected the session to be judged within ${showDuration(timeout)}, but it was not. A pattern of the checks such as (a+)+$ can take longer than anyone waits ` +
      "on the wrong text: make it simpler. If the session is only large, raise --timeout",
  };
}
