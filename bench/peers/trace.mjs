/** Counts the model turns of each agent: distinct message ids, since every content block is an event of its own. */
class Turns {
  #byMessage = new Map();
  #count = 0;

  of(messageId) {
    let turn = this.#byMessage.get(messageId);
    if (turn === undefined) {
      turn = this.#count += 1;
      this.#byMessage.set(messageId, turn);
    }
    return turn;
  }

  get count() {
    return this.#count;
  }
}

/** Turns per agent; the main agent's key is `null`, a subagent's the id of the call that started it. */
class TurnsByAgent extends Map {
  of(agent) {
    let turns = this.get(agent);
    if (turns === undefined) this.set(agent, (turns = new Turns()));
    return turns;
  }
}

/**
 * What the ten checks need of a Claude Code stream, and no more.
 *
 * @param {string} path
 * @param {(path: string, visit: (event: object) => void) => void} read a reader of `lines.mjs`
 */
export function readTrace(path, read) {
  const turns = new TurnsByAgent();
  const unanswered = new Map();
  const trace = { toolCalls: [], hookEvents: new Set(), turns: 0, output: "", costUsd: undefined };
  read(path, (event) => {
    switch (event.type) {
      case "assistant": {
        const turn = turns.of(event.parent_tool_use_id).of(event.message.id);
        for (const block of event.message.content) {
          if (block.type !== "tool_use") continue;
          const call = { id: block.id, name: block.name, input: block.input, isError: undefined, turn };
          trace.toolCalls.push(call);
          unanswered.set(block.id, call);
        }
        break;
      }
      case "user":
        answerCalls(unanswered, event.message.content);
        break;
      case "system":
        if (event.subtype === "hook_response") trace.hookEvents.add(event.hook_event);
        break;
      case "result":
        trace.costUsd = event.total_cost_usd;
        if (event.result) trace.output = event.result;
        break;
    }
  });
  trace.turns = turns.of(null).count;
  return trace;
}

/** Id, name, error flag and turn of every tool call. */
export function readToolCalls(path, read) {
  const turns = new TurnsByAgent();
  const unanswered = new Map();
  const calls = [];
  read(path, (event) => {
    if (event.type === "assistant") {
      const turn = turns.of(event.parent_tool_use_id).of(event.message.id);
      for (const block of event.message.content) {
        if (block.type !== "tool_use") continue;
        const call = { id: block.id, name: block.name, isError: undefined, turn };
        calls.push(call);
        unanswered.set(block.id, call);
      }
    } else if (event.type === "user") {
      answerCalls(unanswered, event.message.content);
    }
  });
  return calls;
}

function answerCalls(unanswered, content) {
  if (typeof content === "string") return;
  for (const block of content) {
    if (block.type !== "tool_result") continue;
    const call = unanswered.get(block.tool_use_id);
    if (call === undefined) continue;
    call.isError = block.is_error === true;
    unanswered.delete(block.tool_use_id);
  }
}
