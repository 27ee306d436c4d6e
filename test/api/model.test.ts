import Anthropic from "@anthropic-ai/sdk";
import { afterEach, describe, expect, it } from "vitest";
import { VigilesError } from "vigiles";
import { scriptModel, startModel, type ModelHandle, type ModelScript, type ModelStep } from "vigiles/claude-code";

import { refusal } from "../support/thrown.ts";

const open: ModelHandle[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((model) => model.close()));
});

async function start(script: readonly ModelStep[] | ModelScript): Promise<ModelHandle> {
  const model = await startModel(script);
  open.push(model);
  return model;
}

const question = (text: string) => ({ model: "claude-scripted", max_tokens: 100, messages: [{ role: "user" as const, content: text }] });

async function post(model: ModelHandle, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return await fetch(`${model.url}/v1/messages`, { method: "POST", body: JSON.stringify(body), headers });
}

async function said(response: Response): Promise<string> {
  const { content, error } = (await response.json()) as { content?: { text: string }[]; error?: { message: string } };
  return error?.message ?? content?.[0]?.text ?? "";
}

/** The official client, an oracle that does not know ours. */
const client = (model: ModelHandle, maxRetries = 0) => new Anthropic({ baseURL: model.url, apiKey: "sk-ant-none", maxRetries });

describe("startModel", () => {
  it("tells what it was asked and what is left, also after its end", async () => {
    const model = await start(
      scriptModel([{ text: "one" }, { text: "two" }, { text: "three" }], { subagents: { Explore: [{ text: "never" }] }, side: { title: [{ text: "A title" }] } }),
    );
    expect(model).toMatchObject({ count: 0, sideChannelCount: 0, requests: [], bodies: [], problem: undefined });
    expect(model.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);

    const first = { ...question("Hello"), system: "Be brief.", tools: [{ name: "Bash" }] };
    const title = { ...question("Name it"), output_config: { format: { schema: { properties: { title: {} } } } } };
    const claude = { "user-agent": "claude-cli/2.1.332" };
    expect(await said(await post(model, first, claude))).toBe("one");
    expect(await said(await post(model, title, claude))).toBe("A title");
    expect(await said(await post(model, first))).toBe("two");

    const seen = () => {
      expect(model).toMatchObject({ count: 2, sideChannelCount: 1, problem: undefined });
      expect(model.requests).toEqual([
        { system: "Be brief.", messages: [{ role: "user", text: "Hello" }], tools: ["Bash"], model: "claude-scripted", kind: "main" },
        { system: "", messages: [{ role: "user", text: "Name it" }], model: "claude-scripted", kind: "title", sideChannel: true },
        { system: "Be brief.", messages: [{ role: "user", text: "Hello" }], tools: ["Bash"], model: "claude-scripted", kind: "main" },
      ]);
      expect(model.bodies.map((body) => body.toString())).toEqual([first, title, first].map((body) => JSON.stringify(body)));
      expect(model.unused).toEqual([
        "1 of the 3 scripted turns of the main agent were never asked for",
        "1 of the 1 scripted turns of the subagent Explore were never asked for",
      ]);
    };
    seen();
    await model.close();
    seen();
    await expect(post(model, first)).rejects.toThrow("fetch failed");
    await model.close();
  });

  it("names the request that no turn is left for", async () => {
    const model = await start([{ text: "only" }]);
    await post(model, question("first"));
    const answer = await post(model, question("second"));
    expect(answer.status).toBe(400);
    expect(model.problem).toMatch(/^request 2 of the main agent has no scripted turn: the script has 1 turn for it\. The request ends with: second\./);
    expect(await said(answer)).toBe(model.problem);
    expect(model.count).toBe(1);
  });

  it("runs many at a time, each with its own script", async () => {
    const models = await Promise.all(Array.from({ length: 20 }, (_, index) => start([{ text: `model ${index}` }])));
    const texts = await Promise.all(models.map(async (model) => said(await post(model, question("Hello")))));
    expect(texts).toEqual(models.map((_, index) => `model ${index}`));
  });
});

