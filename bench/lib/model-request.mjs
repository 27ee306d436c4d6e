import { createRandom } from "./random.mjs";
import { createText } from "./text.mjs";

const TOOLS = ["Bash", "Read", "Write", "Edit", "Glob", "Grep", "Skill", "Agent", "TodoWrite", "WebFetch"];

/**
 * The body of a turn of Claude Code's main agent with about so many bytes: a system prompt and tools with long
 * descriptions, as it sends them, and a conversation of calls and results that fills the rest.
 */
export function modelRequest(bytes) {
  const random = createRandom(bytes);
  const text = createText(random);
  const share = Math.min(bytes * 0.6, 30_000);
  const block = (length) => ({ type: "text", text: text.output(Math.round(length)) });
  const body = {
    model: "claude-sonnet-4-5",
    messages: [{ role: "user", content: [{ ...block(400), cache_control: { type: "ephemeral" } }] }],
    system: [block(100), block(60), { ...block(share / 3), cache_control: { type: "ephemeral" } }],
    tools: TOOLS.map((name) => ({
      name,
      description: text.output(Math.round(share / 25)),
      input_schema: {
        type: "object",
        properties: { path: { type: "string", description: text.output(60) }, limit: { type: "number", description: text.output(60) } },
        required: ["path"],
        additionalProperties: false,
      },
    })),
    metadata: { user_id: JSON.stringify({ device_id: random.hex(64), session_id: random.uuid() }) },
    max_tokens: 32000,
    thinking: { type: "enabled", budget_tokens: 31999 },
    stream: true,
  };
  let size = JSON.stringify(body).length;
  while (size < bytes) {
    const id = random.id("toolu_");
    const output = text.output(Math.min(random.logUniform(200, 20_000), Math.max(bytes - size - 350, 50)));
    const turn = [
      { role: "assistant", content: [{ type: "text", text: text.sentence() }, { type: "tool_use", id, name: random.pick(TOOLS), input: { path: text.file() } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: output }] },
    ];
    body.messages.push(...turn);
    size += JSON.stringify(turn).length;
  }
  return JSON.stringify(body);
}
