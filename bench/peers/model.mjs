import { createServer } from "node:http";

/**
 * A scripted model as one writes it in Node: parse the body, tell main and side requests apart, keep the request as text,
 * answer with the next turn as server-sent events.
 *
 * @param {string[]} turns texts
 * @returns {Promise<{ url: string, requests: object[], close: () => void }>}
 */
export async function startPlainModel(turns) {
  const requests = [];
  let next = 0;
  const server = createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      const kind = classify(request.headers, body);
      requests.push(flatten(body, kind));
      const text = kind === "main" ? turns[next++] : "{}";
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(events(`msg_${requests.length}`, body.model, text));
    });
  });
  await new Promise((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return { url: `http://127.0.0.1:${server.address().port}`, requests, close: () => server.close() };
}

function classify(headers, body) {
  if (headers["x-claude-code-agent-id"]) return "subagent";
  if (!headers["user-agent"]?.startsWith("claude-cli/")) return "main";
  const tools = body.tools ?? [];
  if (tools.some(({ type }) => type === undefined || type === "custom")) return "main";
  return body.stream === true && tools.length === 0 && body.thinking?.type !== "disabled" && !body.output_config?.format ? "main" : "other";
}

function flatten(body, kind) {
  return {
    system: content(body.system),
    messages: body.messages.map(({ role, content: told }) => ({ role, text: content(told) })),
    tools: (body.tools ?? []).map(({ name }) => name),
    model: body.model,
    kind,
  };
}

function content(value) {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return "";
  return value.map((item) => blockText(item)).filter((text) => text !== "").join("\n");
}

function blockText(block) {
  switch (block.type) {
    case "text":
      return block.text;
    case "thinking":
      return block.thinking;
    case "tool_use":
      return "";
    case "tool_result":
      return content(block.content);
    default:
      return JSON.stringify(block);
  }
}

function events(id, model, text) {
  const usage = { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 };
  const all = [
    { type: "message_start", message: { id, type: "message", role: "assistant", model, content: [], stop_reason: null, stop_sequence: null, usage } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: "message_stop" },
  ];
  return all.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}