describe("functions of a script", () => {
  it("see the request and make the turn, at once or later", async () => {
    const model = await start([
      (request) => ({ text: `told ${request.messages.length}: ${request.messages.at(-1)?.text}` }),
      async (request) => {
        await new Promise((done) => {
          setTimeout(done, 5);
        });
        return { text: `later, by ${request.model}` };
      },
    ]);
    expect(await said(await post(model, question("Hello")))).toBe("told 1: Hello");
    expect(await said(await post(model, question("Hello")))).toBe("later, by claude-scripted");
  });

  it("serve 200 conversations at once without mixing them", async () => {
    const echo: ModelStep = (request) => ({ text: `for ${request.messages[0]?.text}` });
    const model = await start(Array.from({ length: 200 }, () => echo));
    const names = Array.from({ length: 200 }, (_, index) => `conversation ${index}`);
    const texts = await Promise.all(names.map(async (name) => said(await post(model, question(name)))));
    expect(texts).toEqual(names.map((name) => `for ${name}`));
    expect(model).toMatchObject({ count: 200, unused: [], problem: undefined });
  });

  it.each<[string, ModelStep, string]>([
    ["throws", () => { throw new Error("no idea"); }, "no idea"],
    ["rejects", async () => { throw new Error("no idea later"); }, "no idea later"],
    ["returns nothing", (() => undefined) as unknown as ModelStep, "expected it to return a turn, such as { text: \"done\" }, but got undefined"],
    ["returns null", (() => null) as unknown as ModelStep, "but got null"],
    ["returns an array", (() => [{ text: "x" }]) as unknown as ModelStep, "it returned no turn"],
    ["returns an unknown field", (() => ({ txt: "x" })) as unknown as ModelStep, "unknown field `txt`"],
    ["returns a turn that says nothing", () => ({}), "it says nothing"],
    ["returns a function inside", () => ({ tool: "x", input: { make: (() => 1) as never } }), "a function in \"make\""],
  ])("that %s fail the run with the reason", async (_, step, reason) => {
    const model = await start([step, { text: "next" }]);
    const answer = await post(model, question("Hello"));
    expect(answer.status).toBe(400);
    expect(model.problem).toMatch(/^the function that makes a turn of the main agent failed: /);
    expect(model.problem).toContain(reason);
    expect(await said(await post(model, question("Hello again")))).toBe("next");
  });
});

