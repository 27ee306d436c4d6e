import { createRandom } from "./random.mjs";
import { createText } from "./text.mjs";
import { TARGET_FILE } from "../checks.mjs";

const MODEL = "claude-opus-5-5";
const TOOLS = ["Task", "Bash", "Edit", "Grep", "Read", "Skill", "TaskStop", "WebFetch", "WebSearch", "Write", "mcp__demo__echo"];
const COMMANDS = "agents clear compact config context effort help init mcp model review usage".split(" ");
const TOOL_WEIGHTS = { Bash: 35, Read: 32, Edit: 13, Grep: 12, Write: 4, mcp__demo__echo: 3, Agent: 1 };
const SUBAGENT_TOOL_WEIGHTS = { Bash: 1, Read: 2, Grep: 2 };

/**
 * A Claude Code stream (`--output-format stream-json --include-hook-events`) as one long session leaves it, one event at a time.
 * It satisfies `passingChecks` of `checks.mjs`; the call that `toolWith` looks for is the last one, so no side may stop early.
 *
 * @param {object} options
 * @param {number} options.seed
 * @param {number} options.maxOutput longest tool output, in characters; the shortest is 100
 * @param {() => boolean} options.full whether enough was written; asked before each turn
 */
export function* claudeStream({ seed, maxOutput, full }) {
  const random = createRandom(seed);
  const text = createText(random);
  const session = random.uuid();
  const cwd = "/home/dev/project";
  const usage = { input_tokens: 100, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 };
  let clock = Date.UTC(2026, 10, 30, 8);
  let topLevelUserEvents = 0;

  const stamp = () => new Date((clock += random.int(2, 400))).toISOString();
  const system = (subtype, fields) => ({ type: "system", subtype, ...fields, uuid: random.uuid(), session_id: session });
  const agentFields = (agent) => (agent ? { subagent_type: agent.type, task_description: agent.description } : {});

  const assistant = (message, block, agent) => ({
    type: "assistant",
    message: { id: message, type: "message", role: "assistant", model: MODEL, stop_reason: null, stop_sequence: null, content: [block], usage, context_management: null },
    parent_tool_use_id: agent?.call ?? null,
    ...(agent && { agent_id: agent.id }),
    session_id: session,
    uuid: random.uuid(),
    timestamp: stamp(),
    request_id: random.id("req_01"),
    ...agentFields(agent),
  });

  const user = (content, fields, agent) => {
    if (!agent) topLevelUserEvents += 1;
    return {
      type: "user",
      message: { role: "user", content: [content] },
      parent_tool_use_id: agent?.call ?? null,
      ...(agent && { agent_id: agent.id }),
      session_id: session,
      uuid: random.uuid(),
      timestamp: stamp(),
      ...fields,
      ...agentFields(agent),
    };
  };

  const answer = (call, content, result, agent, isError) =>
    user(
      { tool_use_id: call.id, type: "tool_result", content, ...(isError !== undefined && { is_error: isError }) },
      {
        // A subagent's answers carry no second copy.
        ...(!agent && { tool_use_result: result }),
        tool_result_meta: [{ id: call.id, permission_decision: { decision: "accept", source: "config", reason_type: "rule" } }],
      },
      agent,
    );

  function* hook(event, tool) {
    const fields = { hook_id: random.uuid(), hook_name: tool ? `${event}:${tool}` : event, hook_event: event };
    yield system("hook_started", fields);
    yield system("hook_response", { ...fields, output: "checked\n", stdout: "checked\n", stderr: "", exit_code: 0, outcome: "success" });
  }

  const toolInput = (name) => {
    const file = `${cwd}/${text.file()}`;
    switch (name) {
      case "Bash": return { command: `npm test -- ${text.file()} | tail -n ${random.int(5, 200)}`, description: "Run the tests" };
      case "Read": return { file_path: file, offset: random.int(0, 400), limit: 500 };
      case "Edit": return { replace_all: false, file_path: file, old_string: text.output(80), new_string: text.output(90) };
      case "Grep": return { pattern: "load\\(.*\\)", path: file, output_mode: "content" };
      case "Write": return { file_path: file, content: text.output(random.logUniform(100, maxOutput / 4)) };
      case "mcp__demo__echo": return { text: text.sentence() };
      case "Agent": return { description: "Look around", prompt: text.sentence(), subagent_type: "Explore", run_in_background: false };
      default: throw new RangeError(`no input for the tool ${name}`);
    }
  };

  function answerTo(call, agent) {
    const { input } = call;
    const output = text.output(random.logUniform(100, maxOutput));
    if (random.chance(0.05)) return answer(call, `Exit code 1\n${output}`, `Error: Exit code 1\n${output}`, agent, true);
    switch (call.name) {
      case "Bash": return answer(call, output, { stdout: output, stderr: "", interrupted: false, isImage: false, noOutputExpected: false }, agent, false);
      case "Read": {
        const numbered = output.split("\n").map((line, at) => `${at + 1}\t${line}`).join("\n");
        return answer(call, numbered, { type: "text", file: { filePath: input.file_path, content: output, numLines: 500, startLine: 1, totalLines: 500 } }, agent);
      }
      case "Grep": return answer(call, output, { mode: "content", filenames: [], content: output, numLines: 9 }, agent);
      case "Edit": return answer(call, `The file ${input.file_path} has been updated successfully.`, { filePath: input.file_path, oldString: input.old_string, newString: input.new_string, originalFile: output, structuredPatch: [], userModified: false, replaceAll: false }, agent);
      case "Write": return answer(call, `File created successfully at: ${input.file_path}`, { type: "create", filePath: input.file_path, content: input.content, structuredPatch: [], originalFile: null, userModified: false }, agent);
      default: {
        const blocks = [{ type: "text", text: output }];
        return answer(call, blocks, blocks, agent);
      }
    }
  }

  function* subagent(call) {
    const { description, prompt, subagent_type: type } = call.input;
    const agent = { id: `a${random.hex(16)}`, type, description, call: call.id };
    const task = { task_id: agent.id, run_id: random.hex(18), tool_use_id: call.id };
    yield system("task_started", { ...task, description, subagent_type: type, is_backgrounded: false, spawn_depth: 1, task_type: "local_agent", prompt });
    yield user({ type: "text", text: prompt }, {}, agent);
    const turns = random.int(2, 6);
    for (let done = 1; done <= turns; done += 1) {
      const inner = newCall(random.weighted(SUBAGENT_TOOL_WEIGHTS));
      yield system("task_progress", { ...task, description: `Running ${type}`, subagent_type: type, usage: { total_tokens: 101 * done, tool_uses: done, duration_ms: 50 * done }, last_tool_name: inner.name });
      yield assistant(random.id("msg_01"), { type: "tool_use", ...inner }, agent);
      yield answerTo(inner, agent);
    }
    yield system("task_notification", { ...task, status: "completed", summary: text.sentence(), usage: { total_tokens: 101 * turns, tool_uses: turns, duration_ms: 50 * turns } });
  }

  const newCall = (name, input = toolInput(name)) => ({ id: random.id("toolu_01"), name, input });

  function* turn(calls, { says } = {}) {
    const message = random.id("msg_01");
    if (says) yield assistant(message, { type: "text", text: says });
    for (const call of calls) {
      yield assistant(message, { type: "tool_use", ...call });
      yield* hook("PreToolUse", call.name);
    }
    // Answers to parallel calls come in the order they finish.
    for (const call of calls.length > 1 && random.chance(0.5) ? calls.toReversed() : calls) {
      if (call.name === "Agent") yield* subagent(call);
      if (call.name === "Bash") yield* hook("PostToolUse", call.name);
      if (call.name === "Skill") yield answer(call, `Launching skill: ${call.input.skill}`, { success: true, commandName: call.input.skill });
      else yield answerTo(call);
    }
  }

  yield* hook("SessionStart");
  yield system("init", {
    cwd, tools: TOOLS, mcp_servers: [{ name: "demo", status: "connected", source: "dynamic" }], model: MODEL, permissionMode: "default",
    slash_commands: ["demo:greet", ...COMMANDS], apiKeySource: "ANTHROPIC_API_KEY", claude_code_version: "2.1.332", output_style: "default",
    agents: ["Explore", "general-purpose", "Plan"], skills: ["demo:greet"], plugins: [{ name: "demo", path: `${cwd}/plugin`, source: "demo@inline" }],
    analytics_disabled: true, sandbox_enabled: false, original_cwd: cwd, additional_directories: [], fast_mode_state: "off", view_mode: "default",
  });
  yield* turn([newCall("Skill", { skill: "demo:greet", args: "Ann" })], { says: "I will greet first." });
  yield user({ type: "text", text: `Base directory for this skill: ${cwd}/plugin/skills/greet\n\n# Greet\n` }, { isSynthetic: true });
  yield* turn([newCall("Bash"), newCall("mcp__demo__echo")]);
  yield* turn([newCall("Agent")]);
  while (!full()) {
    const calls = Array.from({ length: random.chance(0.15) ? random.int(2, 4) : 1 }, () => newCall(random.weighted(TOOL_WEIGHTS)));
    yield* turn(calls, { says: random.chance(0.4) && text.sentence() });
  }
  yield* turn([newCall("Edit", { ...toolInput("Edit"), file_path: TARGET_FILE })]);
  const closing = "All tests pass; the work is done.";
  yield assistant(random.id("msg_01"), { type: "text", text: closing });
  yield {
    // `type` is not the first key here, as in the CLI's own result event.
    duration_api_ms: 86000, stop_reason: "end_turn", session_id: session, total_cost_usd: 12.375,
    usage: { ...usage, input_tokens: 60000, output_tokens: 60000, service_tier: "standard" },
    modelUsage: { [MODEL]: { inputTokens: 60000, outputTokens: 60000, cacheReadInputTokens: 0, cacheCreationInputTokens: 0, webSearchRequests: 0, costUSD: 12.375, contextWindow: 1000000, maxOutputTokens: 128000 } },
    permission_denials: [], terminal_reason: "completed", is_error: false, num_turns: 1 + topLevelUserEvents, subtype: "success",
    api_error_status: null, result: closing, type: "result", duration_ms: 217000, uuid: random.uuid(), queued_turn_count: 0, result_index: 0,
  };
}