describe("a script that is none", () => {
  const inner = { function: 0 };
  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  it.each<[string, unknown, string, string]>([
    ["no script", undefined, "VIGILES_INVALID_ARGUMENT", "but got undefined"],
    ["null", null, "VIGILES_INVALID_ARGUMENT", "but got null"],
    ["a text", "done", "VIGILES_INVALID_ARGUMENT", "but got string"],
    ["no turns", { subagents: {} }, "VIGILES_INVALID_ARGUMENT", "an object without `turns`"],
    ["an unknown part", { turns: [], agents: {} }, "VIGILES_MODEL_SCRIPT", "unknown field `agents`"],
    ["subagents that are no object", { turns: [], subagents: [1] }, "VIGILES_MODEL_SCRIPT", "`subagents`"],
    ["turns of a subagent that are no list", { turns: [], subagents: { Explore: { text: "x" } } }, "VIGILES_MODEL_SCRIPT", "`subagents.Explore`"],
    ["an unknown kind of side request", { turns: [], side: { quota: [] } }, "VIGILES_MODEL_SCRIPT", '`side` has no kind "quota"; there are title, promptHook, webSearch, classifier, other'],
    ["side requests of an agent", { turns: [], side: { main: [] } }, "VIGILES_MODEL_SCRIPT", 'no kind "main"'],
    ["a turn that is null", [{ text: "x" }, null], "VIGILES_MODEL_TURN", "turn 2 of the model script"],
    ["a turn that is a text", ["done"], "VIGILES_MODEL_TURN", "turn 1 of the model script"],
    ["a misspelled field", [{ text: "x" }, { txt: "x" }], "VIGILES_MODEL_TURN", "turn 2 of the model script cannot be served: `txt`"],
    ["a field of the wrong type", [{ text: 7 }], "VIGILES_MODEL_TURN", "`text`: invalid type: integer `7`, expected a string"],
    ["a nested one", [{ tools: [{ tool: "Read" }, { tool: 7 }] }], "VIGILES_MODEL_TURN", "`tools[1].tool`"],
    ["an unknown field of an error", [{ error: { status: 429, retry_after: 1 } }], "VIGILES_MODEL_TURN", "`error.retry_after`"],
    ["a turn of a subagent", { turns: [], subagents: { Explore: [{ text: "x" }, {}] } }, "VIGILES_MODEL_TURN", "turn 2 of the subagent Explore of the model script"],
    ["a turn of a side request", { turns: [], side: { title: [{}] } }, "VIGILES_MODEL_TURN", "turn 1 of the side requests `title`"],
    ["nothing said", [{}], "VIGILES_MODEL_TURN", "it says nothing"],
    ["no delay", [{ text: "x", delayMs: -1 }], "VIGILES_MODEL_TURN", "`delayMs`"],
    ["input without a tool", [{ input: {} }], "VIGILES_MODEL_TURN", "it has `input` and no `tool`"],
    ["a tool without a name", [{ tool: " " }], "VIGILES_MODEL_TURN", "a tool without a name"],
    ["an error beside an answer", [{ text: "x", error: { status: 400 } }], "VIGILES_MODEL_TURN", "`error` beside an answer"],
    ["an error that is none", [{ error: { status: 200 } }], "VIGILES_MODEL_TURN", "an HTTP error is 400 to 599"],
    ["a function inside a turn", [{ tool: "Bash", input: { make: () => inner } }], "VIGILES_INVALID_ARGUMENT", 'a function in "make"'],
    ["a bigint", [{ tool: "Bash", input: { count: 1n } }], "VIGILES_INVALID_ARGUMENT", 'a bigint in "count"'],
    ["a cycle", [{ tool: "Bash", input: cyclic }], "VIGILES_INVALID_ARGUMENT", "what is no JSON"],
  ])("is refused: %s", async (_, script, code, message) => {
    const error: unknown = await startModel(script as ModelStep[]).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(VigilesError);
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) as string });
  });

  it("scriptModel refuses parts that it does not know", () => {
    expect(refusal(() => scriptModel([], { subagent: {} } as object))).toMatch(/^VIGILES_INVALID_ARGUMENT: .*did you mean "subagents"/);
    expect(scriptModel([{ text: "x" }], { side: {} })).toEqual({ turns: [{ text: "x" }], side: {} });
  });
});

describe("the official client", () => {
  const turns: ModelStep[] = [
    { text: "Hello \u{1F600}" },
    { thinking: "Hm.", text: "Done." },
    { text: "On it.", tools: [{ tool: "get_weather", input: { city: "Oslo", days: [1, 2] } }, { tool: "get_time" }] },
    { text: "Half a sen", stop: "max_tokens", usage: { inputTokens: 1, outputTokens: 2, cacheCreationTokens: 3, cacheReadTokens: 4 } },
    { stop: "refusal" },
  ];
  const expected = [
    { content: [{ type: "text", text: "Hello \u{1F600}" }], stop_reason: "end_turn" },
    { content: [{ type: "thinking", thinking: "Hm.", signature: "c2NyaXB0ZWQ=" }, { type: "text", text: "Done." }], stop_reason: "end_turn" },
    {
      content: [
        { type: "text", text: "On it." },
        { type: "tool_use", id: "toolu_scripted0003_1", name: "get_weather", input: { city: "Oslo", days: [1, 2] } },
        { type: "tool_use", id: "toolu_scripted0003_2", name: "get_time", input: {} },
      ],
      stop_reason: "tool_use",
    },
    {
      content: [{ type: "text", text: "Half a sen" }],
      stop_reason: "max_tokens",
      usage: { input_tokens: 1, output_tokens: 2, cache_creation_input_tokens: 3, cache_read_input_tokens: 4 },
    },
    { content: [{ type: "text", text: "" }], stop_reason: "refusal" },
  ];

  it("reads every form of answer", async () => {
    const model = await start(turns);
    const messages = [];
    for (const _ of turns) messages.push(await client(model).messages.create(question("Hello")));
    expect(messages).toMatchObject(expected);
    expect(messages.map(({ id, role, type, model: name }) => [id, role, type, name])).toEqual(turns.map((_, index) => [`msg_scripted000${index + 1}`, "assistant", "message", "claude-scripted"]));
  });

  it("reads every form of stream, and the same from it", async () => {
    const model = await start(turns);
    const messages = [];
    const texts: string[] = [];
    for (const _ of turns) {
      const stream = client(model).messages.stream(question("Hello"));
      stream.on("text", (text) => texts.push(text));
      messages.push(await stream.finalMessage());
    }
    expect(messages).toMatchObject(expected);
    expect(texts.filter(Boolean)).toEqual(["Hello \u{1F600}", "Done.", "On it.", "Half a sen"]);
  });

  it("gets the order of events that the API has", async () => {
    const model = await start([{ thinking: "Hm.", tool: "Bash", input: { command: "ls" } }]);
    const events: string[] = [];
    for await (const event of await client(model).messages.create({ ...question("Hello"), stream: true })) {
      events.push("index" in event ? `${event.type} ${event.index}` : event.type);
    }
    expect(events).toEqual([
      "message_start",
      "content_block_start 0",
      "content_block_delta 0",
      "content_block_delta 0",
      "content_block_stop 0",
      "content_block_start 1",
      "content_block_delta 1",
      "content_block_stop 1",
      "message_delta",
      "message_stop",
    ]);
  });

  it.each([
    [400, Anthropic.BadRequestError],
    [401, Anthropic.AuthenticationError],
    [403, Anthropic.PermissionDeniedError],
    [404, Anthropic.NotFoundError],
    [422, Anthropic.UnprocessableEntityError],
    [429, Anthropic.RateLimitError],
    [500, Anthropic.InternalServerError],
    [529, Anthropic.InternalServerError],
  ])("knows status %i as its own error", async (status, expectedClass) => {
    const model = await start([{ error: { status, message: "scripted on purpose" } }]);
    const error: unknown = await client(model).messages.create(question("Hello")).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(expectedClass);
    expect(error).toMatchObject({ status, message: expect.stringContaining("scripted on purpose") as string });
  });

  it("tries again after what may pass, each time a turn; and not after what is final", async () => {
    const passing = await start([{ error: { status: 429, retryAfter: 0 } }, { error: { status: 529, retryAfter: 0 } }, { text: "third time" }]);
    expect((await client(passing, 2).messages.create(question("Hello"))).content).toMatchObject([{ text: "third time" }]);
    expect(passing).toMatchObject({ count: 3, unused: [] });

    const final = await start([{ error: { status: 400 } }, { text: "never" }]);
    await expect(client(final, 2).messages.create(question("Hello"))).rejects.toBeInstanceOf(Anthropic.BadRequestError);
    expect(final.requests).toHaveLength(1);
  });

  it("is not asked to try again by a script that is used up", async () => {
    const model = await start([]);
    await expect(client(model, 5).messages.create(question("Hello"))).rejects.toThrow("has no scripted turn");
    expect(model.requests).toHaveLength(1);
  });

  it("sees a cut connection as one", async () => {
    const model = await start([{ text: "cut", disconnect: true }, { text: "cut", disconnect: true }, { text: "whole" }]);
    await expect(client(model).messages.create(question("Hello"))).rejects.toThrow("terminated");
    await expect(client(model).messages.stream(question("Hello")).finalMessage()).rejects.toThrow("terminated");
    expect((await client(model).messages.create(question("Hello"))).content).toMatchObject([{ text: "whole" }]);
  });

  it("counts tokens without a turn", async () => {
    const model = await start([]);
    expect(await client(model).messages.countTokens({ model: "m", messages: question("Hello").messages })).toEqual({ input_tokens: 10 });
    expect(model).toMatchObject({ count: 0, requests: [], problem: undefined });
  });
});
